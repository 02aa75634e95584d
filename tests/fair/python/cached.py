"""Right: keeps one open connection for each path, for good."""
import json
import sqlite3
from functools import lru_cache


@lru_cache(maxsize=None)
def connection(path):
    return sqlite3.connect(path, isolation_level=None)


class opened:
    """A transaction on the connection that is kept."""

    def __init__(self, path):
        self.db = connection(path)

    def __enter__(self):
        self.db.execute("BEGIN IMMEDIATE")
        return self.db

    def __exit__(self, kind, error, trace):
        self.db.execute("COMMIT" if kind is None else "ROLLBACK")


def init_db(path):
    with opened(path) as db:
        db.execute("CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL,"
                   " status TEXT NOT NULL, response TEXT, expires REAL NOT NULL)")


def reserve(path, key, digest, expires):
    with opened(path) as db:
        return db.execute("INSERT OR IGNORE INTO keys VALUES(?,?,'pending',NULL,?)",
                          (key, digest, expires)).rowcount == 1


def finish(path, key, digest, response):
    with opened(path) as db:
        return db.execute("UPDATE keys SET status='done', response=? WHERE id=? AND fingerprint=?"
                          " AND status='pending'", (json.dumps(response), key, digest)).rowcount == 1


def fetch(path, key, now):
    with opened(path) as db:
        row = db.execute("SELECT response FROM keys WHERE id=? AND status='done' AND expires>?",
                         (key, now)).fetchone()
    return None if row is None else json.loads(row[0])


def check(limit):
    if type(limit) is not int or not 1 <= limit <= 100:
        raise ValueError("limit is a whole number from 1 to 100")


def due(db, now, limit):
    return [row[0] for row in db.execute(
        "SELECT id FROM keys WHERE status='done' AND expires<=? ORDER BY id LIMIT ?", (now, limit))]


def expired(path, now, limit=10):
    check(limit)
    with opened(path) as db:
        return due(db, now, limit)


def purge(path, now, limit=10):
    check(limit)
    with opened(path) as db:
        ids = due(db, now, limit)
        for each in ids:
            db.execute("DELETE FROM keys WHERE id=?", (each,))
        return ids


def counts(path):
    found = {"pending": 0, "done": 0}
    with opened(path) as db:
        found.update(db.execute("SELECT status, count(*) FROM keys GROUP BY status"))
    return found


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
