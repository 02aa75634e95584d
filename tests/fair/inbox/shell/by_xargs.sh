#### race.sh
#!/usr/bin/env bash
set -euo pipefail
apply=$(cd "$(dirname "$0")" && pwd)/apply.sh
export apply db=$1 json=$2
seq 10 | xargs -P 10 -I '{}' bash -c 'bash "$apply" "$db" "$json" | sed "s/^/{}: /"' | sort -n >&2
sqlite3 -cmd '.timeout 5000' "$db" "
SELECT 'rows=' || count(*) FROM inbox_log
WHERE msg_id IS json_extract(CAST(readfile('/dev/stdin') AS TEXT), '\$.msg_id');" <"$json" | tail -n 1

#### purge.sh
#!/usr/bin/env bash
set -euo pipefail
[[ $2 =~ ^[0-9]+$ ]] || { echo "usage: purge.sh DB DAYS" >&2; exit 2; }
before=$(sqlite3 -cmd '.timeout 5000' "$1" "
  DELETE FROM inbox_log WHERE unixepoch(created_at) < unixepoch() - $2 * 86400;
  SELECT changes() || ' ' || count(*) FROM inbox_log;")
read -r deleted remain <<<"$before"
printf 'deleted=%s remain=%s\n' "$deleted" "$remain"
