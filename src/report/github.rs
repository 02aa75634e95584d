//! Annotations of GitHub Actions: one line a problem.

use std::fmt::Write as _;

use crate::model::Problem;

/// Writes all problems as workflow commands.
#[must_use]
pub fn problems(problems: &[Problem]) -> String {
    let mut text = String::new();
    for problem in problems {
        let _ = writeln!(
            text,
            "::{} file={},line={},col={},title={}::{}",
            problem.severity.id(),
            property(&problem.file),
            problem.line,
            problem.column,
            property(problem.id),
            data(&format!("{}; {}", problem.title, problem.help)),
        );
    }
    text
}

/// Escapes the text of a command, as GitHub's toolkit does.
pub(super) fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes a property of a command, as GitHub's toolkit does.
pub(super) fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_command_is_escaped() {
        let problem = Problem::at("find-ambiguous", "a,b:c.yaml", 2, 3, "50%\nmore", "help");
        assert_eq!(
            problems(&[problem]),
            "::error file=a%2Cb%3Ac.yaml,line=2,col=3,title=find-ambiguous::50%25%0Amore; help\n"
        );
    }
}
