#### apply.sh
#!/usr/bin/env bash
set -eu
sql() { sqlite3 -batch -cmd '.timeout 5000' "$db" "$1" < "$json"; }
db=$1; json=$2
body="CAST(readfile('/dev/stdin') AS TEXT)"
id=$(sql "SELECT json_extract(j, '\$.msg_id') FROM (SELECT $body AS j)
          WHERE json_type(j, '\$.msg_id') = 'text'")
[ -n "$id" ] || { echo "no message: $json" >&2; exit 1; }
new=$(sql "INSERT OR IGNORE INTO inbox_log
  SELECT json_extract(j, '\$.msg_id'), json_extract(j, '\$.order_no'), 'done',
         json_object('for', json_extract(j, '\$.order_no')), datetime('now')
  FROM (SELECT $body AS j) RETURNING 1")
# What it returned says which of the two it was; the answer is the same question for both.
if [ "$new" = 1 ]; then echo applied; else echo duplicate; fi
sql "SELECT response FROM inbox_log WHERE msg_id = json_extract($body, '\$.msg_id')"

#### purge.sh
#!/usr/bin/env bash
set -eu
seconds=$(( $2 * 86400 ))
(( seconds >= 0 )) || { echo 'purge: a negative number of days' >&2; exit 1; }
gone=$(sqlite3 -cmd '.timeout 5000' "$1" "DELETE FROM inbox_log
  WHERE strftime('%s', 'now') - strftime('%s', created_at) > $seconds RETURNING msg_id" | wc -l)
left=$(sqlite3 -cmd '.timeout 5000' "$1" 'SELECT count(*) FROM inbox_log')
echo "deleted=$((gone)) remain=$left"
