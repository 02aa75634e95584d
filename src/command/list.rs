//! `idemlab list`.

use super::print::print;
use super::{Exit, choose};
use crate::cli::{Cli, List, ReportFormat};
use crate::model::Lab;
use crate::report::json::TrackState;
use crate::report::{human, json};
use crate::run::track;

/// Lists what there is.
pub fn list(cli: &Cli, arguments: &List) -> Result<Exit, Exit> {
    let mut pack = choose::pack(cli)?;
    if let Some(name) = &arguments.lab {
        let id = choose::lab(&pack, name)?.id.clone();
        pack.labs.retain(|lab| lab.id == id);
    }
    print(&match arguments.format.format {
        ReportFormat::Text => human::list(&pack, track_states),
        ReportFormat::Json => json::list(&pack, track_states),
    })?;
    Ok(Exit::Right)
}

/// Tells for each track of a lab whether it works on this machine.
pub fn track_states(lab: &Lab) -> Vec<TrackState> {
    lab.sources
        .iter()
        .map(|source| {
            let why = track::missing(source.track, &source.text);
            TrackState {
                id: source.track.id(),
                ready: why.is_none(),
                why: why.map(|missing| missing.why),
            }
        })
        .collect()
}
