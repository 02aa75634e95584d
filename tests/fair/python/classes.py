"""Right: a data class and an enumeration behind the functions, with annotations as text."""
from __future__ import annotations

import json
import sqlite3
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, ClassVar, Optional


class Status(str, Enum):
    PENDING = "pending"
    DONE = "done"


@dataclass(frozen=True)
class Limit:
    value: int
    largest: ClassVar[int] = 100

    def __post_init__(self) -> None:
        if self.value.__class__ is not int or not 0 < self.value <= self.largest:
            raise ValueError(self)


@dataclass
class Store:
    path: str
    stack: ExitStack = field(default_factory=ExitStack, repr=False)

    def __enter__(self) -> sqlite3.Connection:
        db = self.stack.enter_context(closing(sqlite3.connect(self.path)))
        db.row_factory = sqlite3.Row
        self.stack.enter_context(db)
        db.execute("BEGIN IMMEDIATE")
        return db

    def __exit__(self, *error: Any) -> Optional[bool]:
        return self.stack.__exit__(*error)


def init_db(path: str) -> None:
    with Store(path) as db:
        db.execute("""CREATE TABLE IF NOT EXISTS "keys" ("id" TEXT, "fingerprint" TEXT NOT NULL,
            "status" TEXT NOT NULL, "response" TEXT, "expires" REAL NOT NULL,
            CONSTRAINT "one_row_an_id" PRIMARY KEY ("id"))""")


def reserve(path: str, key: str, digest: str, expires: float) -> bool:
    with Store(path) as db:
        done = db.execute("INSERT INTO keys(expires, status, fingerprint, id) SELECT ?, ?, ?, ? "
                          "WHERE NOT EXISTS (SELECT 1 FROM keys WHERE id = ?)",
                          (expires, Status.PENDING.value, digest, key, key))
        return done.rowcount == 1


def finish(path: str, key: str, digest: str, response: Any) -> bool:
    with Store(path) as db:
        row = db.execute("SELECT * FROM keys WHERE id = ?", (key,)).fetchone()
        if row is None or row["fingerprint"] != digest or row["status"] != Status.PENDING:
            return False
        done = db.execute("UPDATE keys SET response = ?, status = ? WHERE id = ?",
                          (json.dumps(response, separators=(",", ":")), Status.DONE.value, key))
        return done.rowcount == 1


def fetch(path: str, key: str, now: float) -> Any:
    with Store(path) as db:
        row = db.execute("SELECT * FROM keys WHERE id = ?", (key,)).fetchone()
    if row is not None and Status(row["status"]) is Status.DONE and row["expires"] > now:
        return json.loads(row["response"])
    return None


def _due(db: sqlite3.Connection, now: float, limit: Limit) -> list[str]:
    rows = db.execute("SELECT id FROM keys WHERE status = 'done' AND expires <= ?", (now,))
    return sorted(row["id"] for row in rows)[: limit.value]


def expired(path: str, now: float, limit: int = 10) -> list[str]:
    checked = Limit(limit)
    with Store(path) as db:
        return _due(db, now, checked)


def purge(path: str, now: float, limit: int = 10) -> list[str]:
    checked = Limit(limit)
    with Store(path) as db:
        ids = _due(db, now, checked)
        db.executemany("DELETE FROM keys WHERE id = ?", ((each,) for each in ids))
        return ids


def counts(path: str) -> dict[str, int]:
    with Store(path) as db:
        all_of_them = [row["status"] for row in db.execute("SELECT status FROM keys")]
    return {status.value: all_of_them.count(status.value) for status in Status}


def retention_cycle(path: str, key: str) -> bool:
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
