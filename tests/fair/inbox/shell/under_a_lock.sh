#### apply.sh
#!/usr/bin/env bash
# Looks first, and nobody can come in between: the write lock is taken before the look.
set -e
quote() { printf "'%s'" "${1//\'/\'\'}"; }
sqlite3 -bail "$1" <<SQL
.timeout 8000
BEGIN IMMEDIATE;
CREATE TEMP TABLE m AS
  SELECT json_extract(j, '\$.msg_id') AS id, json_extract(j, '\$.order_no') AS about
  FROM (SELECT CAST(readfile($(quote "$2")) AS TEXT) AS j);
CREATE TEMP TABLE found AS
  SELECT count(*) AS n FROM inbox_log WHERE msg_id = (SELECT id FROM m);
CREATE TEMP TABLE must(id TEXT NOT NULL CHECK(id <> ''));
INSERT INTO must SELECT id FROM m;
INSERT INTO inbox_log(msg_id, biz_key, status, response, created_at)
  SELECT id, about, 'new', json_object('answer', about, 'at', datetime('now')), datetime('now')
  FROM m, found WHERE n = 0;
COMMIT;
SELECT CASE n WHEN 0 THEN 'applied' ELSE 'duplicate' END FROM found;
SELECT response FROM inbox_log WHERE msg_id = (SELECT id FROM m);
SQL

#### race.sh
#!/usr/bin/env bash
set -e
cd "$(dirname "$0")"
for i in {1..10}; do ./apply.sh "$1" "$2" >/dev/null & done
wait
echo "All ten are back."
sqlite3 -cmd '.timeout 8000' "$1" "SELECT 'rows=' || count(*) FROM inbox_log, (
  SELECT json_extract(CAST(readfile('/dev/stdin') AS TEXT), '\$.msg_id') AS id)
  WHERE msg_id = id" < "$2"
