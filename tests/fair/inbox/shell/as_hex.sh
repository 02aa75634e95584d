#### apply.sh
#!/usr/bin/env bash
# Digits from 0 to f need no quotes: the whole message goes into the SQL as a blob.
set -euo pipefail
hex=$(od -An -v -tx1 <"$2" | tr -d ' \n')
m="CAST(x'$hex' AS TEXT)"
id="json_extract($m, '\$.msg_id')"
sqlite3 -batch -bail -cmd '.timeout 5000' "$1" \
  "SELECT json('no id') WHERE json_type($m, '\$.msg_id') IS NOT 'text' OR $id = ''" \
  "INSERT INTO inbox_log(msg_id, biz_key, status, response, created_at)
   VALUES ($id, json_extract($m, '\$.order_no'), 'taken', json_array($id), datetime('now'))
   ON CONFLICT DO NOTHING" \
  "SELECT CASE WHEN changes() THEN 'applied' ELSE 'duplicate' END" \
  "SELECT response FROM inbox_log WHERE msg_id = $id"

#### race.sh
#!/usr/bin/env bash
set -uo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
seen=$(
  for _ in {1..10}; do
    bash "$here/apply.sh" "$1" "$2" | head -n 1 &
  done
  wait
)
[ "$(grep -c . <<<"$seen")" -eq 10 ] || { echo "not ten answers: $seen" >&2; exit 1; }
hex=$(od -An -v -tx1 <"$2" | tr -d ' \n')
printf 'rows=%s\n' "$(sqlite3 -cmd '.timeout 5000' "$1" \
  "SELECT count(*) FROM inbox_log WHERE msg_id = json_extract(CAST(x'$hex' AS TEXT), '\$.msg_id')")"
