//! The files that make up a learner's program.

use std::fs;
use std::path::{Path, PathBuf};

use crate::model::{Problem, Track};

use super::inside::{self, bad_path, problem};
use super::{ANSWERS, Engine, JOURNAL, MANIFEST, Manifest, PROBES};

/// A file of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its path inside the folder, with `/` between the parts.
    pub inside: String,
    /// Where it lies.
    pub path: PathBuf,
    /// Its size in bytes.
    pub size: u64,
}

/// The most files of a program.
const MOST: usize = 500;
/// The largest file of a program, in bytes.
const LARGEST: u64 = 4 << 20;
/// The largest program, in bytes.
const LARGEST_ALL: u64 = 16 << 20;
/// How deep folders may lie in one another.
const DEEPEST: usize = 8;

/// What scripts are made of: themselves, and what they hand to the programs that they call.
const SCRIPTS: [&str; 7] = ["sh", "bash", "sql", "py", "awk", "sed", "jq"];

/// Folders in which nothing was written by hand.
const MADE: [&str; 6] = [
    "target",
    "node_modules",
    "__pycache__",
    "venv",
    "dist",
    "build",
];

/// Lists the files of the program, the file under test first, then by path.
///
/// A Rust program is its one file. A Python program is every `.py` file of the folder, since one
/// may import another; scripts may have helpers in the languages that scripts call. Another
/// program is every file but those that are not sources.
pub fn list(root: &Path, manifest: &Manifest) -> Result<Vec<Entry>, Box<Problem>> {
    let mut walk = Walk {
        root,
        extensions: match &manifest.engine {
            Engine::Track(Track::Python) => Some(&["py"]),
            Engine::Track(Track::Shell) => Some(&SCRIPTS),
            _ => None,
        },
        found: Vec::new(),
        bytes: 0,
    };
    if let Some(source) = &manifest.source
        && let Some(path) = inside::file(root, source)?
    {
        walk.keep(source.clone(), path)?;
    }
    if manifest.engine != Engine::Track(Track::Rust) {
        walk.enter(root, "", DEEPEST)?;
    }
    Ok(walk.found)
}

struct Walk<'a> {
    root: &'a Path,
    extensions: Option<&'static [&'static str]>,
    found: Vec<Entry>,
    bytes: u64,
}

impl Walk<'_> {
    fn enter(&mut self, folder: &Path, shown: &str, depth: usize) -> Result<(), Box<Problem>> {
        let Ok(entries) = fs::read_dir(folder) else {
            return Ok(());
        };
        let mut names: Vec<String> = entries
            .flatten()
            // A name that is not text cannot be written into a hand-in.
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| !name.starts_with('.'))
            .collect();
        names.sort();
        for name in names {
            let inside = if shown.is_empty() {
                name.clone()
            } else {
                format!("{shown}/{name}")
            };
            let path = self.root.join(&inside);
            // A link is followed only where the file it leads to is inside.
            let is_folder = path.symlink_metadata().is_ok_and(|data| data.is_dir());
            if is_folder {
                let ours = shown.is_empty() && name == ANSWERS;
                let other = path.join(MANIFEST).exists();
                if depth > 0 && !ours && !other && !MADE.contains(&name.as_str()) {
                    self.enter(&path, &inside, depth - 1)?;
                }
            } else if self.is_source(&inside, shown.is_empty()) {
                self.add(inside)?;
            }
        }
        Ok(())
    }

    fn is_source(&self, inside: &str, top: bool) -> bool {
        if bad_path(inside).is_some() || self.found.iter().any(|known| known.inside == inside) {
            return false;
        }
        let path = Path::new(inside);
        let extension = path.extension().and_then(|extension| extension.to_str());
        match self.extensions {
            Some(wanted) => extension.is_some_and(|extension| wanted.contains(&extension)),
            None => {
                let ours = top && matches!(inside, MANIFEST | PROBES | JOURNAL | "README.md");
                !ours && !matches!(extension, Some("zip" | "db" | "log"))
            }
        }
    }

    fn add(&mut self, inside: String) -> Result<(), Box<Problem>> {
        match inside::file(self.root, &inside)? {
            Some(path) => self.keep(inside, path),
            None => Ok(()),
        }
    }

    fn keep(&mut self, inside: String, path: PathBuf) -> Result<(), Box<Problem>> {
        let size = fs::metadata(&path).map_or(0, |data| data.len());
        self.bytes += size;
        let help = "take out what does not belong to the program";
        let refuse = |title: String| Err(problem("file-too-large", &inside, &title, help));
        if size > LARGEST {
            return refuse(format!(
                "the file has {size} bytes; one has at most {LARGEST}"
            ));
        }
        if self.bytes > LARGEST_ALL {
            return refuse(format!(
                "the program has more than {LARGEST_ALL} bytes with it"
            ));
        }
        if self.found.len() == MOST {
            return refuse(format!("the program has more than {MOST} files with it"));
        }
        self.found.push(Entry { inside, path, size });
        Ok(())
    }
}
