//! Resolves `exercises/<lab>/tests/*.yaml`.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::Step::{Item, Key};
use super::{PackFile, Parsed, Problem, Reporter, parse, raw};
use crate::model::{
    Action, Call, Case, Cell, Expected, Forced, Joint, Lab, Line, Mark, Raises, Start, TableRows,
    Test, Track,
};

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
    let mut reporter = Reporter::new(file, places, problems);
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
    };
    let mut reporter = Reporter::new(file, places, problems);
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
            tracks: self.tracks(raw, way),
            success: raw.success,
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

    fn tracks(&mut self, raw: &raw::Test, way: &Way<'_>) -> Vec<Track> {
        let mut tracks = Vec::new();
        for (place, name) in raw.tracks.iter().flatten().enumerate() {
            match Track::parse(name) {
                Some(track) => tracks.push(track),
                None => {
                    let way = join(way, &[Key("tracks"), Item(place)]);
                    self.reporter.unknown(
                        "unknown-track",
                        &way,
                        "track",
                        name,
                        Track::ALL.map(Track::id),
                    );
                }
            }
        }
        tracks
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
        match &raw.kill {
            Some(call) => {
                Action::Kill(self.call(&call.call, &call.with, 1, &join(way, &[Key("kill")])))
            }
            None => Action::Sql(String::new()),
        }
    }

    /// Reports words that have no meaning beside the word that acts.
    fn stray_words(&mut self, raw: &raw::Line, acting: &[&str], way: &Way<'_>) {
        let acts = |words: &[&str]| acting.iter().any(|word| words.contains(word));
        let beside = [
            ("with", raw.with.is_some(), acts(&["call"])),
            ("process", raw.process.is_some(), acts(&["call"])),
            (
                "returns",
                raw.returns.is_some(),
                acts(&["call", "schedule"]),
            ),
            ("raises", raw.raises.is_some(), acts(&["call", "schedule"])),
            (
                "one_of",
                raw.one_of.is_some(),
                acts(&["call", "schedule", "together"]),
            ),
            ("gives", raw.gives.is_some(), acts(&["query"])),
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

    fn call_line(&mut self, function: &str, raw: &raw::Line, way: &Way<'_>) -> Action {
        let nothing = Map::new();
        let with = raw.with.as_ref().unwrap_or(&nothing);
        let call = self.call(function, with, raw.process.unwrap_or(1), way);
        let expect = match &raw.one_of {
            Some(cases) => {
                let way = join(way, &[Key("one_of")]);
                let cases = cases.iter().enumerate();
                cases
                    .filter_map(|(place, case)| {
                        self.outcome(Some(function), case, &join(&way, &[Item(place)]))
                    })
                    .collect()
            }
            None => self
                .expected(
                    Some(function),
                    raw.returns.as_ref(),
                    raw.raises.as_deref(),
                    way,
                )
                .into_iter()
                .collect(),
        };
        Action::Call { call, expect }
    }

    fn call(
        &mut self,
        function: &str,
        with: &Map<String, Value>,
        process: usize,
        way: &Way<'_>,
    ) -> Call {
        let at = join(way, &[Key("call")]);
        match self.lab.steps.iter().find(|step| step.id == function) {
            None => {
                let known = self.lab.steps.iter().map(|step| step.id.as_str());
                self.reporter
                    .unknown("unknown-function", &at, "function", function, known);
            }
            Some(step) if step.number > self.step => {
                let title = format!(
                    "`{function}` belongs to step {}, and this is a test of step {}",
                    step.number, self.step
                );
                self.reporter.report(
                    "later-step",
                    &at,
                    &title,
                    "call only functions of the test's step or earlier ones",
                );
            }
            Some(step) => {
                let known: Vec<&str> = step
                    .arguments
                    .iter()
                    .map(|argument| argument.name.as_str())
                    .collect();
                for name in with.keys().filter(|name| !known.contains(&name.as_str())) {
                    let at = join(way, &[Key("with"), Key(name)]);
                    self.reporter.unknown(
                        "unknown-argument",
                        &at,
                        "argument",
                        name,
                        known.iter().copied(),
                    );
                }
                for argument in &step.arguments {
                    if !argument.optional && !with.contains_key(&argument.name) {
                        let title = format!("`{function}` needs the argument `{}`", argument.name);
                        self.reporter.report(
                            "missing-argument",
                            &at,
                            &title,
                            "add it under `with:`",
                        );
                    }
                }
            }
        }
        if process == 0 || process > 16 {
            self.reporter.report(
                "wrong-process",
                &join(way, &[Key("process")]),
                "a process has a number from 1 to 16",
                "1 is the one that calls without a number use",
            );
        }
        Call {
            function: function.to_owned(),
            with: with.clone(),
            process: process.clamp(1, 16),
        }
    }

    fn expected(
        &mut self,
        function: Option<&str>,
        returns: Option<&Value>,
        raises: Option<&str>,
        way: &Way<'_>,
    ) -> Option<Expected> {
        match (returns, raises) {
            (Some(_), Some(_)) => {
                self.reporter.report(
                    "two-expectations",
                    way,
                    "a call cannot both return and raise",
                    "keep one, or use `one_of`",
                );
                None
            }
            (Some(Value::Bool(truth)), None) if self.answers_truth(function) => {
                Some(Expected::Truth(*truth))
            }
            (Some(value), None) => Some(Expected::Returns(value.clone())),
            (None, Some(word)) => Some(Expected::Raises(self.word(
                &join(way, &[Key("raises")]),
                Some(word),
                &[
                    ("any", Raises::Any),
                    ("bad_argument", Raises::BadArgument),
                    ("conflict", Raises::Conflict),
                    ("in_progress", Raises::InProgress),
                ],
            ))),
            (None, None) => None,
        }
    }

    fn answers_truth(&self, function: Option<&str>) -> bool {
        let step = self
            .lab
            .steps
            .iter()
            .find(|step| Some(step.id.as_str()) == function);
        step.is_some_and(|step| step.answers_truth)
    }

    fn outcome(
        &mut self,
        function: Option<&str>,
        case: &raw::Case,
        way: &Way<'_>,
    ) -> Option<Expected> {
        let expected = self.expected(function, case.returns.as_ref(), case.raises.as_deref(), way);
        if expected.is_none() {
            self.reporter.report(
                "no-expectation",
                way,
                "this outcome says neither `returns` nor `raises`",
                "give one of the two",
            );
        }
        expected
    }

    fn schedule(&mut self, raw: &raw::Schedule, line: &raw::Line, way: &Way<'_>) -> Forced {
        let inner = join(way, &[Key("schedule")]);
        let call = self.call(&raw.call, &raw.with, 1, &inner);
        let expect = match &line.one_of {
            Some(cases) => self.cases(cases, &[call.function.as_str()], way),
            None => match self.expected(
                Some(&call.function),
                line.returns.as_ref(),
                line.raises.as_deref(),
                way,
            ) {
                Some(expected) => vec![Case {
                    outcomes: vec![expected],
                    rows: Vec::new(),
                }],
                None => {
                    self.reporter.report(
                        "no-expectation",
                        way,
                        "this schedule expects nothing",
                        "add `returns`, `raises` or `one_of`",
                    );
                    Vec::new()
                }
            },
        };
        Forced {
            calls: vec![call],
            held: true,
            meanwhile: raw.meanwhile.clone(),
            expect: Joint::OneOf(expect),
        }
    }

    fn together(&mut self, raw: &raw::Together, line: &raw::Line, way: &Way<'_>) -> Forced {
        let inner = join(way, &[Key("together")]);
        let calls: Vec<Call> = raw
            .calls
            .iter()
            .enumerate()
            .map(|(place, call)| {
                self.call(
                    &call.call,
                    &call.with,
                    place + 1,
                    &join(&inner, &[Key("calls"), Item(place)]),
                )
            })
            .collect();
        let functions: Vec<&str> = calls.iter().map(|call| call.function.as_str()).collect();
        // In any order: only what all the calls have in common is known of an outcome.
        let same = functions.windows(2).all(|pair| pair[0] == pair[1]);
        let common = functions.first().copied().filter(|_| same);
        let expect = match (&line.one_of, &raw.outcomes) {
            (Some(cases), None) => Joint::OneOf(self.cases(cases, &functions, way)),
            (None, Some(outcomes)) => {
                let way = join(&inner, &[Key("outcomes")]);
                if outcomes.len() != calls.len() {
                    let title = format!("{} calls have {} outcomes", calls.len(), outcomes.len());
                    self.reporter
                        .report("wrong-count", &way, &title, "give each call its outcome");
                }
                let outcomes = outcomes.iter().enumerate();
                Joint::Unordered(
                    outcomes
                        .filter_map(|(place, case)| {
                            self.outcome(common, case, &join(&way, &[Item(place)]))
                        })
                        .collect(),
                )
            }
            _ => {
                self.reporter.report(
                    "no-expectation",
                    way,
                    "these calls need either `outcomes` or `one_of`",
                    "give one of the two",
                );
                Joint::OneOf(Vec::new())
            }
        };
        Forced {
            calls,
            held: raw.held,
            meanwhile: raw.meanwhile.clone(),
            expect,
        }
    }

    fn cases(&mut self, cases: &[raw::Case], functions: &[&str], way: &Way<'_>) -> Vec<Case> {
        let way = join(way, &[Key("one_of")]);
        let mut resolved = Vec::new();
        for (place, case) in cases.iter().enumerate() {
            let way = join(&way, &[Item(place)]);
            let outcomes: Vec<Expected> = match &case.outcomes {
                Some(all) => all
                    .iter()
                    .enumerate()
                    .filter_map(|(at, one)| {
                        self.outcome(
                            functions.get(at).copied(),
                            one,
                            &join(&way, &[Key("outcomes"), Item(at)]),
                        )
                    })
                    .collect(),
                None => self
                    .outcome(functions.first().copied(), case, &way)
                    .into_iter()
                    .collect(),
            };
            if outcomes.len() != functions.len() {
                let calls = functions.len();
                let title = format!("{calls} calls have {} outcomes", outcomes.len());
                self.reporter
                    .report("wrong-count", &way, &title, "give each call its outcome");
            }
            let rows = case
                .rows
                .as_ref()
                .map(|rows| self.rows(rows, &join(&way, &[Key("rows")]), false));
            resolved.push(Case {
                outcomes,
                rows: rows.unwrap_or_default(),
            });
        }
        resolved
    }

    /// Resolves rows by table. Tables other than the lab's may be looked at, not given.
    fn rows(
        &mut self,
        raw: &BTreeMap<String, Vec<Vec<Value>>>,
        way: &Way<'_>,
        given: bool,
    ) -> Vec<TableRows> {
        let mut tables = Vec::new();
        for (name, rows) in raw {
            let way = join(way, &[Key(name)]);
            match self.lab.tables.iter().find(|table| table.name == *name) {
                Some(table) => {
                    for (place, row) in rows.iter().enumerate() {
                        if row.len() != table.columns.len() {
                            let title = format!(
                                "a row of {name} has {} cells; this one has {}",
                                table.columns.len(),
                                row.len()
                            );
                            let help = format!("its columns are: {}", table.columns.join(", "));
                            self.reporter.report(
                                "wrong-row",
                                &join(&way, &[Item(place)]),
                                &title,
                                &help,
                            );
                        }
                    }
                }
                None if given || !is_name(name) => {
                    let known = self.lab.tables.iter().map(|table| table.name.as_str());
                    self.reporter
                        .unknown("unknown-table", &way, "table", name, known);
                }
                None => {}
            }
            tables.push(TableRows {
                table: name.clone(),
                rows: self.cells(rows, &way),
            });
        }
        tables
    }

    fn cells(&mut self, rows: &[Vec<Value>], way: &Way<'_>) -> Vec<Vec<Cell>> {
        let mut resolved = Vec::new();
        for (place, row) in rows.iter().enumerate() {
            let cells = row.iter().enumerate().map(|(at, value)| {
                cell(value).unwrap_or_else(|| {
                    let title = format!("a cell cannot be {value}");
                    let help = "write null, a number, a text or {json: …}";
                    self.reporter.report(
                        "wrong-cell",
                        &join(way, &[Item(place), Item(at)]),
                        &title,
                        help,
                    );
                    Cell::Null
                })
            });
            resolved.push(cells.collect());
        }
        resolved
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn cell(value: &Value) -> Option<Cell> {
    match value {
        Value::Null => Some(Cell::Null),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => Some(Cell::Integer(whole)),
            None => number.as_f64().map(Cell::Real),
        },
        Value::String(text) => Some(Cell::Text(text.clone())),
        Value::Object(map) if map.len() == 1 => map.get("json").cloned().map(Cell::Json),
        _ => None,
    }
}
