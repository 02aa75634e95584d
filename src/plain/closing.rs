//! The last page: the predictions and three tasks.

use std::io::{BufRead, Write};

use super::{Plain, Stop};

impl<R: BufRead, W: Write> Plain<'_, R, W> {
    pub(super) fn closing(&mut self) -> Result<(), Stop> {
        self.say("\nTHE END OF THE STEPS\n")?;
        Ok(())
    }
}
