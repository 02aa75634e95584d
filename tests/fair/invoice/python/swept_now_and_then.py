"""A dict that is swept whole, but only when it has doubled since the last time."""


def _sights(events, ttl):
    store, limit = {}, 64
    for t, key, payload in events:
        if len(store) >= limit:
            store = {k: e for k, e in store.items() if t - e[0] < ttl}
            limit = 2 * len(store) + 64
        entry = store.get(key)
        if entry is None or t - entry[0] >= ttl:
            store[key] = (t, payload)
            yield t, key, payload, None
        else:
            yield t, key, payload, entry


def solve(events, ttl):
    return list(p for _, _, p, entry in _sights(events, ttl) if entry is None)


def review(events, ttl):
    return [(t, k, e[1], p) for t, k, p, e in _sights(events, ttl) if e and e[1] != p]
