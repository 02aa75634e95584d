//! What a hand-in is made of: the learner's own files, by name, and nothing else.

use crate::model::{Lab, Problem};

use super::answers::places;
use super::inside::read;
use super::{JOURNAL, Journal, LARGEST, MANIFEST, PROBES, Workspace};

/// A file of a hand-in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundled {
    /// Its path inside the hand-in, with `/` between the parts.
    pub inside: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Collects the files of a hand-in, by path: program, own tests, answers, records, journal, manifest.
///
/// The journal is the one that is given. A file of it in the folder counts only where the given
/// one says nothing: on another machine than that of the predictions.
///
/// # Errors
///
/// Says which file cannot be used.
pub fn bundle(
    workspace: &Workspace,
    lab: &Lab,
    journal: &Journal,
) -> Result<Vec<Bundled>, Box<Problem>> {
    let root = workspace.root();
    let mut files = Vec::new();
    let mut add = |inside: &str, largest: u64| -> Result<(), Box<Problem>> {
        if let Some(bytes) = read(root, inside, largest)? {
            let inside = inside.to_owned();
            files.push(Bundled { inside, bytes });
        }
        Ok(())
    };
    for source in workspace.sources()? {
        add(&source.inside, source.size.max(LARGEST))?;
    }
    for ours in [MANIFEST, PROBES] {
        add(ours, LARGEST)?;
    }
    for task in &lab.tasks {
        for place in places(&task.id) {
            add(&place, LARGEST)?;
        }
    }
    for record in lab
        .grading()
        .records_in(workspace.manifest().engine.track())
    {
        add(&record.file, LARGEST)?;
    }
    if journal.predictions.is_empty() && workspace.journal()?.is_some() {
        add(JOURNAL, LARGEST)?;
    } else {
        files.push(Bundled {
            inside: JOURNAL.to_owned(),
            bytes: journal.text().into_bytes(),
        });
    }
    files.sort_by(|a, b| a.inside.cmp(&b.inside));
    files.dedup_by(|a, b| a.inside == b.inside);
    Ok(files)
}
