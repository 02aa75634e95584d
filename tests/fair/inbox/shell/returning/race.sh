#!/usr/bin/env bash
# A right solution of lab `inbox`: xargs starts the ten.
dir=$(dirname -- "${BASH_SOURCE[0]}")
seq 10 | xargs -P 10 -I{} bash "$dir/apply.sh" "$1" "$2" > /dev/null
id=$(sqlite3 :memory: "SELECT quote(json_extract(CAST(readfile('${2//\'/"''"}') AS TEXT),'\$.msg_id'))")
echo "rows=$(sqlite3 -cmd '.timeout 5000' "$1" "SELECT count(*) FROM inbox_log WHERE msg_id=$id")"
