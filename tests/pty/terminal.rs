//! A terminal that a test holds the other end of: types keys, waits for a screen, looks at it.

use std::io::{Read as _, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use tempfile::TempDir;

/// How long a test waits for something that is going to happen.
const DEADLINE: Duration = Duration::from_mins(1);

/// What the terminal shows, and whether its other end is still open.
struct Shown {
    parser: vt100::Parser,
    raw: Vec<u8>,
    open: bool,
    /// Whether this end is about to be closed.
    closing: bool,
}

type Shared = Arc<(Mutex<Shown>, Condvar)>;

/// A terminal with a program in it.
pub struct Terminal {
    master: Option<Box<dyn MasterPty + Send>>,
    writer: Option<Box<dyn Write + Send>>,
    child: Box<dyn Child + Send + Sync>,
    shown: Shared,
    reading: Option<JoinHandle<()>>,
    /// The mode in which the terminal was before the program.
    modes: u64,
    /// The current folder of the program, with its progress file.
    pub folder: TempDir,
    tag: String,
}

fn side(cells: u16) -> NonZeroU16 {
    NonZeroU16::new(cells).expect("a terminal has a size")
}

const fn size(columns: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols: columns,
        pixel_width: 0,
        pixel_height: 0,
    }
}

impl Terminal {
    /// Opens the lab in an empty folder.
    pub fn lab(columns: u16, rows: u16) -> Self {
        Self::with(columns, rows, |_| {})
    }

    /// Opens the lab with a progress file that is there already.
    pub fn with_progress(columns: u16, rows: u16, progress: &Path) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_idemlab"));
        command.arg("--progress");
        command.arg(progress);
        Self::run(columns, rows, command)
    }

    /// Opens lab `retention`, with a change to its command.
    pub fn with(columns: u16, rows: u16, change: impl FnOnce(&mut CommandBuilder)) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_idemlab"));
        command.args(["--lab", "retention", "--progress", "progress.db"]);
        change(&mut command);
        Self::run(columns, rows, command)
    }

    /// Opens a command in an empty folder and an environment with nothing in it.
    pub fn run(columns: u16, rows: u16, mut command: CommandBuilder) -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let pair = native_pty_system()
            .openpty(size(columns, rows))
            .expect("a terminal can be opened");
        let extra: Vec<_> = command
            .iter_extra_env_as_str()
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        command.env_clear();
        command.env("TERM", "xterm-256color");
        for (name, value) in extra {
            command.env(name, value);
        }
        let tag = folder.path().display().to_string();
        command.env("IDEMLAB_TEST_TAG", &tag);
        command.cwd(folder.path());
        let modes = modes(pair.master.as_ref());
        let child = pair.slave.spawn_command(command).expect("it starts");
        let shown: Shared = Arc::new((
            Mutex::new(Shown {
                parser: vt100::Parser::new(side(rows), side(columns), 0),
                raw: Vec::new(),
                open: true,
                closing: false,
            }),
            Condvar::new(),
        ));
        let mut reader = pair.master.try_clone_reader().expect("it can be read");
        let show = Arc::clone(&shown);
        let reading = thread::spawn(move || {
            let mut bytes = [0; 4096];
            loop {
                let read = reader.read(&mut bytes).unwrap_or(0);
                let mut shown = show.0.lock().unwrap_or_else(PoisonError::into_inner);
                shown.parser.process(&bytes[..read]);
                shown.raw.extend_from_slice(&bytes[..read]);
                shown.open = read > 0;
                show.1.notify_all();
                if read == 0 || shown.closing {
                    return;
                }
            }
        });
        let writer = pair.master.take_writer().expect("it can be written to");
        Self {
            master: Some(pair.master),
            writer: Some(writer),
            child,
            shown,
            reading: Some(reading),
            modes,
            folder,
            tag,
        }
    }

    /// Types keys as a terminal sends them.
    pub fn send(&mut self, keys: &str) -> &mut Self {
        let writer = self.writer.as_mut().expect("the terminal is open");
        // A program that is gone takes no more keys; what is then missing fails a wait.
        let _ = writer
            .write_all(keys.as_bytes())
            .and_then(|()| writer.flush());
        self
    }

    /// Waits until the screen shows a text.
    pub fn see(&mut self, text: &str) -> &mut Self {
        self.wait(text, |screen| screen.contents().contains(text));
        self
    }

    /// Waits until the screen no longer shows a text.
    pub fn see_no_more(&mut self, text: &str) -> &mut Self {
        self.wait(&format!("no {text}"), |screen| {
            !screen.contents().contains(text)
        });
        self
    }

    /// Waits until the screen is as wanted.
    pub fn wait(&self, what: &str, is_so: impl Fn(&vt100::Screen) -> bool) {
        let start = Instant::now();
        let mut shown = self.shown.0.lock().unwrap_or_else(PoisonError::into_inner);
        while !is_so(shown.parser.screen()) {
            let left = DEADLINE.checked_sub(start.elapsed()).filter(|_| shown.open);
            let Some(left) = left else {
                let screen = shown.parser.screen().contents();
                drop(shown);
                panic!("waited in vain for: {what}\n{screen}");
            };
            shown = self
                .shown
                .1
                .wait_timeout(shown, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    /// Returns the text on the screen.
    pub fn text(&self) -> String {
        let shown = self.shown.0.lock().unwrap_or_else(PoisonError::into_inner);
        shown.parser.screen().contents()
    }

    /// Changes the size of the terminal.
    pub fn resize(&mut self, columns: u16, rows: u16) -> &mut Self {
        let mut shown = self.shown.0.lock().unwrap_or_else(PoisonError::into_inner);
        shown
            .parser
            .screen_mut()
            .set_size(side(rows), side(columns));
        // Only what is drawn from now on may satisfy a wait.
        shown.parser.process(b"\x1b[2J\x1b[H");
        drop(shown);
        let master = self.master.as_ref().expect("the terminal is open");
        master
            .resize(size(columns, rows))
            .expect("it can be resized");
        self
    }

    /// Sends a signal to the program.
    pub fn signal(&mut self, signal: rustix::process::Signal) -> &mut Self {
        rustix::process::kill_process(self.process(), signal).expect("the program is there");
        self
    }

    fn process(&self) -> rustix::process::Pid {
        let id = self.child.process_id().expect("the program was started");
        rustix::process::Pid::from_raw(i32::try_from(id).expect("a number")).expect("not 0")
    }

    /// Closes the terminal, as a window is closed.
    pub fn close(&mut self) {
        let mut shown = self.shown.0.lock().unwrap_or_else(PoisonError::into_inner);
        shown.closing = true;
        drop(shown);
        // The reader holds this end open as well, until something more is drawn.
        self.send("\x0c");
        if let Some(reading) = self.reading.take() {
            reading.join().expect("the reader ends");
        }
        self.writer = None;
        self.master = None;
    }

    /// Waits until the program has ended, and returns its exit code.
    pub fn exit(&mut self) -> u32 {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                return status.exit_code();
            }
            if start.elapsed() > DEADLINE {
                let _ = self.child.kill();
                panic!("the program does not end\n{}", self.text());
            }
            thread::yield_now();
        }
    }

    /// Checks that the terminal is as it was before, and that nothing is left running.
    pub fn assert_restored(&self) {
        self.assert_given_back();
        self.assert_nothing_runs();
    }

    /// Checks that the terminal is as it was before.
    pub fn assert_given_back(&self) {
        self.wait("the terminal is given back", |screen| {
            !screen.alternate_screen() && !screen.bracketed_paste() && !screen.hide_cursor()
        });
        let master = self.master.as_ref().expect("the terminal is open");
        assert_eq!(
            modes(master.as_ref()),
            self.modes,
            "the mode of the terminal"
        );
        let shown = self.shown.0.lock().unwrap_or_else(PoisonError::into_inner);
        let raw = String::from_utf8_lossy(&shown.raw);
        assert_eq!(
            raw.matches("\x1b[?1049h").count(),
            raw.matches("\x1b[?1049l").count()
        );
    }

    /// Checks that no process of the program is left, subjects included.
    pub fn assert_nothing_runs(&self) {
        let mark = format!("IDEMLAB_TEST_TAG={}", self.tag);
        let Ok(processes) = std::fs::read_dir("/proc") else {
            return;
        };
        for process in processes.flatten() {
            let environment = std::fs::read(process.path().join("environ")).unwrap_or_default();
            let left = String::from_utf8_lossy(&environment).contains(&mark);
            assert!(!left, "{} is left running", process.path().display());
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

/// Returns how the terminal treats lines, echo and signals.
fn modes(master: &(dyn MasterPty + Send)) -> u64 {
    let termios = master.get_termios().expect("it is a terminal");
    u64::from(termios.local_flags.bits())
}
