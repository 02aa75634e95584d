"""A lock file for each store, held around the naive form."""
import fcntl
import hashlib
import json
import sqlite3
from contextlib import closing


class ConflictError(Exception):
    pass


def init_db(path):
    with closing(sqlite3.connect(path)) as con, con:
        con.execute("CREATE TABLE IF NOT EXISTS idempotency_keys(key TEXT PRIMARY KEY,"
                    "request_hash TEXT NOT NULL,response_status INTEGER,response_body TEXT,"
                    "created_at REAL NOT NULL)")


def handle_charge(path, idempotency_key, request_body, amount, now, process_charge, keep=86400):
    digest = hashlib.sha512(json.dumps([request_body, amount], sort_keys=True).encode()).hexdigest()
    with open(path + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with closing(sqlite3.connect(path)) as con:
            row = con.execute("SELECT request_hash,response_status,response_body,created_at "
                              "FROM idempotency_keys WHERE key=?", (idempotency_key,)).fetchone()
        if row is not None and now - row[3] < keep:
            if row[0] != digest:
                raise ConflictError("another request")
            return row[1], json.loads(row[2])
        result = process_charge(amount)
        with closing(sqlite3.connect(path)) as con, con:
            con.execute("INSERT OR REPLACE INTO idempotency_keys VALUES(?,?,200,?,?)",
                        (idempotency_key, digest, json.dumps(result), now))
        return 200, result


def sweep(path, now, keep=86400):
    with closing(sqlite3.connect(path)) as con, con:
        return con.execute("DELETE FROM idempotency_keys WHERE response_status IS NOT NULL "
                           "AND created_at<=?", (now - keep,)).rowcount
