#!/bin/sh
# A right solution of lab `inbox`: python3 does the work.
exec python3 - "$1" "$2" <<'PY'
import json, sqlite3, sys
with open(sys.argv[2], encoding="utf-8") as file:
    message = json.load(file)
msg_id, order = message["msg_id"], message["order_no"]
if not (isinstance(msg_id, str) and msg_id and isinstance(order, str)):
    sys.exit("no message")
db = sqlite3.connect(sys.argv[1], timeout=10)
with db:
    row = db.execute(
        "INSERT INTO inbox_log VALUES(?,?,'done',?,datetime('now'))"
        " ON CONFLICT DO NOTHING RETURNING 1",
        (msg_id, order, json.dumps({"receipt": message.get("amount")})),
    ).fetchone()
(response,) = db.execute("SELECT response FROM inbox_log WHERE msg_id=?", (msg_id,)).fetchone()
print("applied" if row else "duplicate")
print(response)
PY
