#### apply.sh
#!/usr/bin/env bash
# A plain insert: whether it was the constraint, and that one, says the error.
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
sqlite3 -bail -cmd '.timeout 5000' "$1" "
INSERT INTO inbox_log
SELECT CASE json_type(j, '\$.msg_id') WHEN 'text' THEN nullif(json_extract(j, '\$.msg_id'), '')
         ELSE json('') END,
       json_extract(j, '\$.order_no'), 'applied', json_object('n', json_extract(j, '\$.amount')),
       strftime('%Y-%m-%d %H:%M:%S', 'now')
FROM (SELECT CAST(readfile('/dev/stdin') AS TEXT) AS j)
WHERE CASE json_extract(j, '\$.msg_id') WHEN '' THEN json('') ELSE 1 END" <"$2" 2>"$errors"
code=$?
if [ "$code" -eq 0 ]; then
  echo applied
elif grep -q 'UNIQUE constraint failed: inbox_log.msg_id' "$errors"; then
  echo duplicate
else
  cat "$errors" >&2
  exit "$code"
fi
sqlite3 -cmd '.timeout 5000' "$1" "SELECT response FROM inbox_log
WHERE msg_id = json_extract(CAST(readfile('/dev/stdin') AS TEXT), '\$.msg_id')" <"$2"
