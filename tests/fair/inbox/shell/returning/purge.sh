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
