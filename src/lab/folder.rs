//! Where a learner's own folder is, and how a new one is made: the same for `start`, the screen
//! and the plain lines. Nothing that is there is changed, and nothing is run.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::model::{Lab, Track};
use crate::run::track;
use crate::workspace::{self, NewFile, OpenError, Purpose, Workspace};

/// What there is of a learner's own folder for a lab.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
pub enum Found {
    /// It is there.
    There(Workspace),
    /// It is not; a new one would lie here.
    Nothing(PathBuf),
    /// There is one that cannot be used as it is.
    Broken(OpenError),
}

/// Names the folder that is made for a lab.
#[must_use]
pub fn folder_name(lab: &str, purpose: Purpose) -> String {
    match purpose {
        Purpose::Write => lab.to_owned(),
        Purpose::Break => format!("{lab}-break"),
    }
}

/// Looks for the folder of a lab: the one that `here` lies in, or one of the usual name in `here`.
///
/// In the folder of another lab the place is beside that folder, not inside.
#[must_use]
pub fn find_folder(here: &Path, lab: &str, purpose: Purpose) -> Found {
    let name = folder_name(lab, purpose);
    let beside = match Workspace::find(here) {
        Ok(around) if is_for(&around, lab, purpose) => return Found::There(around),
        Ok(around) => around.root().parent().map(Path::to_owned),
        Err(OpenError::NoManifest(_)) => None,
        Err(error) => return Found::Broken(error),
    };
    let folder = beside.unwrap_or_else(|| here.to_owned()).join(name);
    match Workspace::open(&folder) {
        Ok(there) if is_for(&there, lab, purpose) => Found::There(there),
        Ok(_) | Err(OpenError::NoManifest(_)) => Found::Nothing(folder),
        Err(error) => Found::Broken(error),
    }
}

fn is_for(workspace: &Workspace, lab: &str, purpose: Purpose) -> bool {
    let manifest = workspace.manifest();
    manifest.lab == lab && manifest.purpose == purpose
}

/// Lists the files of a new folder, those for an editor among them; none if the lab has nothing to
/// begin with in the track.
#[must_use]
pub fn folder_files(
    lab: &Lab,
    track: Track,
    purpose: Purpose,
    source: &str,
) -> Option<Vec<NewFile>> {
    let begin = match purpose {
        Purpose::Write => {
            let mut starters = lab.starters.iter();
            starters.find(|starter| starter.track == track)
        }
        Purpose::Break => lab.source(track),
    }?;
    let mut files = workspace::files(lab, track, purpose, source, &begin.text);
    if track == Track::Shell {
        // The scripts of the source, each a file of its own.
        files.retain(|file| file.inside != source);
        let scripts = track::shell::scripts(&begin.text).into_iter();
        files.extend(scripts.map(|(inside, text)| NewFile { inside, text }));
    }
    // The editor's files stand beside a source at the top only.
    if track == Track::Rust && !source.contains('/') {
        let beside = track::rust::for_editor(source).into_iter();
        files.extend(beside.map(|(inside, text)| NewFile { inside, text }));
    }
    Some(files)
}

/// Reads what a learner wrote as one text, in the form of the lab's own source.
///
/// # Errors
///
/// Fails when it cannot be read.
pub fn written_text(workspace: &Workspace, lab: &Lab) -> io::Result<String> {
    let read = |path: &Path| Ok::<_, io::Error>(fs::read_to_string(path)?.replace("\r\n", "\n"));
    let path = workspace.source().ok().flatten().unwrap_or_default();
    let (Some(Track::Shell), Some(reference)) = (
        workspace.manifest().engine.track(),
        lab.source(Track::Shell),
    ) else {
        return read(&path);
    };
    let mut scripts = track::shell::scripts(&reference.text);
    for (name, text) in &mut scripts {
        *text = read(&workspace.root().join(&*name))?;
    }
    Ok(track::shell::source(&scripts))
}

/// Makes the folder of a lab, or what is missing of it.
///
/// # Errors
///
/// Says why it cannot be made.
pub fn make_folder(
    folder: &Path,
    lab: &Lab,
    track: Track,
    purpose: Purpose,
) -> Result<Workspace, String> {
    let name = folder.display();
    if folder.exists() && !folder.is_dir() {
        return Err(format!("{name} is there and is no folder"));
    }
    if let Ok(other) = Workspace::open(folder)
        && !is_for(&other, &lab.id, purpose)
    {
        return Err(format!("{name} is the folder of something else"));
    }
    let source = workspace::usual_name(&lab.id, track);
    let files = folder_files(lab, track, purpose, &source)
        .ok_or_else(|| format!("lab {} has nothing to begin with in {track}", lab.id))?;
    workspace::lay(folder, &files).map_err(|(file, error)| {
        let path = folder.join(file);
        format!("failed to write {}: {error}", path.display())
    })?;
    Workspace::open(folder).map_err(|error| error.to_string())
}

/// Says what is missing on this machine for code of a learner's own in a track, if anything is.
#[must_use]
pub fn folder_needs(lab: &Lab, track: Track) -> Option<String> {
    // What a learner writes is none of the sources that are compiled into the program.
    let missing = match track {
        Track::Rust => track::missing(track, ""),
        other => track::missing(other, &lab.source(other)?.text),
    };
    missing.map(|missing| missing.why)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lab() -> Lab {
        let pack = crate::pack::shipped().unwrap();
        pack.lab("retention").unwrap().clone()
    }

    #[test]
    fn a_new_folder_is_found_from_above_and_from_below() {
        let place = tempfile::tempdir().unwrap();
        let (here, lab) = (place.path(), lab());
        let Found::Nothing(folder) = find_folder(here, &lab.id, Purpose::Write) else {
            panic!("there is nothing yet");
        };
        assert_eq!(folder, here.join("retention"));
        make_folder(&folder, &lab, Track::Python, Purpose::Write).unwrap();
        for from in [here.to_owned(), folder.clone(), folder.join("answers")] {
            let found = find_folder(&from, &lab.id, Purpose::Write);
            let Found::There(there) = found else {
                panic!("{found:?}");
            };
            assert_eq!(there.root(), folder);
        }
    }

    #[test]
    fn a_folder_of_another_purpose_lies_beside_the_first() {
        let place = tempfile::tempdir().unwrap();
        let lab = lab();
        let own = place.path().join("retention");
        make_folder(&own, &lab, Track::Python, Purpose::Write).unwrap();
        let found = find_folder(&own, &lab.id, Purpose::Break);
        assert!(
            matches!(&found, Found::Nothing(folder) if *folder == place.path().join("retention-break")),
            "{found:?}"
        );
    }

    #[test]
    fn what_is_in_the_way_is_told_and_stays() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("retention");
        fs::write(&file, "mine").unwrap();
        let error = make_folder(&file, &lab(), Track::Python, Purpose::Write).unwrap_err();
        assert!(error.ends_with("is there and is no folder"), "{error}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    }

    #[test]
    fn a_manifest_with_a_mistake_is_no_reason_to_make_another() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("retention");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("idemlab.yaml"), "lab: [").unwrap();
        let found = find_folder(place.path(), "retention", Purpose::Write);
        assert!(matches!(found, Found::Broken(OpenError::Problems(_))));
    }
}
