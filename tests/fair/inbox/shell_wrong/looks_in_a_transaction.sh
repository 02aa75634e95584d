#### apply.sh
#!/usr/bin/env bash
# Look and insert stand in one transaction. But it begins as a reader, and two readers that both
# want to write stand in each other's way: the second is refused at once, timeout or not.
set -eu
sqlite3 -bail -cmd '.timeout 5000' "$1" "
CREATE TEMP TABLE m(id TEXT NOT NULL CHECK(id <> ''), about TEXT);
INSERT INTO m SELECT json_extract(j, '\$.msg_id'), json_extract(j, '\$.order_no')
FROM (SELECT CAST(readfile('/dev/stdin') AS TEXT) AS j);
BEGIN;
CREATE TEMP TABLE found AS SELECT count(*) AS n FROM inbox_log, m WHERE msg_id = id;
INSERT INTO inbox_log SELECT id, about, 'done', json_object('id', id), datetime('now')
FROM m, found WHERE n = 0;
COMMIT;
SELECT iif(n, 'duplicate', 'applied') FROM found;
SELECT response FROM inbox_log, m WHERE msg_id = id;" <"$2"
