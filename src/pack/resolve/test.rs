//! Resolves `exercises/<lab>/tests/*.yaml`.

mod call;
mod callback;
mod forced;
mod part;
mod probes;
mod rows;

use super::Step::{Item, Key};
use super::{PackFile, Parsed, Reporter, parse, raw};
use crate::model::{Action, Lab, Line, Mark, Problem, Start, Test};

pub use probes::{OwnProbe, resolve_probes};

/// The way to a value inside a test file.
type Way<'w> = Vec<super::Step<'w>>;

pub fn resolve_file(file: &PackFile, labs: &mut [Lab], problems: &mut Vec<Problem>) {
    let Some(Parsed { value: raw, places }) = parse::<Vec<raw::Test>>(file, problems) else {
        return;
    };
    let folder = file.path.split('/').nth(1).unwrap_or_default();
    let Some(lab) = labs.iter_mut().find(|lab| lab.id == folder) else {
        return;
    };
    let mut reporter = Reporter::new(file, &places, problems);
    for (place, raw) in raw.iter().enumerate() {
        let way = vec![Item(place)];
        if lab.test(&raw.id).is_some() {
            let title = format!("lab {} has a test `{}` already", lab.id, raw.id);
            reporter.report(
                "duplicate-id",
                &join(&way, &[Key("id")]),
                &title,
                "give it another id",
            );
        }
        let test = Resolver {
            lab,
            step: raw.step,
            reporter: &mut reporter,
        }
        .test(raw, &way);
        lab.tests.push(test);
    }
}

/// Reads a learner's own test of `step`: one test, whose id, step and title may be left out.
pub fn resolve_probe(
    file: &PackFile,
    lab: &Lab,
    step: u32,
    problems: &mut Vec<Problem>,
) -> Option<Test> {
    let Parsed { value: raw, places } = parse::<raw::Probe>(file, problems)?;
    let raw = raw::Test {
        id: raw.id.unwrap_or_else(|| "probe".to_owned()),
        step,
        title: raw.title.unwrap_or_else(|| "A probe of my own".to_owned()),
        clause: None,
        start: raw.start,
        given: raw.given,
        script: raw.script,
        tracks: None,
        success: false,
        mark: None,
        guard: None,
    };
    let mut reporter = Reporter::new(file, &places, problems);
    let test = Resolver {
        lab,
        step,
        reporter: &mut reporter,
    }
    .test(&raw, &Vec::new());
    (!problems.iter().any(Problem::is_error)).then_some(test)
}

fn join<'w>(way: &Way<'w>, more: &[super::Step<'w>]) -> Way<'w> {
    let mut joined = way.clone();
    joined.extend_from_slice(more);
    joined
}

struct Resolver<'r, 'a> {
    lab: &'r Lab,
    step: u32,
    reporter: &'r mut Reporter<'a>,
}

impl Resolver<'_, '_> {
    fn test(&mut self, raw: &raw::Test, way: &Way<'_>) -> Test {
        self.reporter
            .not_empty(&join(way, &[Key("title")]), "title", &raw.title);
        if self.lab.step(raw.step).is_none() {
            let title = format!("lab {} has no step {}", self.lab.id, raw.step);
            let help = format!("its steps are 1 to {}", self.lab.steps.len());
            self.reporter
                .report("unknown-step", &join(way, &[Key("step")]), &title, &help);
        }
        self.clause(raw, way);
        if raw.script.is_empty() {
            let help = "give it at least one line";
            self.reporter.report(
                "empty-script",
                &join(way, &[Key("script")]),
                "the script has no lines",
                help,
            );
        }
        let script = raw.script.iter().enumerate().map(|(place, line)| Line {
            number: place + 1,
            action: self.line(line, &join(way, &[Key("script"), Item(place)])),
            callbacks: self.callbacks(line, &join(way, &[Key("script"), Item(place)])),
        });
        let script = script.collect();
        Test {
            id: raw.id.clone(),
            step: raw.step,
            title: raw.title.clone(),
            clause: raw.clause.clone(),
            start: self.word(
                &join(way, &[Key("start")]),
                raw.start.as_deref(),
                &[("table", Start::Table), ("nothing", Start::Nothing)],
            ),
            given: self.rows(&raw.given, &join(way, &[Key("given")]), true),
            script,
            tracks: self.reporter.tracks(raw.tracks.as_deref(), way),
            success: raw.success,
            guard: raw.guard.clone(),
            mark: self.word(
                &join(way, &[Key("mark")]),
                raw.mark.as_deref(),
                &[
                    ("contract", Mark::Contract),
                    ("strictness", Mark::Strictness),
                    ("reliability", Mark::Reliability),
                ],
            ),
        }
    }

    /// Reads one of a few words; the first is what is meant when nothing is said.
    fn word<T: Copy>(&mut self, way: &Way<'_>, word: Option<&str>, known: &[(&str, T)]) -> T {
        let Some(word) = word else { return known[0].1 };
        if let Some((_, value)) = known.iter().find(|(name, _)| *name == word) {
            return *value;
        }
        let names = known.iter().map(|(name, _)| *name);
        self.reporter
            .unknown("unknown-word", way, "such word as", word, names);
        known[0].1
    }

    fn clause(&mut self, raw: &raw::Test, way: &Way<'_>) {
        let Some(clause) = &raw.clause else { return };
        let clauses: Vec<&str> = self
            .lab
            .steps
            .iter()
            .filter(|step| step.number <= raw.step)
            .flat_map(|step| step.promises.iter().map(|clause| clause.id.as_str()))
            .collect();
        if !clauses.contains(&clause.as_str()) {
            self.reporter.unknown(
                "unknown-clause",
                &join(way, &[Key("clause")]),
                "clause",
                clause,
                clauses,
            );
        }
    }

    /// Resolves a line by the one word that acts.
    fn line(&mut self, raw: &raw::Line, way: &Way<'_>) -> Action {
        let acting = [
            ("call", raw.call.is_some()),
            ("rows", raw.rows.is_some()),
            ("sql", raw.sql.is_some()),
            ("query", raw.query.is_some()),
            ("refused", raw.refused.is_some()),
            ("together", raw.together.is_some()),
            ("schedule", raw.schedule.is_some()),
            ("kill", raw.kill.is_some()),
            ("gate", raw.gate.is_some()),
            ("growth", raw.growth.is_some()),
            ("memory", raw.memory.is_some()),
            ("each", raw.each.is_some()),
        ];
        let words: Vec<&str> = acting
            .iter()
            .filter(|(_, is)| *is)
            .map(|(word, _)| *word)
            .collect();
        if words.len() != 1 {
            let title = format!(
                "a line has exactly one word that acts; this one has {}",
                words.len()
            );
            let known: Vec<&str> = acting.iter().map(|(word, _)| *word).collect();
            self.reporter.report(
                "one-action",
                way,
                &title,
                &format!("use one of: {}", known.join(", ")),
            );
        }
        self.stray_words(raw, &words, way);
        if let Some(function) = &raw.call {
            return self.call_line(function, raw, way);
        }
        if let Some(rows) = &raw.rows {
            return Action::Rows(self.rows(rows, &join(way, &[Key("rows")]), false));
        }
        if let Some(sql) = &raw.sql {
            return Action::Sql(sql.clone());
        }
        if let Some(sql) = &raw.query {
            let gives = raw.gives.as_deref().unwrap_or_default();
            let gives = self.cells(gives, &join(way, &[Key("gives")]));
            return Action::Query {
                sql: sql.clone(),
                gives,
            };
        }
        if let Some(sql) = &raw.refused {
            return Action::Refused(sql.clone());
        }
        if let Some(together) = &raw.together {
            return Action::Forced(self.together(together, raw, way));
        }
        if let Some(schedule) = &raw.schedule {
            return Action::Forced(self.schedule(schedule, raw, way));
        }
        if let Some(growth) = &raw.growth {
            return Action::Growth(self.growth(growth, &join(way, &[Key("growth")])));
        }
        if let Some(memory) = &raw.memory {
            return Action::Memory(self.memory(memory, &join(way, &[Key("memory")])));
        }
        if let Some(each) = &raw.each {
            return Action::Each(self.each(each, raw, way));
        }
        if let Some(gate) = &raw.gate {
            return Action::Gate(self.gate(gate, raw, way));
        }
        match &raw.kill {
            Some(kill) => self.kill(kill, &join(way, &[Key("kill")])),
            None => Action::Sql(String::new()),
        }
    }

    /// Reports words that have no meaning beside the word that acts.
    fn stray_words(&mut self, raw: &raw::Line, acting: &[&str], way: &Way<'_>) {
        let acts = |words: &[&str]| acting.iter().any(|word| words.contains(word));
        let beside = [
            ("with", raw.with.is_some(), acts(&["call"])),
            ("inputs", raw.inputs.is_some(), acts(&["call"])),
            ("process", raw.process.is_some(), acts(&["call"])),
            (
                "returns",
                raw.returns.is_some(),
                acts(&["call", "schedule"]),
            ),
            (
                "returns_firsts",
                raw.returns_firsts.is_some(),
                acts(&["call"]),
            ),
            ("raises", raw.raises.is_some(), acts(&["call", "schedule"])),
            (
                "one_of",
                raw.one_of.is_some(),
                acts(&["call", "schedule", "together", "gate"]),
            ),
            (
                "has",
                raw.has.is_some(),
                acts(&["call", "schedule", "each"]),
            ),
            ("stored", raw.stored.is_some(), acts(&["call", "schedule"])),
            ("gives", raw.gives.is_some(), acts(&["query"])),
            (
                "callback",
                raw.callback.is_some(),
                acts(&["call", "schedule", "together", "gate"]),
            ),
            (
                "called",
                raw.called.is_some(),
                acts(&["call", "schedule", "together", "gate"]),
            ),
        ];
        for (word, is, may) in beside {
            if is && !may {
                let title = format!("`{word}` has no meaning in this line");
                self.reporter.report(
                    "stray-word",
                    &join(way, &[Key(word)]),
                    &title,
                    "take it out, or move it to the line it belongs to",
                );
            }
        }
        if raw.query.is_some() && raw.gives.is_none() {
            self.reporter.report(
                "no-expectation",
                way,
                "this query expects nothing",
                "add `gives:` with the rows of its answer",
            );
        }
    }
}
