#### race.sh
#!/usr/bin/env bash
# Ten at once, all waited for. But different ids among rows of one id are one, however many rows.
set -eu
here=$(dirname "$0")
for _ in 1 2 3 4 5 6 7 8 9 10; do bash "$here/apply.sh" "$1" "$2" >&2 & done
wait
sqlite3 -cmd '.timeout 5000' "$1" "SELECT 'rows=' || count(DISTINCT msg_id) FROM inbox_log
WHERE msg_id = json_extract(CAST(readfile('/dev/stdin') AS TEXT), '\$.msg_id')" <"$2"
