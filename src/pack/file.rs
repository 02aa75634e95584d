//! Files of a pack folder: found, read and made safe for both YAML parsers.

use std::fs;
use std::path::{Path, PathBuf};

use crate::model::Problem;

/// A file of a pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackFile {
    /// Its path inside the pack, with `/` between the parts.
    pub path: String,
    /// Its text, without a byte order mark and with `\n` at the ends of lines.
    pub text: String,
    /// What it says, as JSON, if it was proved before it was compiled in.
    pub proved: Option<&'static str>,
}

impl PackFile {
    /// A file of which nothing is known yet.
    #[must_use]
    pub const fn new(path: String, text: String) -> Self {
        Self {
            path,
            text,
            proved: None,
        }
    }
}

/// The largest file that a pack may have, in bytes.
const LARGEST: u64 = 1 << 20;
/// How deep folders may lie in one another.
const DEEPEST: usize = 8;

/// Reads the files below `exercises/` and `mutants/` of a folder, with what is wrong with them.
pub fn read_folder(folder: &Path) -> (Vec<PackFile>, Vec<Problem>) {
    let mut reader = Reader {
        top: folder.canonicalize().unwrap_or_else(|_| folder.to_owned()),
        files: Vec::new(),
        problems: Vec::new(),
    };
    for part in ["exercises", "mutants"] {
        reader.enter(&folder.join(part), part, DEEPEST);
    }
    if reader.files.is_empty() && reader.problems.is_empty() {
        reader.problems.push(Problem::whole_file(
            "no-pack",
            &folder.display().to_string(),
            "this folder is not a pack: it has neither exercises/ nor mutants/ with files",
            "name a folder that holds exercises/ (a pack of its own) or mutants/ (an extension)",
        ));
    }
    (reader.files, reader.problems)
}

struct Reader {
    top: PathBuf,
    files: Vec<PackFile>,
    problems: Vec<Problem>,
}

impl Reader {
    fn enter(&mut self, folder: &Path, shown: &str, depth: usize) {
        let Ok(entries) = fs::read_dir(folder) else {
            return;
        };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            if name.starts_with('.') || name == "__pycache__" {
                continue;
            }
            let shown = format!("{shown}/{name}");
            if !self.is_inside(&path) {
                self.refuse(
                    &shown,
                    "file-outside",
                    "this link leads out of the pack",
                    "copy the file into the pack",
                );
            } else if path.is_dir() {
                if depth == 0 {
                    self.refuse(
                        &shown,
                        "folder-too-deep",
                        "folders lie too deep in one another",
                        "move the files up",
                    );
                } else {
                    self.enter(&path, &shown, depth - 1);
                }
            } else {
                self.read(&path, shown);
            }
        }
    }

    fn is_inside(&self, path: &Path) -> bool {
        path.canonicalize()
            .is_ok_and(|real| real.starts_with(&self.top))
    }

    fn read(&mut self, path: &Path, shown: String) {
        if path.extension().is_some_and(|extension| extension == "yml") {
            let help = "rename the file to end in .yaml";
            self.refuse(
                &shown,
                "wrong-extension",
                "a file that ends in .yml is not read",
                help,
            );
            return;
        }
        let data = fs::metadata(path);
        let size = data.as_ref().map_or(0, fs::Metadata::len);
        if data.is_ok_and(|data| !data.is_file()) {
            // To read a pipe would be to wait for whoever writes into it.
            self.refuse(
                &shown,
                "file-unreadable",
                "this is neither a file nor a folder",
                "take it out of the pack",
            );
            return;
        }
        if size > LARGEST {
            self.refuse(
                &shown,
                "file-too-large",
                &format!("the file has {size} bytes; a pack's file has at most {LARGEST}"),
                "split it, or take out what does not belong",
            );
            return;
        }
        match fs::read(path) {
            Ok(bytes) => match clean(bytes, &shown) {
                Ok(text) => self.files.push(PackFile::new(shown, text)),
                Err(problem) => self.problems.push(*problem),
            },
            Err(error) => self.refuse(
                &shown,
                "file-unreadable",
                &format!("failed to read the file: {error}"),
                "check its permissions",
            ),
        }
    }

    fn refuse(&mut self, file: &str, id: &'static str, title: &str, help: &str) {
        self.problems
            .push(Problem::whole_file(id, file, title, help));
    }
}

/// Makes a text of bytes, such that every parser counts its lines alike.
pub fn clean(bytes: Vec<u8>, file: &str) -> Result<String, Box<Problem>> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(&error.as_bytes()[..good]).into_owned();
        let (line, column) = line_and_column(&before, before.len());
        Box::new(Problem::at(
            "not-utf8",
            file,
            line,
            column,
            "this byte is not UTF-8",
            "save the file as UTF-8",
        ))
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let text = text.replace("\r\n", "\n");
    let odd = |c: char| matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}' | '\0' | '\r');
    if let Some(at) = text.find(odd) {
        let (line, column) = line_and_column(&text, at);
        let code = text[at..].chars().next().map_or(0, u32::from);
        return Err(Box::new(Problem::at(
            "odd-character",
            file,
            line,
            column,
            &format!(
                "the character U+{code:04X} is not allowed here: parsers disagree whether it ends a line"
            ),
            "write it as an escape in a double-quoted string, or take it out",
        )));
    }
    Ok(text)
}

/// Counts lines and columns from 1, columns in characters.
pub fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    (line, before[start..].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_and_carriage_returns_are_taken_off() {
        assert_eq!(
            clean("\u{feff}a: 1\r\nb: 2\r\n".into(), "f").unwrap(),
            "a: 1\nb: 2\n"
        );
    }

    #[test]
    fn odd_line_ends_and_bytes_are_refused_with_their_place() {
        for odd in ["\u{85}", "\u{2028}", "\u{2029}", "\0", "\r"] {
            let problem = clean(format!("a: 1\nb: x{odd}y").into(), "f").unwrap_err();
            assert_eq!(
                (problem.id, problem.line, problem.column),
                ("odd-character", 2, 5)
            );
        }
        let problem = clean(b"a\nb\xff".to_vec(), "f").unwrap_err();
        assert_eq!(
            (problem.id, problem.line, problem.column),
            ("not-utf8", 2, 2)
        );
    }
}
