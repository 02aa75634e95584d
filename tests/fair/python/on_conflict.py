"""Right: ON CONFLICT DO NOTHING, and one DELETE with a subquery whose ids come back sorted."""
import json
import sqlite3
from contextlib import closing


def init_db(path):
    with closing(sqlite3.connect(path)) as db, db:
        db.executescript("""
            CREATE TABLE IF NOT EXISTS keys (
                id          TEXT PRIMARY KEY,
                fingerprint TEXT NOT NULL,
                status      TEXT NOT NULL,
                response    TEXT,
                expires     REAL NOT NULL
            );
            CREATE INDEX IF NOT EXISTS keys_by_expiry ON keys (status, expires);
        """)


def reserve(path, key, digest, expires):
    with closing(sqlite3.connect(path)) as db, db:
        done = db.execute(
            "INSERT INTO keys VALUES (:key, :digest, 'pending', NULL, :expires) "
            "ON CONFLICT (id) DO NOTHING",
            {"key": key, "digest": digest, "expires": expires},
        )
        return bool(done.rowcount)


def finish(path, key, digest, response):
    with closing(sqlite3.connect(path)) as db, db:
        done = db.execute(
            "UPDATE keys SET (status, response) = ('done', ?) "
            "WHERE (id, fingerprint, status) = (?, ?, 'pending')",
            (json.dumps(response, ensure_ascii=False, indent=2, sort_keys=True), key, digest),
        )
        return done.rowcount > 0


def fetch(path, key, now):
    with closing(sqlite3.connect(path)) as db:
        for (text,) in db.execute(
            "SELECT response FROM keys WHERE id = ? AND status = 'done' AND ? < expires", (key, now)
        ):
            return json.loads(text)


def _checked(limit):
    if isinstance(limit, bool) or not isinstance(limit, int) or limit not in range(1, 101):
        raise ValueError(f"limit: {limit!r}")
    return limit


def expired(path, now, limit=10):
    _checked(limit)
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute(
            "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id ASC", (now,)
        ).fetchmany(limit)
    return [row[0] for row in rows]


def purge(path, now, limit=10):
    _checked(limit)
    with closing(sqlite3.connect(path)) as db, db:
        gone = db.execute(
            "DELETE FROM keys WHERE id IN (SELECT id FROM keys WHERE status = 'done' "
            "AND expires <= ? ORDER BY id LIMIT ?) RETURNING id",
            (now, limit),
        ).fetchall()
    return sorted(row[0] for row in gone)


def counts(path):
    with closing(sqlite3.connect(path)) as db:
        pending, done = db.execute(
            "SELECT count(*) FILTER (WHERE status = 'pending'),"
            " count(*) FILTER (WHERE status = 'done') FROM keys"
        ).fetchone()
    return dict(pending=pending, done=done)


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
