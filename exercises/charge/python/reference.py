"""Lab `charge`, the reference: an idempotency key and its result, stored together.

A key is claimed by a row without a status, in a transaction of its own, before the provider is
called. So no lock is held while the provider works, and a second caller finds the row.
"""
import hashlib
import json
import sqlite3
from contextlib import closing


class ConflictError(Exception):
    """The key is in use for another request."""


class InProgressError(Exception):
    """The first request under the key is still running."""


def init_db(path):
    """Create the table of keys, unless it is there."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE IF NOT EXISTS idempotency_keys("
                   "key TEXT PRIMARY KEY,"
                   "request_hash TEXT NOT NULL,"
                   "response_status INTEGER,"
                   "response_body TEXT,"
                   "created_at REAL NOT NULL)")


def request_hash(request_body, amount):
    """Name a request: equal for equal JSON, whatever the order of its keys."""
    text = json.dumps([request_body, amount], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def handle_charge(path, idempotency_key, request_body, amount, now, process_charge, keep=86400):
    """Handle one request: charge once for a key, and answer every retry with what was stored."""
    digest = request_hash(request_body, amount)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        stored = claim(db, idempotency_key, digest, now, keep)
        db.execute("COMMIT")
        if stored is not None:
            return stored
        try:
            result = process_charge(amount)
        except BaseException:
            db.execute("DELETE FROM idempotency_keys WHERE key=? AND response_status IS NULL",
                       (idempotency_key,))
            raise
        db.execute("UPDATE idempotency_keys SET response_status=200,response_body=? "
                   "WHERE key=? AND response_status IS NULL",
                   (json.dumps(result), idempotency_key))
        return 200, result


def claim(db, key, digest, now, keep):
    """Claim a key for a new request, or find the answer of an earlier one."""
    db.execute("DELETE FROM idempotency_keys "
               "WHERE key=? AND response_status IS NOT NULL AND ?-created_at>=?",
               (key, now, keep))
    inserted = db.execute("INSERT OR IGNORE INTO idempotency_keys(key,request_hash,created_at) "
                          "VALUES(?,?,?)", (key, digest, now)).rowcount
    if inserted == 1:
        return None
    first, status, body = db.execute(
        "SELECT request_hash,response_status,response_body FROM idempotency_keys WHERE key=?",
        (key,)).fetchone()
    if first != digest:
        raise ConflictError("the key was used for another request")
    if status is None:
        raise InProgressError("the first request is still running")
    return status, json.loads(body)


def sweep(path, now, keep=86400):
    """Remove the finished records that are no longer live, and say how many there were."""
    with closing(sqlite3.connect(path)) as db, db:
        return db.execute("DELETE FROM idempotency_keys "
                          "WHERE response_status IS NOT NULL AND ?-created_at>=?",
                          (now, keep)).rowcount
