//! Writes files of a pack: whole or not at all, and never over one that is there.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::pack;

/// Why a file could not be written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// There is one already.
    #[error("there is a file {} already; nothing was written over it", .0.display())]
    There(PathBuf),
    /// The machine does not let it be written.
    #[error("failed to write {}: {why}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: io::Error,
    },
}

/// Makes a new file, and the folders above it.
///
/// # Errors
///
/// Fails when there is a file of that name, or it cannot be written; nothing is left then.
pub fn create(path: &Path, text: &str) -> Result<(), FileError> {
    let part = part(path, text)?;
    part.persist_noclobber(path)
        .map(|_| ())
        .map_err(|error| match error.error.kind() {
            io::ErrorKind::AlreadyExists => FileError::There(path.to_owned()),
            _ => failed(path, error.error),
        })
}

/// Adds text at the end of a file, or makes it with `header` at its top.
///
/// # Errors
///
/// Fails when the file cannot be read or written; then it is as before.
pub fn append(path: &Path, header: &str, text: &str) -> Result<(), FileError> {
    let before = match fs::read_to_string(path) {
        Ok(before) => format!("{}\n\n", before.trim_end()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => header.to_owned(),
        Err(error) => return Err(failed(path, error)),
    };
    let part = part(path, &format!("{before}{text}"))?;
    part.persist(path)
        .map(|_| ())
        .map_err(|error| failed(path, error.error))
}

/// Writes a text beside the file that it is to become.
fn part(path: &Path, text: &str) -> Result<NamedTempFile, FileError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let made = fs::create_dir_all(folder).and_then(|()| {
        let mut part = builder().tempfile_in(folder)?;
        part.write_all(text.as_bytes())?;
        part.as_file().sync_all()?;
        Ok(part)
    });
    made.map_err(|error| failed(path, error))
}

/// A file that others may read as well, as any other file of a pack.
#[cfg(unix)]
fn builder() -> Builder<'static, 'static> {
    use std::os::unix::fs::PermissionsExt as _;
    let mut builder = Builder::new();
    builder.permissions(fs::Permissions::from_mode(0o666));
    builder
}

/// A file has no permissions of its own.
#[cfg(not(unix))]
fn builder() -> Builder<'static, 'static> {
    Builder::new()
}

pub(super) fn failed(path: &Path, why: io::Error) -> FileError {
    FileError::Write {
        path: path.to_owned(),
        why,
    }
}

/// Finds the schema for the files of a pack: that of the project, or else the pack's own, which
/// is written if it is not there. Returns its way from a file of the pack, `up` leading to the
/// pack's folder, and the path in the pack of what was written.
///
/// # Errors
///
/// Fails when it cannot be written.
pub fn schema(
    pack: &Path,
    kind: pack::SchemaKind,
    up: &str,
) -> Result<(String, Option<String>), FileError> {
    let name = kind.file_name();
    if pack.join("book/src/schema").join(name).is_file() {
        return Ok((format!("{up}book/src/schema/{name}"), None));
    }
    let own = format!("schema/{name}");
    let file = pack.join(&own);
    let written = !file.is_file();
    if written {
        create(&file, &kind.text())?;
    }
    Ok((format!("{up}{own}"), written.then_some(own)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_never_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b.yaml");
        create(&path, "one\n").unwrap();
        let error = create(&path, "two\n").unwrap_err();
        assert!(matches!(error, FileError::There(_)), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\n");
        // Nothing is left of the second try.
        assert_eq!(fs::read_dir(folder.path().join("a")).unwrap().count(), 1);
    }

    #[test]
    fn text_is_added_below_what_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.yaml");
        append(&path, "# top\n", "- a\n").unwrap();
        append(&path, "# top\n", "- b\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "# top\n- a\n\n- b\n");
    }

    #[test]
    fn a_file_that_cannot_be_made_is_told() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), "a file").unwrap();
        let error = create(&folder.path().join("a/b.yaml"), "x").unwrap_err();
        assert!(error.to_string().starts_with("failed to write "), "{error}");
    }
}
