//! Puts the edits of a new mutant where they belong, and tells whether it is new.

use crate::lab::mutated;
use crate::model::{Edit, Lab, Mutant, Track};

/// Shares edits out: one list for all tracks where they agree, others by track.
///
/// A list for all tracks is made only if every track of the lab has edits; else a track without
/// would be given those of another.
#[must_use]
pub fn edits_by_track(
    lab: &Lab,
    edits: Vec<(Track, Vec<Edit>)>,
) -> (Vec<Edit>, Vec<(Track, Vec<Edit>)>) {
    let complete = lab
        .sources
        .iter()
        .all(|source| edits.iter().any(|(track, _)| *track == source.track));
    match edits.first() {
        Some((_, first)) if complete => {
            let first = first.clone();
            let others = edits.into_iter().filter(|(_, list)| *list != first);
            let others = others.collect();
            (first, others)
        }
        _ => (Vec::new(), edits),
    }
}

/// Finds the subject that a mutant equals in a track: the reference, or another mutant.
#[must_use]
pub fn same_as(lab: &Lab, track: Track, mutant: &Mutant) -> Option<String> {
    let text = mutated(lab, track, mutant).ok()?;
    if lab.source(track).is_some_and(|source| source.text == text) {
        return Some("the reference itself".to_owned());
    }
    let same = |other: &&Mutant| mutated(lab, track, other).is_ok_and(|source| source == text);
    let other = lab.mutants.iter().find(same)?;
    Some(format!("mutant `{}`", other.id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack;

    fn edit(find: &str) -> Vec<Edit> {
        vec![Edit {
            find: find.to_owned(),
            replace: String::new(),
        }]
    }

    #[test]
    fn edits_are_shared_only_where_every_track_has_some() {
        let pack = pack::shipped().unwrap();
        let lab = &pack.labs[0];
        let (rust, python) = (Track::Rust, Track::Python);
        assert_eq!(
            edits_by_track(lab, vec![(rust, edit("a")), (python, edit("a"))]),
            (edit("a"), vec![])
        );
        assert_eq!(
            edits_by_track(lab, vec![(rust, edit("a")), (python, edit("b"))]),
            (edit("a"), vec![(python, edit("b"))])
        );
        assert_eq!(
            edits_by_track(lab, vec![(python, edit("b"))]),
            (vec![], vec![(python, edit("b"))])
        );
    }

    #[test]
    fn a_mutant_that_is_there_already_is_named() {
        let pack = pack::shipped().unwrap();
        let lab = &pack.labs[0];
        let known = lab.mutant("reserve-replaces").unwrap();
        assert_eq!(
            same_as(lab, Track::Rust, known).as_deref(),
            Some("mutant `reserve-replaces`")
        );
        let mut idle = known.clone();
        idle.edits[0].replace = idle.edits[0].find.clone();
        assert_eq!(
            same_as(lab, Track::Rust, &idle).as_deref(),
            Some("the reference itself")
        );
    }
}
