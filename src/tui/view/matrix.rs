//! Every change against every test, as far as the learner has run them.

use ratatui::text::Span;

use super::doc::Doc;
use super::running::mark;
use crate::model::{Mutant, Test};
use crate::tui::model::Model;
use crate::tui::style::Look;
use crate::verdict::TestWord;
use crate::worksheet::{Attempt, ProbeWorth, cut, letter};

/// Columns for the names of the changes.
const NAME: usize = 24;
/// Columns for the learner's own tests.
const MINE: usize = 9;

/// Lists the rows: one for each step that has a change, then its further ones that were run.
#[must_use]
pub fn rows(model: &Model) -> Vec<&Mutant> {
    let lab = model.lab();
    let steps = lab.steps.iter();
    let rows = steps.flat_map(|step| {
        let own = lab.worksheet_mutant(step.number);
        let of_step = lab
            .mutants
            .iter()
            .filter(move |mutant| mutant.step == step.number);
        let further = of_step.filter(move |mutant| {
            own.is_none_or(|own| own.id != mutant.id) && run_of(model, mutant).is_some()
        });
        own.into_iter().chain(further)
    });
    rows.collect()
}

/// Lists the columns: the tests that were in any run, by step.
#[must_use]
pub fn columns(model: &Model) -> Vec<&Test> {
    let ran = |test: &&Test| {
        let runs = model
            .state()
            .attempts
            .iter()
            .filter_map(|attempt| attempt.run.as_ref());
        runs.into_iter().any(|run| run.contains_key(&test.id))
    };
    model.lab().tests_in(model.track).filter(ran).collect()
}

/// Builds the page.
pub fn build(doc: &mut Doc, model: &Model, row: usize, column: usize) {
    let (rows, columns) = (rows(model), columns(model));
    if columns.is_empty() {
        doc.prose(
            0,
            Look::Plain,
            "Nothing has run yet. Each run of a step adds its line here: one wrong change against all tests up to that step.",
        );
        return;
    }
    let column = column.min(columns.len() - 1);
    let first = first_column(doc, &columns, column);
    header(doc, &columns, first);
    for (place, mutant) in rows.iter().enumerate() {
        let selected = (place == row).then_some(column);
        let start = doc.lines.len();
        line(
            doc,
            model,
            mutant,
            &columns[first..],
            selected.map(|column| column - first),
        );
        if selected.is_some() {
            doc.focus = start..doc.lines.len();
        }
    }
    doc.blank();
    let legend = "✘ sees the change · ✔ cannot tell · mine: your own tests, p1 the first";
    doc.prose(0, Look::Dim, legend);
    doc.blank();
    if let Some(mutant) = rows.get(row) {
        details(doc, model, mutant, columns[column]);
    }
}

/// Returns how many columns fit beside the names.
fn room(doc: &Doc) -> usize {
    doc.width().saturating_sub(NAME + MINE + 2).max(4)
}

/// Counts the terminal columns that tests take, a gap before each step included.
fn wide(tests: &[&Test]) -> usize {
    let gaps = tests
        .windows(2)
        .filter(|pair| pair[0].step != pair[1].step)
        .count();
    tests.len() + 2 * gaps
}

/// Finds the first test that is shown, so that the selected one is in sight.
fn first_column(doc: &Doc, columns: &[&Test], column: usize) -> usize {
    let room = room(doc);
    (0..=column)
        .find(|first| wide(&columns[*first..=column]) <= room)
        .unwrap_or(column)
}

/// Keeps as many tests as fit.
fn fitting<'t>(doc: &Doc, columns: &'t [&'t Test]) -> &'t [&'t Test] {
    let room = room(doc);
    let count = (1..=columns.len())
        .take_while(|count| wide(&columns[..*count]) <= room)
        .last()
        .unwrap_or(0);
    &columns[..count]
}

fn header(doc: &mut Doc, columns: &[&Test], first: usize) {
    let left = if first > 0 { "◂" } else { " " };
    let mut steps = format!("{:>NAME$}{left}", "step ");
    let mut names = format!("{:>NAME$} ", "test ");
    let mut before: Option<u32> = None;
    let shown = fitting(doc, &columns[first..]);
    for (place, test) in shown.iter().enumerate() {
        let new = before != Some(test.step);
        if new && place > 0 {
            steps.push_str("  ");
            names.push_str("  ");
        }
        steps.push_str(&if new {
            test.step.to_string()
        } else {
            " ".to_owned()
        });
        let own = columns.iter().filter(|other| other.step == test.step);
        let place = own
            .into_iter()
            .position(|other| other.id == test.id)
            .unwrap_or(0);
        names.push_str(
            &letter(place)
                .chars()
                .last()
                .map_or(String::new(), String::from),
        );
        before = Some(test.step);
    }
    let right = if first + shown.len() < columns.len() {
        "▸"
    } else {
        " "
    };
    steps.push_str(right);
    names.push_str("  mine");
    doc.line(0, &[doc.span(Look::Dim, steps)]);
    doc.line(0, &[doc.span(Look::Dim, names)]);
}

fn line(doc: &mut Doc, model: &Model, mutant: &Mutant, columns: &[&Test], selected: Option<usize>) {
    let run = run_of(model, mutant);
    let name = match run {
        Some(_) => cut(&mutant.id, NAME - 4),
        None => "not yet".to_owned(),
    };
    let lead = if selected.is_some() { '▸' } else { ' ' };
    let look = match (selected, run) {
        (Some(_), _) => Look::Title,
        (None, Some(_)) => Look::Plain,
        (None, None) => Look::Dim,
    };
    let name = format!("{lead}{} {name}", mutant.step);
    let mut spans = vec![doc.span(look, format!("{name:<NAME$} "))];
    let mut before: Option<u32> = None;
    for (place, test) in fitting(doc, columns).iter().enumerate() {
        if before.is_some_and(|before| before != test.step) {
            spans.push(Span::raw("  "));
        }
        before = Some(test.step);
        let word = run.and_then(|run| run.run.as_ref()?.get(&test.id)).copied();
        let (sign, look) = word.map_or((' ', Look::Dim), |word| mark(Some(word)));
        let look = if selected == Some(place) {
            Look::Cursor
        } else {
            look
        };
        spans.push(doc.span(look, sign.to_string()));
    }
    spans.push(Span::raw("  "));
    spans.push(doc.span(Look::Key, mine(model, mutant)));
    doc.line(0, &spans);
}

/// Finds the last run about a mutant.
fn run_of<'m>(model: &'m Model, mutant: &Mutant) -> Option<&'m Attempt> {
    let attempts = model.state().attempts.iter().rev();
    attempts
        .into_iter()
        .find(|attempt| attempt.mutant == mutant.id && attempt.run.is_some())
}

fn mine(model: &Model, mutant: &Mutant) -> String {
    let probes = model.state().probes.iter();
    let own: Vec<String> = probes
        .filter(|probe| probe.mutant == mutant.id)
        .enumerate()
        .map(|(place, probe)| format!("p{}{}", place + 1, sign(probe.worth)))
        .collect();
    cut(&own.join(" "), MINE)
}

const fn sign(worth: ProbeWorth) -> char {
    match worth {
        ProbeWorth::Catches => '✘',
        ProbeWorth::Misses => '✔',
        ProbeWorth::Invalid => '!',
    }
}

fn details(doc: &mut Doc, model: &Model, mutant: &Mutant, test: &Test) {
    let Some(attempt) = run_of(model, mutant) else {
        let text = format!("Step {} has not been run yet.", mutant.step);
        doc.prose(0, Look::Plain, &text);
        return;
    };
    doc.title(&mutant.title);
    let word = attempt.run.as_ref().and_then(|run| run.get(&test.id));
    let what = match word {
        None => "is of a later step".to_owned(),
        Some(TestWord::Passed) => "cannot tell".to_owned(),
        Some(word) if word.is_red() => "sees it".to_owned(),
        Some(word) => word.id().replace('_', " "),
    };
    let plain = if test.success {
        " (a plain success case)"
    } else {
        ""
    };
    let text = format!("Step {}: {}{plain}: {what}.", test.step, test.title);
    doc.prose(0, Look::Plain, &text);
    let probes = model.state().probes.iter();
    for (place, probe) in probes.filter(|probe| probe.mutant == mutant.id).enumerate() {
        doc.blank();
        doc.prose(
            0,
            Look::Key,
            &format!("p{}: {}", place + 1, probe.worth.sentence()),
        );
        for line in probe
            .source
            .lines()
            .filter(|line| !line.trim_start().starts_with('#'))
        {
            doc.line(6, &[doc.span(Look::Dim, format!("    {line}"))]);
        }
    }
}
