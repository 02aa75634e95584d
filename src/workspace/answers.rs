//! Written answers: one Markdown file a task, in which a comment holds the question. It lies among
//! the answers, or in the folder itself.

use std::path::Path;

use crate::model::{Lab, Problem};

use super::LARGEST;
use super::inside::{problem, read};

/// The folder of the written answers.
pub const ANSWERS: &str = "answers";

/// The answer to a written task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Name of the task.
    pub task: String,
    /// What was written, without comments; empty if there is no file or nothing in it.
    pub text: String,
    /// Why the file cannot be read, if it cannot.
    pub problem: Option<Problem>,
}

/// Reads the answers to all tasks of a lab.
pub fn read_all(root: &Path, lab: &Lab) -> Vec<Answer> {
    let tasks = lab.tasks.iter();
    tasks
        .map(|task| {
            let [among, beside] = places(&task.id);
            let read = match read_one(root, &among) {
                Ok(text) if text.is_empty() => read_one(root, &beside),
                read => read,
            };
            let task = task.id.clone();
            match read {
                Ok(text) => Answer {
                    task,
                    text,
                    problem: None,
                },
                Err(problem) => Answer {
                    task,
                    text: String::new(),
                    problem: Some(*problem),
                },
            }
        })
        .collect()
}

/// Names the files in which the answer to a task may be: the first that has one counts.
pub fn places(task: &str) -> [String; 2] {
    [format!("{ANSWERS}/{task}.md"), format!("{task}.md")]
}

fn read_one(root: &Path, inside: &str) -> Result<String, Box<Problem>> {
    let Some(bytes) = read(root, inside, LARGEST)? else {
        return Ok(String::new());
    };
    match String::from_utf8(bytes) {
        Ok(text) => Ok(without_comments(&text)),
        Err(_) => Err(problem(
            "not-utf8",
            inside,
            "this file is not UTF-8",
            "save it as UTF-8; an editor offers that under \"save as\"",
        )),
    }
}

/// Takes out comments; one that is never closed is text.
fn without_comments(text: &str) -> String {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let mut rest = text.as_str();
    let mut kept = String::new();
    while let Some((before, after)) = rest.split_once("<!--") {
        let Some((_, behind)) = after.split_once("-->") else {
            break;
        };
        kept.push_str(before);
        rest = behind;
    }
    kept.push_str(rest);
    kept.trim().to_owned()
}

/// Counts the words of a text. Signs alone are none; where a language puts no blanks between
/// words, each of its characters counts.
#[must_use]
pub fn words(text: &str) -> usize {
    use unicode_segmentation::UnicodeSegmentation as _;
    text.unicode_words().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_no_answer_and_an_open_one_is() {
        assert_eq!(without_comments("<!-- Why? -->\n\n"), "");
        assert_eq!(
            without_comments("\u{feff}<!-- a -->\r\nMine.\r\n<!-- b -->\r\n"),
            "Mine."
        );
        assert_eq!(without_comments("x <!-- y"), "x <!-- y");
    }

    #[test]
    fn words_are_counted_in_any_language() {
        assert_eq!(words("A purge, then a retry."), 5);
        assert_eq!(words("- * -"), 0);
        assert_eq!(words("키가 지워진다"), 2);
    }
}
