//! Proves a pack by running it: every mutant applies, builds, is caught for the right reason,
//! and every test and clause earns its place. Every problem in one run.
//!
//! The two faults that silently ruin a hand-written mutant are *never applied* and *caught for
//! the wrong reason*; neither gets past here.

mod apply;
mod cache;
mod coverage;
mod promises;
mod starter;

use std::collections::BTreeMap;

use super::{Bench, Fault};
use crate::event::SubjectReport;
use crate::model::{Lab, Mutant, Problem, Test, Track};
use crate::pack::{Draft, Sources, Step};
use crate::run::Interrupt;
use crate::verdict::{MutantWord, TestWord};

pub use cache::Cache;

/// The result of a check.
#[derive(Debug)]
pub struct Checked {
    /// Everything that is wrong, by file and place.
    pub problems: Vec<Problem>,
    /// How many mutants the pack has of its own.
    pub mutants: usize,
    /// How many tests the labs of those have.
    pub tests: usize,
    /// How many results were run now, not found in the cache.
    pub ran: usize,
}

/// What each test saw of one subject: its verdict, and that of a second run where there was one.
pub type Cells = BTreeMap<String, Cell>;

/// One subject against one test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The verdict.
    pub word: TestWord,
    /// Whether a second run saw the same.
    pub steady: bool,
    /// Whether it is red by a slip of the pen, such as a name that is not there.
    pub slip: bool,
}

/// Checks a pack in every track that works on this machine.
///
/// Of an extension only its own mutants are run: the labs that they are made for are shipped, and
/// proved.
///
/// # Errors
///
/// Fails when it is interrupted or the machine does not let it run; problems are no error.
pub fn check(draft: &Draft, cache: &mut Cache, interrupt: &Interrupt) -> Result<Checked, Fault> {
    let mut checker = Checker {
        draft,
        sources: &draft.sources,
        problems: draft.problems.clone(),
        cache,
        interrupt,
        ran: 0,
    };
    let (mut mutants, mut tests) = (0, 0);
    for lab in &draft.pack.labs {
        let own = checker.own(lab).count();
        if draft.is_extension() && own == 0 {
            continue;
        }
        mutants += own;
        tests += lab.tests.len();
        // What is run on top of a broken lab would only repeat its problems in other words.
        let own = format!("exercises/{}/", lab.id);
        if !draft
            .problems
            .iter()
            .any(|problem| problem.is_error() && problem.file.starts_with(&own))
        {
            checker.lab(lab)?;
        }
    }
    let mut problems = checker.problems;
    let ran = checker.ran;
    problems
        .sort_by(|a, b| (&a.file, a.line, a.column, a.id).cmp(&(&b.file, b.line, b.column, b.id)));
    problems.dedup();
    let problems = problems
        .into_iter()
        .map(|problem| draft.sources.excerpt(problem))
        .collect();
    Ok(Checked {
        problems,
        mutants,
        tests,
        ran,
    })
}

struct Checker<'a> {
    draft: &'a Draft,
    sources: &'a Sources,
    problems: Vec<Problem>,
    cache: &'a mut Cache,
    interrupt: &'a Interrupt,
    ran: usize,
}

/// The file of a mutant.
fn file_of(lab: &Lab, mutant: &Mutant) -> String {
    format!("mutants/{}/{}.yaml", lab.id, mutant.id)
}

impl Checker<'_> {
    fn report(&mut self, id: &'static str, file: &str, way: &[Step<'_>], title: &str, help: &str) {
        self.problems
            .push(self.sources.problem(id, file, way, title, help));
    }

    fn warn(&mut self, id: &'static str, file: &str, way: &[Step<'_>], title: &str, help: &str) {
        let problem = self.sources.problem(id, file, way, title, help);
        self.problems.push(problem.warning());
    }

    /// Lists the mutants of a lab that are to be proved.
    fn own<'l>(&self, lab: &'l Lab) -> impl Iterator<Item = &'l Mutant> {
        let draft = self.draft;
        let is_own = move |mutant: &&Mutant| draft.is_own(&file_of(lab, mutant));
        lab.mutants.iter().filter(is_own)
    }

    fn lab(&mut self, lab: &Lab) -> Result<(), Fault> {
        let mut sound: Vec<&Mutant> = lab
            .mutants
            .iter()
            .filter(|mutant| self.is_sound(lab, mutant))
            .collect();
        // Of two that are the same, the one that is told is not the shipped one.
        sound.sort_by_key(|mutant| self.draft.is_own(&file_of(lab, mutant)));
        if self.draft.is_extension() {
            for source in &lab.sources {
                self.track(lab, source.track, &sound)?;
            }
            return Ok(());
        }
        self.clauses(lab);
        let mut seen_red: Vec<String> = Vec::new();
        // A mutant that could not be read or run may be the one that a test is there for.
        let unread = |problem: &Problem| problem.is_error() && problem.file.starts_with("mutants/");
        let mut complete = !self.problems.iter().any(unread);
        for source in &lab.sources {
            let (red, all_ran) = self.track(lab, source.track, &sound)?;
            complete &= all_ran;
            seen_red.extend(red);
        }
        self.idle_tests(lab, &seen_red, complete);
        Ok(())
    }

    /// Tells whether a mutant's file was read without an error.
    fn is_sound(&self, lab: &Lab, mutant: &Mutant) -> bool {
        let file = file_of(lab, mutant);
        !self
            .problems
            .iter()
            .any(|problem| problem.is_error() && problem.file == file)
    }

    /// Checks all mutants in one track; returns the tests that some mutant fails, and whether
    /// every mutant of the track was run.
    fn track(
        &mut self,
        lab: &Lab,
        track: Track,
        mutants: &[&Mutant],
    ) -> Result<(Vec<String>, bool), Fault> {
        let mut applied = self.apply(lab, track, mutants);
        applied.retain(|(mutant, _)| self.draft.is_own(&file_of(lab, mutant)));
        let bench = Bench::new(lab, track, self.interrupt.clone())?;
        let tests: Vec<&Test> = lab.tests_in(track).collect();
        match self.baseline(&bench, &tests)? {
            Baseline::Green => {}
            Baseline::Red => return Ok((Vec::new(), false)),
            Baseline::NotReady(why) => {
                self.warn(
                    "track-not-ready",
                    &format!("exercises/{}/lab.yaml", lab.id),
                    &[Step::Key("references"), Step::Key(track.id())],
                    &format!("nothing could be checked in the {track} track: {why}"),
                    "check the pack once more on a machine that has it",
                );
                return Ok((Vec::new(), false));
            }
        }
        if !self.draft.is_extension() {
            self.starter(&bench, &tests)?;
        }
        let rows = self.rows(&bench, &applied, &tests)?;
        let meant = mutants
            .iter()
            .filter(|mutant| !mutant.edits_for(track).is_empty())
            .count();
        let ran = |(_, row): &&(&Mutant, Row)| matches!(row, Row::Ran(_));
        let all_ran = rows.iter().filter(ran).count() == meant;
        let mut red = Vec::new();
        for (mutant, row) in &rows {
            self.promises(lab, track, mutant, row);
            red.extend(row.reds().map(str::to_owned));
        }
        self.same_rows(lab, &rows);
        Ok((red, all_ran))
    }

    fn baseline(&mut self, bench: &Bench<'_>, tests: &[&Test]) -> Result<Baseline, Fault> {
        let lab = bench.lab();
        let source = lab.source(bench.track()).map_or("", |source| &source.text);
        let key = self.cache.subject(bench, source, [&[]; 2]);
        if self.cache.all_green(&key, lab, tests) {
            return Ok(Baseline::Green);
        }
        let report = match bench.reference(tests, &|_| {}) {
            Ok(report) => report,
            Err(Fault::NotReady(why)) => return Ok(Baseline::NotReady(why.to_string())),
            Err(fault) => return Err(fault),
        };
        self.ran += report.tests.len();
        self.red_baseline(lab, &report);
        if report.is_green() {
            self.cache.keep(&key, lab, &cells(&report, None));
            Ok(Baseline::Green)
        } else {
            Ok(Baseline::Red)
        }
    }

    fn red_baseline(&mut self, lab: &Lab, report: &SubjectReport) {
        for id in report.caught_by() {
            let (file, place) = self.sources.test(&lab.id, id).unwrap_or(("exercises", 0));
            let title = format!(
                "the reference itself fails `{id}` in the {} track",
                report.track
            );
            let help = "`idemlab run` shows what it saw; either the test or the reference is wrong";
            let file = file.to_owned();
            self.report(
                "baseline-red",
                &file,
                &[Step::Item(place), Step::Key("id")],
                &title,
                help,
            );
        }
    }

    /// Runs each mutant over every test, or finds the result in the cache.
    fn rows<'m>(
        &mut self,
        bench: &Bench<'_>,
        applied: &[(&'m Mutant, String)],
        tests: &[&Test],
    ) -> Result<Vec<(&'m Mutant, Row)>, Fault> {
        let lab = bench.lab();
        let mut rows: Vec<Option<Row>> = Vec::new();
        let mut missing = Vec::new();
        for (place, (mutant, source)) in applied.iter().enumerate() {
            let key = self
                .cache
                .subject(bench, source, promises(mutant, bench.track()));
            let known = self.cache.find(&key, lab, tests);
            if known.is_none() {
                missing.push((place, *mutant, key));
            }
            rows.push(known.map(Row::Ran));
        }
        let fresh = bench.side_by_side(&missing, |(_, mutant, _)| row(bench, mutant, tests))?;
        for ((place, _, key), row) in missing.iter().zip(fresh) {
            if let Row::Ran(cells) = &row {
                self.ran += cells.len();
                self.cache.keep(key, lab, cells);
            }
            rows[*place] = Some(row);
        }
        let rows = applied.iter().zip(rows);
        Ok(rows
            .filter_map(|((mutant, _), row)| Some((*mutant, row?)))
            .collect())
    }
}

enum Baseline {
    Green,
    Red,
    NotReady(String),
}

/// What became of a mutant in one track.
#[derive(Debug)]
enum Row {
    /// It ran over every test.
    Ran(Cells),
    /// It cannot be built or loaded, with the words of the compiler.
    NotBuilt(String),
    /// This machine cannot run it.
    NotReady(String),
}

impl Row {
    fn reds(&self) -> impl Iterator<Item = &str> {
        let cells = match self {
            Self::Ran(cells) => Some(cells),
            _ => None,
        };
        let red = cells
            .into_iter()
            .flatten()
            .filter(|(_, cell)| cell.word.is_red());
        red.map(|(id, _)| id.as_str())
    }
}

/// The tests that a mutant promises to fail, and those that it promises to pass.
fn promises(mutant: &Mutant, track: Track) -> [&[String]; 2] {
    [mutant.caught_by_for(track), mutant.survives_for(track)]
}

/// Runs a mutant over every test, and what could be luck a second time.
fn row(bench: &Bench<'_>, mutant: &Mutant, tests: &[&Test]) -> Result<Row, Fault> {
    let first = match bench.mutant_on(1, mutant, tests, &|_| {}) {
        Ok(first) => first,
        Err(Fault::NotReady(why)) => return Ok(Row::NotReady(why.to_string())),
        Err(fault) => return Err(fault),
    };
    let Some(report) = first
        .report
        .filter(|_| first.word != MutantWord::DoesNotBuild)
    else {
        return Ok(Row::NotBuilt(first.why.unwrap_or_default()));
    };
    // What is promised must hold every time; a process of its own may fall differently.
    let promises = promises(mutant, bench.track());
    let promised = |test: &&&Test| promises.iter().any(|ids| ids.contains(&test.id));
    let twice: Vec<&Test> = tests.iter().filter(promised).copied().collect();
    let again = bench.mutant_on(1, mutant, &twice, &|_| {})?.report;
    Ok(Row::Ran(cells(&report, again.as_ref())))
}

fn cells(report: &SubjectReport, again: Option<&SubjectReport>) -> Cells {
    let cell = |test: &crate::event::TestReport| {
        let second = again.and_then(|report| report.test(&test.id));
        let steady = second.is_none_or(|second| second.word().is_red() == test.word().is_red());
        (
            test.id.clone(),
            Cell {
                word: test.word(),
                steady,
                slip: test.verdict.slip().is_some(),
            },
        )
    };
    report.tests.iter().map(cell).collect()
}
