//! The result: what was said beside what the run showed, test by test, and what it means.

use std::fmt::Write as _;

use ratatui::text::Span;

use super::doc::Doc;
use super::predict::letters;
use super::script;
use crate::event::{SubjectReport, TestReport};
use crate::model::{SeenIn, Sure, Test};
use crate::tui::message::Baseline;
use crate::tui::model::{Model, ResultState, sorted};
use crate::tui::style::Look;
use crate::tui::view::running::mark;
use crate::verdict::MutantWord;
use crate::worksheet::{Attempt, WHY, counted, lasted, letter, sighted_sentence};

/// Up to so many tests that missed the change are listed by their letters.
const FEW: usize = 12;

/// Something the cursor can be on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// A test, by its place among the offered ones.
    Test(usize),
    /// The heading of the tests that passed.
    Passed,
}

/// Lists what the cursor can be on, in order.
#[must_use]
pub fn items(model: &Model) -> Vec<Item> {
    let Some(result) = &model.step_state().result else {
        return Vec::new();
    };
    let Some(report) = &result.report else {
        return Vec::new();
    };
    let sorted = sorted(&model.offered(), report);
    let mut items: Vec<Item> = sorted.red.into_iter().map(Item::Test).collect();
    if !sorted.others.is_empty() {
        items.push(Item::Passed);
        if result.passed_open {
            items.extend(sorted.others.into_iter().map(Item::Test));
        }
    }
    items
}

/// Tells whether nothing is left to do here but to go on.
#[must_use]
pub fn is_over(model: &Model) -> bool {
    model.last_attempt().is_some_and(|attempt| {
        attempt
            .sighting
            .as_deref()
            .is_some_and(|text| !text.trim().is_empty())
    }) || model
        .step_state()
        .result
        .as_ref()
        .is_some_and(|result| result.report.is_none() || result.told)
}

/// Says what Enter does after the run of a further change.
#[must_use]
pub fn next_words(model: &Model) -> Option<&'static str> {
    let saying = model.step_state().result.as_ref()?.saying;
    match (saying, model.no_test_can_tell().is_some()) {
        (true, true) => Some("keep it, see why"),
        (true, false) => Some("keep it, the list"),
        (false, _) if is_over(model) => Some("the list"),
        (false, true) => Some("say why"),
        (false, false) => None,
    }
}

/// Builds the page.
pub fn build(doc: &mut Doc, model: &Model) {
    let Some(result) = &model.step_state().result else {
        waiting(doc, model);
        return;
    };
    let Some(report) = &result.report else {
        no_verdict(doc, result);
        return;
    };
    if let Some(attempt) = model.last_attempt() {
        beside(doc, model, attempt, report);
        doc.blank();
    }
    tests(doc, model, result, report);
    doc.blank();
    let reason = model.no_test_can_tell();
    if reason.is_none() {
        lesson(doc, model);
    }
    let start = doc.lines.len();
    doc.title(match reason {
        Some(_) => WHY,
        None => "What did you actually see?",
    });
    if result.saying || !result.saw.is_blank() {
        doc.field(0, "> ", &result.saw, result.saying);
    } else {
        doc.prose(2, Look::Dim, "Enter: one line in your own words");
    }
    if result.saying {
        doc.focus.start = start;
    } else if let Some(reason) = reason.filter(|_| is_over(model)) {
        doc.blank();
        doc.title("Why no test can tell");
        doc.prose(0, Look::Plain, reason.trim());
        doc.blank();
        lesson(doc, model);
        if !result.passed_open {
            doc.focus = start..doc.lines.len();
        }
    }
}

fn lesson(doc: &mut Doc, model: &Model) {
    if let Some(mutant) = model.mutant() {
        doc.title("What to take away");
        doc.prose(0, Look::Plain, mutant.lesson.trim());
        if let Some(report) = &mutant.report {
            doc.prose(0, Look::Dim, &format!("The report: {report}"));
        }
        doc.blank();
    }
}

/// The run of an earlier session is not there in full until it has been repeated.
fn waiting(doc: &mut Doc, model: &Model) {
    match model.baseline() {
        Some(Baseline::Red(tests)) => {
            let text = format!(
                "No verdict: the reference does not pass {} of its own tests here ({}).",
                tests.len(),
                tests.join(", ")
            );
            doc.prose(0, Look::Bad, &text);
        }
        Some(Baseline::Broken(why)) => {
            doc.prose(0, Look::Bad, &format!("No verdict: {why}."));
        }
        _ => doc.prose(0, Look::Plain, "There is no result to show yet."),
    }
}

fn no_verdict(doc: &mut Doc, result: &ResultState) {
    doc.title("The changed code could not be run.");
    let text = result.why.as_deref().unwrap_or("It gave no reason.");
    doc.prose(
        0,
        Look::Bad,
        &format!("{}: {text}", result.word.id().replace('_', " ")),
    );
}

fn beside(doc: &mut Doc, model: &Model, attempt: &Attempt, report: &SubjectReport) {
    let offered = model.offered();
    let prediction = &attempt.prediction;
    let said = letters(&offered, &prediction.tests);
    let said = match (prediction.unknown, said.is_empty()) {
        (true, _) => "I don't know".to_owned(),
        (false, true) => "no test".to_owned(),
        (false, false) => said.join(" "),
    };
    let more: Vec<&str> = [
        prediction.seen_in.map(SeenIn::words),
        prediction.sure.map(Sure::words),
    ]
    .into_iter()
    .flatten()
    .collect();
    let label = match attempt.attempt {
        1 => "You said   ",
        _ => "Practice   ",
    };
    let mut pieces = vec![doc.span(Look::Dim, label), doc.span(Look::Title, said)];
    if !more.is_empty() {
        pieces.push(doc.span(Look::Plain, format!("    {}", more.join(" · "))));
    }
    doc.line(11, &pieces);
    the_run(doc, &offered, report, &prediction.tests);
    if let Some(seen) = sighted_sentence(prediction, model.lab(), report) {
        doc.hanging(11, doc.span(Look::Dim, "Seen in"), Look::Plain, &seen);
    }
    let ids: Vec<&str> = offered.iter().map(|test| test.id.as_str()).collect();
    let comparison = crate::worksheet::compare(prediction, report, &ids);
    let mut text = comparison.sentence();
    let overlooked = letters(&offered, &comparison.overlooked);
    if !overlooked.is_empty() && !comparison.found.is_empty() {
        text = format!("Not named: {}. {text}", overlooked.join(" "));
    }
    doc.prose(0, Look::Plain, &text);
    if attempt.attempt > 1 {
        let text = "This was practice; the first prediction stays the one that counts.";
        doc.prose(0, Look::Dim, text);
    }
}

fn the_run(doc: &mut Doc, offered: &[&Test], report: &SubjectReport, said: &[String]) {
    let sorted = sorted(offered, report);
    let names = |places: &[usize]| -> String {
        let names: Vec<String> = places.iter().map(|place| letter(*place)).collect();
        names.join(" ")
    };
    let caught = match report.mutant_word() {
        MutantWord::Caught | MutantWord::Crashed | MutantWord::TimedOut => names(&sorted.red),
        _ => "no test sees the change".to_owned(),
    };
    let numbers = format!(
        "{} in {}",
        counted(report.tests.len(), "test"),
        lasted(report.took)
    );
    let pieces = vec![
        doc.span(Look::Dim, "The run    "),
        doc.span(Look::Title, caught),
        doc.span(Look::Dim, format!("    {numbers}")),
    ];
    doc.line(11, &pieces);
    let missed = if sorted.others.len() <= FEW {
        names(&sorted.others)
    } else {
        let named = sorted.others.iter().copied();
        let named: Vec<usize> = named
            .filter(|place| said.contains(&offered[*place].id))
            .collect();
        let others = sorted.others.len() - named.len();
        match named.len() {
            0 => counted(others, "test"),
            _ => format!("{}, which you named, and {others} others", names(&named)),
        }
    };
    if !missed.is_empty() {
        doc.hanging(11, doc.span(Look::Dim, "Missed by"), Look::Dim, &missed);
    }
}

fn tests(doc: &mut Doc, model: &Model, result: &ResultState, report: &SubjectReport) {
    let offered = model.offered();
    let items = items(model);
    for (place, item) in items.iter().enumerate() {
        let here = place == result.cursor && !result.saying;
        let start = doc.lines.len();
        match item {
            Item::Passed => passed(doc, result, &offered, report, here),
            Item::Test(test) => one(doc, model, report, *test, here),
        }
        if here {
            doc.focus = start..doc.lines.len();
        }
    }
}

fn passed(
    doc: &mut Doc,
    result: &ResultState,
    offered: &[&Test],
    report: &SubjectReport,
    here: bool,
) {
    let sorted = sorted(offered, report);
    let count = sorted.others.len();
    let plain = sorted
        .others
        .iter()
        .filter(|place| offered[**place].success)
        .count();
    let tests = if count == 1 { "test" } else { "tests" };
    let mut text = format!("{count} {tests} cannot tell the change from the reference");
    if plain > 0 {
        let cases = if plain == 1 {
            "a plain success case"
        } else {
            "plain success cases"
        };
        let _ = write!(text, ", {plain} of them {cases}");
    }
    if here {
        text.push_str(if result.passed_open {
            " (space folds them)"
        } else {
            " (space lists them)"
        });
    }
    let fold = if result.passed_open { '▾' } else { '▸' };
    let look = if here { Look::Cursor } else { Look::Plain };
    doc.hanging(4, doc.span(look, format!("{fold} ✔ ")), look, &text);
}

fn one(doc: &mut Doc, model: &Model, report: &SubjectReport, place: usize, here: bool) {
    let test = model.offered()[place];
    let Some(report) = report.test(&test.id) else {
        return;
    };
    let (sign, look) = mark(Some(report.word()));
    let shown = if here { Look::Cursor } else { Look::Title };
    let fold = if here { '▾' } else { '▸' };
    let lead = Span::styled(
        format!("{fold} {sign} {:<3}", letter(place)),
        doc.style(if here { Look::Cursor } else { look }),
    );
    let mut text = test.title.clone();
    if test.success {
        text.push_str("  (a plain success case)");
    }
    doc.hanging(8, lead, shown, &text);
    if here {
        doc.prose(
            8,
            Look::Dim,
            &format!(
                "{} · step {} · {}",
                verdict_words(report),
                test.step,
                test.id
            ),
        );
        script::with_verdict(doc, model.lab(), test, &report.verdict);
        doc.blank();
    }
}

/// Says what a verdict means.
#[must_use]
pub fn verdict_words(report: &TestReport) -> &'static str {
    use crate::verdict::TestWord;
    match report.word() {
        TestWord::Passed => "passed: it cannot tell",
        TestWord::Failed => "failed: it saw something other than it expects",
        TestWord::Errored => "errored: there was no answer that can be judged",
        TestWord::TimedOut => "timed out: no answer came",
        TestWord::NotRun => "not run",
        TestWord::Inconclusive => "inconclusive: the order could not be forced",
    }
}
