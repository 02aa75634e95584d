#### apply.sh
#!/usr/bin/env bash
# A folder as a lock keeps its own kind out, so ten of these come one by one. Whoever writes into
# the database without asking for that folder is not kept out.
set -eu
id="json_extract(CAST(readfile('/dev/stdin') AS TEXT), '\$.msg_id')"
sql() { sqlite3 -bail -cmd '.timeout 5000' "$db" "$1" <"$json"; }
db=$1 json=$2
until mkdir "$db.lock" 2>/dev/null; do sleep 0.01; done
trap 'rmdir "$db.lock"' EXIT
known=$(sql "SELECT count(*) FROM inbox_log WHERE msg_id = $id")
if [ "$known" = 0 ]; then
  sql "INSERT OR IGNORE INTO inbox_log
  SELECT CASE typeof($id) WHEN 'text' THEN $id ELSE json('') END,
    json_extract(CAST(readfile('/dev/stdin') AS TEXT), '\$.order_no'), 'done',
    json_object('id', $id), datetime('now') WHERE CASE $id WHEN '' THEN json('') ELSE 1 END"
  echo applied
else
  echo duplicate
fi
sql "SELECT response FROM inbox_log WHERE msg_id = $id"
