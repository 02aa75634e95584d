import sqlite3
from contextlib import closing


def init_db(path):
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY,fingerprint TEXT NOT NULL,"
                   "status TEXT NOT NULL,response TEXT,expires REAL NOT NULL)")


def reserve(path, key, digest, expires):
    raise NotImplementedError("step 2 is not written yet")
