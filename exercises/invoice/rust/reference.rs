//! Lab `invoice`, the reference: a store in memory that lets each invoice through once.

use std::collections::{HashMap, VecDeque};

use crate::kit::{Event, Refusal};

/// The live keys, each with the time of its first sight and the payload it came with.
struct Store<'e> {
    ttl: f64,
    live: HashMap<&'e str, (f64, &'e str)>,
    /// The live keys by first sight: no duplicate moves one, so the oldest is in front.
    order: VecDeque<&'e str>,
}

/// What an event is.
enum Sight<'e> {
    New,
    Duplicate,
    /// Another payload under a live key; the first one is told.
    Refused(&'e str),
}

impl<'e> Store<'e> {
    fn new(ttl: f64) -> Self {
        Self {
            ttl,
            live: HashMap::new(),
            order: VecDeque::new(),
        }
    }

    /// Forgets every key whose time is over.
    fn expire(&mut self, t: f64) {
        while let Some(key) = self.order.front() {
            let (first_seen, _) = self.live[key];
            if t - first_seen < self.ttl {
                break;
            }
            self.live.remove(key);
            self.order.pop_front();
        }
    }

    /// Says what an event is, and remembers it if it is new.
    fn look(&mut self, event: &'e Event) -> Sight<'e> {
        let key = event.key.as_str();
        self.expire(event.t);
        match self.live.get(key) {
            Some((_, first)) if *first == event.payload => Sight::Duplicate,
            Some((_, first)) => Sight::Refused(first),
            None => {
                self.live.insert(key, (event.t, &event.payload));
                self.order.push_back(key);
                Sight::New
            }
        }
    }
}

/// Returns the payloads that are processed, in order.
pub fn solve(events: &[Event], ttl: f64) -> Vec<String> {
    let mut store = Store::new(ttl);
    let mut processed = Vec::new();
    for event in events {
        if let Sight::New = store.look(event) {
            processed.push(event.payload.clone());
        }
    }
    processed
}

/// Returns the refusals for a person to decide, in order.
pub fn review(events: &[Event], ttl: f64) -> Vec<Refusal> {
    let mut store = Store::new(ttl);
    let mut refusals = Vec::new();
    for event in events {
        if let Sight::Refused(first) = store.look(event) {
            refusals.push(Refusal {
                t: event.t,
                key: event.key.clone(),
                first: first.to_owned(),
                refused: event.payload.clone(),
            });
        }
    }
    refusals
}
