"""Lab `retention`, the reference: a table of idempotency keys and its cleanup.

Every function opens the store at `path`, does one thing and lets go of it.
"""
import json
import sqlite3
from contextlib import closing


def init_db(path):
    """Create the table of keys, unless it is there."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE IF NOT EXISTS keys("
                   "id TEXT PRIMARY KEY,"
                   "fingerprint TEXT NOT NULL,"
                   "status TEXT NOT NULL,"
                   "response TEXT,"
                   "expires REAL NOT NULL)")


def reserve(path, key, digest, expires):
    """Reserve a missing key as pending; leave an existing one exactly as it is."""
    with closing(sqlite3.connect(path)) as db, db:
        cur = db.execute("INSERT OR IGNORE INTO keys(id,fingerprint,status,response,expires) "
                         "VALUES(?,?,'pending',NULL,?)", (key, digest, expires))
        return cur.rowcount == 1


def finish(path, key, digest, response):
    """Store the response of the request that reserved the key, once."""
    body = json.dumps(response)
    with closing(sqlite3.connect(path)) as db, db:
        cur = db.execute("UPDATE keys SET status='done',response=? "
                         "WHERE id=? AND fingerprint=? AND status='pending'", (body, key, digest))
        return cur.rowcount == 1


def fetch(path, key, now):
    """Return the response of a finished key that is still kept at `now`, or None."""
    with closing(sqlite3.connect(path)) as db:
        row = db.execute("SELECT response FROM keys "
                         "WHERE id=? AND status='done' AND expires>?", (key, now)).fetchone()
    return json.loads(row[0]) if row is not None else None


def _check(limit):
    """Refuse a limit that is not an integer from 1 to 100 (True is not one)."""
    if type(limit) is not int or not 1 <= limit <= 100:
        raise ValueError("limit must be an integer from 1 to 100")


def expired(path, now, limit=10):
    """List the finished keys that are no longer kept at `now`, in order, up to `limit`."""
    _check(limit)
    with closing(sqlite3.connect(path)) as db:
        return [r[0] for r in db.execute("SELECT id FROM keys WHERE status='done' AND expires<=? ORDER BY id LIMIT ?",
                                         (now, limit))]


def purge(path, now, limit=10):
    """Delete what `expired` would list, in one transaction, and return the deleted ids."""
    _check(limit)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        try:
            ids=[r[0] for r in db.execute("SELECT id FROM keys WHERE status='done' AND expires<=? "
                                          "ORDER BY id LIMIT ?", (now, limit))]
            db.executemany("DELETE FROM keys WHERE id=?", [(id,) for id in ids])
        except BaseException:
            db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")
    return ids


def counts(path):
    """Count the rows of each state; a state without rows is there with 0."""
    with closing(sqlite3.connect(path)) as db:
        rows = dict(db.execute("SELECT status,COUNT(*) FROM keys GROUP BY status"))
    return {"pending":rows.get("pending",0), "done":rows.get("done",0)}


def retention_cycle(path, key):
    """Walk one key through its whole life and show that it is a new request afterwards."""
    reserve(path,key,"v1",10)
    finish(path,key,"v1",{"receipt": 1})
    purge(path,10)
    return reserve(path,key,"v2",20)
