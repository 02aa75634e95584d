//! Parts of a class, graded by themselves, and put together again.
//!
//! Pure functions: which part a submission belongs to depends on its name and its content alone,
//! so machines that know nothing of each other divide a class alike.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest as _, Sha256};

use super::Found;
use crate::gradebook::{Gradebook, Submission, VERSION};

/// Which part of how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Its number, counted from 1.
    pub number: u32,
    /// How many there are.
    pub of: u32,
}

impl Part {
    /// Reads `K/N`.
    ///
    /// # Errors
    ///
    /// Says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let numbers = text
            .split_once('/')
            .and_then(|(number, of)| Some((number.trim().parse().ok()?, of.trim().parse().ok()?)));
        match numbers {
            Some((number, of)) if 1 <= number && number <= of => Ok(Self { number, of }),
            Some(_) => Err(format!(
                "{text} is no part: the first number is from 1 to the second"
            )),
            None => Err(format!(
                "write the part as K/N, such as 1/4, and not {text}"
            )),
        }
    }

    /// Tells whether a submission belongs to this part.
    #[must_use]
    pub fn holds(self, found: &Found) -> bool {
        let mut digest = Sha256::new();
        digest.update(found.path.as_bytes());
        digest.update([0]);
        digest.update(found.hash.as_bytes());
        let bytes = digest.finalize();
        let number = bytes
            .iter()
            .take(8)
            .fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        number % u64::from(self.of) == u64::from(self.number - 1)
    }
}

/// Puts the parts of a class together.
///
/// # Errors
///
/// Returns everything that stands against it: parts or submissions that are missing or there
/// twice, parts of different packs or classes.
pub fn merge(parts: Vec<(String, Gradebook)>) -> Result<Gradebook, Vec<String>> {
    let mut problems = Vec::new();
    let Some((first, model)) = parts.first() else {
        return Err(vec!["there is nothing to merge".to_owned()]);
    };
    let (first, pack) = (first.clone(), model.pack.clone());
    let shape = model
        .shard
        .as_ref()
        .map(|shard| (shard.of, shard.roll.clone()));
    let mut numbers: BTreeMap<u32, String> = BTreeMap::new();
    for (name, part) in &parts {
        if part.version != VERSION {
            problems.push(format!(
                "{name} has version {}; this program reads version {VERSION}",
                part.version
            ));
        }
        if !part.complete {
            problems.push(format!("{name} is not complete: its run was interrupted"));
        }
        if part.pack != pack {
            problems.push(format!(
                "{name} was graded with another pack or program than {first}"
            ));
        }
        let Some(shard) = &part.shard else {
            problems.push(format!("{name} is no part: it was graded without --shard"));
            continue;
        };
        match &shape {
            Some((of, _)) if shard.of != *of => problems.push(format!(
                "{name} is one of {} parts, {first} one of {of}",
                shard.of
            )),
            Some((_, roll)) if shard.roll != *roll => problems.push(format!(
                "{name} and {first} are parts of different classes: {}",
                difference(roll, &shard.roll)
            )),
            _ => {}
        }
        if let Some(other) = numbers.insert(shard.number, name.clone()) {
            problems.push(format!(
                "{name} and {other} are both part {} of {}",
                shard.number, shard.of
            ));
        }
    }
    if let Some((of, roll)) = &shape {
        let missing: Vec<String> = (1..=*of)
            .filter(|number| !numbers.contains_key(number))
            .map(|number| number.to_string())
            .collect();
        if !missing.is_empty() {
            problems.push(format!(
                "of {of} parts, these are missing: {}",
                missing.join(", ")
            ));
        }
        each_once(roll, &parts, &mut problems);
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut submissions: Vec<Submission> = parts
        .into_iter()
        .flat_map(|(_, part)| part.submissions)
        .collect();
    submissions.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(Gradebook {
        version: VERSION,
        complete: true,
        pack,
        shard: None,
        submissions,
    })
}

/// Reports submissions that are there twice, not at all, or on no roll.
fn each_once(roll: &[String], parts: &[(String, Gradebook)], problems: &mut Vec<String>) {
    let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
    for (name, part) in parts {
        for submission in &part.submissions {
            if let Some(other) = seen.insert(&submission.path, name) {
                problems.push(format!("{} is in {other} and in {name}", submission.path));
            }
        }
    }
    let roll: BTreeSet<&str> = roll.iter().map(String::as_str).collect();
    let missing: Vec<&str> = roll
        .iter()
        .copied()
        .filter(|path| !seen.contains_key(path))
        .collect();
    if !missing.is_empty() {
        problems.push(format!("no part has these submissions: {}", few(&missing)));
    }
    let strange: Vec<&str> = seen
        .keys()
        .copied()
        .filter(|path| !roll.contains(path))
        .collect();
    if !strange.is_empty() {
        problems.push(format!("these are on nobody's roll: {}", few(&strange)));
    }
}

fn difference(a: &[String], b: &[String]) -> String {
    let only = |a: &[String], b: &[String]| -> Vec<String> {
        let b: BTreeSet<&String> = b.iter().collect();
        a.iter().filter(|path| !b.contains(path)).cloned().collect()
    };
    let both = [only(a, b), only(b, a)].concat();
    let both: Vec<&str> = both.iter().map(String::as_str).collect();
    format!("only one of them has {}", few(&both))
}

fn few(names: &[&str]) -> String {
    const SHOWN: usize = 20;
    match names.len().checked_sub(SHOWN) {
        None | Some(0) => names.join(", "),
        Some(more) => format!("{} and {more} more", names[..SHOWN].join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::gradebook::{Confinement, Section, Shard, Status};
    use crate::model::Points;

    fn submission(path: &str) -> Submission {
        Submission {
            path: path.to_owned(),
            lab: "retention".to_owned(),
            track: "python".to_owned(),
            status: Status::Graded,
            why: None,
            score: Some(Points(5)),
            max_score: Points(10),
            confinement: Confinement::default(),
            steps: Vec::new(),
            probes: Section::default(),
            written: Section::default(),
            predictions: Section::default(),
            millis: 1,
        }
    }

    fn part(number: u32, of: u32, roll: &[&str], paths: &[&str]) -> (String, Gradebook) {
        let book = Gradebook {
            version: VERSION,
            complete: true,
            pack: "p".to_owned(),
            shard: Some(Shard {
                number,
                of,
                roll: roll.iter().map(|path| (*path).to_owned()).collect(),
            }),
            submissions: paths.iter().map(|path| submission(path)).collect(),
        };
        (format!("{number}.json"), book)
    }

    const ROLL: [&str; 3] = ["a", "b", "c"];

    #[test]
    fn every_submission_is_in_one_part_and_the_parts_are_even() {
        let found = |number: usize| Found {
            path: format!("student-{number}"),
            place: PathBuf::new(),
            why_not: None,
            hash: format!("{number:x}"),
        };
        let mut sizes = [0; 4];
        for number in 0..2000 {
            let found = found(number);
            let parts: Vec<u32> = (1..=4)
                .filter(|part| {
                    Part {
                        number: *part,
                        of: 4,
                    }
                    .holds(&found)
                })
                .collect();
            assert_eq!(parts.len(), 1);
            sizes[parts[0] as usize - 1] += 1;
        }
        assert!(
            sizes.iter().all(|size| (400..600).contains(size)),
            "{sizes:?}"
        );
    }

    #[test]
    fn parts_are_read_and_wrong_ones_refused() {
        assert_eq!(Part::parse("2/4"), Ok(Part { number: 2, of: 4 }));
        for wrong in ["0/4", "5/4", "1/0", "1", "a/b", "-1/2"] {
            assert!(Part::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn whole_parts_make_a_class_in_the_order_of_names() {
        let merged = merge(vec![
            part(2, 2, &ROLL, &["b"]),
            part(1, 2, &ROLL, &["a", "c"]),
        ]);
        let merged = merged.unwrap();
        let paths: Vec<&str> = merged.submissions.iter().map(|one| &*one.path).collect();
        assert_eq!(paths, ["a", "b", "c"]);
        assert!(merged.complete && merged.shard.is_none());
    }

    #[test]
    fn what_stands_against_a_merge_is_all_told() {
        let mut other = part(3, 3, &ROLL, &["c"]);
        other.1.pack = "q".to_owned();
        other.1.complete = false;
        let problems = merge(vec![part(1, 3, &ROLL, &["a"]), other]).unwrap_err();
        assert_eq!(
            problems,
            [
                "3.json is not complete: its run was interrupted",
                "3.json was graded with another pack or program than 1.json",
                "of 3 parts, these are missing: 2",
                "no part has these submissions: b",
            ]
        );
    }

    #[test]
    fn doubles_and_other_classes_are_told() {
        let problems = merge(vec![
            part(1, 2, &ROLL, &["a", "b"]),
            part(1, 2, &["a", "b", "d"], &["b", "d"]),
        ])
        .unwrap_err();
        assert_eq!(
            problems,
            [
                "1.json and 1.json are parts of different classes: only one of them has c, d",
                "1.json and 1.json are both part 1 of 2",
                "of 2 parts, these are missing: 2",
                "b is in 1.json and in 1.json",
                "no part has these submissions: c",
                "these are on nobody's roll: d",
            ]
        );
        assert!(merge(Vec::new()).is_err());
    }
}
