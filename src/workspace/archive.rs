//! Hand-ins as one zip file: opened with limits on everything, into a folder that is given, and
//! written so that the same files give the same bytes everywhere.
//!
//! The only user of the zip library. Whatever the archive says of itself is checked
//! against what comes out of it; nothing is written outside the folder or over another file.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Cursor, Read as _, Write as _};
use std::path::{Path, PathBuf};

use zip::read::ZipFile;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use crate::model::Problem;

use super::inside::{bad_path, problem};
use super::{Bundled, MANIFEST, OpenError, Workspace};

/// The largest archive that is opened, in bytes.
pub const LARGEST_ARCHIVE: u64 = 16 << 20;
/// The most entries of an archive.
const MOST: usize = 1000;
/// The largest file in it, in bytes.
const LARGEST: u64 = 4 << 20;
/// The largest sum of all files in it, in bytes.
const LARGEST_ALL: u64 = 32 << 20;
/// The most folders in one another.
const DEEPEST: usize = 16;

/// Opens a hand-in that is one zip file: its files are written below `into`, an empty folder.
///
/// The manifest lies at the top of the archive, or in its only folder.
///
/// # Errors
///
/// Says what is wrong with the archive or with its manifest. What was written by then stays in
/// `into`.
pub fn unpack(file: &Path, into: &Path) -> Result<Workspace, OpenError> {
    let name = file
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let unpacking = Unpacking {
        name: &name,
        into,
        seen: BTreeSet::new(),
        left: LARGEST_ALL,
    };
    let refused = |problem: Box<Problem>| OpenError::Problems(vec![*problem]);
    unpacking.all(file).map_err(refused)?;
    Workspace::open(&top(into)).map_err(|error| match error {
        OpenError::NoManifest(_) => OpenError::NoManifest(file.to_owned()),
        problems @ OpenError::Problems(_) => problems,
    })
}

/// Writes files as one zip file, in their order.
///
/// They are stored as they are: what a compressor makes of them may differ from machine to
/// machine, and there is little to gain.
///
/// # Errors
///
/// Fails when a name or a size is none that a zip file can hold.
pub fn zipped(files: &[Bundled]) -> Result<Vec<u8>, String> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for file in files {
        zip.start_file(file.inside.as_str(), options)
            .map_err(|error| error.to_string())?;
        zip.write_all(&file.bytes)
            .map_err(|error| error.to_string())?;
    }
    let bytes = zip.finish().map_err(|error| error.to_string())?;
    Ok(bytes.into_inner())
}

/// Finds the folder of the manifest: people zip a folder as often as what is in it.
fn top(into: &Path) -> PathBuf {
    if into.join(MANIFEST).exists() {
        return into.to_owned();
    }
    let folders = fs::read_dir(into).into_iter().flatten().flatten();
    let folders: Vec<PathBuf> = folders
        .filter(|entry| entry.file_name() != "__MACOSX")
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    match &folders[..] {
        [only] => only.clone(),
        _ => into.to_owned(),
    }
}

struct Unpacking<'a> {
    name: &'a str,
    into: &'a Path,
    /// What was written, without regard to case: some systems have none.
    seen: BTreeSet<String>,
    left: u64,
}

impl Unpacking<'_> {
    fn refuse(&self, title: &str) -> Box<Problem> {
        let help = "make it with `idemlab hand-in`, or hand in the folder";
        problem("bad-archive", self.name, title, help)
    }

    fn all(mut self, file: &Path) -> Result<(), Box<Problem>> {
        let unreadable = |error: &dyn std::fmt::Display| {
            self.refuse(&format!("failed to read the archive: {error}"))
        };
        let data = fs::metadata(file).map_err(|error| unreadable(&error))?;
        if !data.is_file() {
            return Err(self.refuse("this is no file"));
        }
        if data.len() > LARGEST_ARCHIVE {
            let title = format!("the archive has more than {LARGEST_ARCHIVE} bytes");
            return Err(self.refuse(&title));
        }
        let opened = File::open(file).map_err(|error| unreadable(&error))?;
        let mut archive = ZipArchive::new(opened).map_err(|error| unreadable(&error))?;
        if archive.len() > MOST {
            let title = format!("the archive has more than {MOST} files");
            return Err(self.refuse(&title));
        }
        for place in 0..archive.len() {
            let entry = archive.by_index(place).map_err(|error| {
                self.refuse(&format!("failed to read entry {}: {error}", place + 1))
            })?;
            self.entry(entry)?;
        }
        Ok(())
    }

    fn entry<R: std::io::Read>(&mut self, mut entry: ZipFile<'_, R>) -> Result<(), Box<Problem>> {
        let Ok(name) = std::str::from_utf8(entry.name_raw()).map(str::to_owned) else {
            return Err(self.refuse("the archive has a file whose name is not UTF-8"));
        };
        let shown: String = name.escape_debug().take(80).collect();
        let is_folder = entry.is_dir() || name.ends_with('/');
        let inside = name.trim_end_matches('/');
        if let Some(why) = bad_path(inside) {
            return Err(self.refuse(&format!("`{shown}` in the archive: {why}")));
        }
        let mode = entry.unix_mode().map_or(0, |mode| mode & 0o170_000);
        let plain = matches!(mode, 0 | 0o100_000) || (is_folder && mode == 0o040_000);
        if entry.is_symlink() || !plain {
            let title = format!("`{shown}` in the archive is a link or a device");
            return Err(self.refuse(&title));
        }
        if inside.split('/').count() > DEEPEST {
            return Err(self.refuse(&format!("`{shown}` in the archive lies too deep")));
        }
        let path = self.into.join(inside);
        let failed = |error: std::io::Error| {
            let title = format!("failed to write `{shown}` of the archive: {error}");
            problem(
                "bad-archive",
                self.name,
                &title,
                "look at the room on the disk",
            )
        };
        if is_folder {
            return fs::create_dir_all(path).map_err(failed);
        }
        if !self.seen.insert(inside.to_lowercase()) {
            return Err(self.refuse(&format!("`{shown}` is in the archive twice")));
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let mut bytes = Vec::new();
        let most = LARGEST.min(self.left);
        // What it says of its size is not believed.
        let reading = entry.by_ref().take(most + 1).read_to_end(&mut bytes);
        reading.map_err(|error| {
            self.refuse(&format!("failed to read `{shown}` of the archive: {error}"))
        })?;
        let size = bytes.len() as u64;
        if size > LARGEST {
            let title = format!("`{shown}` in the archive has more than {LARGEST} bytes");
            return Err(self.refuse(&title));
        }
        if size > self.left {
            let title = format!("the archive holds more than {LARGEST_ALL} bytes");
            return Err(self.refuse(&title));
        }
        self.left -= size;
        let mut file = File::create_new(path).map_err(failed)?;
        file.write_all(&bytes).map_err(failed)
    }
}
