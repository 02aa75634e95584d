#### create.sh
#!/usr/bin/env bash
set -o errexit
sqlite3 "$1" 'CREATE TABLE IF NOT EXISTS inbox_log(msg_id TEXT, biz_key TEXT, status TEXT,
  response TEXT, created_at TEXT, CONSTRAINT once UNIQUE(msg_id)) STRICT'

#### apply.sh
#!/usr/bin/env bash
set -euo pipefail
# Everything in one statement but the question who it was.
sqlite3 -cmd '.timeout 6000' -cmd '.headers off' "$1" "
  WITH m(id, about, amount) AS (
    SELECT json_extract(t, '\$.msg_id'), json_extract(t, '\$.order_no'), json_extract(t, '\$.amount')
    FROM (SELECT CAST(readfile('/dev/stdin') AS TEXT) AS t))
  INSERT INTO inbox_log(created_at, msg_id, biz_key, status, response)
  SELECT CURRENT_TIMESTAMP, nullif(id, ''), about, 'ok', json_array(id, amount) FROM m
  WHERE CASE WHEN typeof(id) = 'text' AND id <> '' THEN true ELSE json('no id') END
  ON CONFLICT(msg_id) DO NOTHING;
  SELECT substr('duplicate applied', 1 + 10 * changes(), 9);
  SELECT response FROM inbox_log
  WHERE msg_id = json_extract(CAST(readfile('/dev/stdin') AS TEXT), '\$.msg_id')" < "$2"
