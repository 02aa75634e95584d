#!/bin/bash
# A right solution of lab `inbox`: a here-document, parameters, and one transaction.
db="$1"
cp -- "$2" "${TMPDIR:-/tmp}/message.$$.json" || exit 1
cd "${TMPDIR:-/tmp}" || exit 1
trap 'rm -f "message.$$.json"' EXIT
sqlite3 -batch -bail "$db" <<SQL
.timeout 4000
CREATE TEMP TABLE m(body TEXT, id TEXT NOT NULL CHECK(id <> ''), biz TEXT NOT NULL);
INSERT INTO m SELECT b, json_extract(b, '\$.msg_id'), json_extract(b, '\$.order_no')
  FROM (SELECT CAST(readfile('message.$$.json') AS TEXT) AS b);
BEGIN IMMEDIATE;
INSERT INTO inbox_log SELECT id, biz, 'ok', json_object('ok', id), datetime('now') FROM m WHERE true
  ON CONFLICT(msg_id) DO NOTHING;
SELECT iif(changes(), 'applied', 'duplicate');
SELECT response FROM inbox_log JOIN m ON id = msg_id;
COMMIT;
SQL
