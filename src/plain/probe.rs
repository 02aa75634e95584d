//! A test of the learner's own, written beside a prediction.

use std::io::{BufRead, Write};

use super::{Plain, Stop};
use crate::model::Mutant;

impl<R: BufRead, W: Write> Plain<'_, R, W> {
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "written next"
    )]
    pub(super) fn offer_probe(&mut self, _mutant: &Mutant) -> Result<(), Stop> {
        Ok(())
    }
}
