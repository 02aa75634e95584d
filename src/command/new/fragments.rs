//! From what was pasted to edits that fit each reference once.

use super::ask::Ask;
use super::fields::text;
use crate::cli::NewMutant;
use crate::command::Exit;
use crate::command::print::{complain, print};
use crate::lab::make::{self, Change, Fit, Spot};
use crate::model::{Edit, Lab, Source, Step, Track};
use crate::mutate;

/// What was pasted, and what helps to place it.
pub struct Pasted {
    changes: Vec<Change>,
    /// Whether they are a diff, which may as well mend a fault as make it.
    is_diff: bool,
    lines: Vec<(Option<Track>, usize)>,
}

/// The edits of each track that has the fragments.
pub type Placed = Vec<(Track, Vec<Edit>)>;

/// Reads the fragments of the command line, or asks for them.
pub fn read(
    arguments: &NewMutant,
    lab: &Lab,
    step: Option<&Step>,
    ask: &mut Ask,
) -> Result<Pasted, Exit> {
    let changes = match &arguments.diff {
        Some(diff) => from_diff(diff, ask),
        None => from_flags(arguments, lab, ask),
    };
    let lines = arguments.line.iter().filter_map(|line| {
        let (track, number) = match line.split_once('=') {
            Some((track, number)) => (Some(track), number),
            None => (None, line.as_str()),
        };
        let track = track.map(|name| track_of(name, lab, "--line", ask));
        match (track, number.trim().parse()) {
            (Some(None), _) => None,
            (track, Ok(number)) => Some((track.flatten(), number)),
            (_, Err(_)) => {
                ask.wrong(&format!("--line: `{number}` is not the number of a line"));
                None
            }
        }
    });
    let lines = lines.collect();
    let is_diff = arguments.diff.is_some();
    let mut pasted = Pasted {
        changes,
        is_diff,
        lines,
    };
    if pasted.changes.is_empty() && !is_diff && no_fragment(arguments) {
        if ask.can() {
            pasted.changes = asked(lab, step, ask)?;
        } else {
            ask.missing("--find and --replace (or --diff)");
        }
    }
    Ok(pasted)
}

const fn no_fragment(arguments: &NewMutant) -> bool {
    arguments.find.is_none()
        && arguments.replace.is_none()
        && arguments.find_in.is_empty()
        && arguments.replace_in.is_empty()
}

fn from_diff(diff: &str, ask: &mut Ask) -> Vec<Change> {
    match text("--diff", diff) {
        Ok(diff) => {
            let changes = make::changes(&diff);
            if changes.is_empty() {
                ask.wrong("--diff: no line begins with `-` or `+`");
            }
            changes
        }
        Err(why) => {
            ask.wrong(&format!("--diff: {why}"));
            Vec::new()
        }
    }
}

fn from_flags(arguments: &NewMutant, lab: &Lab, ask: &mut Ask) -> Vec<Change> {
    let mut changes = Vec::new();
    let all = (arguments.find.as_deref(), arguments.replace.as_deref());
    changes.extend(pair(None, all.0, all.1, ask));
    let finds = by_track("--find-in", &arguments.find_in, lab, ask);
    let replaces = by_track("--replace-in", &arguments.replace_in, lab, ask);
    for source in &lab.sources {
        let of = |list: &[(Track, String)]| {
            let found = list.iter().find(|(track, _)| *track == source.track);
            found.map(|(_, text)| text.clone())
        };
        let (find, replace) = (of(&finds), of(&replaces));
        changes.extend(pair(
            Some(source.track),
            find.as_deref(),
            replace.as_deref(),
            ask,
        ));
    }
    changes
}

fn by_track(flag: &str, given: &[String], lab: &Lab, ask: &mut Ask) -> Vec<(Track, String)> {
    let mut list = Vec::new();
    for one in given {
        match one.split_once('=') {
            Some((track, text)) => {
                list.extend(track_of(track, lab, flag, ask).map(|track| (track, text.to_owned())));
            }
            None => ask.wrong(&format!("{flag}: write it as TRACK=TEXT")),
        }
    }
    list
}

fn track_of(name: &str, lab: &Lab, flag: &str, ask: &mut Ask) -> Option<Track> {
    let track = Track::parse(name).filter(|track| lab.source(*track).is_some());
    if track.is_none() {
        let known: Vec<&str> = lab.sources.iter().map(|source| source.track.id()).collect();
        ask.wrong(&format!(
            "{flag}: lab {} has no track `{name}`; there are: {}",
            lab.id,
            known.join(", ")
        ));
    }
    track
}

/// Makes a change of a fragment and its replacement; half a pair is missing something.
fn pair(
    track: Option<Track>,
    find: Option<&str>,
    replace: Option<&str>,
    ask: &mut Ask,
) -> Option<Change> {
    let flag = |name: &str| match track {
        Some(track) => format!("--{name}-in {track}=TEXT"),
        None => format!("--{name}"),
    };
    let mut read = |name: &str, given: &str| {
        let read = text(&flag(name), given);
        read.map_err(|why| ask.wrong(&format!("{}: {why}", flag(name))))
            .ok()
    };
    match (find, replace) {
        (None, None) => None,
        (Some(""), Some(_)) => {
            ask.wrong(&format!("{}: copy the text to change", flag("find")));
            None
        }
        (Some(find), Some(replace)) => Some(Change {
            track,
            find: read("find", find)?,
            replace: read("replace", replace)?,
        }),
        (Some(_), None) => {
            ask.missing(&flag("replace"));
            None
        }
        (None, Some(_)) => {
            ask.missing(&flag("find"));
            None
        }
    }
}

/// Asks for a fragment until some reference has it, then for the tracks that have it not.
fn asked(lab: &Lab, step: Option<&Step>, ask: &mut Ask) -> Result<Vec<Change>, Exit> {
    let function = step
        .and_then(|step| step.function.as_deref())
        .unwrap_or_default();
    let has = |source: &Source, find: &str| !make::spots(&source.text, find, function).is_empty();
    let find = loop {
        let find = ask.lines("Which fragment of the reference is to change?")?;
        if lab.sources.iter().any(|source| has(source, &find)) {
            break find;
        }
        ask.say("  no reference has it");
        for source in &lab.sources {
            ask.say(&format!("  {}", nearest(source, &find)));
        }
    };
    let replace = ask.lines("What is to stand there instead?")?;
    let mut changes = Vec::new();
    for source in lab.sources.iter().filter(|source| !has(source, &find)) {
        let question = format!(
            "The {} reference has it not. What is its fragment? (nothing leaves the track out)",
            source.track
        );
        let find = ask.lines(&question)?;
        if !find.trim().is_empty() {
            changes.push(Change {
                track: Some(source.track),
                find,
                replace: ask.lines("What is to stand there instead?")?,
            });
        }
    }
    let track = None;
    changes.insert(
        0,
        Change {
            track,
            find,
            replace,
        },
    );
    Ok(changes)
}

fn nearest(source: &Source, find: &str) -> String {
    match make::nearest_line(&source.text, find) {
        Some((line, text)) => format!("{}: the nearest is line {line}: {text}", source.track),
        None => format!("{}: nothing is like it", source.track),
    }
}

impl Pasted {
    /// Finds the place of each fragment in each track, and says where it is.
    pub fn place(&self, lab: &Lab, step: &Step, ask: &mut Ask) -> Result<Placed, Exit> {
        let placed = self.place_all(lab, step, ask)?;
        if !placed.is_empty() {
            return Ok(placed);
        }
        if self.is_diff {
            let turned = Self {
                changes: self.changes.iter().map(turned).collect(),
                is_diff: true,
                lines: self.lines.clone(),
            };
            let placed = turned.place_all(lab, step, ask)?;
            if !placed.is_empty() {
                print("the diff mends the fault, so it is turned round\n")?;
                return Ok(placed);
            }
        }
        complain("no reference has the fragment");
        for source in &lab.sources {
            let find = self.changes.first().map_or("", |change| &change.find);
            eprintln!("  {}", nearest(source, find));
        }
        Err(Exit::Usage)
    }

    fn place_all(&self, lab: &Lab, step: &Step, ask: &mut Ask) -> Result<Placed, Exit> {
        let mut placed = Placed::new();
        for source in &lab.sources {
            if let Some(edits) = self.place_in(source, step, ask)? {
                placed.push((source.track, edits));
            }
        }
        Ok(placed)
    }

    /// Finds the place of each fragment in one reference; none if it lacks one of them.
    fn place_in(
        &self,
        source: &Source,
        step: &Step,
        ask: &mut Ask,
    ) -> Result<Option<Vec<Edit>>, Exit> {
        let own = |change: &&Change| change.track == Some(source.track);
        let has_own = self.changes.iter().any(|change| own(&change));
        let mine = self
            .changes
            .iter()
            .filter(|change| own(change) || (!has_own && change.track.is_none()));
        let mut text = source.text.clone();
        let mut edits = Vec::new();
        for change in mine {
            let (spots, change) =
                spots(&text, change, step.function.as_deref().unwrap_or_default());
            let spot = match spots.len() {
                0 => return Ok(None),
                1 => &spots[0],
                _ => self.choose(source.track, &spots, &text, ask)?,
            };
            let Some(edit) = make::edit(&text, spot, &change.find, &change.replace) else {
                complain("no lines around the fragment occur only once; give a longer one");
                return Err(Exit::Usage);
            };
            print(&where_it_is(source, spot, &text, &edit))?;
            text = mutate::apply(&text, [(edit.find.as_str(), edit.replace.as_str())]).map_err(
                |error| {
                    complain(&error.to_string());
                    Exit::Fault
                },
            )?;
            edits.push(edit);
        }
        Ok((!edits.is_empty()).then_some(edits))
    }

    /// Chooses among several places: by `--line`, or by asking.
    fn choose<'s>(
        &self,
        track: Track,
        spots: &'s [Spot],
        text: &str,
        ask: &mut Ask,
    ) -> Result<&'s Spot, Exit> {
        let named = |spot: &&Spot| {
            let here = |(which, line): &(Option<Track>, usize)| {
                which.is_none_or(|which| which == track) && *line == spot.line
            };
            self.lines.iter().any(here)
        };
        if let Some(spot) = spots.iter().find(named) {
            return Ok(spot);
        }
        let lines: Vec<String> = spots
            .iter()
            .map(|spot| {
                let line = text.lines().nth(spot.line - 1).unwrap_or_default();
                format!("line {}: {}", spot.line, line.trim())
            })
            .collect();
        if ask.can() {
            let question = format!("The {track} reference has it {} times. Which?", spots.len());
            return Ok(&spots[ask.one_of(&question, &lines)?]);
        }
        complain(&format!(
            "the fragment occurs {} times in the {track} reference; name one with --line {track}=LINE, \
             or give a longer fragment",
            spots.len()
        ));
        for line in lines {
            eprintln!("  {line}");
        }
        Err(Exit::Usage)
    }
}

fn turned(change: &Change) -> Change {
    Change {
        track: change.track,
        find: change.replace.clone(),
        replace: change.find.clone(),
    }
}

/// Finds the places of a change, with the signs of a diff taken off if it has them.
fn spots(text: &str, change: &Change, function: &str) -> (Vec<Spot>, Change) {
    let spots = make::spots(text, &change.find, function);
    match make::without_marks(&change.find, &change.replace) {
        Some((find, replace)) if spots.is_empty() => {
            let track = change.track;
            let spots = make::spots(text, &find, function);
            (
                spots,
                Change {
                    track,
                    find,
                    replace,
                },
            )
        }
        _ => (spots, change.clone()),
    }
}

fn where_it_is(source: &Source, spot: &Spot, text: &str, edit: &Edit) -> String {
    let how = match spot.fit {
        Fit::Exact => "",
        Fit::Blanks => ", with the reference's own blanks",
        Fit::Literals => ", across the lines of a literal",
    };
    let longer = if edit.find.len() > text[spot.range.clone()].len() {
        ", with lines around it that make it the only one"
    } else {
        ""
    };
    format!(
        "{}: found at line {} of {}{how}{longer}\n",
        source.track, spot.line, source.file
    )
}
