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
