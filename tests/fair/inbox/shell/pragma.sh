#### create.sh
#!/usr/bin/env bash
set -eu
sqlite3 "$1" "PRAGMA busy_timeout=5000; PRAGMA journal_mode=WAL;
CREATE TABLE IF NOT EXISTS inbox_log(msg_id TEXT PRIMARY KEY NOT NULL, biz_key, status, response,
  created_at) WITHOUT ROWID;" >/dev/null

#### apply.sh
#!/usr/bin/env bash
# The PRAGMA says 5000 first; that line is dropped, and the exit code is not.
set -euo pipefail
sqlite3 -bail "$1" "
PRAGMA busy_timeout=5000;
SELECT json_extract(CAST(readfile('/dev/stdin') AS TEXT), '\$.msg_id') WHERE false;
CREATE TEMP TABLE j AS SELECT json(CAST(readfile('/dev/stdin') AS TEXT)) AS body;
CREATE TEMP TABLE id(id TEXT NOT NULL, CHECK(id > ''));
INSERT INTO id SELECT json_extract(body, '\$.msg_id') FROM j;
INSERT OR IGNORE INTO inbox_log
SELECT id, json_extract(body, '\$.order_no'), 'done', json_remove(body, '\$.note'), datetime('now')
FROM id, j;
SELECT iif(changes() > 0, 'applied', 'duplicate');
SELECT response FROM inbox_log NATURAL JOIN (SELECT id AS msg_id FROM id);" <"$2" | sed 1d
