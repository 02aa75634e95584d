"""No copies: the store holds places in the list of events, and a place to expire from."""


def _first_places(events, ttl):
    live, oldest = {}, 0
    for place in range(len(events)):
        now = events[place][0]
        while oldest < place and events[oldest][0] + ttl <= now:
            if live.get(events[oldest][1]) == oldest:
                del live[events[oldest][1]]
            oldest += 1
        yield place, live.setdefault(events[place][1], place)


def solve(events, ttl):
    return [events[place][2] for place, first in _first_places(events, ttl) if place == first]


def review(events, ttl):
    return [[events[place][0], events[place][1], events[first][2], events[place][2]]
            for place, first in _first_places(events, ttl)
            if events[place][2] != events[first][2]]
