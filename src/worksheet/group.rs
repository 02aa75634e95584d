//! Many calls of a test in a few words: how many there are, and in what they differ.

use unicode_width::UnicodeWidthStr as _;

use super::calls::argument_text;
use super::table::cut;
use crate::model::{Argument, Call, Lab};

/// The most arguments whose values are written out.
const MOST: usize = 3;
/// The widest the values of one of several arguments are shown, in columns of the terminal.
const WIDEST: usize = 36;
/// The widest the values of an argument are shown that alone is not the same.
const WIDEST_ALONE: usize = 72;
/// The widest one value is shown.
const WIDEST_VALUE: usize = 26;

/// Writes calls by how often each function is called, and by the arguments that are not the same
/// in all of them: without these, one list of tests has the same words several times.
///
/// With each call comes what tells it from another with the same arguments.
pub(super) fn grouped(lab: &Lab, calls: &[(&Call, String)]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for (call, _) in calls {
        if !names.contains(&call.function.as_str()) {
            names.push(&call.function);
        }
    }
    let parts = names.into_iter().map(|name| {
        let own: Vec<&(&Call, String)> = calls
            .iter()
            .filter(|(call, _)| call.function == name)
            .collect();
        match own.len() {
            1 => name.to_owned(),
            count => format!("{name} ×{count}{}", differences(lab, &own)),
        }
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// Says in what calls of one function differ, in brackets; nothing if they do not.
fn differences(lab: &Lab, calls: &[&(&Call, String)]) -> String {
    let Some((first, _)) = calls.first() else {
        return String::new();
    };
    let step = lab.function(&first.function);
    let arguments = step.map(|step| step.arguments.as_slice());
    let varied: Vec<(&str, Vec<String>)> = arguments
        .unwrap_or_default()
        .iter()
        .filter_map(|argument| Some((argument.name.as_str(), values(argument, calls)?)))
        .take(MOST)
        .collect();
    let widest = match varied.as_slice() {
        [_] => WIDEST_ALONE,
        _ => WIDEST,
    };
    let varied = varied.iter();
    let mut parts: Vec<String> = varied
        .map(|(name, texts)| listed(name, texts, widest))
        .collect();
    parts.extend(apart(calls));
    if parts.is_empty() {
        return String::new();
    }
    format!(" ({})", parts.join("; "))
}

/// Lists what else tells calls apart, such as their process, with how often it holds; the values
/// that a callback gives are named in one place.
fn apart(calls: &[&(&Call, String)]) -> Vec<String> {
    let mut known: Vec<(&str, Vec<String>, usize)> = Vec::new();
    for (_, words) in calls {
        let words = words.trim().trim_matches(['(', ')']);
        let (words, value) = words.split_once(" gives ").unwrap_or((words, ""));
        let value = Some(value.to_owned()).filter(|value| !value.is_empty());
        match known
            .iter_mut()
            .find(|(other, values, _)| *other == words && values.is_empty() == value.is_none())
        {
            _ if words.is_empty() => {}
            Some((_, values, count)) => {
                values.extend(value);
                *count += 1;
            }
            None => known.push((words, value.into_iter().collect(), 1)),
        }
    }
    let known = known.into_iter();
    known
        .map(|(words, values, count)| match count {
            _ if !values.is_empty() => listed(&format!("{words} gives"), &values, WIDEST_ALONE),
            1 => format!("once {words}"),
            _ => format!("{count} times {words}"),
        })
        .collect()
}

/// Lists the values of an argument that is not the same in all calls, each once in a row.
fn values(argument: &Argument, calls: &[&(&Call, String)]) -> Option<Vec<String>> {
    let mut texts: Vec<String> = Vec::new();
    for (call, _) in calls {
        let text = match call.with.get(&argument.name) {
            Some(value) => cut(&argument_text(argument.kind, value).0, WIDEST_VALUE),
            None => "left out".to_owned(),
        };
        if texts.last() != Some(&text) {
            texts.push(text);
        }
    }
    (texts.len() > 1).then_some(texts)
}

/// Writes values after a name, and counts those for which there is no room.
fn listed(name: &str, texts: &[String], widest: usize) -> String {
    let mut line = name.to_owned();
    for (place, text) in texts.iter().enumerate() {
        if place > 0 && line.width() + text.width() + 2 > widest {
            return format!("{line} …{} more", texts.len() - place);
        }
        line.push_str(if place > 0 { ", " } else { " " });
        line.push_str(text);
    }
    line
}

#[cfg(test)]
mod tests {
    use crate::worksheet::summary;

    #[test]
    fn tests_of_one_step_do_not_read_alike() {
        let pack = crate::pack::shipped().unwrap();
        for lab in &pack.labs {
            let mut known: Vec<(u32, String, &str)> = Vec::new();
            for test in &lab.tests {
                let text = summary(lab, test);
                let same = known
                    .iter()
                    .find(|(step, other, _)| *step == test.step && *other == text);
                assert!(
                    same.is_none(),
                    "{}: {} and {}: {text}",
                    lab.id,
                    test.id,
                    same.unwrap().2
                );
                known.push((test.step, text, &test.id));
            }
        }
    }

    #[test]
    fn many_calls_say_in_what_they_differ() {
        let pack = crate::pack::shipped().unwrap();
        let words = |lab: &str, id: &str| {
            let lab = pack.lab(lab).unwrap();
            summary(lab, lab.test(id).unwrap())
        };
        assert_eq!(
            words("charge", "protected-again"),
            "handle_charge ×4 (now 1000, 91000, 91010, 177399.5)"
        );
        assert_eq!(
            words("charge", "retry-after-the-race").matches('×').count(),
            0,
            "what is written out needs no such words"
        );
        let gives = words("charge", "any-result-is-an-answer");
        assert!(
            gives.contains("process_charge gives nothing, 0, false"),
            "{gives}"
        );
        let again = words("charge", "success-after-errors-is-kept");
        assert!(
            again.ends_with("; 2 times process_charge fails)"),
            "{again}"
        );
    }
}
