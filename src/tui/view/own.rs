//! The learner's own code: how far it is, the first broken line, and what was predicted.

use ratatui::text::Span;

use super::doc::Doc;
use super::result::verdict_words;
use super::script;
use crate::event::{StepState, StepTrial, TestReport, Trial};
use crate::model::{Lab, Track};
use crate::tui::message::{Aim, BreakSaid, OwnOffer};
use crate::tui::model::{Model, Own, OwnStand, OwnState, OwnTold};
use crate::tui::style::Look;
use crate::verdict::TestWord;
use crate::worksheet::{
    counted, first_attempt, lasted, notice_it, own_end, own_steps, promise, said_first,
    shown_lines, step_mark, to_write,
};

/// The most lines of a compiler's message that are shown.
const MOST_LINES: usize = 200;
/// The most red tests that are named after the first.
const MOST_RED: usize = 12;
/// Lines that must be left below what stays in sight.
const REST: usize = 8;

/// Says what Enter does, where that is not to run.
#[must_use]
pub fn next_words(model: &Model) -> Option<&'static str> {
    match &model.own.as_ref()?.stand {
        OwnStand::Looking | OwnStand::There(_) => None,
        OwnStand::Nothing(_) => Some("make it"),
        OwnStand::Unusable(_) => Some("look again"),
    }
}

/// Builds the page.
pub fn build(doc: &mut Doc, model: &Model, height: u16) {
    let Some(own) = &model.own else { return };
    match &own.stand {
        OwnStand::Looking => doc.prose(0, Look::Plain, "Looking for your folder …"),
        OwnStand::Nothing(offer) => nothing(doc, own, offer, model.lab()),
        OwnStand::Unusable(problems) => unusable(doc, problems),
        OwnStand::There(state) => {
            head(doc, own, state);
            doc.pin(height, REST);
            doc.blank();
            match &state.told {
                None if state.running => waiting(doc, state),
                None => {}
                Some(told) => shown(doc, model, own, state, told),
            }
        }
    }
}

fn nothing(doc: &mut Doc, own: &Own, offer: &OwnOffer, lab: &Lab) {
    let OwnOffer { folder, track, .. } = offer;
    match own.which.aim {
        Aim::Write => {
            doc.title("There is no code of yours for this lab here yet.");
            doc.blank();
            let what = match track {
                Track::Shell => "a script for each function, with what it promises".to_owned(),
                _ => {
                    format!("a file in {track} in which each function stands with what it promises")
                }
            };
            let text = format!(
                "Enter makes {folder} to work in: {what}, and the written tasks. Nothing that is \
                 there already is changed."
            );
            doc.prose(0, Look::Plain, &text);
        }
        Aim::Break => {
            doc.title("Break it yourself");
            doc.blank();
            let text = format!(
                "Enter makes {folder} with a copy of the reference in {track}. Change a line of \
                 it, say which tests will notice, and see which do."
            );
            doc.prose(0, Look::Plain, &text);
        }
    }
    doc.blank();
    let name = match track {
        Track::Rust => "cargo",
        Track::Python => "Python",
        Track::Shell => "bash and sqlite3",
    };
    match &offer.needs {
        None => doc.prose(0, Look::Plain, &format!("It needs {name}, which is here.")),
        Some(why) => doc.prose(0, Look::Warning, &format!("It needs {name}: {why}.")),
    }
    if lab.sources.len() > 1 {
        doc.prose(0, Look::Plain, "t chooses the other language.");
    }
    doc.blank();
    let text = "A folder that you made before is found when idemlab is started in it, in a folder \
                below it, or in the one above it.";
    doc.prose(0, Look::Dim, text);
}

fn unusable(doc: &mut Doc, problems: &[String]) {
    doc.title("Your folder cannot be used as it is.");
    doc.blank();
    for problem in problems {
        doc.prose(2, Look::Bad, problem);
    }
}

/// What stays in sight: the file, and how it is run.
fn head(doc: &mut Doc, own: &Own, state: &OwnState) {
    let place = &state.place;
    let more = match own.which.aim {
        Aim::Write => "",
        Aim::Break => " · a copy of the reference",
    };
    let pieces = [
        doc.span(Look::Title, place.file.clone()),
        doc.span(
            Look::Plain,
            format!(" in {} · {}{more}", place.folder, place.language),
        ),
    ];
    doc.line(2, &pieces);
    let (mark, look, mut text) = match (&state.told, state.running) {
        (_, true) => ("… ", Look::Key, "the tests are running".to_owned()),
        (Some(OwnTold::Ran(trial) | OwnTold::Broke(trial, _)), _) => {
            let (mark, look, words) = stand(trial, own.which.aim);
            (mark, look, format!("{words} · {}", lasted(trial.took)))
        }
        (Some(_), _) => ("✘ ", Look::Bad, "not run".to_owned()),
        (None, _) => ("· ", Look::Dim, "not run yet".to_owned()),
    };
    text.push_str(match &place.looking {
        None => " · runs again when you save",
        Some(_) => " · your files are looked at twice a second",
    });
    doc.hanging(2, doc.span(look, mark), look, &text);
    if let Some(why) = &place.looking {
        doc.prose(2, Look::Dim, &format!("since {why}"));
    }
}

/// Says in a word how a run went.
fn stand(trial: &Trial, aim: Aim) -> (&'static str, Look, String) {
    let red = trial.red_tests().count();
    let ran: usize = trial.steps.iter().map(|step| step.tests.len()).sum();
    let all = counted(ran, "test");
    match aim {
        _ if trial.not_loaded.is_some() => ("✘ ", Look::Bad, "it does not load".to_owned()),
        Aim::Break => ("· ", Look::Key, format!("{red} of {all} notice it")),
        Aim::Write if trial.is_green() => ("✔ ", Look::Good, format!("{all} green")),
        Aim::Write => match trial.stopped_at() {
            Some(step) if step.state() == StepState::NotWritten => (
                "· ",
                Look::Key,
                format!("{} is not written yet", step.function),
            ),
            _ => ("✘ ", Look::Bad, format!("{red} of {all} red")),
        },
    }
}

fn waiting(doc: &mut Doc, state: &OwnState) {
    if state.place.language == Track::Rust.id() {
        let text = "It is built first. The first build takes a minute or two, the others a moment.";
        doc.prose(0, Look::Plain, text);
    }
}

fn shown(doc: &mut Doc, model: &Model, own: &Own, state: &OwnState, told: &OwnTold) {
    match told {
        OwnTold::Ran(trial) => ran(doc, model, trial),
        OwnTold::Broke(trial, said) => broke(doc, model, trial, said),
        OwnTold::Unusable(problems) => unusable(doc, problems),
        OwnTold::NotRun(why) => {
            doc.prose(0, Look::Warning, &format!("Nothing was run: {why}."));
            if own.which.aim == Aim::Break {
                doc.blank();
                how_to_break(doc, state);
            }
        }
    }
}

fn how_to_break(doc: &mut Doc, state: &OwnState) {
    doc.title("How it goes");
    let change = format!("1. Change a line of {}: e opens it.", state.place.file);
    doc.prose(0, Look::Plain, &change);
    let say = format!(
        "2. In another terminal, in {}, say which tests will notice: idemlab test --predict \
         ID,ID (or none, or unknown). Without --predict it lists the tests.",
        state.place.folder
    );
    doc.prose(0, Look::Plain, &say);
    doc.prose(0, Look::Plain, "3. Enter here shows both side by side.");
}

fn not_loaded(doc: &mut Doc, why: &str) {
    doc.title("It does not load, so no test was run:");
    let lines: Vec<&str> = why.trim_end().lines().collect();
    for line in lines.iter().take(MOST_LINES) {
        let line = doc.span(Look::Plain, line.replace('\t', "    "));
        doc.line(4, &[Span::raw("  "), line]);
    }
    if lines.len() > MOST_LINES {
        let more = counted(lines.len() - MOST_LINES, "line");
        doc.prose(2, Look::Dim, &format!("and {more} more"));
    }
}

/// A run of the learner's own functions.
fn ran(doc: &mut Doc, model: &Model, trial: &Trial) {
    let lab = model.lab();
    if let Some(why) = &trial.not_loaded {
        not_loaded(doc, why);
        return;
    }
    steps(doc, trial);
    doc.blank();
    remarks(doc, trial);
    let Some(stopped) = trial.stopped_at() else {
        doc.prose(0, Look::Title, &own_end(lab, trial));
        return;
    };
    if stopped.state() == StepState::NotWritten {
        let (function, file) = to_write(lab, trial, stopped);
        let text = format!("Next: write {function} in {file}. What it promises stands with it.");
        doc.prose(0, Look::Title, &text);
        doc.blank();
        predicted(doc, model, stopped.step);
        return;
    }
    let mut red = trial.red_tests();
    let Some(first) = red.next() else { return };
    broken(doc, lab, first);
    predicted(doc, model, stopped.step);
    promised(doc, lab, first);
    also_red(doc, lab, &red.collect::<Vec<_>>());
}

/// Lists the steps; where one is red, the green ones before it are a line, so that it is in sight.
fn steps(doc: &mut Doc, trial: &Trial) {
    let lines = own_steps(trial);
    let green = lines
        .iter()
        .take_while(|(state, _)| *state == StepState::Green)
        .count();
    let folded = if trial.stopped_at().is_some() && green > 2 {
        green
    } else {
        0
    };
    let of_green = |step: &&StepTrial| step.state() == StepState::Green;
    if let Some(last) = trial.steps.iter().filter(of_green).take(folded).last() {
        let text = format!("✔ the steps up to {} are green", last.step);
        doc.line(5, &[doc.span(Look::Good, text)]);
    }
    for (state, line) in lines.into_iter().skip(folded) {
        let look = match state {
            StepState::Green => Look::Good,
            StepState::Red => Look::Bad,
            StepState::NotWritten => Look::Plain,
            StepState::NotRun => Look::Dim,
        };
        doc.line(5, &[doc.span(look, format!("{} {line}", step_mark(state)))]);
    }
}

/// Tells each remark once: what is worth telling and costs nothing.
fn remarks(doc: &mut Doc, trial: &Trial) {
    let mut told: Vec<&str> = Vec::new();
    let first = trial.red_tests().next().map(|test| test.id.as_str());
    let tests = trial.steps.iter().flat_map(|step| &step.tests);
    // Those of the test that is shown stand with it.
    for test in tests.filter(|test| Some(test.id.as_str()) != first) {
        for note in &test.verdict.notes {
            if !told.contains(&note.text.as_str()) {
                let text = format!("A remark on {}: {}", note.mark.id(), note.text);
                doc.prose(0, Look::Dim, &text);
                told.push(&note.text);
            }
        }
    }
    doc.blank();
}

fn broken(doc: &mut Doc, lab: &Lab, report: &TestReport) {
    let Some(test) = lab.test(&report.id) else {
        return;
    };
    doc.hanging(2, doc.span(Look::Bad, "✘ "), Look::Title, &test.title);
    let about = format!(
        "{} · step {} · {}",
        verdict_words(report),
        test.step,
        test.id
    );
    doc.prose(2, Look::Dim, &about);
    script::with_verdict(doc, lab, test, &report.verdict);
    if report.verdict.line.is_none()
        && let Some(observed) = &report.verdict.observed
    {
        for line in shown_lines(observed) {
            doc.line(4, &[Span::raw("  "), doc.span(Look::Plain, line)]);
        }
    }
    doc.blank();
}

/// Adds the promise that a test holds the code to.
fn promised(doc: &mut Doc, lab: &Lab, report: &TestReport) {
    if let Some(promise) = lab.test(&report.id).and_then(|test| promise(lab, test)) {
        doc.title("The promise");
        let text = promise.split_whitespace().collect::<Vec<_>>().join(" ");
        doc.prose(2, Look::Plain, &text);
        doc.blank();
    }
}

fn predicted(doc: &mut Doc, model: &Model, step: u32) {
    let lab = model.lab();
    let Some(attempt) = first_attempt(&model.state().attempts, lab, step) else {
        return;
    };
    let title = format!(
        "Your first prediction at step {step}, about the wrong change {}",
        attempt.mutant
    );
    doc.title(&title);
    for line in said_first(lab, attempt) {
        let indent = if line.starts_with("- ") { 4 } else { 2 };
        doc.prose(indent, Look::Plain, &line);
    }
    doc.blank();
}

fn also_red(doc: &mut Doc, lab: &Lab, others: &[&TestReport]) {
    if others.is_empty() {
        return;
    }
    doc.title("Also red");
    for test in others.iter().take(MOST_RED) {
        let title = lab.test(&test.id).map_or("", |known| &known.title);
        let lead = doc.span(Look::Dim, format!("  step {}  ", test.step));
        doc.hanging(10, lead, Look::Plain, title);
    }
    if others.len() > MOST_RED {
        let text = format!("and {} more", others.len() - MOST_RED);
        doc.prose(2, Look::Dim, &text);
    }
}

/// A copy of the reference: what was said of the change beside what the tests saw.
fn broke(doc: &mut Doc, model: &Model, trial: &Trial, said: &BreakSaid) {
    let lab = model.lab();
    if let Some(why) = &trial.not_loaded {
        not_loaded(doc, why);
        return;
    }
    let title = |id: &str| {
        let known = lab.test(id);
        known.map_or_else(|| id.to_owned(), |test| test.title.clone())
    };
    let notice: Vec<&str> = trial.red_tests().map(|test| test.id.as_str()).collect();
    let named = |id: &str| said.tests.iter().any(|test| test == id);
    if said.unknown {
        doc.prose(0, Look::Plain, "You said that you did not know.");
    } else if said.tests.is_empty() {
        doc.prose(0, Look::Plain, "You said that no test will notice.");
    }
    let found: Vec<&str> = notice.iter().copied().filter(|id| named(id)).collect();
    let others = notice.iter().copied().filter(|id| !named(id)).collect();
    let mistaken = said.tests.iter().map(String::as_str);
    let mistaken = mistaken.filter(|id| !notice.contains(id)).collect();
    let unnamed = notice_it(!found.is_empty());
    let parts: [(&str, char, Look, Vec<&str>); 3] = [
        ("You named, and they notice it", '✔', Look::Good, found),
        (unnamed, '·', Look::Plain, others),
        (
            "You named, and they do not notice it",
            '✘',
            Look::Bad,
            mistaken,
        ),
    ];
    for (heading, mark, look, tests) in parts {
        if tests.is_empty() {
            continue;
        }
        doc.blank();
        doc.title(heading);
        for id in tests {
            let lead = doc.span(look, format!("  {mark} "));
            doc.hanging(4, lead, Look::Plain, &title(id));
        }
    }
    doc.blank();
    if notice.is_empty() {
        doc.prose(0, Look::Plain, "No test notices the change.");
    }
    if let Some(first) = trial
        .red_tests()
        .find(|test| test.word() != TestWord::NotRun)
    {
        broken(doc, lab, first);
    }
}
