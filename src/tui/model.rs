//! Everything the screen knows, as plain data that can be replayed.
//!
//! No file, no clock, no terminal: `update` changes it, `view` reads it.

mod further;
mod own;
mod probe;
mod written;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use self::own::{Own, OwnStand, OwnState, OwnTold};
pub use self::probe::{ProbeItem, ProbeState};

use super::field::Field;
use super::keys::Place;
use super::message::{Baseline, TrackOffer};
use crate::event::SubjectReport;
use crate::model::{Lab, Mutant, Pack, SeenIn, Step, Sure, Test, Track};
use crate::verdict::{MutantWord, TestWord};
use crate::worksheet::{self, Attempt, ProbeWorth};

/// The state of the screen.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// All labs.
    pub pack: Arc<Pack>,
    /// What is known of each lab, in the pack's order.
    pub labs: Vec<LabState>,
    /// The lab that is open or selected.
    pub lab: usize,
    /// What is shown.
    pub page: Page,
    /// What lies over it.
    pub over: Option<Over>,
    /// The terminal's columns and rows.
    pub size: (u16, u16),
    /// Whether colours may be used.
    pub colour: bool,
    /// A warning from the start, until it is dismissed.
    pub notice: Option<String>,
    /// What the last key came to, until the next key.
    pub message: Option<Message>,
    /// The language the lab is worked in.
    pub track: Track,
    /// Whether the learner has chosen it.
    pub track_chosen: bool,
    /// The run that is going on.
    pub live: Option<Live>,
    /// The number under which further changes are weighed, while that goes on.
    pub weighing: Option<u64>,
    /// The learner's own code, while its view is open.
    pub own: Option<Own>,
    /// Number of the next run.
    pub next_run: u64,
    /// First line of the page that is shown.
    pub scroll: usize,
    /// Whether the selected line is kept in sight.
    pub follow: bool,
}

/// A page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Page {
    /// The labs, and where one is.
    Home,
    /// A step of the open lab.
    Step,
    /// Mutants by tests; the selected mutant and test.
    Matrix(usize, usize),
    /// Further wrong changes of the step; the selected one, by its place in the lab.
    Catalogue(usize),
    /// The learner's own code; what is known of it stands in the model.
    Own,
    /// After the last step; the selected task, and whether it is being answered.
    Last(usize, bool),
}

/// A view of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum View {
    /// What the function promises.
    Contract,
    /// What was changed.
    Fragment,
    /// What the learner says about it.
    Predict,
    /// What the run showed, also while it runs.
    Result,
}

impl View {
    /// All views, in order.
    pub const ALL: [Self; 4] = [Self::Contract, Self::Fragment, Self::Predict, Self::Result];

    /// Returns the title, as the screen shows it.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Contract => "Contract",
            Self::Fragment => "Fragment",
            Self::Predict => "Predict",
            Self::Result => "Result",
        }
    }

    /// Returns the name used in the progress file.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Contract => "contract",
            Self::Fragment => "fragment",
            Self::Predict => "predict",
            Self::Result => "result",
        }
    }

    /// Reads a name as [`View::id`] writes it.
    #[must_use]
    pub fn parse(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|view| view.id() == id)
    }
}

/// Something that lies over the page until it is closed; each with its own first line.
#[derive(Debug, Clone, PartialEq)]
pub enum Over {
    /// The keys.
    Help {
        /// Where the keys hold.
        place: Place,
        /// First line that is shown.
        scroll: usize,
    },
    /// One test, by its calls alone.
    Reader {
        /// The test.
        test: String,
        /// First line that is shown.
        scroll: usize,
    },
    /// The choice of the language.
    Tracks {
        /// The selected one.
        cursor: usize,
        /// Whether the lab goes on to the step afterwards.
        go_on: bool,
    },
    /// A test of the learner's own.
    Probe(Box<ProbeState>),
}

/// A short text for the line above the keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The text.
    pub text: String,
    /// Whether something went wrong.
    pub is_error: bool,
}

/// What is known of a lab.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LabState {
    /// All stored predictions.
    pub attempts: Vec<Attempt>,
    /// The learner's own tests.
    pub probes: Vec<KeptProbe>,
    /// The answers to the closing tasks.
    pub answers: BTreeMap<String, Field>,
    /// The tracks that the lab has sources for, once that is known.
    pub tracks: Option<Vec<TrackOffer>>,
    /// How the reference stands, by track.
    pub baselines: BTreeMap<Track, Baseline>,
    /// The step the learner is at, counted from 1; 0 before the first.
    pub step: u32,
    /// The steps.
    pub steps: Vec<StepState>,
    /// What is known of further changes, by their names.
    pub further: BTreeMap<String, StepState>,
    /// The further change that is open in the place of the step's own.
    pub chosen: Option<String>,
    /// How many tests catch a further change, as far as that was run.
    pub weights: BTreeMap<(Track, String), usize>,
}

/// A probe that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptProbe {
    /// The mutant it was written for.
    pub mutant: String,
    /// Its text.
    pub source: String,
    /// What it is worth.
    pub worth: ProbeWorth,
}

/// What is known of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct StepState {
    /// The view that is shown.
    pub view: View,
    /// The furthest view that is open.
    pub opened: View,
    /// What is being said.
    pub draft: Draft,
    /// The last run, in full.
    pub result: Option<ResultState>,
    /// The own test that was being written.
    pub probe: Option<Box<ProbeState>>,
}

impl Default for StepState {
    fn default() -> Self {
        Self {
            view: View::Contract,
            opened: View::Contract,
            draft: Draft::default(),
            result: None,
            probe: None,
        }
    }
}

/// A question of the prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Question {
    /// What would show the difference, in a line.
    #[default]
    Line,
    /// What kind of observation that is.
    Kind,
    /// Which tests catch it.
    Tests,
    /// How sure one is.
    Sure,
}

/// A prediction that is being made.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Draft {
    /// The question at hand.
    pub at: Question,
    /// The line.
    pub line: Field,
    /// The kind of observation, and the one the cursor is on.
    pub seen_in: Option<SeenIn>,
    /// Place of the cursor among the kinds.
    pub kind_cursor: usize,
    /// The chosen tests.
    pub tests: Vec<String>,
    /// Place of the cursor among the tests.
    pub cursor: usize,
    /// Place of the cursor among the degrees of certainty.
    pub sure_cursor: usize,
    /// Whether a further prediction is being made after the first.
    pub practice: bool,
}

impl Draft {
    /// Returns the degree of certainty under the cursor.
    #[must_use]
    pub fn sure(&self) -> Sure {
        Sure::ALL[self.sure_cursor.min(Sure::ALL.len() - 1)]
    }
}

/// The last run of a step, in full.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultState {
    /// What the run showed; none if it could not be run.
    pub report: Option<Box<SubjectReport>>,
    /// The mutant's verdict.
    pub word: MutantWord,
    /// Why it could not be run, if it could not.
    pub why: Option<String>,
    /// The selected item: the red tests, then the passed ones under one heading.
    pub cursor: usize,
    /// Whether the passed tests are listed.
    pub passed_open: bool,
    /// What the learner saw.
    pub saw: Field,
    /// Whether that line is being written.
    pub saying: bool,
    /// Whether Enter has left that line in this session, also an empty one.
    pub told: bool,
}

/// A run that is going on.
#[derive(Debug, Clone, PartialEq)]
pub struct Live {
    /// Its number.
    pub run: u64,
    /// What it is for.
    pub purpose: Purpose,
    /// The lab it is for.
    pub lab: usize,
    /// The step it is for.
    pub step: u32,
    /// The mutant that is run.
    pub mutant: String,
    /// The tests in the order in which they are run, with their verdicts so far.
    pub tests: Vec<(String, Option<TestWord>)>,
    /// How many of them were named by the learner: the first ones.
    pub named: usize,
    /// Milliseconds since it started.
    pub elapsed: u64,
}

/// What a run is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A prediction.
    Predicted,
    /// A result of an earlier session is shown again.
    Again,
    /// A probe.
    Probe,
}

impl Model {
    /// Returns the open lab.
    #[must_use]
    pub fn lab(&self) -> &Lab {
        &self.pack.labs[self.lab]
    }

    /// Returns what is known of the open lab.
    #[must_use]
    pub fn state(&self) -> &LabState {
        &self.labs[self.lab]
    }

    /// Returns what is known of the open lab, to change it.
    pub fn state_mut(&mut self) -> &mut LabState {
        &mut self.labs[self.lab]
    }

    /// Returns the number of the open step.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.state().step.max(1)
    }

    /// Returns the open step.
    #[must_use]
    pub fn step(&self) -> &Step {
        &self.lab().steps[self.number() as usize - 1]
    }

    /// Returns what is known of the open step.
    #[must_use]
    pub fn step_state(&self) -> &StepState {
        let state = self.state();
        let further = state.chosen.as_ref().and_then(|id| state.further.get(id));
        further.unwrap_or(&state.steps[self.number() as usize - 1])
    }

    /// Returns what is known of the open step, to change it.
    pub fn step_state_mut(&mut self) -> &mut StepState {
        let at = self.number() as usize - 1;
        let state = self.state_mut();
        let further = state
            .chosen
            .as_ref()
            .and_then(|id| state.further.get_mut(id));
        further.unwrap_or(&mut state.steps[at])
    }

    /// Returns what is known of a mutant: of its step, or of a further change.
    pub fn state_of(&mut self, lab: usize, mutant: &str) -> Option<&mut StepState> {
        let known = self.pack.labs.get(lab)?;
        let step = known.mutant(mutant)?.step;
        let is_own = known.worksheet_mutant(step)?.id == mutant;
        let state = &mut self.labs[lab];
        if is_own {
            state.steps.get_mut((step as usize).wrapping_sub(1))
        } else {
            state.further.get_mut(mutant)
        }
    }

    /// Returns the open mutant: the worksheet's of the open step, or the chosen further one.
    #[must_use]
    pub fn mutant(&self) -> Option<&Mutant> {
        let mutant = match &self.state().chosen {
            Some(id) => self.lab().mutant(id)?,
            None => self.lab().worksheet_mutant(self.number())?,
        };
        (!mutant.edits_for(self.track).is_empty()).then_some(mutant)
    }

    /// Lists the tests that the open step's prediction chooses from.
    #[must_use]
    pub fn offered(&self) -> Vec<&Test> {
        self.mutant().map_or_else(Vec::new, |mutant| {
            worksheet::candidates(self.lab(), mutant, self.track)
        })
    }

    /// Iterates over the stored predictions about the open step's mutant.
    pub fn attempts(&self) -> impl DoubleEndedIterator<Item = &Attempt> {
        let id = self.mutant().map(|mutant| mutant.id.as_str());
        self.state()
            .attempts
            .iter()
            .filter(move |attempt| Some(attempt.mutant.as_str()) == id)
    }

    /// Returns the last prediction about the open step's mutant.
    #[must_use]
    pub fn last_attempt(&self) -> Option<&Attempt> {
        self.attempts().next_back()
    }

    /// Tells whether the last prediction of the open step is stored and has not been run.
    #[must_use]
    pub fn waits_for_run(&self) -> bool {
        !self.step_state().draft.practice
            && self
                .last_attempt()
                .is_some_and(|attempt| attempt.run.is_none())
    }

    /// Tells whether the prediction of the open step is made, and no further one is begun.
    #[must_use]
    pub fn is_said(&self) -> bool {
        !self.step_state().draft.practice && self.last_attempt().is_some()
    }

    /// Tells whether a step of the open lab is done.
    #[must_use]
    pub fn is_done(&self, step: u32) -> bool {
        let known = self.lab().step(step);
        known.is_some_and(|step| self.state().is_done(self.lab(), step))
    }

    /// Tells whether every step that has a mutant is done.
    #[must_use]
    pub fn is_all_done(&self) -> bool {
        self.lab().steps.iter().all(|step| {
            self.is_done(step.number) || self.lab().worksheet_mutant(step.number).is_none()
        })
    }

    /// Returns how the reference stands in the chosen track.
    #[must_use]
    pub fn baseline(&self) -> Option<&Baseline> {
        self.state().baselines.get(&self.track)
    }

    /// Returns the run of the open step, if one is going on.
    #[must_use]
    pub fn running(&self) -> Option<&Live> {
        self.live.as_ref().filter(|live| {
            live.lab == self.lab
                && live.purpose != Purpose::Probe
                && self.mutant().is_some_and(|mutant| mutant.id == live.mutant)
        })
    }
}

/// The passed and the red tests of a result, as the screen lists them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sorted {
    /// Places of the red tests among the offered ones.
    pub red: Vec<usize>,
    /// Places of all others.
    pub others: Vec<usize>,
}

/// Sorts the tests of a report by whether they catch the mutant, in the offered order.
#[must_use]
pub fn sorted(offered: &[&Test], report: &SubjectReport) -> Sorted {
    let mut sorted = Sorted::default();
    for (place, test) in offered.iter().enumerate() {
        match report.test(&test.id) {
            Some(report) if report.catches() => sorted.red.push(place),
            Some(_) => sorted.others.push(place),
            None => {}
        }
    }
    sorted
}
