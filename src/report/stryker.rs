//! A matrix as a mutation testing report: the schema of Stryker, version 2, which its HTML
//! report and dashboard read.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::event::{Matrix, MutantReport, SubjectReport, TestReport};
use crate::model::{Lab, Mutant, Track};
use crate::verdict::{MutantWord, Shown};

/// Where a change is in the reference. The end is exclusive; columns are UTF-16 code units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct Location {
    start: Position,
    end: Position,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct Position {
    line: usize,
    column: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row<'a> {
    id: &'a str,
    mutator_name: &'static str,
    description: &'a str,
    replacement: String,
    location: Location,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_reason: Option<String>,
    covered_by: Vec<&'a str>,
    killed_by: Vec<&'a str>,
    tests_completed: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration: Option<f64>,
}

/// Writes a matrix. Mutants that no test can tell apart are `Ignored`, and so are those that
/// could not be run: neither says anything about the tests.
#[must_use]
pub fn write(matrix: &Matrix, lab: &Lab) -> String {
    let track = matrix.baseline.track;
    let source = lab.source(track);
    let text = source.map_or("", |source| source.text.as_str());
    let ran = matrix.mutants.iter().filter_map(|report| {
        lab.mutant(&report.id)
            .map(|mutant| row(report, mutant, text, track))
    });
    let left_out = matrix.left_out.iter().filter_map(|(id, why)| {
        lab.mutant(id)
            .map(|mutant| ignored(mutant, why, text, track))
    });
    let rows: Vec<Row> = ran.chain(left_out).collect();
    let file = source.map_or_else(|| lab.id.clone(), |source| source.file.clone());
    let report = json!({
        "schemaVersion": "2",
        "thresholds": {"high": 80, "low": 60},
        "framework": {"name": "idemlab", "version": env!("CARGO_PKG_VERSION")},
        "files": {file: {"language": track.id(), "source": text, "mutants": rows}},
        "testFiles": test_files(lab, track),
    });
    let mut text = serde_json::to_string_pretty(&report).unwrap_or_default();
    text.push('\n');
    text
}

/// Lists the tests of a track; a step stands for a file of tests.
fn test_files(lab: &Lab, track: Track) -> Map<String, Value> {
    let mut files = Map::new();
    for step in &lab.steps {
        let tests: Vec<Value> = lab
            .tests_in(track)
            .filter(|test| test.step == step.number)
            .map(|test| json!({"id": test.id, "name": test.title}))
            .collect();
        if !tests.is_empty() {
            let name = format!("step {} {}", step.number, step.id);
            files.insert(name, json!({"tests": tests}));
        }
    }
    files
}

fn row<'a>(report: &'a MutantReport, mutant: &'a Mutant, text: &str, track: Track) -> Row<'a> {
    let (location, replacement) = change(text, mutant, track);
    let status = match (report.word, &mutant.equivalent) {
        (MutantWord::Survived, Some(_)) | (MutantWord::DoesNotApply | MutantWord::Flaky, _) => {
            "Ignored"
        }
        (MutantWord::Caught, _) => "Killed",
        (MutantWord::Survived, None) => "Survived",
        (MutantWord::TimedOut, _) => "Timeout",
        (MutantWord::Crashed, _) => "RuntimeError",
        (MutantWord::DoesNotBuild, _) => "CompileError",
    };
    let tests = report.report.iter().flat_map(|report| &report.tests);
    let killed_by = report.report.iter().flat_map(SubjectReport::caught_by);
    Row {
        id: &mutant.id,
        mutator_name: mutant.origin.id(),
        description: &mutant.title,
        replacement,
        location,
        status,
        status_reason: reason(report, mutant),
        covered_by: tests.map(|test| test.id.as_str()).collect(),
        killed_by: killed_by.collect(),
        tests_completed: report
            .report
            .as_ref()
            .map_or(0, |report| report.tests.len()),
        duration: report.report.as_ref().map(|report| {
            let micros = (report.took.as_secs_f64() * 1e6).round();
            micros / 1e3
        }),
    }
}

fn ignored<'a>(mutant: &'a Mutant, why: &str, text: &str, track: Track) -> Row<'a> {
    let (location, replacement) = change(text, mutant, track);
    Row {
        id: &mutant.id,
        mutator_name: mutant.origin.id(),
        description: &mutant.title,
        replacement,
        location,
        status: "Ignored",
        status_reason: Some(why.to_owned()),
        covered_by: Vec::new(),
        killed_by: Vec::new(),
        tests_completed: 0,
        duration: None,
    }
}

/// Says why a mutant has its status: what the first test that catches it saw, or what is missing.
fn reason(report: &MutantReport, mutant: &Mutant) -> Option<String> {
    if let Some(why) = &report.why {
        return Some(why.clone());
    }
    match report.word {
        MutantWord::Survived => mutant.equivalent.clone(),
        MutantWord::Flaky => Some("it answers differently from run to run".to_owned()),
        _ => {
            let tests = report.report.iter().flat_map(|report| &report.tests);
            tests.filter(|test| test.catches()).map(saw).next()
        }
    }
}

fn saw(test: &TestReport) -> String {
    let line = test
        .verdict
        .line
        .map_or_else(String::new, |line| format!(", line {line}"));
    let side = |label: &str, shown: Option<&Shown>| {
        shown.map_or_else(String::new, |shown| {
            format!("; {label} {}", shown.to_json())
        })
    };
    let expected = side("expected", test.verdict.expected.as_ref());
    let observed = side("saw", test.verdict.observed.as_ref());
    format!("{}{line}{expected}{observed}", test.id)
}

/// Finds the lines of the reference that a mutant changes, and what stands there instead.
///
/// All edits together are one change, from the first line that differs to the last.
fn change(source: &str, mutant: &Mutant, track: Track) -> (Location, String) {
    let mut mutated = source.to_owned();
    for edit in mutant.edits_for(track) {
        if !edit.find.is_empty() {
            mutated = mutated.replacen(&edit.find, &edit.replace, 1);
        }
    }
    let old: Vec<&str> = source.split('\n').collect();
    let new: Vec<&str> = mutated.split('\n').collect();
    let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let mut before = old.iter().zip(&new).take_while(same).count();
    let most = old.len().min(new.len()) - before.min(old.len().min(new.len()));
    let ends = old.iter().rev().zip(new.iter().rev());
    let mut after = ends.take_while(same).count().min(most);
    // Lines that are only added or only removed need a neighbour, which lends them a place.
    if before + after >= old.len().min(new.len()) {
        if before > 0 {
            before -= 1;
        } else {
            after = after.saturating_sub(1);
        }
    }
    let last = (old.len() - after).max(before + 1);
    let indent = common_indent(old[before], new[before]);
    let location = Location {
        start: Position {
            line: before + 1,
            column: columns(&old[before][..indent]) + 1,
        },
        end: Position {
            line: last,
            column: columns(old[last - 1]) + 1,
        },
    };
    let stretch = new[before..(new.len() - after).max(before)].join("\n");
    let replacement = stretch.get(indent..).unwrap_or_default().to_owned();
    (location, replacement)
}

/// Counts the bytes of the blanks with which both lines begin.
fn common_indent(old: &str, new: &str) -> usize {
    let blanks = old.bytes().zip(new.bytes());
    blanks.take_while(|(a, b)| a == b && *a == b' ').count()
}

fn columns(text: &str) -> usize {
    text.encode_utf16().count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Edit, Origin};

    fn mutant(edits: &[(&str, &str)]) -> Mutant {
        let edit = |(find, replace): &(&str, &str)| Edit {
            find: (*find).to_owned(),
            replace: (*replace).to_owned(),
        };
        Mutant {
            id: "m".to_owned(),
            step: 1,
            title: String::new(),
            origin: Origin::Craft,
            report: None,
            belief: String::new(),
            edits: edits.iter().map(edit).collect(),
            edits_in: Vec::new(),
            caught_by: Vec::new(),
            caught_by_in: Vec::new(),
            survives: Vec::new(),
            survives_in: Vec::new(),
            lesson: String::new(),
            equivalent: None,
        }
    }

    /// Puts the replacement where the location says, as a reader of the report would.
    fn put(source: &str, (location, replacement): (Location, String)) -> String {
        let at = |position: Position| {
            let mut start = 0;
            for _ in 1..position.line {
                start += source[start..].find('\n').unwrap() + 1;
            }
            let mut column = 1;
            for (offset, sign) in source[start..].char_indices() {
                if column == position.column {
                    return start + offset;
                }
                column += sign.len_utf16();
            }
            source.len()
        };
        let (start, end) = (at(location.start), at(location.end));
        format!("{}{replacement}{}", &source[..start], &source[end..])
    }

    #[test]
    fn the_replacement_at_its_location_makes_the_mutant() {
        let source = "one\n  two é𝄞 two\n  three\nfour\n";
        for edits in [
            &[("é𝄞", "x")][..],
            &[("one\n", "")],
            &[("one\n", "one\n    more\n")],
            &[("  three\n", "")],
            &[("three", "3\n  and")],
            &[("one", "1"), ("four", "4")],
            &[("four\n", "four\nfive\n")],
            &[("four\n", "")],
            &[("  two", "two")],
            &[("one", "zero\none")],
        ] {
            let mutant = mutant(edits);
            let mut want = source.to_owned();
            for (find, replace) in edits {
                want = want.replacen(find, replace, 1);
            }
            let got = put(source, change(source, &mutant, Track::Rust));
            assert_eq!(got, want, "{edits:?}");
        }
    }

    #[test]
    fn a_change_of_one_line_begins_at_its_first_letter() {
        let (location, replacement) = change(
            "a\n    let x = 1;\nb\n",
            &mutant(&[("1", "2")]),
            Track::Rust,
        );
        assert_eq!(replacement, "let x = 2;");
        assert_eq!((location.start.line, location.start.column), (2, 5));
        assert_eq!((location.end.line, location.end.column), (2, 15));
    }
}
