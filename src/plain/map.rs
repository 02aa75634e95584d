//! The map of the labs as plain lines: their order and why, what is done, how predictions fit.

use std::io::Write;

use super::Stop;
use crate::model::{Lab, Pack};
use crate::progress::Progress;
use crate::worksheet::{
    fit_so_far, folded, in_order, is_step_done, standings, suggested_order,
};

/// Writes the labs in the order that is suggested, before one of them opens; nothing for a pack
/// without such an order.
///
/// # Errors
///
/// Fails when nothing can be written, or progress cannot be read.
pub fn map(
    pack: &Pack,
    open: &Lab,
    progress: &Progress,
    output: &mut impl Write,
) -> Result<(), Stop> {
    let Some(order) = suggested_order(pack) else {
        return Ok(());
    };
    for line in folded(&order, 78, "", "") {
        writeln!(output, "{line}")?;
    }
    for (place, (lab, because)) in in_order(pack).into_iter().enumerate() {
        let attempts = progress.predictions(&lab.id)?;
        let answers = progress.answers(&lab.id)?;
        let steps = lab.steps.iter();
        let done = steps
            .filter(|step| is_step_done(lab, step, &attempts, &|task| answers.contains_key(task)))
            .count();
        let mut text = format!("{because}; {done} of {} steps done", lab.steps.len());
        if let Some(fit) = fit_so_far(&standings(lab, &attempts)) {
            text.push_str("; ");
            text.push_str(fit.trim_end_matches('.'));
        }
        let first = format!("  {}  {:<10} ", place + 1, lab.id);
        for line in folded(&text, 78, &first, &" ".repeat(16)) {
            writeln!(output, "{line}")?;
        }
    }
    writeln!(output, "This is {}; `--lab NAME` opens another.\n", open.id)?;
    Ok(())
}
