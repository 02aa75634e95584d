//! Numbers with their nouns and units: one test, two tests, 12 ms. It knows regular plurals only.

use std::time::Duration;

/// Writes a number and its noun, which is given for one of them.
#[must_use]
pub fn counted(count: usize, one: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {one}s"),
    }
}

/// Writes how long something took; from ten seconds on nobody reads milliseconds.
#[must_use]
pub fn lasted(took: Duration) -> String {
    match took.as_secs() {
        0..=9 => format!("{} ms", took.as_millis()),
        seconds => format!("{seconds} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_time_is_told_in_seconds() {
        assert_eq!(lasted(Duration::from_millis(9_999)), "9999 ms");
        assert_eq!(lasted(Duration::from_millis(75_972)), "75 s");
    }

    #[test]
    fn only_one_is_singular() {
        assert_eq!(counted(0, "error"), "0 errors");
        assert_eq!(counted(1, "error"), "1 error");
        assert_eq!(counted(2, "error"), "2 errors");
    }
}
