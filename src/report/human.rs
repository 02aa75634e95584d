//! Reports for people: plain lines, at most 80 columns where the content allows it.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr as _;

use crate::event::{Matrix, MutantReport, SubjectReport, TestReport};
use crate::model::{Lab, Pack, Step};
use crate::verdict::{MutantWord, Note, TestWord};
use crate::worksheet::{LineState, ScriptLine, counted, folded, script_lines};

use super::json::TrackState;

/// Writes what there is: labs with their tracks, steps, tests and mutants.
#[must_use]
pub fn list(pack: &Pack, tracks: impl Fn(&Lab) -> Vec<TrackState>) -> String {
    let mut text = String::new();
    for (place, lab) in pack.labs.iter().enumerate() {
        if place > 0 {
            text.push('\n');
        }
        let _ = writeln!(text, "{}  {}", lab.id, lab.title);
        for track in tracks(lab) {
            let state = track.why.unwrap_or_else(|| "ready".to_owned());
            let _ = writeln!(text, "  track {:<7} {state}", track.id);
        }
        for step in &lab.steps {
            list_step(&mut text, lab, step);
        }
    }
    if pack.labs.len() > 1 {
        // Some five hundred lines have gone by, and the labs with them.
        text.push_str("\nThe labs, one of them with `idemlab list LAB`:\n");
        for lab in &pack.labs {
            let _ = writeln!(text, "  {:<11}{}", lab.id, lab.title);
        }
    }
    text
}

fn list_step(text: &mut String, lab: &Lab, step: &Step) {
    let _ = writeln!(text, "\n  step {} {}: {}", step.number, step.id, step.title);
    for mutant in lab
        .mutants
        .iter()
        .filter(|mutant| mutant.step == step.number)
    {
        let _ = writeln!(text, "    mutant {}  {}", mutant.id, mutant.title);
    }
    for test in lab.tests.iter().filter(|test| test.step == step.number) {
        let success = if test.success { " (success)" } else { "" };
        let _ = writeln!(text, "    test   {}{success}", test.id);
    }
}

/// Writes the run of a reference or a submission.
#[must_use]
pub fn run(lab: &Lab, report: &SubjectReport) -> String {
    let mut text = String::new();
    let who = report.subject.id().unwrap_or("the reference");
    let _ = write!(text, "{} · {} · {who}: ", report.lab, report.track);
    if let Some(why) = report.not_loaded() {
        let _ = writeln!(
            text,
            "it does not load, so no test was run\n\n{}",
            why.trim()
        );
        return text;
    }
    let count = |word| {
        report
            .tests
            .iter()
            .filter(|test| test.word() == word)
            .count()
    };
    let _ = write!(
        text,
        "{} of {} passed",
        count(TestWord::Passed),
        tests(report.tests.len())
    );
    for word in [TestWord::Inconclusive, TestWord::NotRun] {
        if count(word) > 0 {
            let _ = write!(text, ", {} {}", count(word), test_words(word));
        }
    }
    let _ = writeln!(text, ", {}", time(report));
    details(&mut text, lab, report);
    text
}

/// Writes the run of a mutant.
#[must_use]
pub fn mutant(lab: &Lab, mutant: &MutantReport) -> String {
    let mut text = String::new();
    let title = lab
        .mutant(&mutant.id)
        .map_or("", |known| known.title.as_str());
    let _ = writeln!(
        text,
        "{} · step {} · {}\n{title}\n",
        lab.id, mutant.step, mutant.id
    );
    let Some(report) = &mutant.report else {
        let why = mutant.why.as_deref().unwrap_or("it cannot be run");
        let _ = writeln!(text, "{}: {why}", words(mutant.word));
        return text;
    };
    let caught = report.caught_by().count();
    let _ = writeln!(
        text,
        "{}: {caught} of {} {} it, {}",
        words(mutant.word),
        tests(report.tests.len()),
        if caught == 1 { "sees" } else { "see" },
        time(report)
    );
    if let Some(told) = told_beside(report) {
        let _ = writeln!(text, "{told}");
    }
    details(&mut text, lab, report);
    let missed = report
        .tests
        .iter()
        .filter(|test| test.word() == TestWord::Passed)
        .filter(|test| {
            lab.test(&test.id)
                .is_some_and(|known| known.success && known.step == mutant.step)
        });
    for test in missed {
        let _ = writeln!(
            text,
            "\nmissed by {}, a plain success test of its own step",
            test.id
        );
    }
    text
}

/// Says how many tests tell a subject from the reference though it breaks no promise, if any do.
fn told_beside(report: &SubjectReport) -> Option<String> {
    let count = report.told_beside();
    let verb = if count == 1 { "tells" } else { "tell" };
    (count > 0).then(|| format!("{} {verb} it by what is no promise", tests(count)))
}

/// Says a mutant's verdict in words.
#[must_use]
pub const fn words(word: MutantWord) -> &'static str {
    match word {
        MutantWord::Caught => "caught",
        MutantWord::Survived => "survived",
        MutantWord::TimedOut => "timed out",
        MutantWord::Crashed => "crashed",
        MutantWord::DoesNotBuild => "does not build",
        MutantWord::DoesNotApply => "does not apply",
        MutantWord::Flaky => "flaky",
    }
}

/// Says a test's verdict in words.
#[must_use]
pub const fn test_words(word: TestWord) -> &'static str {
    match word {
        TestWord::Passed => "passed",
        TestWord::Failed => "failed",
        TestWord::Errored => "errored",
        TestWord::TimedOut => "timed out",
        TestWord::NotRun => "not run",
        TestWord::Inconclusive => "inconclusive",
    }
}

fn tests(count: usize) -> String {
    counted(count, "test")
}

/// Says how long a run took, and how much of it was waiting on purpose.
fn time(report: &SubjectReport) -> String {
    let held: std::time::Duration = report.tests.iter().map(|test| test.held).sum();
    let took = report.took.as_millis();
    match held.as_millis() {
        0 => format!("{took} ms"),
        held => format!("{took} ms ({held} ms of it locks held on purpose)"),
    }
}

/// Writes every red test, and in a line each what was not decided and what is only remarked.
fn details(text: &mut String, lab: &Lab, report: &SubjectReport) {
    for test in report.tests.iter().filter(|test| test.word().is_red()) {
        detail(text, lab, test);
    }
    undecided(
        text,
        report,
        TestWord::Inconclusive,
        "never held against a solution",
    );
    undecided(
        text,
        report,
        TestWord::NotRun,
        "each would only cost its time limit",
    );
    remarks(text, report);
}

/// Names the tests with a word that is neither red nor green, by their reason.
fn undecided(text: &mut String, report: &SubjectReport, word: TestWord, meaning: &str) {
    let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
    for test in report.tests.iter().filter(|test| test.word() == word) {
        let observed = test.verdict.observed.as_ref();
        let why = observed
            .map(crate::worksheet::shown_lines)
            .unwrap_or_default()
            .join(" ");
        match reasons.iter_mut().find(|(reason, _)| *reason == why) {
            Some((_, ids)) => ids.push(&test.id),
            None => reasons.push((why, vec![&test.id])),
        }
    }
    for (why, ids) in reasons {
        let _ = writeln!(text, "\n? {}, {meaning}: {why}", test_words(word));
        let _ = writeln!(text, "  {}", ids.join(", "));
    }
}

/// Writes each remark once, with how often it holds.
fn remarks(text: &mut String, report: &SubjectReport) {
    let mut remarks: Vec<(&Note, usize, &str)> = Vec::new();
    for test in &report.tests {
        for note in &test.verdict.notes {
            match remarks.iter_mut().find(|(known, _, _)| *known == note) {
                Some((_, count, _)) => *count += 1,
                None => remarks.push((note, 1, &test.id)),
            }
        }
    }
    for (note, count, test) in remarks {
        let often = match count {
            1 => String::new(),
            _ => format!(" ({count} times)"),
        };
        let _ = writeln!(
            text,
            "\n{}, no mark lost{often}: {}\n  first in {test}",
            note.mark.id(),
            note.text
        );
    }
}

fn detail(text: &mut String, lab: &Lab, test: &TestReport) {
    let beside = if test.catches() {
        String::new()
    } else {
        format!(", about {}: no promise is broken", test.mark.id())
    };
    let _ = writeln!(
        text,
        "\n✘ {} (step {}): {}{beside}",
        test.id,
        test.step,
        test_words(test.word())
    );
    let Some(known) = lab.test(&test.id) else {
        return;
    };
    let _ = writeln!(text, "  {}", known.title);
    for line in script_lines(lab, known, Some(&test.verdict)) {
        if line.state != LineState::NotReached {
            script_line(text, &line, "  ");
        }
    }
    if test.verdict.line.is_none()
        && let Some(observed) = &test.verdict.observed
    {
        for line in crate::worksheet::shown_lines(observed) {
            let _ = writeln!(text, "     {line}");
        }
    }
}

/// Writes one line of a script; one that broke with what it expects and saw.
pub fn script_line(text: &mut String, line: &ScriptLine, indent: &str) {
    let number = line
        .number
        .map_or_else(|| " ".to_owned(), |number| number.to_string());
    let broken = line.state == LineState::Broken;
    let (mark, after) = match line.state {
        LineState::Broken => ('✘', ""),
        LineState::NotReached => ('–', "  (not reached)"),
        LineState::Plain | LineState::Passed => (' ', ""),
    };
    let below = format!("{indent}     ");
    let first = format!("{indent}{mark}{number:>2}  ");
    within(text, &first, &format!("{}{after}", line.text), &below);
    for more in &line.more {
        within(text, &below, more, &format!("{below}  "));
    }
    if !broken {
        return;
    }
    for (label, lines) in [("expected", &line.expected), ("saw", &line.saw)] {
        for (place, value) in lines.iter().enumerate() {
            let label = if place == 0 { label } else { "" };
            let first = format!("{below}{label:<9} ");
            within(text, &first, value, &format!("{below}            "));
        }
    }
}

/// Writes a line after its mark; what is wider than 80 columns goes on below.
fn within(text: &mut String, first: &str, line: &str, rest: &str) {
    const WIDTH: usize = 80;
    if first.width() + line.width() <= WIDTH {
        let _ = writeln!(text, "{first}{line}");
        return;
    }
    for row in folded(line, WIDTH, first, rest) {
        let _ = writeln!(text, "{row}");
    }
}

/// Writes a matrix: for each mutant how many tests of each step catch it.
#[must_use]
pub fn matrix(lab: &Lab, matrix: &Matrix) -> String {
    let mut text = String::new();
    let count = matrix.baseline.tests.len();
    let _ = writeln!(
        text,
        "{} · {}: the reference passes {}, {}\n",
        lab.id,
        matrix.baseline.track,
        tests(count),
        time(&matrix.baseline)
    );
    let width = matrix
        .mutants
        .iter()
        .map(|mutant| mutant.id.len())
        .max()
        .unwrap_or(0);
    let steps: Vec<String> = lab
        .steps
        .iter()
        .map(|step| format!("{:>3}", step.number))
        .collect();
    let _ = writeln!(
        text,
        "{:width$}  {}   caught by (tests a step)",
        "",
        steps.join(" ")
    );
    for mutant in &matrix.mutants {
        let cells: Vec<String> = lab
            .steps
            .iter()
            .map(|step| cell(mutant, step.number))
            .collect();
        let caught = mutant
            .report
            .as_ref()
            .map_or(0, |report| report.caught_by().count());
        let verdict = words(mutant.word);
        let told = mutant.report.as_ref().and_then(told_beside);
        let told = told.map_or_else(String::new, |told| format!("; {told}"));
        let _ = writeln!(
            text,
            "{:width$}  {}   {verdict}, {caught} of {count}{told}",
            mutant.id,
            cells.join(" ")
        );
    }
    let caught = matrix
        .mutants
        .iter()
        .filter(|mutant| mutant.word == MutantWord::Caught)
        .count();
    let _ = writeln!(
        text,
        "\n{caught} of {} caught, {} ms",
        counted(matrix.mutants.len(), "mutant"),
        matrix.took.as_millis()
    );
    text
}

fn cell(mutant: &MutantReport, step: u32) -> String {
    let count = mutant.report.iter().flat_map(|report| &report.tests);
    match count
        .filter(|test| test.step == step && test.catches())
        .count()
    {
        0 => "  ·".to_owned(),
        count => format!("{count:>3}"),
    }
}
