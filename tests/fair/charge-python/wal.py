"""Another journal, a class, and the claim by INSERT OR IGNORE with total_changes."""
import hashlib
import json
import sqlite3


class ConflictError(Exception):
    """Defined here, as each solution does."""


class InProgressError(Exception):
    """Likewise."""


class Store:
    def __init__(self, path):
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute("PRAGMA journal_mode=WAL")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.db.close()

    def claim(self, key, digest, now, keep):
        self.db.execute("BEGIN IMMEDIATE")
        try:
            self.db.execute("DELETE FROM idempotency_keys WHERE key=? AND response_body IS NOT NULL "
                            "AND created_at + ? <= ?", (key, keep, now))
            before = self.db.total_changes
            self.db.execute("INSERT OR IGNORE INTO idempotency_keys VALUES(?,?,NULL,NULL,?)",
                            (key, digest, now))
            if self.db.total_changes > before:
                return None
            return self.db.execute("SELECT request_hash, response_status, response_body "
                                   "FROM idempotency_keys WHERE key=?", (key,)).fetchone()
        finally:
            self.db.execute("COMMIT")


def init_db(path):
    with Store(path) as store:
        store.db.execute("CREATE TABLE IF NOT EXISTS idempotency_keys(key TEXT PRIMARY KEY, "
                         "request_hash TEXT NOT NULL, response_status INTEGER, "
                         "response_body TEXT, created_at REAL NOT NULL)")


def handle_charge(path, idempotency_key, request_body, amount, now, process_charge, keep=86400):
    text = json.dumps({"amount": amount, "body": request_body}, sort_keys=True, indent=1)
    digest = hashlib.sha3_256(text.encode()).hexdigest()
    with Store(path) as store:
        found = store.claim(idempotency_key, digest, now, keep)
        if found:
            first, status, body = found
            if first != digest:
                raise ConflictError(idempotency_key)
            if body is None:
                raise InProgressError(idempotency_key)
            return status, json.loads(body)
        key = {"key": idempotency_key}
        try:
            key["body"] = json.dumps(process_charge(amount))
        except:
            store.db.execute("DELETE FROM idempotency_keys WHERE key=:key", key)
            raise
        store.db.execute("UPDATE idempotency_keys SET response_status=200, response_body=:body "
                         "WHERE key=:key", key)
        return 200, json.loads(key["body"])


def sweep(path, now, keep=86400):
    with Store(path) as store:
        return store.db.execute("DELETE FROM idempotency_keys WHERE response_body IS NOT NULL "
                                "AND created_at + ? <= ?", (keep, now)).rowcount
