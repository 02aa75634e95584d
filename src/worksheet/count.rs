//! Numbers with their nouns: one test, two tests. It knows regular plurals only.

/// Writes a number and its noun, which is given for one of them.
#[must_use]
pub fn counted(count: usize, one: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {one}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_singular() {
        assert_eq!(counted(0, "error"), "0 errors");
        assert_eq!(counted(1, "error"), "1 error");
        assert_eq!(counted(2, "error"), "2 errors");
    }
}
