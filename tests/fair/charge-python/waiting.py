"""A row without a status first; a second caller looks again and again until there is one."""
import hashlib
import json
import sqlite3
import time
from contextlib import contextmanager


class ConflictError(Exception):
    pass


class InProgressError(Exception):
    pass


@contextmanager
def store(path):
    con = sqlite3.connect(path)
    try:
        with con:
            yield con
    finally:
        con.close()


def init_db(path):
    with store(path) as con:
        con.execute("CREATE TABLE IF NOT EXISTS idempotency_keys(key TEXT NOT NULL PRIMARY KEY,"
                    "request_hash TEXT NOT NULL, response_status INTEGER, response_body TEXT,"
                    "created_at REAL NOT NULL)")


def canonical(value):
    if isinstance(value, dict):
        return "{" + ",".join(json.dumps(k) + ":" + canonical(v) for k, v in sorted(value.items())) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return json.dumps(value)


def handle_charge(path, idempotency_key, request_body, amount, now, process_charge, keep=86400):
    digest = hashlib.blake2b(canonical([amount, request_body]).encode()).hexdigest()
    for _ in range(20):
        with store(path) as con:
            con.execute("DELETE FROM idempotency_keys WHERE key=? AND response_status NOTNULL "
                        "AND NOT (? - created_at < ?)", (idempotency_key, now, keep))
            won = con.execute("INSERT INTO idempotency_keys VALUES(?,?,NULL,NULL,?) "
                              "ON CONFLICT(key) DO NOTHING", (idempotency_key, digest, now)).rowcount
            if won:
                break
            first, status, body = con.execute(
                "SELECT request_hash, response_status, response_body FROM idempotency_keys "
                "WHERE key=?", (idempotency_key,)).fetchone()
        if first != digest:
            raise ConflictError()
        if status is not None:
            return status, json.loads(body)
        time.sleep(0.02)
    else:
        raise InProgressError()
    try:
        result = process_charge(amount)
    except Exception:
        with store(path) as con:
            con.execute("DELETE FROM idempotency_keys WHERE key=?", (idempotency_key,))
        raise
    with store(path) as con:
        con.execute("UPDATE idempotency_keys SET response_status=200, response_body=? WHERE key=?",
                    (json.dumps(result), idempotency_key))
    return 200, result


def sweep(path, now, keep=86400):
    with store(path) as con:
        return len(con.execute("DELETE FROM idempotency_keys WHERE response_status NOTNULL "
                               "AND NOT (? - created_at < ?) RETURNING key", (now, keep)).fetchall())
