"""A dict with timestamps beside a heap of them."""
import heapq


def _walk(events, ttl):
    first, heap = {}, []
    for number, (t, key, payload) in enumerate(events):
        while heap and t - heap[0][0] >= ttl:
            del first[heapq.heappop(heap)[2]]
        new = key not in first
        if new:
            first[key] = payload
            heapq.heappush(heap, (t, number, key))
        yield t, key, payload, new, first[key]


def solve(events, ttl):
    return [payload for _, _, payload, new, _ in _walk(events, ttl) if new]


def review(events, ttl):
    return [[t, key, first, payload] for t, key, payload, new, first in _walk(events, ttl)
            if not new and first != payload]
