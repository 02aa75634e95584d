#### create.sh
#!/usr/bin/env bash
# create.sh DB: creates the history table, unless it is there.
set -eu
db=$1

sqlite3 -batch -bail -cmd '.timeout 5000' "$db" "
CREATE TABLE IF NOT EXISTS inbox_log(
  msg_id TEXT PRIMARY KEY,
  biz_key TEXT NOT NULL,
  status TEXT NOT NULL,
  response TEXT NOT NULL,
  created_at TEXT NOT NULL);
"

#### apply.sh
#!/usr/bin/env bash
# apply.sh DB JSON: takes in the message in the file JSON once; prints `applied` or `duplicate`,
# and then the response of the first time.
set -eu
db=$1 message=$2

# SQLite reads the message itself, from standard input: no value of it ever stands in the SQL.
# Whatever is no message breaks a constraint of the first table, and ends the script there.
sqlite3 -batch -bail -cmd '.timeout 5000' "$db" "
CREATE TEMP TABLE message(
  msg_id TEXT NOT NULL CHECK(msg_id <> ''),
  order_no TEXT NOT NULL CHECK(order_no <> ''),
  response TEXT NOT NULL);
INSERT INTO message
SELECT CASE json_type(body, '\$.msg_id') WHEN 'text' THEN json_extract(body, '\$.msg_id') END,
       CASE json_type(body, '\$.order_no') WHEN 'text' THEN json_extract(body, '\$.order_no') END,
       json_object('msg_id', json_extract(body, '\$.msg_id'),
                   'order_no', json_extract(body, '\$.order_no'),
                   'amount', json_extract(body, '\$.amount'))
FROM (SELECT CAST(readfile('/dev/stdin') AS TEXT) AS body);

INSERT OR IGNORE INTO inbox_log(msg_id, biz_key, status, response, created_at)
SELECT msg_id, order_no, 'done', response, datetime('now') FROM message;
SELECT CASE changes() WHEN 0 THEN 'duplicate' ELSE 'applied' END;
SELECT response FROM inbox_log WHERE msg_id = (SELECT msg_id FROM message);
" <"$message"

#### race.sh
#!/usr/bin/env bash
# race.sh DB JSON: takes in the same message ten times at once; prints how many rows it has.
set -eu
db=$1 message=$2
here=$(dirname -- "$0")

ten=()
for _ in 1 2 3 4 5 6 7 8 9 10; do
  bash "$here/apply.sh" "$db" "$message" &
  ten+=("$!")
done
failed=0
for one in "${ten[@]}"; do
  wait "$one" || failed=1
done
if [ "$failed" -ne 0 ]; then
  echo 'race.sh: not all of the ten came through' >&2
  exit 1
fi

sqlite3 -batch -bail -cmd '.timeout 5000' "$db" "
SELECT 'rows=' || count(*) FROM inbox_log
WHERE msg_id = json_extract(CAST(readfile('/dev/stdin') AS TEXT), '\$.msg_id');
" <"$message"

#### purge.sh
#!/usr/bin/env bash
# purge.sh DB DAYS: deletes what is older than so many days, and nothing else.
set -eu
db=$1 days=$2

case $days in
  '' | *[!0-9]*)
    echo "purge.sh: DAYS must be a whole number from 0, and is $days" >&2
    exit 2
    ;;
esac
sqlite3 -batch -bail -cmd '.timeout 5000' "$db" "
BEGIN IMMEDIATE;
DELETE FROM inbox_log WHERE created_at < datetime('now', '-$days days');
SELECT 'deleted=' || changes() || ' remain=' || (SELECT count(*) FROM inbox_log);
COMMIT;
"
