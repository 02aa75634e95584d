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
INSERT INTO inbox_log(msg_id,biz_key,status,response,created_at)
SELECT json_extract(body,'\$.msg_id'), json_extract(body,'\$.order_no'), 'done',
  json_object('msg_id',json_extract(body,'\$.msg_id'),'amount',json_extract(body,'\$.amount')),
  datetime('now')
FROM $message WHERE true ON CONFLICT DO NOTHING RETURNING 'applied';
SELECT 'duplicate' WHERE changes()=0;
SELECT response FROM inbox_log, $message WHERE msg_id=json_extract(body,'\$.msg_id')"
