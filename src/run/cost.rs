//! What a call costs: the time for which its process worked.
//!
//! The time is the processor's, where the system tells it, so that a busy machine makes nothing
//! dearer; else that of the clock. Nothing here says whether a cost is too high.

use std::num::NonZeroU64;
use std::time::{Duration, Instant};

use super::{Interrupt, Outcome, Process};

/// How often the smaller call of a round is made; the least it took is what it costs.
const SMALL: usize = 5;
/// The most rounds that are made of one pair of sizes.
pub const ROUNDS: usize = 3;
/// A larger call that costs less than this says nothing about growth.
pub const FLOOR: Duration = Duration::from_millis(5);

/// Two sizes of an input, and what a call cost with each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// Events of the smaller one.
    pub from: u64,
    /// Events of the larger one.
    pub to: u64,
    /// The least cost of each, round by round.
    pub rounds: Vec<(Duration, Duration)>,
}

impl Pair {
    /// Returns how many times the smaller call the larger one cost, round by round; nothing while
    /// that cost is too small to say anything.
    #[must_use]
    pub fn ratios(&self) -> Vec<f64> {
        self.rounds
            .iter()
            .filter(|(_, large)| *large >= FLOOR)
            .map(|(small, large)| large.as_secs_f64() / small.as_secs_f64().max(1e-6))
            .collect()
    }

    /// Tells whether every round cost more than `at_most` times as much.
    #[must_use]
    pub fn is_over(&self, at_most: f64) -> bool {
        let ratios = self.ratios();
        ratios.len() == ROUNDS && ratios.iter().all(|ratio| *ratio > at_most)
    }

    /// Settles the pair by a larger call that was silent: what it had worked by then is the least
    /// that it costs. Nothing is known if that is not too much.
    fn give_up(&mut self, least: Duration, worked: Duration, at_most: f64) {
        self.rounds = vec![(least, worked); ROUNDS];
        if !self.is_over(at_most) {
            self.rounds.clear();
        }
    }
}

/// Compares a call at two sizes, until a round stays within `at_most` or there were enough.
///
/// # Errors
///
/// Returns the outcome of a call that did not return; of a larger one that was only silent, the
/// pair with what is known, beside it.
pub fn compare(
    process: &mut Process,
    (small, large): (&Measured<'_>, &Measured<'_>),
    at_most: f64,
    interrupt: &Interrupt,
) -> Result<(Pair, Option<Outcome>), Outcome> {
    let mut pair = Pair {
        from: small.events,
        to: large.events,
        rounds: Vec::new(),
    };
    for _ in 0..ROUNDS {
        let mut least = Duration::MAX;
        for _ in 0..SMALL {
            least = least.min(small.cost(process, interrupt).map_err(|(ended, _)| ended)?);
        }
        match large.cost(process, interrupt) {
            Ok(cost) => pair.rounds.push((least, cost)),
            Err((Outcome::Silent { waited }, Some(worked))) => {
                pair.give_up(least, worked, at_most);
                return Ok((pair, Some(Outcome::Silent { waited })));
            }
            Err((outcome, _)) => return Err(outcome),
        }
        let last = pair.ratios().last().copied();
        if last.is_none_or(|ratio| ratio <= at_most) {
            break;
        }
    }
    Ok((pair, None))
}

/// A call that is measured.
#[derive(Debug)]
pub struct Measured<'c> {
    /// The function.
    pub function: &'c str,
    /// Its arguments.
    pub with: serde_json::Map<String, serde_json::Value>,
    /// How many events are among them.
    pub events: u64,
}

impl Measured<'_> {
    /// Makes the call; if it does not return, how it ended and what it had worked by then.
    fn cost(
        &self,
        process: &mut Process,
        interrupt: &Interrupt,
    ) -> Result<Duration, (Outcome, Option<Duration>)> {
        let (worked, start) = (worked(process.id()), Instant::now());
        match process.call(self.function, &self.with, interrupt) {
            Outcome::Returned(_) => {
                let took = start.elapsed();
                let until = settled(|| self::worked(process.id()));
                Ok(worked
                    .zip(until)
                    .map_or(took, |(from, to)| to.saturating_sub(from)))
            }
            other => {
                let until = self::worked(process.id());
                Err((
                    other,
                    worked.zip(until).map(|(from, to)| to.saturating_sub(from)),
                ))
            }
        }
    }
}

/// Looks for a moment at what a process that has answered has worked, until that does not change.
///
/// What it did until it sleeps is written down only when it does.
fn settled(mut look: impl FnMut() -> Option<Duration>) -> Option<Duration> {
    let mut last = look()?;
    for _ in 0..20 {
        std::thread::sleep(Duration::from_micros(200));
        let now = look()?;
        if now == last {
            break;
        }
        last = now;
    }
    Some(last)
}

/// Reads how long all threads of a process have been at work on a processor. Nothing says so but
/// on Linux.
fn worked(process: u32) -> Option<Duration> {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).ok()?;
    let mut sum = 0;
    for thread in threads.flatten() {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        sum += text.split(' ').next()?.parse::<u64>().ok()?;
    }
    // Where nothing is counted, it is 0 for all.
    NonZeroU64::new(sum).map(|sum| Duration::from_nanos(sum.get()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(rounds: &[(u64, u64)]) -> Pair {
        let micros = Duration::from_micros;
        Pair {
            from: 100,
            to: 1000,
            rounds: rounds
                .iter()
                .map(|(a, b)| (micros(*a), micros(*b)))
                .collect(),
        }
    }

    #[test]
    fn a_pair_is_over_only_if_every_round_is() {
        assert!(pair(&[(1000, 90_000); 3]).is_over(30.0));
        assert!(!pair(&[(1000, 90_000); 2]).is_over(30.0));
        assert!(!pair(&[(1000, 90_000), (1000, 90_000), (1000, 20_000)]).is_over(30.0));
    }

    #[test]
    fn a_cost_too_small_to_measure_says_nothing() {
        assert!(!pair(&[(1, 4_900); 3]).is_over(30.0));
    }

    #[test]
    fn a_round_is_over_only_above_the_limit_and_told_from_the_floor_on() {
        assert!(!pair(&[(1000, 30_000); 3]).is_over(30.0));
        assert_eq!(pair(&[(1000, 5000), (1000, 4999)]).ratios(), [5.0]);
    }

    #[test]
    fn a_silent_call_is_over_by_what_it_had_worked_and_else_says_nothing() {
        let given_up = |micros: u64| {
            let mut pair = pair(&[(1000, 90_000)]);
            let (least, worked) = (Duration::from_millis(1), Duration::from_micros(micros));
            pair.give_up(least, worked, 30.0);
            (pair.rounds.len(), pair.is_over(30.0))
        };
        assert_eq!(given_up(31_000), (ROUNDS, true));
        assert_eq!(given_up(30_000), (0, false));
    }

    #[test]
    fn what_was_worked_is_read_until_it_does_not_change() {
        let settles = |seen: &[u64]| {
            let mut looks = seen.iter().map(|nanos| Duration::from_nanos(*nanos));
            (
                settled(|| looks.next()).map(|time| time.as_nanos()),
                looks.len(),
            )
        };
        assert_eq!(settles(&[1, 2, 3, 3, 4]), (Some(3), 1));
        // It is gone.
        assert_eq!(settles(&[1, 2]), (None, 0));
        let busy: Vec<u64> = (0..30).collect();
        assert_eq!(settles(&busy), (Some(20), 9));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_work_of_a_process_is_counted() {
        let own = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
        if own.is_empty() || own.starts_with("0 ") {
            // There are kernels that count nothing.
            return;
        }
        let mut busy = std::process::Command::new("sh")
            .args(["-c", "while :; do :; done"])
            .spawn()
            .unwrap();
        let start = Instant::now();
        let grows_from = |least: Duration| loop {
            match worked(busy.id()) {
                Some(now) if now > least => return now,
                _ if start.elapsed() > Duration::from_mins(1) => panic!("it does not grow"),
                _ => std::thread::yield_now(),
            }
        };
        let some = grows_from(Duration::ZERO);
        assert!(grows_from(some) > some);
        busy.kill().unwrap();
        busy.wait().unwrap();
        assert_eq!(worked(busy.id()), None);
    }
}
