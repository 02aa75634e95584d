//! Written answers: what can be counted in them. That one is right, only a person can say.

use std::collections::BTreeMap;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::gradebook::{Section, Written};
use crate::model::{Grading, Lab, Points, Record, WrittenTask};

/// The most of an answer that goes into a result, in bytes.
const KEPT: usize = 20_000;

/// Looks at the answers, by task, and at the files that were kept, each with its text; what is not
/// there is empty.
pub fn written<'g>(
    lab: &Lab,
    grading: &'g Grading,
    answers: &BTreeMap<String, String>,
    records: impl Iterator<Item = (&'g Record, String)>,
) -> Section<Written> {
    let tasks = grading.written.iter().map(|task| {
        let title = lab.tasks.iter().find(|known| known.id == task.task);
        let title = title.map_or_else(|| task.task.clone(), |known| known.title.clone());
        let text = answers.get(&task.task).map_or("", String::as_str);
        (look(task, title, text), task.points)
    });
    let records = records.map(|(record, text)| (look_into(record, &text), record.points));
    let looked: Vec<(Written, Points)> = tasks.chain(records).collect();
    let whole = looked.iter().filter(|(item, _)| item.missing.is_empty());
    Section {
        score: whole.map(|(_, points)| *points).sum(),
        max_score: looked.iter().map(|(_, points)| *points).sum(),
        items: looked.into_iter().map(|(item, _)| item).collect(),
    }
}

/// Looks at a file that was kept; that its content came from a run, only a person can say.
fn look_into(record: &Record, text: &str) -> Written {
    let text = text.trim();
    let mut lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.retain(|line| !line.is_empty());
    let mut missing = Vec::new();
    if text.is_empty() {
        missing.push("there is no such file, or nothing in it".to_owned());
    } else {
        if let Some(last) = &record.last
            && lines.last() != Some(&last.as_str())
        {
            missing.push(format!("its last line is not `{last}`"));
        }
        missing.extend(not_mentioned(&record.terms, text));
        lines.dedup();
        let wanted = &record.lines;
        let differs = (0..lines.len().max(wanted.len()))
            .find(|place| lines.get(*place).copied() != wanted.get(*place).map(String::as_str));
        if let Some(place) = differs.filter(|_| !wanted.is_empty()) {
            let others = lines.len();
            missing.push(match (lines.get(place), wanted.get(place)) {
                (Some(line), Some(_)) => format!("`{line}` is not what comes at its place"),
                (Some(line), None) => format!("`{line}` does not belong there"),
                _ => format!("it has {others} of {} different lines", wanted.len()),
            });
        }
    }
    Written {
        id: record.file.clone(),
        title: record.text.clone(),
        present: !text.is_empty(),
        words: text.unicode_words().count(),
        missing,
        text: kept(text),
    }
}

/// Says which groups of terms a text mentions nothing of.
fn not_mentioned(terms: &[Vec<String>], text: &str) -> Vec<String> {
    let low = text.to_lowercase();
    let is_there = |group: &[String]| group.iter().any(|term| low.contains(&term.to_lowercase()));
    let groups = terms.iter().filter(|group| !is_there(group));
    groups
        .map(|group| match group.as_slice() {
            [term] => format!("it does not mention \"{term}\""),
            terms => format!("it mentions none of: {}", terms.join(", ")),
        })
        .collect()
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
        missing.extend(not_mentioned(&task.terms, text));
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
    fn a_file_that_was_kept_is_held_to_its_lines() {
        let record = Record {
            file: "dup.txt".to_owned(),
            tracks: Vec::new(),
            step: 0,
            points: Points::whole(2),
            text: "The ids.".to_owned(),
            lines: vec!["a".to_owned(), "b".to_owned()],
            last: None,
            terms: Vec::new(),
        };
        let missing = |text: &str| look_into(&record, text).missing;
        for right in ["a\nb", "a\na\r\n\nb\nb\n"] {
            assert_eq!(missing(right), [""; 0], "{right}");
        }
        for (wrong, why) in [
            ("\n", "there is no such file, or nothing in it"),
            ("a", "it has 1 of 2 different lines"),
            ("b\na", "`b` is not what comes at its place"),
            ("a\nb\nc", "`c` does not belong there"),
        ] {
            assert_eq!(missing(wrong), [why], "{wrong}");
        }
        let record = Record {
            lines: Vec::new(),
            last: Some("rows=1".to_owned()),
            terms: vec![vec!["Applied".to_owned()]],
            ..record
        };
        assert_eq!(look_into(&record, "applied\nrows=1\n\n").missing, [""; 0]);
        assert_eq!(
            look_into(&record, "rows=1\nrows=10").missing,
            [
                "its last line is not `rows=1`",
                "it does not mention \"Applied\""
            ]
        );
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
