"""Two dicts that change places: the old one goes whole once all in it has expired."""


def _sights(events, ttl):
    young, old, young_since, last = {}, {}, None, None
    for t, key, payload in events:
        if last is not None and old and t - last >= ttl:
            old = {}
        if young and t - young_since >= ttl:
            old, young, last = young, {}, max(seen for seen, _ in young.values())
            if t - last >= ttl:
                old = {}
        found = young.get(key) or old.get(key)
        if found is not None and t - found[0] < ttl:
            yield t, key, payload, found[1], False
            continue
        old.pop(key, None)
        if not young:
            young_since = t
        young[key] = (t, payload)
        yield t, key, payload, payload, True


def solve(events, ttl):
    return [p for _, _, p, _, new in _sights(events, ttl) if new]


def review(events, ttl):
    return [(t, k, first, p) for t, k, p, first, new in _sights(events, ttl)
            if not new and first != p]
