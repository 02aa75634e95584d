//! Files inside a folder that somebody else filled: no way out of it, no size without a limit.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::model::Problem;

/// Finds a file by its path inside a folder; nothing if there is none.
///
/// # Errors
///
/// Refuses a path or a link that leads out, and what is no plain file.
pub fn file(root: &Path, inside: &str) -> Result<Option<PathBuf>, Box<Problem>> {
    if let Some(why) = bad_path(inside) {
        let help = "write the path inside the folder, with `/` between its parts";
        return Err(problem("bad-path", inside, why, help));
    }
    let path = root.join(inside);
    let unreadable = |error: &io::Error| {
        let title = format!("failed to read the file: {error}");
        problem("file-unreadable", inside, &title, "check its permissions")
    };
    let top = match root.canonicalize() {
        Ok(top) => top,
        Err(error) if is_missing(&error) => return Ok(None),
        Err(error) => return Err(unreadable(&error)),
    };
    match path.canonicalize() {
        Ok(real) if !real.starts_with(&top) => {
            let help = "copy the file into the folder";
            let title = "this link leads out of the folder";
            return Err(problem("file-outside", inside, title, help));
        }
        Ok(_) => {}
        // A link to nowhere is as good as no file; so is a file where a folder should be.
        Err(error) if is_missing(&error) => return Ok(None),
        Err(error) => return Err(unreadable(&error)),
    }
    let data = fs::metadata(&path).map_err(|error| unreadable(&error))?;
    if !data.is_file() {
        // To read a pipe would be to wait for whoever writes into it.
        let help = "put a file there";
        return Err(problem("file-unreadable", inside, "this is no file", help));
    }
    Ok(Some(path))
}

fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// Reads a file of at most `largest` bytes; nothing if there is none.
///
/// # Errors
///
/// As [`file`], and refuses what is larger.
pub fn read(root: &Path, inside: &str, largest: u64) -> Result<Option<Vec<u8>>, Box<Problem>> {
    let Some(path) = file(root, inside)? else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    let reading = File::open(path).and_then(|file| file.take(largest + 1).read_to_end(&mut bytes));
    match reading {
        Ok(_) if bytes.len() as u64 > largest => {
            let title = format!("the file has more than {largest} bytes");
            let help = "split it, or take out what does not belong";
            Err(problem("file-too-large", inside, &title, help))
        }
        Ok(_) => Ok(Some(bytes)),
        Err(error) => {
            let title = format!("failed to read the file: {error}");
            Err(problem(
                "file-unreadable",
                inside,
                &title,
                "check its permissions",
            ))
        }
    }
}

/// Tells why a path does not stay inside a folder on every machine, if it does not.
pub fn bad_path(inside: &str) -> Option<&'static str> {
    if inside.is_empty() {
        return Some("the path is empty");
    }
    if inside.len() > 400 {
        return Some("the path is too long");
    }
    if inside.starts_with(['/', '\\']) || inside.chars().nth(1) == Some(':') {
        return Some("the path is absolute");
    }
    let odd = |sign: char| {
        sign.is_control() || matches!(sign, '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|')
    };
    if inside.contains(odd) {
        return Some("the path has a character that not every system allows in names");
    }
    let parts = inside.split('/');
    for part in parts {
        match part {
            ".." => return Some("the path leads out of the folder"),
            "" | "." => return Some("the path has an empty part"),
            _ => {}
        }
    }
    None
}

/// Makes a problem of a whole file.
pub fn problem(id: &'static str, file: &str, title: &str, help: &str) -> Box<Problem> {
    Box::new(Problem::whole_file(id, file, title, help))
}
