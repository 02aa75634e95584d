//! Copies the shipped pack into a folder, so that it can be changed there.

use std::fs;
use std::path::Path;

use super::file::{FileError, create, failed};
use crate::pack::{self, PackFile, SchemaKind};

/// Copies the shipped mutants and exercises below `folder`; what is there already stays.
///
/// The exercises appear all at once and last, because a pack with exercises replaces the shipped
/// one, and its mutants with it.
///
/// # Errors
///
/// Fails when a file cannot be written.
pub fn copy_shipped(folder: &Path) -> Result<usize, FileError> {
    let files = pack::shipped_files();
    for kind in SchemaKind::OF_A_PACK {
        unless_there(&folder.join("schema").join(kind.file_name()), &kind.text())?;
    }
    let (exercises, mutants): (Vec<&PackFile>, Vec<&PackFile>) = files
        .iter()
        .partition(|file| file.path.starts_with("exercises/"));
    for file in mutants {
        unless_there(&folder.join(&file.path), &with_own_schema(&file.text))?;
    }
    let whole = |why| failed(folder, why);
    let part = tempfile::tempdir_in(folder).map_err(whole)?;
    for file in exercises {
        create(&part.path().join(&file.path), &with_own_schema(&file.text))?;
    }
    fs::rename(part.path().join("exercises"), folder.join("exercises")).map_err(whole)?;
    Ok(files.len())
}

fn unless_there(path: &Path, text: &str) -> Result<(), FileError> {
    match create(path, text) {
        Err(FileError::There(_)) => Ok(()),
        other => other,
    }
}

/// Lets the first line name the schema that lies in the pack.
fn with_own_schema(text: &str) -> String {
    match text.split_once('\n') {
        Some((first, rest)) if first.starts_with("# yaml-language-server:") => {
            format!("{}\n{rest}", first.replace("book/src/schema/", "schema/"))
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copy_is_the_shipped_pack() {
        let folder = tempfile::tempdir().unwrap();
        let mine = folder
            .path()
            .join("mutants/retention/reserve-replaces.yaml");
        create(&mine, "mine\n").unwrap();
        copy_shipped(folder.path()).unwrap();
        assert_eq!(fs::read_to_string(&mine).unwrap(), "mine\n");
        fs::remove_file(&mine).unwrap();
        let shipped = pack::shipped().unwrap();
        let copied = pack::load(folder.path()).unwrap();
        assert_eq!(copied.labs[0].tests, shipped.labs[0].tests);
        assert_eq!(
            copied.labs[0].mutants.len() + 1,
            shipped.labs[0].mutants.len()
        );
        assert!(folder.path().join("schema/lab.schema.json").is_file());
    }
}
