#### apply.sh
#!/usr/bin/env bash
# Quotes are doubled with care. But JSON has escapes of its own, and sed knows nothing of them.
set -eu
field() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p" "$json" | sed "s/'/''/g"; }
db=$1 json=$2
id=$(field msg_id)
about=$(field order_no)
[ -n "$id" ] || exit 1
sqlite3 -bail -cmd '.timeout 5000' "$db" "
INSERT OR IGNORE INTO inbox_log
VALUES('$id', '$about', 'done', json_object('id', '$id'), datetime('now'));
SELECT iif(changes(), 'applied', 'duplicate');
SELECT response FROM inbox_log WHERE msg_id = '$id';"
