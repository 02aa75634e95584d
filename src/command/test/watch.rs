//! `idemlab test --watch`: Enter runs now, q leaves, a signal too.

use std::io::{self, BufRead as _, IsTerminal as _};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use super::{Exit, exit};
use crate::cli::{Cli, ReportFormat};
use crate::command::print::{complain, print};
use crate::command::{own, signal};
use crate::lab::{Again, Fault, News, Upto};
use crate::model::Lab;
use crate::report::trial;
use crate::run::Interrupt;
use crate::workspace::{How, Workspace};

/// How often a wait looks for a signal.
const TICK: Duration = Duration::from_millis(50);

/// What the loop waits for.
enum Input {
    News(News),
    /// Run now.
    Now,
    /// Leave.
    Leave,
}

/// Runs until somebody leaves; the exit code is that of the last run.
pub fn watch(
    cli: &Cli,
    lab: &Lab,
    workspace: &Workspace,
    upto: Upto,
    format: ReportFormat,
) -> Result<Exit, Exit> {
    let interrupt = signal::interrupt_of_signals();
    let (send, inputs) = mpsc::channel();
    let (news, heard) = mpsc::channel();
    let again = Again::begin(lab.clone(), workspace, upto, news);
    forward(heard, send.clone());
    read_lines(send);
    let face = Face {
        cli,
        lab,
        format,
        // Only there is somebody who looks at one run, and not at a list of them.
        redraws: io::stdout().is_terminal()
            && format == ReportFormat::Text
            && std::env::var_os("TERM").is_some_and(|name| name != "dumb"),
    };
    if let How::Looking(why) = again.how() {
        eprintln!("note: changes are looked for twice a second ({why})");
    }
    face.listen(&inputs, &again, &interrupt)
}

fn forward(heard: Receiver<News>, send: Sender<Input>) {
    thread::spawn(move || {
        for news in heard {
            if send.send(Input::News(news)).is_err() {
                return;
            }
        }
    });
}

/// Reads lines from whoever types. Without a terminal the end of the input is no wish to leave:
/// a run in the background has none.
fn read_lines(send: Sender<Input>) {
    thread::spawn(move || {
        let is_terminal = io::stdin().is_terminal();
        for line in io::stdin().lock().lines() {
            let input = match line.as_deref().map(str::trim) {
                Ok("q" | "quit") => Input::Leave,
                Ok(_) => Input::Now,
                Err(_) => break,
            };
            if send.send(input).is_err() {
                return;
            }
        }
        if is_terminal {
            let _ = send.send(Input::Leave);
        }
    });
}

/// What is shown of it all.
struct Face<'a> {
    cli: &'a Cli,
    lab: &'a Lab,
    format: ReportFormat,
    redraws: bool,
}

impl Face<'_> {
    fn listen(
        &self,
        inputs: &Receiver<Input>,
        again: &Again,
        interrupt: &Interrupt,
    ) -> Result<Exit, Exit> {
        let mut last = Exit::Ungraded;
        loop {
            if interrupt.is_raised() {
                return Ok(Exit::Interrupted);
            }
            match inputs.recv_timeout(TICK) {
                Ok(Input::News(news)) => {
                    if let Some(exit) = self.show(news)? {
                        last = exit;
                    }
                }
                Ok(Input::Now) => again.now(),
                Ok(Input::Leave) | Err(RecvTimeoutError::Disconnected) => return Ok(last),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Shows what happened; returns how the program would end now.
    fn show(&self, news: News) -> Result<Option<Exit>, Exit> {
        let exit = match news {
            News::Running => {
                if self.redraws {
                    print("running …\n")?;
                }
                return Ok(None);
            }
            News::Ran(Ok(ran)) => {
                let attempts = own::attempts(self.cli, self.lab);
                self.page(&match self.format {
                    ReportFormat::Text => trial::text(self.lab, &ran, &attempts),
                    ReportFormat::Json => trial::json_line(self.lab, &ran, &attempts),
                })?;
                exit(&ran)
            }
            // Ended for another run, of which there will be news.
            News::Ran(Err(Fault::Interrupted)) => return Ok(None),
            News::Ran(Err(fault)) => {
                self.page("")?;
                complain(&fault.to_string());
                Exit::Ungraded
            }
            News::Broken(error) => {
                self.page("")?;
                own::cannot_open(&error, None, Exit::Ungraded)
            }
        };
        if self.format == ReportFormat::Text {
            print("\nWatching. Enter runs now; q and Enter, or ctrl-c, leaves.\n")?;
        }
        Ok(Some(exit))
    }

    /// Prints a page, on a clean screen if there is one.
    fn page(&self, text: &str) -> Result<(), Exit> {
        if self.redraws {
            print("\u{1b}[2J\u{1b}[H")?;
        }
        print(text)
    }
}
