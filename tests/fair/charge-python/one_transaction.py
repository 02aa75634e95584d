"""One transaction around the provider: everybody else waits."""
import hashlib
import json
import sqlite3


class ConflictError(ValueError):
    pass


def init_db(path):
    con = sqlite3.connect(path)
    con.executescript(
        "CREATE TABLE IF NOT EXISTS idempotency_keys (key TEXT PRIMARY KEY, "
        "request_hash TEXT NOT NULL, response_status INTEGER, response_body TEXT, "
        "created_at REAL NOT NULL);")
    con.close()


def handle_charge(path, idempotency_key, request_body, amount, now, process_charge, keep=86400):
    digest = hashlib.sha256(json.dumps({"a": amount, "b": request_body}, sort_keys=True).encode()).hexdigest()
    con = sqlite3.connect(path, timeout=30, isolation_level=None)
    try:
        con.execute("BEGIN EXCLUSIVE")
        row = con.execute("SELECT * FROM idempotency_keys WHERE key = ?", (idempotency_key,)).fetchone()
        if row and now - row[4] < keep:
            con.execute("ROLLBACK")
            if row[1] != digest:
                raise ConflictError(idempotency_key)
            return [row[2], json.loads(row[3])]
        result = process_charge(amount=amount)
        con.execute("REPLACE INTO idempotency_keys VALUES (?, ?, ?, ?, ?)",
                    (idempotency_key, digest, 200, json.dumps(result), now))
        con.execute("COMMIT")
        return 200, result
    finally:
        con.close()


def sweep(path, now, keep=86400):
    con = sqlite3.connect(path)
    with con:
        dead = [key for key, status, seen in con.execute(
            "SELECT key, response_status, created_at FROM idempotency_keys")
            if status is not None and not now - seen < keep]
        con.executemany("DELETE FROM idempotency_keys WHERE key = ?", [(key,) for key in dead])
    con.close()
    return len(dead)
