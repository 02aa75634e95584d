"""Data classes, an enum and a generator, with the expiry in the store's own iterator."""
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple


class Sight(Enum):
    NEW = 1
    SAME = 2
    OTHER = 3


class Refusal(NamedTuple):
    t: float
    key: str
    first: Any
    refused: Any


@dataclass
class Entry:
    since: float
    payload: Any


@dataclass
class Ledger:
    ttl: float
    entries: dict = field(default_factory=dict)

    def due(self, now):
        for key, entry in self.entries.items():
            if now - entry.since < self.ttl:
                return
            yield key

    def see(self, now, key, payload):
        for old in list(self.due(now)):
            del self.entries[old]
        if key not in self.entries:
            self.entries[key] = Entry(now, payload)
            return Sight.NEW, self.entries[key]
        entry = self.entries[key]
        return (Sight.SAME if entry.payload == payload else Sight.OTHER), entry


def solve(events, ttl):
    ledger = Ledger(ttl)
    return [p for t, k, p in events if ledger.see(t, k, p)[0] is Sight.NEW]


def review(events, ttl):
    ledger, refusals = Ledger(ttl), []
    for t, k, p in events:
        sight, entry = ledger.see(t, k, p)
        if sight is Sight.OTHER:
            refusals.append(Refusal(t, k, entry.payload, p))
    return refusals
