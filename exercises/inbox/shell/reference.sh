#### create.sh
#!/usr/bin/env bash
# create.sh DB: creates the history table, unless it is there.
set -eu
sqlite3 -batch -bail -cmd '.timeout 5000' "$1" "
CREATE TABLE IF NOT EXISTS inbox_log(
  msg_id TEXT PRIMARY KEY,
  biz_key TEXT NOT NULL,
  status TEXT NOT NULL,
  response TEXT NOT NULL,
  created_at TEXT NOT NULL)"

#### apply.sh
#!/usr/bin/env bash
# apply.sh DB JSON: takes in a message once, and prints what became of it and the response.
set -eu
db=$1
json=${2//\'/"''"}
message="(SELECT CAST(readfile('$json') AS TEXT) AS body)"

# What has no id or no order is no message.
good=$(sqlite3 -batch -bail :memory: "
SELECT json_type(body,'\$.msg_id')='text' AND json_extract(body,'\$.msg_id')<>''
  AND json_type(body,'\$.order_no')='text' AND json_extract(body,'\$.order_no')<>''
FROM $message")
if [ "$good" != 1 ]; then
  echo "$2 is no message" >&2
  exit 1
fi

# The insert itself says whether the message is new, so it is one process from here on.
sqlite3 -batch -bail -cmd '.timeout 5000' "$db" "
INSERT OR IGNORE INTO inbox_log(msg_id,biz_key,status,response,created_at)
SELECT json_extract(body,'\$.msg_id'), json_extract(body,'\$.order_no'), 'done',
  json_object('msg_id',json_extract(body,'\$.msg_id'),'amount',json_extract(body,'\$.amount')),
  datetime('now')
FROM $message;
SELECT CASE changes() WHEN 1 THEN 'applied' ELSE 'duplicate' END;
SELECT response FROM inbox_log, $message WHERE msg_id=json_extract(body,'\$.msg_id')"

#### race.sh
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

#### purge.sh
#!/usr/bin/env bash
# purge.sh DB DAYS: deletes what is older than so many days, and nothing else.
set -eu
case $2 in
'' | *[!0-9]*)
  echo "days must be a whole number, and is $2" >&2
  exit 1
  ;;
esac
sqlite3 -batch -bail -cmd '.timeout 5000' "$1" "
BEGIN IMMEDIATE;
DELETE FROM inbox_log WHERE created_at < datetime('now','-$2 days');
SELECT 'deleted=' || changes() || ' remain=' || (SELECT count(*) FROM inbox_log);
COMMIT"
