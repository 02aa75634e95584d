//! A learner's own code on the screen: what is known of it, as plain data.

use super::{Model, Page};
use crate::event::Trial;
use crate::tui::message::{Aim, BreakSaid, OwnOffer, OwnPlace, OwnWhich};

/// The view of a learner's own code.
#[derive(Debug, Clone, PartialEq)]
pub struct Own {
    /// The number under which it is run; news of another number are dropped.
    pub run: u64,
    /// What is shown.
    pub which: OwnWhich,
    /// How it stands.
    pub stand: OwnStand,
    /// The page it was opened from.
    pub from: Page,
}

/// How a learner's own code stands.
#[derive(Debug, Clone, PartialEq)]
pub enum OwnStand {
    /// The folder is being looked for.
    Looking,
    /// There is none yet.
    Nothing(OwnOffer),
    /// It cannot be used.
    Unusable(Vec<String>),
    /// It is there.
    There(Box<OwnState>),
}

/// A folder that is there, and what its last run showed.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnState {
    /// The folder.
    pub place: OwnPlace,
    /// Whether the tests are being run.
    pub running: bool,
    /// What the last run showed.
    pub told: Option<OwnTold>,
}

/// What a run of a learner's own code came to.
#[derive(Debug, Clone, PartialEq)]
pub enum OwnTold {
    /// The tests were run, or the code does not load.
    Ran(Box<Trial>),
    /// A copy was run beside what was said about it.
    Broke(Box<Trial>, BreakSaid),
    /// Nothing could be run.
    NotRun(String),
    /// The folder cannot be used any more.
    Unusable(Vec<String>),
}

impl Model {
    /// Returns the folder of the open view, if it is there.
    #[must_use]
    pub fn own_state(&self) -> Option<&OwnState> {
        match &self.own.as_ref()?.stand {
            OwnStand::There(state) => Some(state),
            _ => None,
        }
    }

    /// Tells whether there is a file that an editor can open.
    #[must_use]
    pub fn has_own_file(&self) -> bool {
        let state = self.own_state();
        state.is_some_and(|state| state.place.path.is_some())
    }

    /// Tells whether the view is about a copy to break.
    #[must_use]
    pub fn is_breaking(&self) -> bool {
        self.own
            .as_ref()
            .is_some_and(|own| own.which.aim == Aim::Break)
    }
}
