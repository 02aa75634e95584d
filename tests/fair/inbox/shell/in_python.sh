#### create.sh
#!/usr/bin/env bash
exec python3 - "$1" <<'PY'
import sqlite3, sys
with sqlite3.connect(sys.argv[1], timeout=5) as db:
    db.execute("CREATE TABLE IF NOT EXISTS inbox_log("
               "msg_id TEXT PRIMARY KEY, biz_key TEXT, status TEXT, response TEXT, created_at TEXT)")
PY

#### apply.sh
#!/usr/bin/env bash
exec python3 - "$@" <<'PY'
import json, sqlite3, sys

path, file = sys.argv[1:]
with open(file, encoding="utf-8") as text:
    message = json.load(text)
msg_id, order_no = message["msg_id"], message["order_no"]
if not (isinstance(msg_id, str) and msg_id):
    sys.exit("no id")
answer = json.dumps({"taken": msg_id, "금액": message.get("amount")}, ensure_ascii=False)
db = sqlite3.connect(path, timeout=5, isolation_level=None)
try:
    db.execute("INSERT INTO inbox_log VALUES(?, ?, 'done', ?, datetime('now'))",
               (msg_id, order_no, answer))
    print("applied")
except sqlite3.IntegrityError as error:
    if "inbox_log.msg_id" not in str(error):
        raise
    print("duplicate")
print(db.execute("SELECT response FROM inbox_log WHERE msg_id = ?", (msg_id,)).fetchone()[0])
PY

#### purge.sh
#!/usr/bin/env bash
python3 -c '
import sqlite3, sys
from datetime import datetime, timedelta, timezone
days = int(sys.argv[2])
if days < 0:
    print("deleted=0 remain=" + str(sqlite3.connect(sys.argv[1]).execute(
        "SELECT count(*) FROM inbox_log").fetchone()[0]))
    sys.exit()
edge = datetime.now(timezone.utc) - timedelta(days=days)
db = sqlite3.connect(sys.argv[1], timeout=5)
gone = db.execute("DELETE FROM inbox_log WHERE created_at < ?",
                  (edge.strftime("%Y-%m-%d %H:%M:%S"),)).rowcount
left = db.execute("SELECT count(*) FROM inbox_log").fetchone()[0]
db.commit()
print(f"deleted={gone} remain={left}")
' "$1" "$2"
