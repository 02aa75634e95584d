#### lib/common.sh
# Sourced by all scripts.
set -euo pipefail
db=$1

query() {
  local sql=$1 from=${2:-/dev/null}
  sqlite3 -batch -bail -init /dev/null -cmd '.timeout 5000' "$db" "$sql" <"$from"
}

field() { printf "json_extract(CAST(readfile('/dev/stdin') AS TEXT), '\$.%s')" "$1"; }

die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

#### lib/insert.sql
INSERT OR IGNORE INTO inbox_log(msg_id, biz_key, status, response, created_at)
VALUES(@id, @about, 'loaded', json_object('received', @id), datetime('now'));

#### create.sh
#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
query "CREATE TABLE IF NOT EXISTS inbox_log(
  msg_id TEXT NOT NULL, biz_key TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'loaded',
  response TEXT, created_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP);
CREATE UNIQUE INDEX IF NOT EXISTS one_row_a_message ON inbox_log(msg_id);"

#### apply.sh
#!/usr/bin/env bash
here=$(dirname "${BASH_SOURCE[0]}")
source "$here/lib/common.sh"
message=$2
kind=$(query "SELECT json_type(CAST(readfile('/dev/stdin') AS TEXT), '\$.msg_id')" "$message")
[[ $kind == text && -n $(query "SELECT nullif($(field msg_id), '')" "$message") ]] ||
  die "no id in $message"
insert=$(<"$here/lib/insert.sql")
insert=${insert//@id/$(field msg_id)}
insert=${insert//@about/$(field order_no)}
query "$insert
SELECT iif(changes(), 'applied', 'duplicate');
SELECT response FROM inbox_log WHERE msg_id = $(field msg_id);" "$message"

#### race.sh
#!/usr/bin/env bash
here=$(dirname "${BASH_SOURCE[0]}")
source "$here/lib/common.sh"
message=$2
jobs=()
for ((i = 0; i < 10; i++)); do
  (exec bash "$here/apply.sh" "$db" "$message") & jobs+=($!)
done
for job in "${jobs[@]}"; do wait "$job" || die "one of the ten failed"; done
printf 'rows=%d\n' "$(query "SELECT count(*) FROM inbox_log WHERE msg_id = $(field msg_id)" "$message")"
