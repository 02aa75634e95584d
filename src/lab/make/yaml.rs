//! Writes a mutant as YAML in the form of the shipped ones: fields in a fixed order, fragments
//! as block scalars, prose folded.

use std::fmt::Write as _;

use serde_json::Value;

use crate::model::{Edit, Mutant, Track};

/// How wide a line is.
const WIDTH: usize = 80;

/// Writes the file of a mutant; `schema` is the way to its schema from the file.
#[must_use]
pub fn mutant(lab: &str, mutant: &Mutant, schema: &str) -> String {
    let mut yaml = header(schema);
    let _ = writeln!(yaml, "format: 1");
    let _ = writeln!(yaml, "lab: {}", scalar(lab));
    let _ = writeln!(yaml, "step: {}", mutant.step);
    let _ = writeln!(yaml, "title: {}", scalar(&mutant.title));
    let _ = writeln!(yaml, "origin: {}", mutant.origin.id());
    if let Some(report) = &mutant.report {
        let _ = writeln!(yaml, "report: {}", scalar(report));
    }
    prose(&mut yaml, "belief", &mutant.belief);
    if !mutant.edits.is_empty() {
        yaml.push_str("edits:\n");
        edits(&mut yaml, &mutant.edits, 2);
    }
    by_track(
        &mut yaml,
        "edits_in",
        &mutant.edits_in,
        |yaml, track, list| {
            let _ = writeln!(yaml, "  {track}:");
            edits(yaml, list, 4);
        },
    );
    names(&mut yaml, "caught_by", &mutant.caught_by, 0);
    names_by_track(&mut yaml, "caught_by_in", &mutant.caught_by_in);
    names(&mut yaml, "survives", &mutant.survives, 0);
    names_by_track(&mut yaml, "survives_in", &mutant.survives_in);
    prose(&mut yaml, "lesson", &mutant.lesson);
    if let Some(reason) = &mutant.equivalent {
        prose(&mut yaml, "equivalent", reason);
    }
    yaml
}

/// What stands above the rows and the script of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestHead {
    /// Its id.
    pub id: String,
    /// Its step.
    pub step: u32,
    /// The behaviour it shows.
    pub title: String,
    /// The promise it holds to.
    pub clause: String,
    /// Whether it is a plain test.
    pub success: bool,
    /// Why it is there although no mutant fails it.
    pub guard: Option<String>,
}

/// Writes a test as an item of its file, with `body` as it was given below its head.
#[must_use]
pub fn test(head: &TestHead, body: &str) -> String {
    let mut yaml = format!(
        "- id: {}\n  step: {}\n  title: {}\n  clause: {}\n",
        head.id,
        head.step,
        scalar(&head.title),
        scalar(&head.clause)
    );
    if head.success {
        yaml.push_str("  success: true\n");
    }
    if let Some(guard) = &head.guard {
        let _ = writeln!(yaml, "  guard: {}", scalar(guard));
    }
    for line in body.trim_end().lines() {
        let indent = if line.is_empty() { "" } else { "  " };
        let _ = writeln!(yaml, "{indent}{line}");
    }
    yaml
}

/// Writes the line by which an editor finds the schema of a file.
#[must_use]
pub fn header(schema: &str) -> String {
    format!("# yaml-language-server: $schema={schema}\n")
}

fn by_track<T>(
    yaml: &mut String,
    field: &str,
    lists: &[(Track, Vec<T>)],
    write: impl Fn(&mut String, Track, &[T]),
) {
    if !lists.is_empty() {
        let _ = writeln!(yaml, "{field}:");
    }
    for (track, list) in lists {
        write(yaml, *track, list);
    }
}

fn edits(yaml: &mut String, edits: &[Edit], indent: usize) {
    for edit in edits {
        let _ = write!(yaml, "{:indent$}- find: ", "");
        fragment(yaml, &edit.find, indent + 4);
        let _ = write!(yaml, "{:indent$}  replace: ", "");
        fragment(yaml, &edit.replace, indent + 4);
    }
}

fn names_by_track(yaml: &mut String, field: &str, lists: &[(Track, Vec<String>)]) {
    by_track(yaml, field, lists, |yaml, track, ids| {
        names(yaml, track.id(), ids, 2);
    });
}

/// Writes names on one line, or one a line if they do not fit; nothing if there are none.
fn names(yaml: &mut String, field: &str, ids: &[String], indent: usize) {
    if ids.is_empty() {
        return;
    }
    let line = format!("{:indent$}{field}: [{}]\n", "", ids.join(", "));
    if line.len() <= WIDTH + 1 {
        yaml.push_str(&line);
        return;
    }
    let _ = writeln!(yaml, "{:indent$}{field}:", "");
    for id in ids {
        let _ = writeln!(yaml, "{:indent$}  - {id}", "");
    }
}

/// Writes a fragment such that it is read as it is, blanks and all.
fn fragment(yaml: &mut String, text: &str, indent: usize) {
    if text.trim().is_empty() || text.ends_with('\n') || text.contains(is_odd) {
        let _ = writeln!(yaml, "{}", quoted(text));
        return;
    }
    // The first line tells how far a block is set in, unless it begins with blanks of its own.
    let own = text.starts_with([' ', '\t', '\n']);
    yaml.push_str(if own { "|2-\n" } else { "|-\n" });
    for line in text.split('\n') {
        if line.is_empty() {
            yaml.push('\n');
        } else {
            let _ = writeln!(yaml, "{:indent$}{line}", "");
        }
    }
}

/// Writes prose: on the line of its field if it fits, else folded below it.
fn prose(yaml: &mut String, field: &str, text: &str) {
    let paragraphs: Vec<String> = text
        .split('\n')
        .map(|line| line.split_whitespace().collect::<Vec<&str>>().join(" "))
        .filter(|line| !line.is_empty())
        .collect();
    let text = paragraphs.join("\n");
    let plain = scalar(&text);
    if (plain == text && field.len() + 2 + text.len() <= WIDTH) || text.contains(is_odd) {
        let _ = writeln!(yaml, "{field}: {plain}");
        return;
    }
    let _ = writeln!(yaml, "{field}: >-");
    let options = textwrap::Options::new(WIDTH)
        .initial_indent("  ")
        .subsequent_indent("  ")
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .break_words(false);
    let folded: Vec<String> = paragraphs
        .iter()
        .map(|text| textwrap::wrap(text, &options).join("\n"))
        .collect();
    let _ = writeln!(yaml, "{}", folded.join("\n\n"));
}

/// Writes a text of one line: plain if it is then read as the same text, else in quotes.
fn scalar(text: &str) -> String {
    let line = format!("x: {text}\n");
    let same = serde_yaml::from_str::<Value>(&line)
        .is_ok_and(|value| value == serde_json::json!({ "x": text }));
    if same && !text.contains(|c: char| is_odd(c) || c == '\n') {
        text.to_owned()
    } else {
        quoted(text)
    }
}

/// Writes a text in double quotes, everything odd as an escape.
fn quoted(text: &str) -> String {
    let mut out = String::new();
    for sign in Value::from(text).to_string().chars() {
        if is_odd(sign) {
            let _ = write!(out, "\\u{:04x}", u32::from(sign));
        } else {
            out.push(sign);
        }
    }
    out
}

/// Tells whether parsers disagree about a character, or an editor may change it.
fn is_odd(sign: char) -> bool {
    (sign.is_control() && sign != '\n' && sign != '\t')
        || matches!(sign, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::Origin;

    fn simple() -> Mutant {
        Mutant {
            id: "m".to_owned(),
            step: 2,
            title: "Reserve: it replaces".to_owned(),
            origin: Origin::Field,
            report: Some("https://github.com/owner/project/issues/1".to_owned()),
            belief: "A long thought that goes on and on, so that it does not fit on a line, and \
                     has a look-alike in it."
                .to_owned(),
            edits: vec![Edit {
                find: "    a: {\n      b".to_owned(),
                replace: String::new(),
            }],
            edits_in: vec![(
                Track::Python,
                vec![Edit {
                    find: "a\n\n  b".to_owned(),
                    replace: "c".to_owned(),
                }],
            )],
            caught_by: vec!["existing-key-is-refused".to_owned()],
            caught_by_in: vec![(Track::Python, vec!["x".to_owned()])],
            survives: vec!["a-name-that-is-long".to_owned(); 5],
            survives_in: Vec::new(),
            lesson: "Short.".to_owned(),
            equivalent: None,
        }
    }

    #[test]
    fn a_mutant_is_written_in_the_form_of_the_shipped_ones() {
        insta::assert_snapshot!(mutant("retention", &simple(), "../../mutant.schema.json"));
    }

    fn read(yaml: &str) -> Value {
        serde_yaml::from_str(yaml).unwrap_or_else(|error| panic!("{error} in\n{yaml}"))
    }

    proptest! {
        #[test]
        fn every_fragment_is_read_as_it_was(find in any::<String>(), replace in "[ a\t\n:#'\"-]*") {
            let mut odd = simple();
            odd.edits[0] = Edit { find: find.clone(), replace: replace.clone() };
            odd.edits_in[0].1[0] = Edit { find: replace.clone(), replace: find.clone() };
            let value = read(&mutant("retention", &odd, "s"));
            prop_assert_eq!(&value["edits"][0]["find"], &find);
            prop_assert_eq!(&value["edits"][0]["replace"], &replace);
            prop_assert_eq!(&value["edits_in"]["python"][0]["find"], &replace);
            prop_assert_eq!(&value["edits_in"]["python"][0]["replace"], &find);
        }

        #[test]
        fn prose_keeps_its_words(title in "\\PC*", belief in "[ a-z:#'\"-]{0,200}") {
            let mut odd = simple();
            odd.title.clone_from(&title);
            odd.belief.clone_from(&belief);
            let value = read(&mutant("retention", &odd, "s"));
            prop_assert_eq!(&value["title"], &title);
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            prop_assert_eq!(words(value["belief"].as_str().unwrap()), words(&belief));
        }
    }
}
