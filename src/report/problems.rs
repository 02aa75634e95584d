//! Problems of a pack for people: each with its line, a caret, and what to do.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::model::{Problem, Severity};

/// Where the book explains each kind of problem.
const PAGE: &str = "book/src/problems.md";

/// Writes all problems, one after the other.
#[must_use]
pub fn text(problems: &[Problem]) -> String {
    problems
        .iter()
        .map(|problem| one(problem) + "\n\n")
        .collect()
}

fn one(problem: &Problem) -> String {
    let level = match problem.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(&problem.title).id(problem.id);
    let head = match &problem.excerpt {
        Some(line) => title.element(
            Snippet::source(line)
                .line_start(problem.line)
                .path(&problem.file)
                .annotation(AnnotationKind::Primary.span(caret(line, problem.column))),
        ),
        None => title.element(Origin::path(&problem.file)),
    };
    let help = format!("{}\nsee {PAGE}#{}", problem.help, problem.id);
    let report = [head, Group::with_title(Level::HELP.secondary_title(&help))];
    Renderer::plain().render(&report)
}

/// Finds the bytes under the caret: from the column to the end of the word or value there.
fn caret(line: &str, column: usize) -> std::ops::Range<usize> {
    let start = line
        .char_indices()
        .nth(column - 1)
        .map_or(line.len(), |(at, _)| at);
    let rest = &line[start..];
    let end = rest
        .find(|c: char| c.is_whitespace() || matches!(c, ':' | ',' | ']' | '}'))
        .filter(|end| *end > 0)
        .unwrap_or(rest.len());
    start..start + end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_shows_its_line_with_a_caret() {
        let mut problem = Problem::at(
            "unknown-field",
            "mutants/retention/m.yaml",
            3,
            1,
            "there is no field `titel` here",
            "did you mean `title`?",
        );
        problem.excerpt = Some("titel: 열쇠".to_owned());
        let text = text(&[problem]);
        assert!(
            text.contains("error[unknown-field]: there is no field `titel` here"),
            "{text}"
        );
        assert!(text.contains("mutants/retention/m.yaml:3:1"), "{text}");
        assert!(text.contains("^^^^^"), "{text}");
        assert!(text.contains("did you mean `title`?"), "{text}");
    }

    #[test]
    fn the_caret_covers_a_word_and_never_leaves_the_line() {
        assert_eq!(caret("step: two", 7), 6..9);
        assert_eq!(caret("열쇠: x", 1), 0..6);
        assert_eq!(caret("", 1), 0..0);
        assert_eq!(caret("a", 9), 1..1);
    }
}
