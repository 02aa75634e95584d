#!/usr/bin/env bash
# race.sh DB JSON: takes in a message ten times at once, and counts its rows.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
for i in 1 2 3 4 5 6 7 8 9 10; do
  bash "$here/apply.sh" "$1" "$2" &
done
wait
json=${2//\'/"''"}
rows=$(sqlite3 -batch -bail -cmd '.timeout 5000' "$1" "
SELECT count(*) FROM inbox_log
WHERE msg_id=json_extract(CAST(readfile('$json') AS TEXT),'\$.msg_id')")
echo "rows=$rows"
