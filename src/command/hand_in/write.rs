//! Where a hand-in is written, and what it may replace: an earlier hand-in of the same lab.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::command::Exit;
use crate::command::print::complain;
use crate::model::Lab;
use crate::report::hand_in::Written;
use crate::workspace::{self, Bundled, Workspace, new_file};

/// Where a hand-in goes.
pub enum Target {
    /// One zip file.
    File(PathBuf),
    /// A folder.
    Folder(PathBuf),
}

impl Target {
    /// Returns the path as it was given.
    pub fn shown(&self) -> String {
        match self {
            Self::File(path) | Self::Folder(path) => path.display().to_string(),
        }
    }
}

/// Chooses where it goes: where that is said, else into one file in the workspace.
pub fn target(workspace: &Workspace, lab: &Lab, to: Option<&Path>) -> Target {
    match to {
        Some(path) if path.extension().is_some_and(|extension| extension == "zip") => {
            Target::File(path.to_owned())
        }
        Some(path) => Target::Folder(path.to_owned()),
        None => {
            let name = format!("{}-hand-in.zip", lab.id);
            let here = std::env::current_dir().is_ok_and(|here| here == workspace.root());
            Target::File(if here {
                PathBuf::from(name)
            } else {
                workspace.root().join(name)
            })
        }
    }
}

/// Writes the files.
pub fn write(
    workspace: &Workspace,
    lab: &Lab,
    target: &Target,
    files: &[Bundled],
) -> Result<Written, Exit> {
    match target {
        Target::File(path) => to_file(lab, path, files),
        Target::Folder(path) => to_folder(workspace, lab, path, files),
    }
}

fn refuse(path: &Path, why: &str) -> Exit {
    complain(&format!("{} {why}; nothing was written", path.display()));
    Exit::Usage
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> Exit {
    complain(&format!("failed to write {}: {error}", path.display()));
    Exit::Fault
}

fn to_file(lab: &Lab, path: &Path, files: &[Bundled]) -> Result<Written, Exit> {
    let bytes = workspace::zipped(files).map_err(|error| failed(path, &error))?;
    let written = if path.symlink_metadata().is_err() {
        Written::New
    } else if fs::read(path).is_ok_and(|there| there == bytes) {
        return Ok(Written::Same);
    } else if is_hand_in(lab, path) {
        Written::Again
    } else {
        return Err(refuse(path, "is there and is no hand-in of this lab"));
    };
    save(path, &bytes).map_err(|error| failed(path, &error))?;
    Ok(written)
}

/// Tells whether an earlier hand-in lies there.
fn is_hand_in(lab: &Lab, path: &Path) -> bool {
    let Ok(place) = tempfile::tempdir() else {
        return false;
    };
    let there = workspace::unpack(path, place.path());
    there.is_ok_and(|there| there.manifest().lab == lab.id)
}

fn save(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    fs::create_dir_all(folder)?;
    let mut part = new_file(folder)?;
    part.write_all(bytes)?;
    part.persist(path)?;
    Ok(())
}

fn to_folder(
    workspace: &Workspace,
    lab: &Lab,
    path: &Path,
    files: &[Bundled],
) -> Result<Written, Exit> {
    if path.symlink_metadata().is_ok() && !path.is_dir() {
        return Err(refuse(path, "is there and is no folder"));
    }
    let same = |a: &Path, b: &Path| {
        a.canonicalize()
            .ok()
            .zip(b.canonicalize().ok())
            .is_some_and(|(a, b)| a == b)
    };
    if same(path, workspace.root()) {
        return Err(refuse(path, "is the folder that you work in"));
    }
    let there = below(path, "").map_err(|error| failed(path, &error))?;
    if !there.is_empty() {
        let earlier = Workspace::open(path);
        if !earlier.is_ok_and(|earlier| earlier.manifest().lab == lab.id) {
            return Err(refuse(
                path,
                "has other files in it and is no hand-in of this lab",
            ));
        }
        let stray = there
            .iter()
            .find(|there| !files.iter().any(|file| file.inside == **there));
        if let Some(stray) = stray {
            let why = format!("has a file {stray}, which is not in this hand-in");
            return Err(refuse(path, &why));
        }
    }
    let is_there =
        |file: &Bundled| fs::read(path.join(&file.inside)).is_ok_and(|bytes| bytes == file.bytes);
    if files.iter().all(is_there) {
        return Ok(Written::Same);
    }
    for file in files {
        let file_path = path.join(&file.inside);
        save(&file_path, &file.bytes).map_err(|error| failed(&file_path, &error))?;
    }
    Ok(if there.is_empty() {
        Written::New
    } else {
        Written::Again
    })
}

/// Lists the files below a folder; none if there is no such folder.
fn below(folder: &Path, shown: &str) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let inside = if shown.is_empty() {
            name
        } else {
            format!("{shown}/{name}")
        };
        if entry.file_type()?.is_dir() {
            files.extend(below(&entry.path(), &inside)?);
        } else {
            files.push(inside);
        }
    }
    Ok(files)
}
