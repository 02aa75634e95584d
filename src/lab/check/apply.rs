//! Do the edits of a mutant fit, and do they change anything that no other mutant changes?

use std::collections::HashMap;

use super::{Checker, file_of};
use crate::model::{Lab, Mutant, Track};
use crate::mutate::{self, ApplyError};
use crate::pack::Step;

impl Checker<'_> {
    /// Applies each mutant in a track, and reports those that do not fit, change nothing or
    /// equal another. Returns the others with their sources.
    pub(super) fn apply<'m>(
        &mut self,
        lab: &Lab,
        track: Track,
        mutants: &[&'m Mutant],
    ) -> Vec<(&'m Mutant, String)> {
        let Some(reference) = lab.source(track) else {
            return Vec::new();
        };
        let mut owners: HashMap<String, &str> = HashMap::new();
        let mut applied = Vec::new();
        for mutant in mutants
            .iter()
            .filter(|mutant| !mutant.edits_for(track).is_empty())
        {
            let file = file_of(lab, mutant);
            let pairs = mutant
                .edits_for(track)
                .iter()
                .map(|edit| (edit.find.as_str(), edit.replace.as_str()));
            let source = match mutate::apply(&reference.text, pairs) {
                Ok(source) => source,
                Err(error) => {
                    self.does_not_fit(&file, track, mutant, &reference.text, &error);
                    continue;
                }
            };
            let way = way(mutant, track, 0, "replace");
            if source == reference.text {
                let title = format!("the mutant is the reference itself in the {track} track");
                self.report(
                    "changes-nothing",
                    &file,
                    &way,
                    &title,
                    "change something in `replace`",
                );
            } else if let Some(other) = owners.get(&source) {
                let title = format!("mutant `{other}` is the same text in the {track} track");
                self.report(
                    "same-mutant",
                    &file,
                    &way,
                    &title,
                    "keep one of the two, or change another place",
                );
            } else {
                owners.insert(source.clone(), &mutant.id);
                applied.push((*mutant, source));
            }
        }
        applied
    }

    fn does_not_fit(
        &mut self,
        file: &str,
        track: Track,
        mutant: &Mutant,
        reference: &str,
        error: &ApplyError,
    ) {
        let (edit, id, help) = match error {
            ApplyError::Empty { edit } => (
                *edit,
                "empty-find",
                "copy the text to change from the reference".to_owned(),
            ),
            ApplyError::NotFound { edit } => (
                *edit,
                "find-not-found",
                nearest_line(reference, mutant, track, *edit),
            ),
            ApplyError::Ambiguous { edit, .. } => {
                let find = mutant
                    .edits_for(track)
                    .get(*edit)
                    .map_or("", |edit| &edit.find);
                let longer = mutate::unique_around(reference, find);
                (
                    *edit,
                    "find-ambiguous",
                    longer.map_or_else(
                        || "make the fragment longer".to_owned(),
                        |text| format!("this longer text occurs once:\n{text}"),
                    ),
                )
            }
        };
        let title = format!("{error} of the {track} track");
        self.report(id, file, &way(mutant, track, edit, "find"), &title, &help);
    }
}

/// The way to a field of a mutant's edit, in the list that counts in `track`.
pub(super) fn way(
    mutant: &Mutant,
    track: Track,
    edit: usize,
    field: &'static str,
) -> Vec<Step<'static>> {
    let own = mutant.edits_in.iter().any(|(which, _)| *which == track);
    let mut way = if own {
        vec![Step::Key("edits_in"), Step::Key(track.id())]
    } else {
        vec![Step::Key("edits")]
    };
    way.extend([Step::Item(edit), Step::Key(field)]);
    way
}

/// Shows the line of the reference that looks most like what was to be found.
fn nearest_line(reference: &str, mutant: &Mutant, track: Track, edit: usize) -> String {
    let find = mutant
        .edits_for(track)
        .get(edit)
        .map_or("", |edit| &edit.find);
    let wanted = find
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or_default();
    let near = reference
        .lines()
        .enumerate()
        .map(|(place, line)| (strsim::sorensen_dice(wanted, line.trim()), place + 1, line))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    match near {
        Some((likeness, line, text)) if likeness > 0.5 => {
            format!(
                "the nearest is line {line} of the reference: {}",
                text.trim()
            )
        }
        _ => "copy the text to change from the reference, blanks and all".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Edit, Origin};

    fn mutant(find: &str) -> Mutant {
        Mutant {
            id: "m".to_owned(),
            step: 1,
            title: "t".to_owned(),
            origin: Origin::Craft,
            report: None,
            belief: "b".to_owned(),
            edits: vec![Edit {
                find: find.to_owned(),
                replace: "x".to_owned(),
            }],
            edits_in: Vec::new(),
            caught_by: Vec::new(),
            caught_by_in: Vec::new(),
            survives: Vec::new(),
            survives_in: Vec::new(),
            lesson: "l".to_owned(),
            equivalent: None,
        }
    }

    #[test]
    fn the_nearest_line_is_shown_if_it_is_near_enough() {
        let near = |reference, find| nearest_line(reference, &mutant(find), Track::Rust, 0);
        assert_eq!(
            near("let a = 1;\n  let total = 2;\n", "\n  let totals = 2;\n"),
            "the nearest is line 2 of the reference: let total = 2;"
        );
        let none = "copy the text to change from the reference, blanks and all";
        assert_eq!(near("let a = 1;\n", "something else"), none);
        // Alike by half is not near.
        assert_eq!(near("abd\n", "abc"), none);
        assert_eq!(near("", "abc"), none);
    }

    #[test]
    fn an_edit_for_one_track_is_placed_in_its_own_list() {
        let shown = |mutant: &Mutant| format!("{:?}", way(mutant, Track::Rust, 2, "find"));
        let both = mutant("a");
        assert_eq!(shown(&both), "[Key(\"edits\"), Item(2), Key(\"find\")]");
        let own = |track| Mutant {
            edits_in: vec![(track, both.edits.clone())],
            ..both.clone()
        };
        assert_eq!(shown(&own(Track::Python)), shown(&both));
        assert_eq!(
            shown(&own(Track::Rust)),
            "[Key(\"edits_in\"), Key(\"rust\"), Item(2), Key(\"find\")]"
        );
    }
}
