//! The builder under these tests: one run of the program in a clean place.

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// A run of the program: its folder, command line and input, and what it must answer.
#[must_use = "nothing runs before `run` or `start`"]
pub struct Lab {
    command: Command,
    input: String,
    place: Place,
    code: i32,
    stdout: Option<String>,
    stderr: Option<String>,
}

/// A folder for one test: where the program starts, its home and its scratch.
pub struct Place(TempDir);

impl Place {
    /// Makes an empty one.
    pub fn new() -> Self {
        // On disk every commit of a subject would wait for the disk.
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() {
            tempfile::tempdir_in(memory).unwrap()
        } else {
            tempfile::tempdir().unwrap()
        };
        for inner in ["here", "home", "scratch"] {
            fs::create_dir(folder.path().join(inner)).unwrap();
        }
        Self(folder)
    }

    /// Returns the folder in which the program starts.
    pub fn here(&self) -> PathBuf {
        self.0.path().join("here")
    }

    /// Returns the folder that holds the program's scratch folders.
    pub fn scratch(&self) -> PathBuf {
        self.0.path().join("scratch")
    }

    /// Writes a file into the folder in which the program starts.
    pub fn write(&self, path: &str, text: &str) {
        let file = self.here().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
}

/// What a run answered.
pub struct Answer {
    pub stdout: String,
    pub stderr: String,
    /// The folder, for a look at what was left there.
    pub place: Place,
}

impl Lab {
    /// Begins a run with these arguments, apart by blanks.
    pub fn new(arguments: &str) -> Self {
        Self::at(Place::new(), arguments)
    }

    /// Begins a run in a place that is there already.
    pub fn at(place: Place, arguments: &str) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_idemlab"));
        command
            .args(arguments.split_whitespace())
            .current_dir(place.here())
            .env_clear()
            .envs(kept())
            .env("HOME", place.0.path().join("home"))
            .env("USERPROFILE", place.0.path().join("home"))
            .env("APPDATA", place.0.path().join("home"))
            .env("IDEMLAB_SCRATCH", place.scratch());
        Self {
            command,
            input: String::new(),
            place,
            code: 0,
            stdout: None,
            stderr: Some(String::new()),
        }
    }

    /// Writes a file before the run.
    pub fn file(self, path: &str, text: &str) -> Self {
        self.place.write(path, text);
        self
    }

    /// Adds an argument as it is, blanks and all.
    pub fn argument(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    /// Sets a variable of the environment.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Starts the program in another folder.
    pub fn from(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Gives these lines as standard input.
    pub fn input(mut self, text: &str) -> Self {
        text.clone_into(&mut self.input);
        self
    }

    /// Expects this exit code, not 0.
    pub fn code(mut self, code: i32) -> Self {
        self.code = code;
        self
    }

    /// Expects exactly this on standard output.
    pub fn stdout(mut self, text: &str) -> Self {
        self.stdout = Some(text.to_owned());
        self
    }

    /// Expects exactly this on standard error, not nothing.
    pub fn stderr(mut self, text: &str) -> Self {
        self.stderr = Some(text.to_owned());
        self
    }

    /// Leaves it to the test to look at standard error.
    pub fn any_stderr(mut self) -> Self {
        self.stderr = None;
        self
    }

    /// Runs the program to its end and checks what it answers.
    pub fn run(mut self) -> Answer {
        self.command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let input = std::mem::take(&mut self.input);
        let mut child = self.command.stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // The program may be done before it has read everything: that is its right.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(
            output.status.code(),
            Some(self.code),
            "\nstdout:\n{stdout}\nstderr:\n{stderr}"
        );
        if let Some(expected) = &self.stderr {
            assert_eq!(&stderr, expected, "standard error; stdout:\n{stdout}");
        }
        if let Some(expected) = &self.stdout {
            assert_eq!(&stdout, expected, "standard output");
        }
        Answer {
            stdout,
            stderr,
            place: self.place,
        }
    }

    /// Starts the program and returns it running, its standard input closed.
    pub fn start(self) -> (Child, Place) {
        self.spawn(Stdio::null(), Stdio::piped())
    }

    /// Starts the program and returns it running, to be spoken with.
    #[cfg(unix)]
    pub fn start_talking(self) -> (Child, Place) {
        self.spawn(Stdio::piped(), Stdio::null())
    }

    fn spawn(mut self, input: Stdio, errors: Stdio) -> (Child, Place) {
        let command = self.command.stdin(input).stdout(Stdio::piped());
        (command.stderr(errors).spawn().unwrap(), self.place)
    }

    /// Starts the program with this standard output, and waits for its end.
    pub fn into_output(mut self, output: impl Into<Stdio>) -> (Option<i32>, String) {
        let child = self
            .command
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), stderr)
    }
}

/// The few variables that a system needs to start a program at all.
fn kept() -> impl Iterator<Item = (&'static str, std::ffi::OsString)> {
    ["PATH", "SystemRoot", "LD_LIBRARY_PATH"]
        .into_iter()
        .filter_map(|name| Some((name, std::env::var_os(name)?)))
}
