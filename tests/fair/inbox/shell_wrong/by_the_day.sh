#### purge.sh
#!/usr/bin/env bash
# In UTC, by age, in one transaction. But whole days are counted, and a day has hours.
set -eu
[ "$2" -ge 0 ]
sqlite3 -bail -cmd '.timeout 5000' "$1" "
BEGIN IMMEDIATE;
DELETE FROM inbox_log
WHERE CAST(julianday('now') - julianday(created_at) AS INTEGER) > $2;
SELECT 'deleted=' || changes() || ' remain=' || (SELECT count(*) FROM inbox_log);
COMMIT;"
