//! Values, verdicts and untrusted text in words. Every form takes them from here.

use serde_json::Value;

use crate::gradebook::{Points, Probe, Submission, Test, Written};

/// Says a verdict in words.
pub fn verdict(name: &str) -> &str {
    match name {
        "timed_out" => "timed out",
        "not_run" => "not run",
        name => name,
    }
}

/// Says what a line expects or saw in a line of its own.
pub fn value(value: &Value) -> String {
    if let Value::String(words) = value {
        return words.clone();
    }
    let single = value.as_object().filter(|map| map.len() == 1);
    let Some((word, inner)) = single.and_then(|map| map.iter().next()) else {
        return value.to_string();
    };
    match (word.as_str(), inner) {
        ("raises", Value::String(kind)) => format!("raises {kind}"),
        ("raises", Value::Object(error)) => {
            let part = |name: &str| error.get(name).and_then(Value::as_str).unwrap_or_default();
            format!("raises {}: {}", part("kind"), part("message"))
        }
        ("one_of", Value::Array(cases)) => {
            let cases: Vec<String> = cases.iter().map(self::value).collect();
            cases.join(", or ")
        }
        ("returns" | "rows" | "gives" | "outcomes", inner) => format!("{word} {inner}"),
        _ => value.to_string(),
    }
}

/// Cuts a text to at most so many characters, and says how many it had.
pub fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let note = format!("… ({count} characters)");
    let kept = most.saturating_sub(note.chars().count());
    text.chars().take(kept).chain(note.chars()).collect()
}

/// Tells whether a character is shown as something else than itself: it could move the cursor,
/// colour a terminal, or turn a line around.
pub fn is_odd(sign: char) -> bool {
    sign.is_control()
        || matches!(sign, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Writes odd characters as escapes, so that a text is one line and stays as it looks.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for sign in text.chars() {
        if is_odd(sign) {
            line.extend(sign.escape_default());
        } else {
            line.push(sign);
        }
    }
    line
}

/// Writes odd characters as escapes, line ends and tabs left as they are.
pub fn lines(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    for sign in text.replace("\r\n", "\n").chars() {
        if is_odd(sign) && !matches!(sign, '\n' | '\t') {
            kept.extend(sign.escape_default());
        } else {
            kept.push(sign);
        }
    }
    kept
}

/// Counts things: `1 test`, `2 tests`.
pub fn count(count: usize, thing: &str) -> String {
    match count {
        1 => format!("1 {thing}"),
        _ => format!("{count} {thing}s"),
    }
}

/// Writes points beside what they could have been: `7.5 of 8`.
pub fn points(score: Points, most: Points) -> String {
    format!("{score} of {most}")
}

/// Says why nothing could be graded.
pub fn why_ungraded(submission: &Submission) -> &str {
    submission
        .why
        .as_deref()
        .unwrap_or("nothing of it could be run")
}

/// Puts a message of several lines into one, however it was set.
pub fn in_short(text: &str) -> String {
    one_line(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Says what broke a test, in a line: where, and with which verdict.
pub fn broke(test: &Test) -> String {
    let verdict = verdict(&test.verdict);
    match test.line {
        Some(line) => format!("{verdict} at line {line}"),
        None => verdict.to_owned(),
    }
}

/// Lists what a broken test says, as pairs of a label and a text that may have several lines.
pub fn evidence(test: &Test) -> Vec<(&'static str, String)> {
    let line = test.says.clone().map(|says| ("line", says));
    let expected = test.expected.as_ref().map(|want| ("expected", value(want)));
    let observed = test.observed.as_ref().map(|got| ("observed", value(got)));
    line.into_iter().chain(expected).chain(observed).collect()
}

/// Says why a red test costs nothing, if it does.
pub fn costs_nothing(test: &Test) -> Option<String> {
    let red = matches!(&*test.verdict, "failed" | "errored" | "timed_out");
    (red && !test.counts_against()).then(|| format!("{}, no points lost", test.mark))
}

/// Says what a learner's own test is worth.
pub fn probe(probe: &Probe) -> String {
    let worth = match (probe.valid, probe.caught) {
        (true, true) => "valid, and it catches it",
        (true, false) => "valid, and it misses it",
        (false, _) => "not valid: the reference fails it",
    };
    match &probe.why {
        Some(why) => format!("{worth} ({why})"),
        None => worth.to_owned(),
    }
}

/// Says what there is of a written answer. Whether it is right, a person says.
pub fn written(answer: &Written) -> String {
    if !answer.present {
        return "no answer".to_owned();
    }
    let mut text = count(answer.words, "word");
    if !answer.missing.is_empty() {
        text = format!("{text}; {}", answer.missing.join("; "));
    }
    text
}
