//! Finds what a command line names, and says what is nearest when there is no such thing.

use super::{Exit, print::complain};
use crate::cli::Cli;
use crate::model::{Lab, Mutant, Origin, Pack, Test, Track};
use crate::pack;
use crate::report::problems;

/// Loads the pack that the command line asks for; reports its problems.
pub fn pack(cli: &Cli) -> Result<Pack, Exit> {
    if let Some(folder) = cli.pack.as_ref().filter(|folder| !folder.is_dir()) {
        complain(&format!(
            "there is no folder {}; name the folder of a pack",
            folder.display()
        ));
        return Err(Exit::Usage);
    }
    let loaded = match &cli.pack {
        Some(folder) => pack::load(folder),
        None => pack::shipped(),
    };
    loaded.map_err(|broken| {
        eprint!("{}", problems::text(&broken.0));
        complain(&broken.to_string());
        Exit::Pack
    })
}

/// Finds a lab.
pub fn lab<'p>(pack: &'p Pack, id: &str) -> Result<&'p Lab, Exit> {
    pack.lab(id)
        .ok_or_else(|| unknown("lab", id, pack.labs.iter().map(|lab| lab.id.as_str())))
}

/// Finds a track that the lab has.
pub fn track(lab: &Lab, name: &str) -> Result<Track, Exit> {
    Track::parse(name)
        .filter(|track| lab.source(*track).is_some())
        .ok_or_else(|| {
            let known = lab.sources.iter().map(|source| source.track.id());
            unknown(&format!("track in lab {}", lab.id), name, known)
        })
}

/// Finds a mutant.
pub fn mutant<'l>(lab: &'l Lab, id: &str) -> Result<&'l Mutant, Exit> {
    lab.mutant(id).ok_or_else(|| {
        let known = lab.mutants.iter().map(|mutant| mutant.id.as_str());
        unknown(&format!("mutant in lab {}", lab.id), id, known)
    })
}

/// Keeps only the mutants of a step, or from an origin.
pub fn only(lab: &mut Lab, step: Option<u32>, origin: Option<&str>) -> Result<(), Exit> {
    if let Some(step) = step.filter(|step| lab.step(*step).is_none()) {
        let last = lab.steps.len();
        complain(&format!(
            "lab {} has no step {step}; its steps are 1 to {last}",
            lab.id
        ));
        return Err(Exit::Usage);
    }
    if let Some(name) = origin.filter(|name| Origin::parse(name).is_none()) {
        return Err(unknown("origin", name, Origin::ALL.map(Origin::id)));
    }
    lab.mutants.retain(|mutant| {
        step.is_none_or(|step| mutant.step == step)
            && origin.is_none_or(|origin| mutant.origin.id() == origin)
    });
    Ok(())
}

/// Finds the named tests in the lab's order; all that the track can say, if none is named.
pub fn tests<'l>(lab: &'l Lab, track: Track, ids: &[String]) -> Result<Vec<&'l Test>, Exit> {
    let all: Vec<&Test> = lab.tests_in(track).collect();
    let mut exit = None;
    for id in ids {
        if !all.iter().any(|test| test.id == *id) {
            let known = all.iter().map(|test| test.id.as_str());
            exit = Some(unknown(
                &format!("test in lab {} ({track})", lab.id),
                id,
                known,
            ));
        }
    }
    match exit {
        Some(exit) => Err(exit),
        None if ids.is_empty() => Ok(all),
        None => Ok(all
            .into_iter()
            .filter(|test| ids.contains(&test.id))
            .collect()),
    }
}

/// Says that there is no such thing, with the nearest names.
pub fn unknown<'k>(what: &str, name: &str, known: impl IntoIterator<Item = &'k str>) -> Exit {
    let known: Vec<&str> = known.into_iter().collect();
    let near = pack::nearest(name, &known, 3);
    let hint = if near.is_empty() {
        let few: Vec<&str> = known.iter().copied().take(8).collect();
        let more = if known.len() > few.len() {
            ", … (see `idemlab list`)"
        } else {
            ""
        };
        format!("there are: {}{more}", few.join(", "))
    } else {
        format!("did you mean {}?", near.join(" or "))
    };
    complain(&format!("there is no {what} named `{name}`; {hint}"));
    Exit::Usage
}
