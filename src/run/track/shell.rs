//! The `shell` track: one script a function, run by the machine's own bash over its own sqlite3.
//!
//! A script is called as `bash NAME.sh DB …`; the driver, the program's own hidden command, turns
//! the lab's calls into that and the scripts' output into answers. It never reads a script's text.

mod driver;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use super::{Launch, NotReady, rust};
use crate::run::Scratch;
use crate::run::confine::{Purpose, SharedCell, prefix_of};

pub use driver::serve;

/// The hidden command with which the program starts itself as the driver.
pub const COMMAND: &str = "__shell";
/// What begins the line in front of each script of a source: the rest is the file's name.
const MARK: &str = "#### ";

/// What runs the scripts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shell {
    /// Where bash is.
    pub bash: PathBuf,
    /// Where sqlite3 is.
    pub sqlite: PathBuf,
    /// What bash and sqlite3 say of their versions.
    pub versions: [String; 2],
}

/// Finds bash and sqlite3: looks once, and remembers what it found.
///
/// # Errors
///
/// Says which of them is missing, and how to get it.
pub fn find() -> Result<&'static Shell, NotReady> {
    static FOUND: OnceLock<Result<Shell, NotReady>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let (bash, bash_version) = ask("bash", "--version")?;
        let (sqlite, sqlite_version) = ask("sqlite3", "-version")?;
        Ok(Shell {
            bash,
            sqlite,
            versions: [bash_version, sqlite_version],
        })
    });
    found.as_ref().map_err(Clone::clone)
}

/// Finds a program on the PATH, and asks it for its version.
fn ask(name: &str, flag: &str) -> Result<(PathBuf, String), NotReady> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut places = env::split_paths(&path).filter(|folder| folder.is_absolute());
    let answer = places.find_map(|folder| {
        let program = folder.join(name);
        let mut command = Command::new(&program);
        command.arg(flag).stdin(Stdio::null()).stderr(Stdio::null());
        let said = command.output().ok().filter(|said| said.status.success())?;
        let said = String::from_utf8_lossy(&said.stdout);
        Some((program, said.lines().next().unwrap_or_default().to_owned()))
    });
    answer.ok_or_else(|| NotReady {
        why: format!(
            "there is no {name} on the PATH; install it with your system's package manager (the \
             package is called {name}), or work in the rust track"
        ),
    })
}

/// Splits a source into its scripts, by name.
#[must_use]
pub fn scripts(source: &str) -> Vec<(String, String)> {
    let mut scripts: Vec<(String, String)> = Vec::new();
    for line in source.lines() {
        match (line.strip_prefix(MARK), scripts.last_mut()) {
            (Some(name), _) => scripts.push((name.trim().to_owned(), String::new())),
            (None, Some((_, text))) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    for (_, text) in &mut scripts {
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    scripts
}

/// Writes scripts as one source, the other way round.
#[must_use]
pub fn source(scripts: &[(String, String)]) -> String {
    let parts = scripts.iter();
    let parts: Vec<String> = parts
        .map(|(name, text)| format!("{MARK}{name}\n{text}"))
        .collect();
    parts.join("\n")
}

/// Tells how to start a source of `lab`: writes its scripts into a folder of their own.
///
/// # Errors
///
/// Says what is missing on this machine.
pub fn prepare(lab: &str, source: &str, scratch: &Scratch) -> Result<Launch, NotReady> {
    find()?;
    let written = scratch.fresh().and_then(|folder| {
        for (name, text) in scripts(source) {
            fs::write(folder.join(name), text)?;
        }
        Ok(folder)
    });
    launch(lab, &written.map_err(not_written)?)
}

/// Tells how to start the scripts beside a learner's own file.
///
/// # Errors
///
/// Says what is missing on this machine, or that there is no such file.
pub fn prepare_file(lab: &str, file: &Path) -> Result<Launch, NotReady> {
    find()?;
    let why = |error| NotReady {
        why: format!("failed to read {}: {error}", file.display()),
    };
    fs::File::open(file).map_err(why)?;
    let file = std::path::absolute(file).map_err(why)?;
    launch(lab, file.parent().unwrap_or(&file))
}

/// Tells how to start the copies of a learner's scripts in a cell.
///
/// # Errors
///
/// Says what is missing on this machine.
pub fn prepare_confined(lab: &str, file: &Path, cell: &SharedCell) -> Result<Launch, NotReady> {
    find()?;
    let launch = launch(lab, file.parent().unwrap_or(file))?;
    Ok(launch.confined(cell, Purpose::Run, &reads()))
}

/// Returns the folders of bash and sqlite3 that confined scripts must read.
#[must_use]
pub fn reads() -> Vec<PathBuf> {
    let found = find().map_or(Vec::new(), |shell| vec![&*shell.bash, &*shell.sqlite]);
    found.into_iter().map(prefix_of).collect()
}

fn launch(lab: &str, folder: &Path) -> Result<Launch, NotReady> {
    let program = rust::program().map_err(|error| NotReady {
        why: format!("failed to find the program itself: {error}"),
    })?;
    let Shell { bash, sqlite, .. } = find()?;
    let arguments: Vec<OsString> = vec![
        COMMAND.into(),
        lab.into(),
        folder.into(),
        bash.into(),
        sqlite.into(),
    ];
    Ok(Launch::new(lab, program.into_os_string(), arguments).in_folder(folder))
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to map_err")]
fn not_written(error: io::Error) -> NotReady {
    NotReady {
        why: format!("failed to write the scripts into the scratch folder: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_split_at_the_lines_that_name_a_file() {
        let text = "#### a.sh\none\n\ntwo\n\n#### b.sh\nthree\n";
        let split = [("a.sh", "one\n\ntwo\n"), ("b.sh", "three\n")];
        let split = split.map(|(name, text)| (name.to_owned(), text.to_owned()));
        assert_eq!(scripts(text), split);
        assert_eq!(source(&split), text);
        assert_eq!(scripts("no name\n"), []);
    }
}
