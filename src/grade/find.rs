//! Finds the submissions that a command line names: workspaces, hand-ins, folders of them.
//!
//! It opens none of them. What it cannot make out is a submission too, one that is ungraded: a
//! name that is left out would look like a zero.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::workspace::MANIFEST;

/// How deep a folder of submissions is searched.
const DEEPEST: usize = 4;
/// How many files of a submission its hash looks at, and how large they may be in all, in bytes.
const FILES: usize = 2_000;
const BYTES: u64 = 256 << 20;

/// A submission that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// What it is called in the result: its path from the folder of its class.
    pub path: String,
    /// Where it lies: a folder, or a bundle that is one file.
    pub place: PathBuf,
    /// Why there is nothing to grade, if there is nothing.
    pub why_not: Option<String>,
    /// The hash of all that is in it, in hexadecimal digits.
    pub hash: String,
}

/// Something that a command line names is not there.
#[derive(Debug, thiserror::Error)]
pub enum NotFound {
    /// There is no such path.
    #[error("there is no file or folder named {}; name a workspace, a hand-in, or a folder of them", .0.display())]
    NoPath(PathBuf),
    /// It cannot be looked at.
    #[error("failed to look into {}: {why}", path.display())]
    Unreadable {
        /// The path.
        path: PathBuf,
        /// The system's words.
        why: String,
    },
}

/// Lists all submissions below `paths`, by name, each once.
///
/// # Errors
///
/// Fails when a path is not there at all.
pub fn find(paths: &[PathBuf]) -> Result<Vec<Found>, NotFound> {
    let mut found = Vec::new();
    for path in paths {
        if !path.exists() {
            return Err(NotFound::NoPath(path.clone()));
        }
        // A class of one folder is known by the names in it; several are told apart by theirs.
        let prefix = if paths.len() > 1 {
            shown(path)
        } else {
            String::new()
        };
        find_in(path, &prefix, &mut found)?;
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|one| seen.insert(one.place.clone()));
    Ok(found)
}

fn find_in(path: &Path, prefix: &str, found: &mut Vec<Found>) -> Result<(), NotFound> {
    if is_submission(path) {
        found.push(submission(path, shown(path)));
        return Ok(());
    }
    let unreadable = |error: io::Error| NotFound::Unreadable {
        path: path.to_owned(),
        why: error.to_string(),
    };
    if !path.is_dir() {
        let why = format!("it is neither a folder with {MANIFEST} nor a .zip file of one");
        found.push(nothing(path, shown(path), why));
        return Ok(());
    }
    for entry in entries(path).map_err(unreadable)? {
        let name = join(prefix, &entry);
        let before = found.len();
        search(&entry, &name, DEEPEST, found);
        if found.len() == before && entry.is_dir() {
            let why = format!("there is no {MANIFEST} in it");
            found.push(nothing(&entry, name, why));
        } else if found.len() == before && looks_handed_in(&entry) {
            let why = format!("a submission is a folder with {MANIFEST}, or a .zip file of one");
            found.push(nothing(&entry, name, why));
        }
    }
    Ok(())
}

/// Looks for submissions at `path` and below it.
fn search(path: &Path, name: &str, depth: usize, found: &mut Vec<Found>) {
    // A link may lead anywhere, into the submission of somebody else for one.
    if fs::symlink_metadata(path).is_ok_and(|data| data.is_symlink()) {
        let why = "it is a link; a submission is the thing itself".to_owned();
        found.push(nothing(path, name.to_owned(), why));
    } else if is_submission(path) {
        found.push(submission(path, name.to_owned()));
    } else if depth > 0 && path.is_dir() {
        for entry in entries(path).unwrap_or_default() {
            let is_link = fs::symlink_metadata(&entry).is_ok_and(|data| data.is_symlink());
            if !is_link {
                search(&entry, &join(name, &entry), depth - 1, found);
            }
        }
    }
}

fn is_submission(path: &Path) -> bool {
    let is_bundle = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("zip"));
    (path.is_file() && is_bundle) || path.join(MANIFEST).is_file()
}

/// Tells whether somebody may have meant a file as a submission.
fn looks_handed_in(file: &Path) -> bool {
    let known = ["py", "rs", "sh", "tar", "gz", "tgz", "xz", "7z", "rar"];
    file.extension().is_some_and(|extension| {
        known
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    })
}

fn submission(place: &Path, path: String) -> Found {
    match hash(place) {
        Ok(hash) => Found {
            path,
            place: canonical(place),
            why_not: None,
            hash,
        },
        Err(error) => nothing(place, path, format!("failed to read it: {error}")),
    }
}

fn nothing(place: &Path, path: String, why: String) -> Found {
    Found {
        path,
        place: canonical(place),
        hash: hex(&Sha256::digest(why.as_bytes())),
        why_not: Some(why),
    }
}

fn canonical(place: &Path) -> PathBuf {
    let folder = place.parent().and_then(|parent| parent.canonicalize().ok());
    match (folder, place.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => place.canonicalize().unwrap_or_else(|_| place.to_owned()),
    }
}

/// Lists what is in a folder by name, hidden things left out.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let hidden = path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if !hidden {
            entries.push(path);
        }
    }
    entries.sort();
    Ok(entries)
}

fn join(prefix: &str, path: &Path) -> String {
    let name = spelt(path.file_name().unwrap_or_default());
    if prefix.is_empty() {
        name
    } else {
        format!("{prefix}/{name}")
    }
}

/// Writes a name so that two names differ in the results as well: bytes that are not UTF-8 become
/// `\xE9`.
#[must_use]
pub fn spelt(name: &OsStr) -> String {
    let mut text = String::new();
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02X}");
        }
    }
    text
}

/// Writes a path as it was given, with `/` between its parts and nothing at its end.
fn shown(path: &Path) -> String {
    let parts: Vec<String> = path
        .components()
        .map(|part| spelt(part.as_os_str()))
        .collect();
    parts.join("/").replacen("//", "/", 1)
}

/// Hashes the names and bytes of all files of a submission.
fn hash(place: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    list(place, place, &mut files)?;
    files.sort();
    let mut digest = Sha256::new();
    let mut bytes = 0;
    for (name, path) in &files {
        digest.update((name.len() as u64).to_le_bytes());
        digest.update(name.as_bytes());
        let data = fs::symlink_metadata(path)?;
        digest.update(data.len().to_le_bytes());
        if !data.is_file() {
            continue;
        }
        bytes += data.len();
        if bytes > BYTES {
            return Err(io::Error::other(format!(
                "it has more than {} MiB",
                BYTES >> 20
            )));
        }
        let mut file = fs::File::open(path)?.take(data.len());
        io::copy(&mut file, &mut DigestWriter(&mut digest))?;
    }
    Ok(hex(&digest.finalize()))
}

struct DigestWriter<'a>(&'a mut Sha256);

impl io::Write for DigestWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Lists the files below `path`, links as themselves, with their names from `top`.
fn list(top: &Path, path: &Path, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    if files.len() > FILES {
        return Err(io::Error::other(format!("it has more than {FILES} files")));
    }
    let data = fs::symlink_metadata(path)?;
    if data.is_dir() {
        for entry in fs::read_dir(path)? {
            let entry = entry?.path();
            let is_cache = entry.file_name().is_some_and(|name| {
                matches!(name.to_str(), Some("__pycache__" | "target" | ".git"))
            });
            if !is_cache {
                list(top, &entry, files)?;
            }
        }
    } else {
        let name = path.strip_prefix(top).unwrap_or(path);
        files.push((spelt(name.as_os_str()), path.to_owned()));
    }
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class() -> tempfile::TempDir {
        let class = tempfile::tempdir().unwrap();
        for name in ["anna", "bo/lab", "키 \"q\""] {
            fs::create_dir_all(class.path().join(name)).unwrap();
            fs::write(class.path().join(name).join(MANIFEST), name).unwrap();
        }
        fs::create_dir(class.path().join("empty")).unwrap();
        fs::create_dir(class.path().join(".git")).unwrap();
        fs::write(class.path().join("cy.zip"), "PK").unwrap();
        fs::write(class.path().join("dee.py"), "def purge(): pass").unwrap();
        fs::write(class.path().join("notes.txt"), "no submission").unwrap();
        class
    }

    fn names(found: &[Found]) -> Vec<(&str, bool)> {
        found
            .iter()
            .map(|one| (one.path.as_str(), one.why_not.is_none()))
            .collect()
    }

    #[test]
    fn a_class_is_searched_and_nobody_is_left_out() {
        let class = class();
        let found = find(&[class.path().to_owned()]).unwrap();
        assert_eq!(
            names(&found),
            [
                ("anna", true),
                ("bo/lab", true),
                ("cy.zip", true),
                ("dee.py", false),
                ("empty", false),
                ("키 \"q\"", true)
            ]
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn names_that_are_not_utf8_stay_apart() {
        use std::os::unix::ffi::OsStrExt as _;
        let class = tempfile::tempdir().unwrap();
        for name in [b"s\xe8", b"s\xe9"] {
            let folder = class.path().join(OsStr::from_bytes(name));
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join(MANIFEST), "").unwrap();
        }
        let found = find(&[class.path().to_owned()]).unwrap();
        assert_eq!(names(&found), [("s\\xE8", true), ("s\\xE9", true)]);
    }

    #[test]
    fn a_submission_named_twice_is_graded_once() {
        let class = class();
        let anna = class.path().join("anna");
        let found = find(&[anna.clone(), class.path().join(".").join("anna"), anna]).unwrap();
        assert_eq!(found.len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_somebody_else_is_not_followed() {
        let class = class();
        std::os::unix::fs::symlink(class.path().join("anna"), class.path().join("thief")).unwrap();
        let found = find(&[class.path().to_owned()]).unwrap();
        let thief = found.iter().find(|one| one.path == "thief").unwrap();
        assert!(thief.why_not.as_ref().unwrap().contains("link"));
        assert_eq!(found.iter().filter(|one| one.path == "anna").count(), 1);
    }

    #[test]
    fn the_hash_tells_any_change_of_name_or_byte() {
        let class = class();
        let hash = |found: Vec<Found>| found[0].hash.clone();
        let anna = class.path().join("anna");
        let first = hash(find(std::slice::from_ref(&anna)).unwrap());
        assert_eq!(first, hash(find(std::slice::from_ref(&anna)).unwrap()));
        fs::write(anna.join("a.py"), "x").unwrap();
        let second = hash(find(std::slice::from_ref(&anna)).unwrap());
        fs::rename(anna.join("a.py"), anna.join("b.py")).unwrap();
        let third = hash(find(&[anna]).unwrap());
        assert!(first != second && second != third);
    }

    #[test]
    fn a_path_that_is_not_there_is_an_error() {
        assert!(find(&[PathBuf::from("no such folder")]).is_err());
    }
}
