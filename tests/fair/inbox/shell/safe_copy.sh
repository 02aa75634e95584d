#### apply.sh
#!/usr/bin/env bash
# The message is copied to where its name is harmless; then the name can stand in the SQL.
set -euo pipefail
copy=$(mktemp "${TMPDIR:-/tmp}/message.XXXXXX")
trap 'rm -f -- "$copy"' EXIT
cat -- "$2" >"$copy"
sql=$(cat <<'SQL'
BEGIN IMMEDIATE;
CREATE TEMP VIEW m AS SELECT value ->> '$.msg_id' AS id, value ->> '$.order_no' AS about,
  json_type(value, '$.msg_id') AS kind FROM (SELECT CAST(readfile('@copy') AS TEXT) AS value);
CREATE TEMP TABLE known(id TEXT CHECK(length(id)), kind TEXT CHECK(kind IS 'text'), n INTEGER);
INSERT INTO known SELECT id, kind, (SELECT count(*) FROM inbox_log WHERE msg_id = id) FROM m;
INSERT OR ABORT INTO inbox_log SELECT m.id, about, 'ok', json_object('about', about), datetime('now')
  FROM m, known WHERE n = 0;
SELECT iif(n, 'duplicate', 'applied') FROM known;
SELECT response FROM inbox_log WHERE msg_id = (SELECT id FROM m);
COMMIT;
SQL
)
printf '%s\n' '.timeout 5000' "${sql//@copy/$copy}" | sqlite3 -bail "$1"
