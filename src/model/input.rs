//! Inputs that are made from a few numbers: a week of deliveries, say.
//!
//! The same numbers always give the same events, on every machine. Nothing here looks at a clock
//! or at a source of chance.

use serde_json::{Value, json};

/// The most events an input may have, at its largest.
pub const MOST_EVENTS: u64 = 200_000;

/// A stream of events `[t, key, payload]`: so many new keys over a time, some delivered again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Name of the input, unique in the lab.
    pub id: String,
    /// What it is, in a few words.
    pub title: String,
    /// How many keys there are.
    pub new: u64,
    /// How many of them are delivered a second time.
    pub again: u64,
    /// The time in which the keys arrive, evenly, in seconds.
    pub over: u64,
    /// The longest time between the first and the second delivery of a key, in seconds.
    pub within: u64,
    /// How much later than evenly a key may arrive, in seconds.
    pub scatter: u64,
    /// Where the chances start: the same seed gives the same events.
    pub seed: u64,
}

/// One delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// When it comes, in seconds.
    pub t: u64,
    /// The place of its key among all keys, from 0.
    pub key: u64,
    /// Whether the key was delivered before.
    pub is_again: bool,
    /// What it carries.
    payload: String,
}

impl Input {
    /// Returns how many events there are with `times` as many keys.
    #[must_use]
    pub const fn count(&self, times: u64) -> u64 {
        (self.new + self.again).saturating_mul(times)
    }

    /// Makes the deliveries in order of time, with `times` as many keys in the same time.
    #[must_use]
    pub fn deliveries(&self, times: u64) -> Vec<Delivery> {
        let (new, again) = (self.new * times, self.again * times);
        let mut chance = Chance(self.seed);
        let mut all: Vec<Delivery> = (0..new)
            .map(|key| Delivery {
                t: key * self.over / new.max(1) + chance.up_to(self.scatter),
                key,
                is_again: false,
                payload: format!("{}.{:02}", 10 + chance.up_to(9_989), chance.up_to(99)),
            })
            .collect();
        for place in 0..again.min(new) {
            let first = &all[usize::try_from(place * new / again).unwrap_or(usize::MAX)];
            let second = Delivery {
                t: first.t + 1 + chance.up_to(self.within.saturating_sub(1)),
                is_again: true,
                ..first.clone()
            };
            all.push(second);
        }
        all.sort_by_key(|delivery| (delivery.t, delivery.is_again, delivery.key));
        all
    }

    /// Makes the events as a subject is given them.
    #[must_use]
    pub fn events(&self, times: u64) -> Value {
        let deliveries = self.deliveries(times);
        let event = |delivery: &Delivery| {
            let key = format!("inv-{}", delivery.key + 1);
            json!([delivery.t, key, delivery.payload])
        };
        deliveries.iter().map(event).collect()
    }

    /// Lists the payloads of first deliveries, in order of time.
    #[must_use]
    pub fn firsts(&self, times: u64) -> Value {
        let deliveries = self.deliveries(times);
        let firsts = deliveries.iter().filter(|delivery| !delivery.is_again);
        firsts
            .map(|delivery| Value::from(delivery.payload.as_str()))
            .collect()
    }
}

/// Numbers that look like chance and are always the same (`SplitMix64`).
struct Chance(u64);

impl Chance {
    /// Returns the next number from 0 to `most`.
    const fn up_to(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        if most == u64::MAX {
            mixed
        } else {
            mixed % (most + 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn week() -> Input {
        Input {
            id: "week".to_owned(),
            title: "a week".to_owned(),
            new: 1180,
            again: 60,
            over: 604_800,
            within: 172_800,
            scatter: 3600,
            seed: 7,
        }
    }

    #[test]
    fn the_same_numbers_give_the_same_events() {
        assert_eq!(week().events(1), week().events(1));
        let other = Input { seed: 8, ..week() };
        assert_ne!(week().events(1), other.events(1));
    }

    #[test]
    fn a_week_has_as_many_events_as_it_says_in_order_of_time() {
        let deliveries = week().deliveries(1);
        assert_eq!(deliveries.len(), 1240);
        assert!(deliveries.is_sorted_by_key(|delivery| delivery.t));
        assert_eq!(deliveries.iter().filter(|one| one.is_again).count(), 60);
        assert_eq!(week().firsts(1).as_array().map(Vec::len), Some(1180));
    }

    #[test]
    fn a_second_delivery_comes_after_the_first_and_within_its_time() {
        let all = week().deliveries(3);
        let mut seen = 0;
        for again in all.iter().filter(|one| one.is_again) {
            let first = all.iter().find(|one| one.key == again.key).unwrap();
            assert!(!first.is_again);
            assert!((1..=172_800).contains(&(again.t - first.t)));
            seen += 1;
        }
        assert_eq!(seen, 180);
    }

    #[test]
    fn more_of_it_is_denser_and_no_longer() {
        let last = |times| week().deliveries(times).last().map(|one| one.t / 86_400);
        assert_eq!(week().deliveries(10).len() as u64, week().count(10));
        assert_eq!(last(1), last(10));
    }
}
