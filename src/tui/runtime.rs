//! The loop: owns the terminal, the channel and the clock, and does what effects ask for.
//!
//! One channel and one order of events: keys, news of the worker, signals and time all come
//! through it. Whatever is waiting is applied before the next frame is drawn.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::sync::PoisonError;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use ratatui::crossterm::event::{self, Event};

use super::message::{Effect, Msg, TuiExit};
use super::model::Model;
use super::system::{self, Gate};
use super::terminal::{Taken, restore};
use super::update::{begin, update};
use super::view::view;
use super::worker::Worker;

/// How often a run's clock is shown.
const TICK: Duration = Duration::from_millis(50);
/// How long the reader of keys waits before it looks whether it has to pause.
const POLL: Duration = Duration::from_millis(100);

/// Runs the screen until the learner leaves or the terminal is gone.
///
/// # Errors
///
/// Fails when the terminal cannot be taken. Once it is taken, losing it is an end, no error.
pub fn run(mut model: Model, start: impl FnOnce(&Sender<Msg>) -> Worker) -> io::Result<TuiExit> {
    let (send, receive) = mpsc::channel();
    let gate = Gate::default();
    // Before the terminal is taken, so that no signal can end the program while it has it.
    system::watch(send.clone(), gate.clone())?;
    let mut taken = Taken::take()?;
    let size = taken.screen.size()?;
    let effects = update(&mut model, Msg::Resize(size.width, size.height));
    debug_assert!(effects.is_empty(), "a size asks for nothing");
    if taken.screen.draw(|frame| view(&model, frame)).is_err() {
        return Ok(TuiExit::Interrupted);
    }
    read_keys(send.clone(), gate.clone());
    let worker = start(&send);
    let mut runtime = Runtime {
        taken,
        worker,
        gate,
        clock: None,
    };
    let mut effects = begin(&model);
    loop {
        for effect in effects.drain(..) {
            if let Some(exit) = runtime.perform(effect, &mut model) {
                // The terminal first, so that the shell is back while the last runs end.
                drop(runtime.taken);
                return Ok(exit);
            }
        }
        runtime.measure(&mut model);
        let drawn = runtime.taken.screen.draw(|frame| view(&model, frame));
        if drawn.is_err() {
            return Ok(TuiExit::Interrupted);
        }
        let Ok(message) = runtime.next(&receive, &model) else {
            return Ok(TuiExit::Interrupted);
        };
        effects = apply(&mut model, message);
        // What is waiting already is applied before anything is drawn.
        while effects.is_empty()
            && let Ok(message) = receive.try_recv()
        {
            effects = apply(&mut model, message);
        }
    }
}

/// Applies a message.
fn apply(model: &mut Model, message: Msg) -> Vec<Effect> {
    #[cfg(debug_assertions)]
    fail_if_asked(&message);
    update(model, message)
}

/// Lets a test see that a panic gives the terminal back; not there in a release.
#[cfg(debug_assertions)]
fn fail_if_asked(message: &Msg) {
    use ratatui::crossterm::event::KeyCode;
    if let Msg::Key(key) = message
        && key.code == KeyCode::F(12)
        && std::env::var_os("IDEMLAB_TEST_PANIC").is_some()
    {
        panic!("a test asked for this");
    }
}

struct Runtime {
    taken: Taken,
    worker: Worker,
    gate: Gate,
    /// When the run that is going on started, by its number.
    clock: Option<(u64, Instant)>,
}

impl Runtime {
    /// Waits for the next message; while a run goes on, time is a message too.
    fn next(&mut self, receive: &Receiver<Msg>, model: &Model) -> Result<Msg, RecvTimeoutError> {
        let Some(live) = &model.live else {
            self.clock = None;
            return receive.recv().map_err(|_| RecvTimeoutError::Disconnected);
        };
        let start = match self.clock {
            Some((run, start)) if run == live.run => start,
            _ => {
                let now = Instant::now();
                self.clock = Some((live.run, now));
                now
            }
        };
        match receive.recv_timeout(TICK) {
            Err(RecvTimeoutError::Timeout) => {
                let millis = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
                Ok(Msg::Tick(millis))
            }
            other => other,
        }
    }

    /// Does what an effect asks for; an exit if it is to end the program.
    fn perform(&mut self, effect: Effect, model: &mut Model) -> Option<TuiExit> {
        match effect {
            Effect::Do(job) => self.worker.ask(job),
            Effect::Cancel(run) => self.worker.cancel(run),
            Effect::Quit(exit) => return Some(exit),
            Effect::Edit(text) => {
                let result = self.away(|| edit(&text));
                return self.back(model, Msg::Edited(result));
            }
            Effect::Open(path) => {
                let result = self.away(|| open(&path));
                return self.back(model, Msg::Closed(result));
            }
            Effect::Suspend => {
                self.pause(system::stop_job);
                self.resize(model);
            }
            Effect::Stop => {
                self.pause(system::stop);
                self.resize(model);
            }
            Effect::Redraw => {
                if self.taken.retake().is_err() {
                    return Some(TuiExit::Interrupted);
                }
                self.resize(model);
            }
        }
        None
    }

    /// Goes on after an editor had the terminal.
    fn back(&mut self, model: &mut Model, message: Msg) -> Option<TuiExit> {
        let mut effects = update(model, message);
        self.resize(model);
        effects
            .drain(..)
            .find_map(|effect| self.perform(effect, model))
    }

    /// Pauses the program; what runs in the background is stopped, and done anew when needed.
    fn pause(&mut self, stop: impl FnOnce()) {
        self.worker.rest();
        self.away(stop);
        self.worker.resume();
    }

    /// Gives the terminal to somebody else for a while.
    fn away<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let gate = self.gate.clone();
        let _closed = gate.close();
        restore();
        let result = work();
        // If it cannot be had again, the next draw notices.
        let _ = self.taken.retake();
        result
    }

    /// Tells the model a size that it has not heard of: one that came before anybody listened.
    fn measure(&self, model: &mut Model) {
        let size = self.taken.screen.size();
        if size.is_ok_and(|size| (size.width, size.height) != model.size) {
            self.resize(model);
        }
    }

    /// Tells the model the size of the terminal, which may have changed unseen.
    fn resize(&self, model: &mut Model) {
        if let Ok(size) = self.taken.screen.size() {
            let effects = update(model, Msg::Resize(size.width, size.height));
            debug_assert!(effects.is_empty(), "a new size asks for nothing");
        }
    }
}

/// Reads keys, pastes and sizes until the terminal is gone.
fn read_keys(send: Sender<Msg>, gate: Gate) {
    thread::spawn(move || {
        loop {
            if gate.is_closed() {
                thread::sleep(POLL / 5);
                continue;
            }
            let reading = gate.reading.lock().unwrap_or_else(PoisonError::into_inner);
            let message = match event::poll(POLL).and_then(|ready| {
                if ready {
                    event::read().map(Some)
                } else {
                    Ok(None)
                }
            }) {
                Ok(Some(Event::Key(key))) => Some(Msg::Key(key)),
                Ok(Some(Event::Paste(text))) => Some(Msg::Paste(text)),
                Ok(Some(Event::Resize(columns, rows))) => Some(Msg::Resize(columns, rows)),
                Ok(_) => None,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => None,
                Err(_) => Some(Msg::Gone),
            };
            drop(reading);
            if let Some(message) = message {
                let gone = message == Msg::Gone;
                if send.send(message).is_err() || gone {
                    return;
                }
            }
        }
    });
}

/// Opens a text in the learner's editor and returns what they made of it.
fn edit(text: &str) -> Result<String, String> {
    let Some(editor) = editor() else {
        return Err("neither $VISUAL nor $EDITOR is set; the form works without".to_owned());
    };
    let failed = |error: io::Error| format!("failed to edit: {error}");
    let mut file = tempfile::Builder::new()
        .prefix("idemlab-")
        .suffix(".yaml")
        .tempfile()
        .map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    let status = run_editor(&editor, file.path()).map_err(failed)?;
    if !status.success() {
        return Err(format!("the editor ended with {status}; nothing was run"));
    }
    std::fs::read_to_string(file.path()).map_err(failed)
}

/// Opens a file in the learner's editor.
fn open(path: &Path) -> Result<(), String> {
    let Some(editor) = editor() else {
        return Err(
            "neither $VISUAL nor $EDITOR is set; open the file in an editor of your own".to_owned(),
        );
    };
    let status =
        run_editor(&editor, path).map_err(|error| format!("failed to start an editor: {error}"))?;
    match status.code() {
        Some(0) => Ok(()),
        Some(126 | 127) => Err(format!("the editor {editor} cannot be started ({status})")),
        _ => Err(format!("the editor {editor} ended with {status}")),
    }
}

/// Returns the learner's editor, as the variables name it.
fn editor() -> Option<String> {
    let set = |name| {
        std::env::var(name)
            .ok()
            .filter(|value| !value.trim().is_empty())
    };
    set("VISUAL").or_else(|| set("EDITOR"))
}

fn run_editor(editor: &str, path: &Path) -> io::Result<ExitStatus> {
    // The variable may hold options as well, so a shell takes it apart.
    Command::new("sh")
        .arg("-c")
        .arg(format!("{editor} \"$1\""))
        .arg("sh")
        .arg(path)
        .status()
}
