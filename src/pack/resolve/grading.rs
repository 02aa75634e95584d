//! Resolves `grading.yaml`.

use super::Step::{Item, Key};
use super::{PackFile, Parsed, Reporter, parse, raw};
use crate::model::{Grading, Lab, Points, Problem, Record, WrittenTask};

/// The most that one part can be worth: more is a slip of the pen.
const MOST: f64 = 10_000.0;

/// Reads the points of a lab into it.
pub fn resolve(file: &PackFile, labs: &mut [Lab], problems: &mut Vec<Problem>) {
    let Some(Parsed { value: raw, places }) = parse::<raw::grading::Grading>(file, problems) else {
        return;
    };
    let mut reporter = Reporter::new(file, &places, problems);
    reporter.format(raw.format);
    let folder = file.path.split('/').nth(1).unwrap_or_default();
    let Some(lab) = labs.iter_mut().find(|lab| lab.id == folder) else {
        // That the folder holds no lab is told of its lab.yaml.
        return;
    };
    let steps = steps(&raw, lab, &mut reporter);
    let grading = Grading {
        records: records(&raw, lab, &steps, &mut reporter),
        steps,
        probes: points(raw.probes, &[Key("probes")], &mut reporter),
        predictions: points(raw.predictions, &[Key("predictions")], &mut reporter),
        written: written(&raw, lab, &mut reporter),
        hidden: hidden(&raw, lab, &mut reporter),
    };
    let total = points(raw.total, &[Key("total")], &mut reporter);
    if total != grading.total() {
        reporter.report(
            "wrong-total",
            &[Key("total")],
            &format!(
                "the parts make {} points, and the total says {total}",
                grading.total()
            ),
            "make the two the same",
        );
    }
    lab.grading = Some(grading);
}

fn points(number: f64, way: &[super::Step<'_>], reporter: &mut Reporter<'_>) -> Points {
    let hundredths = number * 100.0;
    if !(0.0..=MOST).contains(&number) || (hundredths - hundredths.round()).abs() > 1e-6 {
        reporter.report(
            "wrong-points",
            way,
            &format!("{number} is not a number of points"),
            "write a number from 0 to 10000 with at most two decimals",
        );
        return Points::default();
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the range was checked above"
    )]
    let hundredths = hundredths.round() as u32;
    Points(hundredths)
}

/// The points of every step in order; one that the file does not name is a problem.
fn steps(raw: &raw::grading::Grading, lab: &Lab, reporter: &mut Reporter<'_>) -> Vec<Points> {
    for function in raw.steps.keys() {
        if !lab.steps.iter().any(|step| step.id == *function) {
            let known = lab.steps.iter().map(|step| step.id.as_str());
            let way = [Key("steps"), Key(function)];
            reporter.unknown("unknown-function", &way, "function", function, known);
        }
    }
    let steps = lab.steps.iter().map(|step| {
        let Some(number) = raw.steps.get(&step.id) else {
            // What is answered in writing has its points below `written`.
            if step.function.is_none() {
                return Points::default();
            }
            reporter.report(
                "step-without-points",
                &[Key("steps")],
                &format!("step `{}` has no points", step.id),
                "say what it is worth; 0 if nothing",
            );
            return Points::default();
        };
        points(*number, &[Key("steps"), Key(&step.id)], reporter)
    });
    steps.collect()
}

fn written(
    raw: &raw::grading::Grading,
    lab: &Lab,
    reporter: &mut Reporter<'_>,
) -> Vec<WrittenTask> {
    let mut tasks: Vec<WrittenTask> = Vec::new();
    for (place, task) in raw.written.iter().enumerate() {
        let at = [Key("written"), Item(place)];
        let way = [at[0], at[1], Key("task")];
        if !lab.tasks.iter().any(|known| known.id == task.task) {
            let known = lab.tasks.iter().map(|task| task.id.as_str());
            reporter.unknown("unknown-task", &way, "task", &task.task, known);
        }
        if tasks.iter().any(|known| known.task == task.task) {
            let title = format!("task `{}` has its points already", task.task);
            reporter.report("duplicate-id", &way, &title, "keep one of the two");
        }
        tasks.push(WrittenTask {
            task: task.task.clone(),
            points: points(task.points, &[at[0], at[1], Key("points")], reporter),
            words: task.words.unwrap_or(1),
            terms: task.terms.clone(),
            items: task.items,
        });
    }
    tasks
}

fn hidden(raw: &raw::grading::Grading, lab: &Lab, reporter: &mut Reporter<'_>) -> Vec<String> {
    for (place, id) in raw.hidden.iter().enumerate() {
        if lab.test(id).is_none() {
            let known = lab.tests.iter().map(|test| test.id.as_str());
            let way = [Key("hidden"), Item(place)];
            reporter.unknown("unknown-test", &way, "test", id, known);
        }
    }
    raw.hidden.clone()
}

fn records(
    raw: &raw::grading::Grading,
    lab: &Lab,
    steps: &[Points],
    reporter: &mut Reporter<'_>,
) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    for (place, record) in raw.records.iter().enumerate() {
        let at = [Key("records"), Item(place)];
        let file = [at[0], at[1], Key("file")];
        let plain = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '_' | '.');
        if record.file.starts_with('.') || record.file.is_empty() || !record.file.chars().all(plain)
        {
            let title = format!("`{}` is no plain name of a file", record.file);
            let help = "use letters, digits, hyphens and dots; the file lies in the folder itself";
            reporter.report("wrong-id", &file, &title, help);
        }
        if records.iter().any(|known| known.file == record.file) {
            let title = format!("`{}` is asked for already", record.file);
            reporter.report("duplicate-id", &file, &title, "keep one of the two");
        }
        let step = lab.steps.iter().position(|step| step.id == record.step);
        if step.is_none() {
            let known = lab.steps.iter().map(|step| step.id.as_str());
            let way = [at[0], at[1], Key("step")];
            reporter.unknown("unknown-function", &way, "step", &record.step, known);
        }
        let way = [at[0], at[1], Key("points")];
        let points = points(record.points, &way, reporter);
        let step = step.unwrap_or_default();
        let taken = records.iter().filter(|known| known.step == step);
        let taken: Points = taken.map(|known| known.points).chain([points]).sum();
        if steps.get(step).is_some_and(|all| taken > *all) {
            let title = format!("the files of step `{}` are worth more than it", record.step);
            let help = "their points are part of those of the step";
            reporter.report("wrong-points", &way, &title, help);
        }
        records.push(Record {
            file: record.file.clone(),
            tracks: reporter.tracks(record.tracks.as_deref(), &at),
            step,
            points,
            text: record.text.clone(),
            lines: record.lines.clone(),
            last: record.last.clone(),
            terms: record.terms.clone(),
        });
    }
    records
}
