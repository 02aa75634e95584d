#### apply.sh
#!/usr/bin/env bash
# The stored response is put back, so every answer is right. The time of loading is not.
set -eu
sqlite3 -bail -cmd '.timeout 5000' "$1" "
CREATE TEMP TABLE m(id TEXT NOT NULL CHECK(id <> ''), about TEXT);
INSERT INTO m SELECT json_extract(j, '\$.msg_id'), json_extract(j, '\$.order_no')
FROM (SELECT CAST(readfile('/dev/stdin') AS TEXT) AS j);
BEGIN IMMEDIATE;
CREATE TEMP TABLE old AS SELECT inbox_log.* FROM inbox_log, m WHERE msg_id = id;
INSERT OR REPLACE INTO inbox_log
SELECT id, about, 'done', coalesce((SELECT response FROM old), json_object('id', id)),
  datetime('now') FROM m;
COMMIT;
SELECT iif((SELECT count(*) FROM old), 'duplicate', 'applied');
SELECT response FROM inbox_log, m WHERE msg_id = id;" <"$2"
