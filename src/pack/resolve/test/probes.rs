//! Resolves `probes.yaml`: one wrong test does not cost the others.

use serde::Deserialize;
use serde_yaml::Value;

use super::super::Step::{Item, Key};
use super::super::{Places, not_yaml, raw, shape};
use super::{PackFile, Reporter, Resolver, Way, join};
use crate::model::{Lab, Problem, Test};
use crate::pack::place::{Node, NodeKind, Place};

/// The most tests that are read of one file.
const MOST: usize = 200;

/// A learner's own test, as far as it can be read.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnProbe {
    /// Where it begins in the file: line and column, from 1.
    pub place: Place,
    /// The mutant that it is aimed at, if that is known.
    pub mutant: Option<String>,
    /// The step of that mutant, if that is known.
    pub step: Option<u32>,
    /// The test, or everything that is wrong with it.
    pub test: Result<Test, Vec<Problem>>,
}

/// The file as a whole: what its tests are comes later.
#[derive(Deserialize)]
struct Loose {
    #[serde(default)]
    format: Option<u32>,
    #[serde(default)]
    probes: Vec<Value>,
}

/// Reads every test of a file; what is wrong outside of them goes into `problems`.
pub fn resolve_probes(file: &PackFile, lab: &Lab, problems: &mut Vec<Problem>) -> Vec<OwnProbe> {
    let places = match Places::of(&file.text) {
        Ok(places) => places,
        Err(unplaced) => {
            problems.push(not_yaml(file, unplaced));
            return Vec::new();
        }
    };
    let probes = probes(places.top());
    if nothing_yet(places.top(), probes) {
        return Vec::new();
    }
    let items = items(probes);
    let mut of_items: Vec<Vec<Problem>> = items.iter().map(|_| Vec::new()).collect();
    let mut found = Vec::new();
    let schema = shape::known_schema::<raw::Probes>();
    shape::check(&schema, places.top(), file, &mut found);
    for problem in found {
        match holder(&items, (problem.line, problem.column)) {
            Some(item) => of_items[item].push(problem),
            None => problems.push(problem),
        }
    }
    if !problems.is_empty() {
        return Vec::new();
    }
    let loose = match serde_yaml::from_str::<Loose>(&file.text) {
        Ok(loose) => loose,
        Err(error) => {
            let mut reporter = Reporter::new(file, &places, problems);
            reporter.report("wrong-shape", &[], &error.to_string(), HELP);
            return Vec::new();
        }
    };
    let mut reporter = Reporter::new(file, &places, problems);
    reporter.format(loose.format);
    if loose.probes.len() > MOST {
        let title = format!(
            "there are {} tests; at most {MOST} are read",
            loose.probes.len()
        );
        let help = "keep those that catch something";
        reporter.report("file-too-large", &[Key("probes")], &title, help);
    }
    let probes = loose.probes.into_iter().take(MOST).zip(items).zip(of_items);
    probes
        .enumerate()
        .map(|(at, ((value, place), wrong))| {
            let reader = Reader {
                file,
                lab,
                places: &places,
                at,
                place,
            };
            reader.read(value, wrong)
        })
        .collect()
}

const HELP: &str = "the book's page on file formats shows every field by example";

fn probes(top: &Node) -> Option<&Node> {
    let NodeKind::Map(entries) = &top.kind else {
        return None;
    };
    let probes = entries.iter().find(|(key, _, _)| key == "probes");
    probes.map(|(_, _, node)| node)
}

/// Tells whether all there is, is a comment: in the file, or below `probes:`.
fn nothing_yet(top: &Node, probes: Option<&Node>) -> bool {
    let empty = |node: &Node| match &node.kind {
        NodeKind::Scalar { text, plain } => *plain && text.is_empty(),
        NodeKind::Alias => node.place == (1, 1),
        NodeKind::Map(_) | NodeKind::List(_) => false,
    };
    empty(top) || probes.is_some_and(empty)
}

/// Lists where the tests begin.
fn items(probes: Option<&Node>) -> Vec<Place> {
    match probes.map(|node| &node.kind) {
        Some(NodeKind::List(items)) => items.iter().map(|item| item.place).collect(),
        _ => Vec::new(),
    }
}

/// Tells in which item a place lies; none if it lies before all.
fn holder(items: &[Place], place: Place) -> Option<usize> {
    items.iter().rposition(|start| *start <= place)
}

struct Reader<'a> {
    file: &'a PackFile,
    lab: &'a Lab,
    places: &'a Places,
    at: usize,
    place: Place,
}

impl Reader<'_> {
    fn read(&self, value: Value, mut wrong: Vec<Problem>) -> OwnProbe {
        let mut probe = OwnProbe {
            place: self.place,
            mutant: value["mutant"].as_str().map(str::to_owned),
            step: value["step"]
                .as_u64()
                .and_then(|step| u32::try_from(step).ok()),
            test: Err(Vec::new()),
        };
        let way = vec![Key("probes"), Item(self.at)];
        let raw = match serde_yaml::from_value::<raw::OwnProbe>(value) {
            Ok(raw) if wrong.is_empty() => Some(raw),
            Ok(_) => None,
            Err(error) => {
                if wrong.is_empty() {
                    let mut reporter = Reporter::new(self.file, self.places, &mut wrong);
                    reporter.report("wrong-shape", &way, &error.to_string(), HELP);
                }
                None
            }
        };
        self.aim(&mut probe, &way, &mut wrong);
        let test = raw.zip(probe.step).map(|(raw, step)| {
            let mut reporter = Reporter::new(self.file, self.places, &mut wrong);
            let mut resolver = Resolver {
                lab: self.lab,
                step,
                reporter: &mut reporter,
            };
            resolver.test(&self.as_test(raw, step), &way)
        });
        probe.test = match test {
            Some(test) if wrong.is_empty() => Ok(test),
            _ => Err(wrong),
        };
        probe
    }

    /// Finds the mutant that a test is aimed at: the one that it names, or that of its step.
    fn aim(&self, probe: &mut OwnProbe, way: &Way<'_>, wrong: &mut Vec<Problem>) {
        let mut reporter = Reporter::new(self.file, self.places, wrong);
        let step = probe.step.take();
        if let Some(name) = &probe.mutant {
            let Some(mutant) = self.lab.mutant(name) else {
                let known = self.lab.mutants.iter().map(|mutant| mutant.id.as_str());
                let way = join(way, &[Key("mutant")]);
                reporter.unknown("unknown-mutant", &way, "mutant", name, known);
                return;
            };
            if step.is_some_and(|step| step != mutant.step) {
                let title = format!("mutant `{name}` is one of step {}", mutant.step);
                let way = join(way, &[Key("step")]);
                reporter.report("wrong-step", &way, &title, "leave `step` out");
            }
            probe.step = Some(mutant.step);
        } else if let Some(step) = step {
            if self.lab.step(step).is_none() {
                let title = format!("lab {} has no step {step}", self.lab.id);
                let help = format!("its steps are 1 to {}", self.lab.steps.len());
                let way = join(way, &[Key("step")]);
                reporter.report("unknown-step", &way, &title, &help);
                return;
            }
            let mutant = self.lab.worksheet_mutant(step);
            probe.mutant = mutant.map(|mutant| mutant.id.clone());
            probe.step = Some(step);
        } else {
            let title = "this test says neither which mutant nor which step it is about";
            let help = "add `mutant:` with its name, or `step:`";
            reporter.report("no-aim", way, title, help);
        }
    }

    fn as_test(&self, raw: raw::OwnProbe, step: u32) -> raw::Test {
        raw::Test {
            id: raw.id.unwrap_or_else(|| format!("probe-{}", self.at + 1)),
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
        }
    }
}
