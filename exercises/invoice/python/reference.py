"""Lab `invoice`, the reference: a store in memory that lets each invoice through once."""
from collections import OrderedDict

NEW, DUPLICATE, REFUSED = "new", "duplicate", "refused"


class Store:
    """The live keys, each with the time of its first sight and the payload it came with.

    No duplicate moves a key, so the one that was seen first is in front.
    """

    def __init__(self, ttl):
        self.ttl = ttl
        self.live = OrderedDict()

    def expire(self, t):
        """Forget every key whose time is over."""
        while self.live:
            first_seen, _ = next(iter(self.live.values()))
            if t - first_seen < self.ttl:
                break
            self.live.popitem(last=False)

    def look(self, t, key, payload):
        """Say what an event is, and which payload stands; remember it if it is new."""
        self.expire(t)
        if key not in self.live:
            self.live[key] = (t, payload)
            return NEW, payload
        _, first = self.live[key]
        return (DUPLICATE if first == payload else REFUSED), first


def solve(events, ttl):
    """Return the payloads that are processed, in order."""
    store = Store(ttl)
    processed = []
    for t, key, payload in events:
        sight, _ = store.look(t, key, payload)
        if sight == NEW:
            processed.append(payload)
    return processed


def review(events, ttl):
    """Return the refusals for a person to decide, in order."""
    store = Store(ttl)
    refusals = []
    for t, key, payload in events:
        sight, first = store.look(t, key, payload)
        if sight == REFUSED:
            refusals.append((t, key, first, payload))
    return refusals
