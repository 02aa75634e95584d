#### apply.sh
#!/usr/bin/env bash
# Pastes values into the SQL after all, and doubles every quote in them before.
set -euo pipefail
text() {
  local value
  value=$(sqlite3 :memory: "SELECT json_extract(j, '\$.$1') || '.' FROM (
    SELECT CAST(readfile('/dev/stdin') AS TEXT) AS j) WHERE json_type(j, '\$.$1') = 'text'" <"$json")
  # The dot at the end keeps what a substitution would take off.
  value=${value%.}
  [ -n "$value" ] || { printf 'there is no %s\n' "$1" >&2; return 1; }
  printf "'%s'" "$(printf '%s' "$value" | sed "s/'/''/g")"
}
db=$1 json=$2
id=$(text msg_id)
about=$(text order_no)
sqlite3 -cmd '.timeout 5000' "$db" "
INSERT OR IGNORE INTO inbox_log VALUES($id, $about, 'done', json_object('id', $id), datetime());
SELECT CASE changes() WHEN 1 THEN 'applied' ELSE 'duplicate' END;
SELECT response FROM inbox_log WHERE msg_id = $id;"
