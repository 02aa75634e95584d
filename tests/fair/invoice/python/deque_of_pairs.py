"""A deque of (time, key) in front of a plain dict."""
from collections import deque


def both(events, ttl):
    queue, payloads = deque(), {}
    done, refused = [], []
    for event in events:
        t, key, payload = event[0], event[1], event[2]
        while queue and not t - queue[0][0] < ttl:
            payloads.pop(queue.popleft()[1])
        try:
            standing = payloads[key]
        except KeyError:
            payloads[key] = payload
            queue.append((t, key))
            done.append(payload)
            continue
        if not standing == payload:
            refused.append((t, key, standing, payload))
    return done, refused


def solve(events, ttl):
    return both(events, ttl)[0]


def review(events, ttl):
    return tuple(both(events, ttl)[1])
