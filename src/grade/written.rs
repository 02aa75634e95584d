//! Written answers: what can be counted in them. That one is right, only a person can say.

use std::collections::BTreeMap;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::gradebook::{Section, Written};
use crate::model::{Grading, Lab, Points, WrittenTask};

/// The most of an answer that goes into a result, in bytes.
const KEPT: usize = 20_000;

/// Looks at the answers, by task; an answer that is not there has no entry.
#[must_use]
pub fn written(
    lab: &Lab,
    grading: &Grading,
    answers: &BTreeMap<String, String>,
) -> Section<Written> {
    let looked: Vec<(Written, Points)> = grading
        .written
        .iter()
        .map(|task| {
            let title = lab.tasks.iter().find(|known| known.id == task.task);
            let title = title.map_or_else(|| task.task.clone(), |known| known.title.clone());
            let text = answers.get(&task.task).map_or("", String::as_str);
            let item = look(task, title, text);
            let points = if item.missing.is_empty() {
                task.points
            } else {
                Points::default()
            };
            (item, points)
        })
        .collect();
    Section {
        score: looked.iter().map(|(_, points)| *points).sum(),
        max_score: grading.written.iter().map(|task| task.points).sum(),
        items: looked.into_iter().map(|(item, _)| item).collect(),
    }
}

fn look(task: &WrittenTask, title: String, text: &str) -> Written {
    let text = text.trim();
    let words = text.unicode_words().count();
    let mut missing = Vec::new();
    if text.is_empty() {
        missing.push("there is no answer".to_owned());
    } else {
        if words < task.words {
            missing.push(format!("it has {words} of at least {} words", task.words));
        }
        let low = text.to_lowercase();
        for group in &task.terms {
            if !group.iter().any(|term| low.contains(&term.to_lowercase())) {
                missing.push(match group.as_slice() {
                    [term] => format!("it does not mention \"{term}\""),
                    terms => format!("it mentions none of: {}", terms.join(", ")),
                });
            }
        }
        let items = text.lines().filter(|line| is_item(line)).count();
        if items < task.items {
            missing.push(format!(
                "it lists {items} of at least {} items (lines that begin with `-` or a number)",
                task.items
            ));
        }
    }
    Written {
        id: task.task.clone(),
        title,
        present: !text.is_empty(),
        words,
        missing,
        text: kept(text),
    }
}

/// Tells whether a line is an item of a list, as Markdown writes one.
fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    if let Some(rest) = line.strip_prefix(['-', '*', '+', '•']) {
        return rest.starts_with([' ', '\t']) && !rest.trim().is_empty();
    }
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < line.len()
        && rest
            .strip_prefix(['.', ')'])
            .is_some_and(|rest| rest.starts_with([' ', '\t']) && !rest.trim().is_empty())
}

fn kept(text: &str) -> String {
    if text.len() <= KEPT {
        return text.to_owned();
    }
    let mut end = KEPT;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{} … ({} bytes in all)", &text[..end], text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task() -> WrittenTask {
        WrittenTask {
            task: "t".to_owned(),
            points: Points::whole(4),
            words: 5,
            terms: vec![
                vec!["expires".to_owned(), "boundary".to_owned()],
                vec!["Purge".to_owned()],
            ],
            items: 2,
        }
    }

    fn missing(text: &str) -> Vec<String> {
        look(&task(), "T".to_owned(), text).missing
    }

    #[test]
    fn everything_that_is_asked_for_and_not_there_is_named() {
        assert_eq!(missing("  \n"), ["there is no answer"]);
        assert_eq!(
            missing("too short"),
            [
                "it has 2 of at least 5 words",
                "it mentions none of: expires, boundary",
                "it does not mention \"Purge\"",
                "it lists 0 of at least 2 items (lines that begin with `-` or a number)",
            ]
        );
        let full = "The PURGE looks at the boundary:\n - one\n 2) two\n";
        assert_eq!(missing(full), Vec::<String>::new());
    }

    #[test]
    fn words_are_counted_in_any_language() {
        let item = look(
            &task(),
            "T".to_owned(),
            "멱등 키는 만료되면 다시 새 요청이다",
        );
        assert_eq!((item.present, item.words), (true, 6));
    }

    #[test]
    fn a_rule_or_a_negative_number_is_no_item() {
        for line in ["---", "-5", "- ", "1.5 seconds", "3"] {
            assert!(!is_item(line), "{line}");
        }
        for line in ["- a", "  * b", "10. c", "2) d"] {
            assert!(is_item(line), "{line}");
        }
    }

    #[test]
    fn a_huge_answer_is_cut_between_letters() {
        let text = "키".repeat(20_000);
        assert!(kept(&text).len() < KEPT + 40);
    }
}
