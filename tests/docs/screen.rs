//! The program on a terminal of its own: keys go in, whole screens come out.

use std::io::{Read as _, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// How long the program may take to show what is waited for.
const PATIENCE: Duration = Duration::from_secs(20);
const ROWS: u16 = 24;
const COLUMNS: u16 = 80;

/// The program on a terminal of 80 columns and 24 rows.
pub struct Screen {
    parser: vt100::Parser,
    output: Receiver<Vec<u8>>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    _terminal: Box<dyn MasterPty + Send>,
}

impl Screen {
    /// Opens the program in `folder` with further arguments, and its progress in a file there.
    pub fn open(folder: &Path, arguments: &[&str]) -> Self {
        let size = PtySize {
            rows: ROWS,
            cols: COLUMNS,
            pixel_width: 0,
            pixel_height: 0,
        };
        let terminal = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_idemlab"));
        command.args(["--progress", "mine.db"]);
        command.args(arguments);
        command.cwd(folder);
        command.env("TERM", "xterm-256color");
        command.env_remove("NO_COLOR");
        // With one track that works there is no question which to take.
        command.env("IDEMLAB_PYTHON", "there is none");
        let child = terminal.slave.spawn_command(command).unwrap();
        let mut reader = terminal.master.try_clone_reader().unwrap();
        let (send, output) = mpsc::channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(read @ 1..) = reader.read(&mut buffer) {
                if send.send(buffer[..read].to_vec()).is_err() {
                    return;
                }
            }
        });
        let rows = NonZero::new(ROWS).unwrap();
        let columns = NonZero::new(COLUMNS).unwrap();
        Self {
            parser: vt100::Parser::new(rows, columns, 0),
            output,
            keys: terminal.master.take_writer().unwrap(),
            child,
            _terminal: terminal.master,
        }
    }

    /// Presses keys, and waits until `text` is on the screen.
    pub fn press(&mut self, keys: &str, text: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
        while !self.text().contains(text) {
            match self.output.recv_timeout(PATIENCE) {
                Ok(bytes) => self.parser.process(&bytes),
                Err(error) => panic!("{error} before `{text}` was shown:\n{}", self.text()),
            }
        }
    }

    /// Returns the screen with its colours.
    pub fn screen(&self) -> &vt100::Screen {
        self.parser.screen()
    }

    /// Returns the screen as lines, without blanks at their ends.
    pub fn text(&self) -> String {
        let text = self.parser.screen().contents();
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        lines.join("\n").trim_end().to_owned()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
