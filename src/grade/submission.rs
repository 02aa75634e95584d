//! One submission: opened, run, run again where it was red, and counted.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};

use super::score::{self, Seen};
use super::truth::Truth;
use super::written::written;
use super::{Fault, Found};
use crate::event::{SubjectReport, TestReport};
use crate::gradebook::{Confinement, Predicted, Probe, Section, Status, Submission};
use crate::lab::{Bench, ProbeVerdict, Submitted};
use crate::model::{Grading, Lab, Pack, Points, Problem, Test, Track};
use crate::mutate;
use crate::run::{self, Interrupt, Limits, Scratch};
use crate::verdict::TestWord;
use crate::workspace::{Engine, OpenError, Purpose, Workspace, unpack};

/// How long all tests of a learner's own may take, in all.
const PROBE_TIME: Duration = Duration::from_mins(1);

/// What grades submissions: a pack, and what a submission may do.
#[derive(Debug)]
pub struct Grader<'p> {
    pack: &'p Pack,
    id: String,
    confined: Option<run::Confinement>,
    lanes: usize,
    truth: Truth,
    interrupt: Interrupt,
    /// Held by every run; a submission that was not answered in time is run again without others.
    beside: RwLock<()>,
}

/// A submission that cannot be graded, and why.
struct Ungraded {
    lab: String,
    track: String,
    max_score: Points,
    why: String,
}

impl<'p> Grader<'p> {
    /// Makes a grader for `jobs` submissions at once.
    #[must_use]
    pub fn new(
        pack: &'p Pack,
        confined: Option<run::Confinement>,
        jobs: usize,
        interrupt: Interrupt,
    ) -> Self {
        // The model prints whole, so this names every word of the pack and every line of code.
        let all = format!("{}\n{pack:?}", env!("IDEMLAB_SOURCES"));
        Self {
            pack,
            id: mutate::hash(&all)[..16].to_owned(),
            confined,
            lanes: if jobs > 1 { 1 } else { usize::MAX },
            truth: Truth::new(jobs, interrupt.clone()),
            interrupt,
            beside: RwLock::new(()),
        }
    }

    /// Names the program and the pack.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Grades one submission.
    ///
    /// # Errors
    ///
    /// Fails when it is interrupted, when the reference itself is red, or when the machine does
    /// not let the grader work. Whatever is wrong with the submission is a result.
    pub fn grade(&self, found: &Found) -> Result<Submission, Fault> {
        let start = Instant::now();
        let result = match self.open(found) {
            Ok(open) => self.run(&open)?,
            Err(ungraded) => Err(ungraded),
        };
        let mut submission = result.unwrap_or_else(|ungraded| self.ungraded(ungraded));
        submission.path.clone_from(&found.path);
        submission.millis = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(submission)
    }

    fn open(&self, found: &Found) -> Result<Open<'p>, Ungraded> {
        let nothing = |why: String| Ungraded {
            lab: String::new(),
            track: String::new(),
            max_score: Points::default(),
            why,
        };
        if let Some(why) = &found.why_not {
            return Err(nothing(why.clone()));
        }
        let (scratch, workspace) = lay_out(&found.place).map_err(nothing)?;
        let manifest = workspace.manifest();
        let about = |why: String, max_score| Ungraded {
            lab: manifest.lab.clone(),
            track: manifest.engine.name().to_owned(),
            max_score,
            why,
        };
        let lab = workspace
            .lab(self.pack)
            .map_err(|error| about(all_of(&error), Points::default()))?;
        let grading = lab.grading();
        let max = grading.total();
        if manifest.purpose == Purpose::Break {
            let why = "it is a copy of the reference to break, not code of one's own";
            return Err(about(why.to_owned(), max));
        }
        let source = workspace
            .source()
            .map_err(|problem| about(shown(&problem), max))?;
        if let (Engine::Track(_), None) = (&manifest.engine, &source) {
            let name = manifest.source.clone().unwrap_or_default();
            return Err(about(format!("there is no file {name} in it"), max));
        }
        Ok(Open {
            lab,
            grading,
            source,
            workspace,
            _scratch: scratch,
        })
    }

    /// Runs what was opened.
    fn run(&self, open: &Open<'_>) -> Result<Result<Submission, Ungraded>, Fault> {
        let bench = self.bench(open)?;
        let ran = self.settled(open, bench);
        let (report, unstable) = match ran {
            Ok(ran) => ran,
            Err(Fault::NotReady(missing)) => return Ok(Err(open.ungraded(missing.why))),
            Err(fault) => return Err(fault),
        };
        let seen = Seen {
            report: &report,
            unstable: &unstable,
        };
        let track = open.engine().track();
        let points = open.grading.steps_in(track);
        let steps = score::steps(open.lab, &open.grading, points, seen);
        let probes = score::probes(open.lab, &open.grading, self.probes(open)?);
        let said = self.predictions(open)?;
        let predictions = score::predictions(open.lab, &open.grading, said);
        let answers: BTreeMap<String, String> = open
            .workspace
            .answers(open.lab)
            .into_iter()
            .filter(|answer| !answer.text.is_empty())
            .map(|answer| (answer.task, answer.text))
            .collect();
        let records = open.grading.records_in(track).map(|record| {
            let text = open.workspace.record(&record.file).unwrap_or_default();
            (record, text)
        });
        let written = written(open.lab, &open.grading, &answers, records);
        let sections = [probes.score, predictions.score, written.score];
        let score = steps.iter().map(|step| step.score).chain(sections).sum();
        Ok(Ok(Submission {
            path: String::new(),
            lab: open.lab.id.clone(),
            track: open.engine().name().to_owned(),
            status: Status::Graded,
            why: report
                .not_loaded()
                .map(|why| format!("it does not load: {}", why.trim())),
            score: Some(score),
            max_score: open.grading.total(),
            confinement: self.confinement(),
            steps,
            probes,
            written,
            predictions,
            millis: 0,
        }))
    }

    fn bench<'o>(&self, open: &Open<'o>) -> Result<Bench<'o>, Fault> {
        let track = open.bench_track();
        let limits = self.truth.limits(open.lab, track)?;
        let bench = Bench::new(open.lab, track, self.interrupt.clone())?
            .with_limits(limits)
            .with_lanes(self.lanes);
        Ok(match &self.confined {
            Some(confined) => bench.confined(confined.clone()),
            None => bench,
        })
    }

    /// Runs all tests, and what is red again by itself: only a red that comes again counts.
    fn settled(
        &self,
        open: &Open<'_>,
        bench: Bench<'_>,
    ) -> Result<(SubjectReport, BTreeSet<String>), Fault> {
        let tests: Vec<&Test> = open.tests();
        let mut unstable = BTreeSet::new();
        let submitted = match open.submit(&bench) {
            Ok(submitted) => submitted,
            Err(Fault::DoesNotBuild(why)) => return Ok((bench.not_built(&tests, &why), unstable)),
            Err(fault) => return Err(fault),
        };
        let run = |bench: &Bench<'_>, tests: &[&Test]| bench.submitted(&submitted, tests, &|_| {});
        let mut report = {
            let _beside = self.beside.read().unwrap_or_else(PoisonError::into_inner);
            run(&bench, &tests)?
        };
        let word = |id: &str| report.test(id).map(TestReport::word);
        let again: Vec<&Test> = tests
            .iter()
            .copied()
            .filter(|test| word(&test.id).is_some_and(is_doubtful))
            .collect();
        if again.is_empty() {
            return Ok((report, unstable));
        }
        let late = again
            .iter()
            .any(|test| word(&test.id) == Some(TestWord::TimedOut));
        let bench = bench.with_lanes(1);
        let second = if late {
            let limits = bench.limits();
            let bench = bench.with_limits(Limits {
                reply: limits.reply * 2,
                ..limits
            });
            let _alone = self.beside.write().unwrap_or_else(PoisonError::into_inner);
            run(&bench, &again)?
        } else {
            let _beside = self.beside.read().unwrap_or_else(PoisonError::into_inner);
            run(&bench, &again)?
        };
        for test in second.tests {
            let Some(place) = report.tests.iter_mut().find(|first| first.id == test.id) else {
                continue;
            };
            if place.word().is_red() && !is_doubtful(test.word()) {
                unstable.insert(test.id.clone());
            }
            *place = test;
        }
        Ok((report, unstable))
    }

    /// Runs the learner's own tests against the reference and the mutants they are aimed at.
    fn probes(&self, open: &Open<'_>) -> Result<Vec<Probe>, Fault> {
        let own = open.workspace.probes(open.lab);
        let mut probes: Vec<Probe> = Vec::new();
        if let Some(problem) = own.problems.first() {
            // What is wrong with the whole file belongs to no step; it is told, with no points.
            probes.push(not_valid(0, "", shown(problem)));
        }
        if own.probes.is_empty() {
            return Ok(probes);
        }
        let start = Instant::now();
        let track = open.bench_track();
        let bench = Bench::new(open.lab, track, self.interrupt.clone())?
            .with_limits(self.truth.limits(open.lab, track)?)
            .with_lanes(1);
        for probe in own.probes {
            let step = probe.step.unwrap_or_default();
            let id = probe.mutant.clone().unwrap_or_default();
            let mutant = open.lab.mutant(&id);
            probes.push(match (probe.test, mutant) {
                (Err(problems), _) => {
                    let why = problems.iter().map(shown).collect::<Vec<_>>().join("; ");
                    not_valid(step, &id, why)
                }
                (Ok(_), None) => not_valid(step, &id, "its step has no mutant to catch".to_owned()),
                (Ok(_), Some(_)) if start.elapsed() > PROBE_TIME => {
                    not_valid(step, &id, "the time for probes was used up".to_owned())
                }
                (Ok(test), Some(mutant)) => match bench.probe(&test, mutant)? {
                    ProbeVerdict::Invalid(report) => {
                        let why = report.verdict.observed.as_ref().map_or_else(
                            || "the reference does not pass it".to_owned(),
                            |seen| format!("the reference does not pass it: {}", seen.to_json()),
                        );
                        not_valid(step, &id, why)
                    }
                    verdict => Probe {
                        step,
                        mutant: id,
                        valid: true,
                        caught: matches!(verdict, ProbeVerdict::Catches(_)),
                        why: None,
                    },
                },
            });
        }
        Ok(probes)
    }

    /// Sets the predictions beside what the tests really catch.
    fn predictions(&self, open: &Open<'_>) -> Result<Vec<Predicted>, Fault> {
        let journal = open
            .workspace
            .journal()
            .ok()
            .flatten()
            .filter(|journal| journal.lab == open.lab.id);
        let Some(journal) = journal else {
            return Ok(Vec::new());
        };
        let caught = self.truth.caught(open.lab, open.bench_track())?;
        let mutants = open
            .lab
            .steps
            .iter()
            .filter_map(|step| open.lab.worksheet_mutant(step.number));
        Ok(mutants
            .map(|mutant| {
                let said = journal.about(&mutant.id);
                let caught_by = caught.get(&mutant.id).cloned().unwrap_or_default();
                let tests = said.map(|said| said.tests.clone()).unwrap_or_default();
                let found = tests.iter().filter(|test| caught_by.contains(test)).count();
                Predicted {
                    step: mutant.step,
                    mutant: mutant.id.clone(),
                    made: said.is_some(),
                    wrong: tests.len() - found,
                    found,
                    sure: said.and_then(|said| said.sure.clone()),
                    said: tests,
                    caught_by,
                }
            })
            .collect())
    }

    fn confinement(&self) -> Confinement {
        match &self.confined {
            Some(confined) => Confinement {
                applied: true,
                by: confined.applied(),
                lacking: confined.lacking(),
            },
            None => Confinement::default(),
        }
    }

    fn ungraded(&self, ungraded: Ungraded) -> Submission {
        Submission {
            path: String::new(),
            lab: ungraded.lab,
            track: ungraded.track,
            status: Status::Ungraded,
            why: Some(ungraded.why),
            score: None,
            max_score: ungraded.max_score,
            confinement: self.confinement(),
            steps: Vec::new(),
            probes: Section::default(),
            written: Section::default(),
            predictions: Section::default(),
            millis: 0,
        }
    }
}

/// A submission that can be run.
struct Open<'p> {
    lab: &'p Lab,
    grading: Grading,
    workspace: Workspace,
    source: Option<PathBuf>,
    /// Where a bundle was unpacked; gone with this.
    _scratch: Option<Scratch>,
}

impl Open<'_> {
    fn engine(&self) -> &Engine {
        &self.workspace.manifest().engine
    }

    /// The track whose reference stands beside it; a program of its own has that of Rust.
    fn bench_track(&self) -> Track {
        self.engine().track().unwrap_or_default()
    }

    /// The tests that it is held to; a program of its own, to those that every language can say.
    fn tests(&self) -> Vec<&Test> {
        match self.engine() {
            Engine::Track(track) => self.lab.tests_in(*track).collect(),
            Engine::Program { .. } => {
                let every = self.lab.tests.iter();
                every.filter(|test| test.tracks.is_empty()).collect()
            }
        }
    }

    /// Makes it ready: copied, and built if it has to be.
    fn submit(&self, bench: &Bench<'_>) -> Result<Submitted, Fault> {
        let root = self.workspace.root();
        match (self.engine(), &self.source) {
            (Engine::Program { command, build, .. }, _) => bench.open_program(root, command, build),
            (Engine::Track(Track::Rust), Some(file)) => bench.open_file(file),
            (Engine::Track(_), Some(file)) => {
                let source = file.strip_prefix(root).unwrap_or(file);
                bench.open_folder(root, source)
            }
            (Engine::Track(_), None) => unreachable!("it was not opened without its file"),
        }
    }

    fn ungraded(&self, why: String) -> Ungraded {
        Ungraded {
            lab: self.lab.id.clone(),
            track: self.engine().name().to_owned(),
            max_score: self.grading.total(),
            why,
        }
    }
}

/// Tells whether a verdict is worth a second look: red, or left out because of what was red.
const fn is_doubtful(word: TestWord) -> bool {
    word.is_red() || matches!(word, TestWord::NotRun)
}

fn not_valid(step: u32, mutant: &str, why: String) -> Probe {
    Probe {
        step,
        mutant: mutant.to_owned(),
        valid: false,
        caught: false,
        why: Some(why),
    }
}

/// Opens a folder, or a bundle that is unpacked into scratch.
fn lay_out(place: &Path) -> Result<(Option<Scratch>, Workspace), String> {
    if place.is_dir() {
        let workspace = Workspace::open(place).map_err(|error| all_of(&error))?;
        return Ok((None, workspace));
    }
    let failed = |error: std::io::Error| format!("failed to unpack it: {error}");
    let scratch = Scratch::new().map_err(failed)?;
    let folder = scratch.fresh().map_err(failed)?;
    let workspace = unpack(place, &folder).map_err(|error| all_of(&error))?;
    Ok((Some(scratch), workspace))
}

fn all_of(error: &OpenError) -> String {
    match error {
        OpenError::NoManifest(_) => error.to_string(),
        OpenError::Problems(problems) => {
            let all: Vec<String> = problems.iter().map(shown).collect();
            all.join("; ")
        }
    }
}

fn shown(problem: &Problem) -> String {
    let Problem {
        file,
        line,
        column,
        title,
        ..
    } = problem;
    format!("{file}:{line}:{column}: {title}")
}
