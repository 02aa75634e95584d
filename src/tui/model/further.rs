//! Further wrong changes of the open step.

use std::collections::BTreeMap;

use super::Model;
use crate::worksheet::{self, Further};

impl Model {
    /// Lists the further changes of the open step, from easy to subtle.
    #[must_use]
    pub fn further(&self) -> Vec<Further<'_>> {
        let weights = self.state().weights.iter();
        let counts: BTreeMap<String, usize> = weights
            .filter(|((track, _), _)| *track == self.track)
            .map(|((_, id), caught)| (id.clone(), *caught))
            .collect();
        worksheet::further(self.lab(), self.number(), self.track, &counts)
    }

    /// Lists the places of the further changes in the lab, in the order of the list.
    #[must_use]
    pub fn further_places(&self) -> Vec<usize> {
        let mutants = &self.lab().mutants;
        let list = self.further();
        let place = |further: &Further<'_>| {
            mutants
                .iter()
                .position(|mutant| mutant.id == further.mutant.id)
        };
        list.iter().filter_map(place).collect()
    }

    /// Returns why no test can tell the open change, if its run showed that none does.
    #[must_use]
    pub fn no_test_can_tell(&self) -> Option<&str> {
        let report = self.step_state().result.as_ref()?.report.as_ref()?;
        worksheet::no_test_can_tell(self.mutant()?, report)
    }
}
