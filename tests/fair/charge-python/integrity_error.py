"""A row without a status, claimed by a plain INSERT whose failure is the sign of a first caller."""
import hashlib
import json
import sqlite3
from contextlib import closing


class Taken(Exception):
    pass


class ConflictError(Taken):
    pass


class InProgressError(Taken):
    pass


def connect(path):
    return closing(sqlite3.connect(path, timeout=10))


def init_db(path):
    with connect(path) as con, con:
        if con.execute("SELECT name FROM sqlite_master WHERE name='idempotency_keys'").fetchone() is None:
            con.execute("CREATE TABLE idempotency_keys(key TEXT, request_hash TEXT NOT NULL, "
                        "response_status INTEGER, response_body TEXT, created_at REAL NOT NULL, "
                        "PRIMARY KEY(key))")


def handle_charge(path, idempotency_key, request_body, amount, now, process_charge, keep=86400):
    sign = hashlib.sha256()
    sign.update(json.dumps(request_body, sort_keys=True, ensure_ascii=False).encode())
    sign.update(b"\0%d" % amount)
    sign = sign.hexdigest()
    with connect(path) as con:
        with con:
            con.execute("DELETE FROM idempotency_keys WHERE key=? AND response_status IS NOT NULL "
                        "AND ?-created_at >= ?", (idempotency_key, now, keep))
            try:
                con.execute("INSERT INTO idempotency_keys(key, request_hash, created_at) "
                            "VALUES(?,?,?)", (idempotency_key, sign, now))
            except sqlite3.IntegrityError:
                row = con.execute("SELECT request_hash, response_status, response_body "
                                  "FROM idempotency_keys WHERE key=?", (idempotency_key,)).fetchone()
                if row[0] != sign:
                    raise ConflictError(idempotency_key) from None
                if row[1] is None:
                    raise InProgressError(idempotency_key) from None
                return row[1], json.loads(row[2])
        done = False
        try:
            result = process_charge(amount)
            with con:
                con.execute("UPDATE idempotency_keys SET response_status=200, response_body=? "
                            "WHERE key=? AND request_hash=?", (json.dumps(result), idempotency_key, sign))
            done = True
            return 200, result
        finally:
            if not done:
                with con:
                    con.execute("DELETE FROM idempotency_keys WHERE key=? AND response_status IS NULL",
                                (idempotency_key,))


def sweep(path, now, keep=86400):
    with connect(path) as con, con:
        before = con.total_changes
        con.execute("DELETE FROM idempotency_keys WHERE response_status IS NOT NULL AND ?-created_at >= ?",
                    (now, keep))
        return con.total_changes - before
