//! Resolves `lab.yaml`.

use std::collections::BTreeMap;

use super::Step::{Item, Key};
use super::{PackFile, Parsed, Reporter, parse, raw};
use crate::model::{
    Argument, Chart, Clause, Folder, Input, Kind, Lab, MOST_A_SECOND, MOST_EVENTS, Problem, Source,
    Step, Storage, Table, Task, Track,
};

pub fn resolve(file: &PackFile, files: &[PackFile], problems: &mut Vec<Problem>) -> Option<Lab> {
    let Parsed { value: raw, places } = parse::<raw::Lab>(file, problems)?;
    let mut reporter = Reporter::new(file, &places, problems);
    reporter.format(raw.format);
    let folder = file.path.trim_end_matches("/lab.yaml");
    if folder != format!("exercises/{}", raw.id) {
        let title = format!("the lab's id `{}` is not the name of its folder", raw.id);
        reporter.report("wrong-id", &[Key("id")], &title, "make the two the same");
    }
    reporter.not_empty(&[Key("title")], "title", &raw.title);
    reporter.not_empty(&[Key("idea")], "idea", &raw.idea);
    let mut steps: Vec<Step> = Vec::new();
    for (place, step) in raw.steps.iter().enumerate() {
        let step = resolve_step(place, step, &steps, &mut reporter);
        steps.push(step);
    }
    one_name_each(&steps, &mut reporter);
    let tasks = tasks(&raw.tasks, &mut reporter);
    for (place, step) in steps.iter().enumerate() {
        if let Some(task) = &step.task
            && !tasks.iter().any(|known| known.id == *task)
        {
            let way = [Key("steps"), Item(place), Key("task")];
            let known = tasks.iter().map(|task| task.id.as_str());
            reporter.unknown("unknown-task", &way, "task", task, known);
        }
    }
    let inputs = raw.inputs.iter();
    let inputs = inputs.map(|(id, input)| resolve_input(id, input, &mut reporter));
    let inputs: Vec<Input> = inputs.collect();
    for (place, step) in steps.iter().enumerate() {
        if let Some(chart) = &step.chart
            && !inputs.iter().any(|known| known.id == chart.input)
        {
            let way = [Key("steps"), Item(place), Key("chart"), Key("input")];
            let known = inputs.iter().map(|input| input.id.as_str());
            reporter.unknown("unknown-input", &way, "input", &chart.input, known);
        }
    }
    let sources = sources_in("references", &raw.references, folder, files, &mut reporter);
    let starters = sources_in("starters", &raw.starters, folder, files, &mut reporter);
    let folders = raw.folders.iter().enumerate();
    let folders = folders.map(|(place, name)| files_of(place, name, folder, files, &mut reporter));
    let folders = folders.collect();
    let tables = raw.tables.into_iter().map(|(name, table)| Table {
        name,
        columns: table.columns,
        create: table.create,
        order_by: table.order_by,
    });
    Some(Lab {
        order: raw.order.unwrap_or(100),
        suggested: raw
            .suggested
            .map(|suggested| (suggested.place, suggested.because)),
        id: raw.id,
        title: raw.title,
        question: raw.question,
        idea: raw.idea,
        tables: tables.collect(),
        steps,
        tasks,
        inputs,
        folders,
        tests: Vec::new(),
        mutants: Vec::new(),
        sources,
        starters,
        grading: None,
    })
}

/// Gathers the files of a folder of the lab.
fn files_of(
    place: usize,
    name: &str,
    lab: &str,
    files: &[PackFile],
    reporter: &mut Reporter<'_>,
) -> Folder {
    let start = format!("{lab}/{name}/");
    let inside = files.iter().filter_map(|file| {
        let rest = file.path.strip_prefix(&start)?;
        (!rest.contains('/')).then(|| (rest.to_owned(), file.text.clone()))
    });
    let mut inside: Vec<(String, String)> = inside.collect();
    inside.sort();
    if inside.is_empty() {
        let title = format!("there are no files in {start}");
        let help = "write the path relative to the lab's folder";
        reporter.report("missing-file", &[Key("folders"), Item(place)], &title, help);
    }
    Folder {
        name: name.to_owned(),
        files: inside,
    }
}

fn resolve_input(id: &str, raw: &raw::Input, reporter: &mut Reporter<'_>) -> Input {
    let way = [Key("inputs"), Key(id)];
    reporter.not_empty(&[way[0], way[1], Key("title")], "title", &raw.title);
    let input = Input {
        id: id.to_owned(),
        title: raw.title.clone(),
        new: raw.new,
        again: raw.again,
        over: raw.over,
        within: raw.within.unwrap_or(1),
        scatter: raw.scatter,
        seed: raw.seed.unwrap_or(1),
    };
    let fits = (1..=MOST_EVENTS).contains(&raw.new) && raw.again <= raw.new;
    // Seconds beyond any calendar would only overflow.
    let seconds = [raw.over, raw.scatter, input.within];
    if !fits || seconds.iter().any(|seconds| *seconds > 1 << 40) {
        let title = format!("`{id}` cannot be made from these numbers");
        let help = format!(
            "`new` is from 1 to {MOST_EVENTS}, `again` at most as many, and times are in seconds"
        );
        reporter.report("wrong-input", &way, &title, &help);
        return Input {
            new: 1,
            again: 0,
            over: 0,
            within: 1,
            scatter: 0,
            ..input
        };
    }
    input
}

fn resolve_arguments(
    raw: &raw::Step,
    way: &[super::Step<'_>; 2],
    reporter: &mut Reporter<'_>,
) -> Vec<Argument> {
    let arguments = raw.arguments.iter().enumerate().map(|(at, argument)| {
        let kind = match argument.kind.as_str() {
            "text" => Kind::Text,
            "number" => Kind::Number,
            "integer" => Kind::Integer,
            "list" => Kind::List,
            "json" => Kind::Json,
            "callback" => Kind::Callback,
            other => {
                let way = [way[0], way[1], Key("arguments"), Item(at), Key("kind")];
                reporter.unknown(
                    "unknown-kind",
                    &way,
                    "kind",
                    other,
                    ["text", "number", "integer", "list", "json", "callback"],
                );
                Kind::Json
            }
        };
        Argument {
            name: argument.name.clone(),
            kind,
            optional: argument.optional,
            parts: argument.parts.clone(),
        }
    });
    arguments.collect()
}

fn resolve_step(
    place: usize,
    raw: &raw::Step,
    earlier: &[Step],
    reporter: &mut Reporter<'_>,
) -> Step {
    let way = [Key("steps"), Item(place)];
    let number = u32::try_from(place + 1).unwrap_or(u32::MAX);
    if raw.number != number {
        let title = format!("this is step {number} of the lab, and says {}", raw.number);
        reporter.report(
            "wrong-step",
            &[way[0], way[1], Key("step")],
            &title,
            "number the steps from 1 in order",
        );
    }
    reporter.not_empty(&[way[0], way[1], Key("title")], "title", &raw.title);
    let arguments = resolve_arguments(raw, &way, reporter);
    check_deliverable(raw, &way, reporter);
    if let Some(word) = raw.answers.as_deref()
        && word != "truth"
    {
        reporter.unknown(
            "unknown-word",
            &[way[0], way[1], Key("answers")],
            "answer",
            word,
            ["truth"],
        );
    }
    let signatures = by_track(
        &raw.signatures,
        &[way[0], way[1], Key("signatures")],
        reporter,
    );
    let function = raw.function.as_deref();
    let first = function.and_then(|name| earlier.iter().find(|step| step.has(name)));
    if let Some(first) = first
        && (!arguments.is_empty() || raw.answers.is_some() || !signatures.is_empty())
    {
        let title = format!(
            "`{}` is declared in step {} already",
            function.unwrap_or_default(),
            first.number
        );
        let help = "leave out `arguments`, `answers` and `signatures` here";
        reporter.report(
            "declared-twice",
            &[way[0], way[1], Key("function")],
            &title,
            help,
        );
    }
    let id = raw.id.as_ref().or(raw.function.as_ref()).cloned();
    Step {
        answers_truth: first.map_or(raw.answers.is_some(), |first| first.answers_truth),
        number,
        id: id.unwrap_or_else(|| format!("step-{number}")),
        function: raw.function.clone(),
        task: raw.task.clone(),
        title: raw.title.clone(),
        arguments: first.map_or(arguments, |first| first.arguments.clone()),
        signatures: first.map_or(signatures, |first| first.signatures.clone()),
        promises: raw
            .promises
            .iter()
            .map(|clause| Clause {
                id: clause.id.clone(),
                text: clause.text.clone(),
            })
            .collect(),
        judge_by: raw.judge_by.clone(),
        chart: raw.chart.as_ref().map(|chart| Chart {
            input: chart.input.clone(),
            ttl: chart.ttl,
        }),
        storage: raw
            .storage
            .as_ref()
            .and_then(|storage| resolve_storage(storage, &way, reporter)),
        asides: by_track(&raw.asides, &[way[0], way[1], Key("asides")], reporter),
    }
}

/// Resolves a table of costs, whose numbers must stay within what can be shown.
fn resolve_storage(
    raw: &raw::Storage,
    way: &[super::Step<'_>; 2],
    reporter: &mut Reporter<'_>,
) -> Option<Storage> {
    let fits = |number: &u64, most: u64| (1..=most).contains(number);
    let rates = raw.rates.iter().all(|rate| fits(rate, MOST_A_SECOND));
    // A hundred years are enough.
    let windows = raw.windows.iter().all(|window| fits(window, 3_200_000_000));
    let is_right = rates && windows && fits(&raw.row, 1_000_000);
    if !is_right || !(1..=3).contains(&raw.windows.len()) || raw.rates.is_empty() {
        let title = "this table of costs cannot be made from its numbers";
        let help =
            format!("give one to three windows in seconds, and rates from 1 to {MOST_A_SECOND}");
        reporter.report(
            "wrong-storage",
            &[way[0], way[1], Key("storage")],
            title,
            &help,
        );
        return None;
    }
    Some(Storage {
        row: raw.row,
        windows: raw.windows.clone(),
        rates: raw.rates.clone(),
    })
}

/// Reports a step that is about nothing, or of which nobody could say what it is about.
fn check_deliverable(raw: &raw::Step, way: &[super::Step<'_>; 2], reporter: &mut Reporter<'_>) {
    if raw.function.is_none() && (raw.task.is_none() || raw.id.is_none()) {
        reporter.report(
            "no-function",
            way,
            "this step has no function",
            "name one; a step that is answered in writing has an `id:` and a `task:` instead",
        );
    }
}

/// Reports steps and clauses that share a name.
fn one_name_each(steps: &[Step], reporter: &mut Reporter<'_>) {
    let mut ids: Vec<&str> = Vec::new();
    let mut clauses: Vec<&str> = Vec::new();
    for (place, step) in steps.iter().enumerate() {
        let way = [Key("steps"), Item(place)];
        if ids.contains(&step.id.as_str()) {
            let title = format!("step `{}` is there already", step.id);
            reporter.report(
                "duplicate-id",
                &way,
                &title,
                "give each step a name of its own with `id:`",
            );
        }
        ids.push(&step.id);
        for (at, clause) in step.promises.iter().enumerate() {
            if clauses.contains(&clause.id.as_str()) {
                let way = [way[0], way[1], Key("promises"), Item(at), Key("id")];
                let title = format!("clause `{}` is there already", clause.id);
                reporter.report(
                    "duplicate-id",
                    &way,
                    &title,
                    "give each clause a name of its own",
                );
            }
            clauses.push(&clause.id);
        }
    }
}

fn tasks(raw: &[raw::Task], reporter: &mut Reporter<'_>) -> Vec<Task> {
    let mut tasks: Vec<Task> = Vec::new();
    for (place, task) in raw.iter().enumerate() {
        let way = [Key("tasks"), Item(place)];
        let named = |key| [way[0], way[1], Key(key)];
        if tasks.iter().any(|known| known.id == task.id) {
            let title = format!("task `{}` is there already", task.id);
            let help = "give each task a name of its own";
            reporter.report("duplicate-id", &named("id"), &title, help);
        }
        let fits = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '-';
        if task.id.is_empty() || task.id.len() > 60 || !task.id.chars().all(fits) {
            let title = format!("`{}` cannot be the name of an answer's file", task.id);
            let help = "use small letters, digits and hyphens";
            reporter.report("wrong-id", &named("id"), &title, help);
        }
        reporter.not_empty(&named("title"), "title", &task.title);
        reporter.not_empty(&named("text"), "text", &task.text);
        tasks.push(Task {
            id: task.id.clone(),
            title: task.title.clone(),
            text: task.text.clone(),
        });
    }
    tasks
}

fn sources_in(
    field: &'static str,
    named: &BTreeMap<String, String>,
    folder: &str,
    files: &[PackFile],
    reporter: &mut Reporter<'_>,
) -> Vec<Source> {
    let mut sources = Vec::new();
    for (name, path) in by_track(named, &[Key(field)], reporter) {
        let full = format!("{folder}/{path}");
        match files.iter().find(|file| file.path == full) {
            Some(file) => sources.push(Source {
                track: name,
                file: full,
                text: file.text.clone(),
            }),
            None => reporter.report(
                "missing-file",
                &[Key(field), Key(name.id())],
                &format!("there is no file {full}"),
                "write the path relative to the lab's folder",
            ),
        }
    }
    sources
}

/// Resolves a map by track, in the tracks' own order.
pub fn by_track<T: Clone>(
    raw: &BTreeMap<String, T>,
    way: &[super::Step<'_>],
    reporter: &mut Reporter<'_>,
) -> Vec<(Track, T)> {
    let mut resolved = Vec::new();
    for (name, value) in raw {
        match Track::parse(name) {
            Some(track) => resolved.push((track, value.clone())),
            None => {
                let mut way = way.to_vec();
                way.push(Key(name));
                let known = Track::ALL.map(Track::id);
                reporter.unknown("unknown-track", &way, "track", name, known);
            }
        }
    }
    resolved.sort_by_key(|(track, _)| *track);
    resolved
}
