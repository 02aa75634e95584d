//! The map of the labs as plain lines: their order and why, what is done, how predictions fit.

use std::fmt::Write as _;

use crate::model::{Lab, Pack};
use crate::progress::{Progress, SaveError};
use crate::worksheet::{fit_so_far, folded, in_order, is_step_done, standings, suggested_order};

/// Writes the labs in the order that is suggested, before one of them opens; nothing for a pack
/// without such an order.
///
/// # Errors
///
/// Fails when progress cannot be read.
pub fn map(pack: &Pack, open: &Lab, progress: &Progress) -> Result<String, SaveError> {
    let Some(order) = suggested_order(pack) else {
        return Ok(String::new());
    };
    let mut lines = folded(order, 78, "", "");
    for (place, (lab, because)) in in_order(pack).into_iter().enumerate() {
        let attempts = progress.predictions(&lab.id)?;
        let answers = progress.answers(&lab.id)?;
        let is_answered = |task: &str| answers.contains_key(task);
        let steps = lab.steps.iter();
        let done = steps
            .filter(|step| is_step_done(lab, step, &attempts, &is_answered))
            .count();
        let mut text = format!("{because}; {done} of {} steps done", lab.steps.len());
        if let Some(fit) = fit_so_far(&standings(lab, &attempts)) {
            let _ = write!(text, "; {}", fit.trim_end_matches('.'));
        }
        let first = format!("  {}  {:<10} ", place + 1, lab.id);
        lines.extend(folded(&text, 78, &first, &" ".repeat(16)));
    }
    lines.push(format!(
        "{} opens now; `--lab NAME` opens another.\n",
        open.id
    ));
    Ok(lines.join("\n") + "\n")
}
