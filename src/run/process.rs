//! A subject's process: started in a group of its own, spoken to line by line, ended whole.

#[cfg(not(unix))]
mod elsewhere;
mod started;
mod streams;
#[cfg(unix)]
mod unix;

use std::io::Write;
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use super::callback::{Asked, Desk};
use super::protocol::{self, Hello, Message, shorten};
use super::{Interrupt, Outcome};
use crate::model::Call;

#[cfg(not(unix))]
use elsewhere as system;
pub(super) use started::Started;
use streams::{Heard, Meter, Tail, drain, read_lines};
#[cfg(unix)]
use unix as system;

#[cfg(target_os = "linux")]
pub(super) use system::kill_group_of;
pub(super) use system::{has_exited, kill_group, own_group};

/// What a subject may use.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How long one call may take, a forced wait left out.
    pub reply: Duration,
    /// How long the process may take to say hello.
    pub start: Duration,
    /// The longest line it may send, in bytes.
    pub line: u64,
    /// The most that it may write to standard output and standard error together, in bytes.
    pub output: u64,
    /// How long a confined build may take, if not as long as is usual.
    pub build: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            reply: Duration::from_secs(10),
            start: Duration::from_secs(20),
            line: 4 << 20,
            output: u64::MAX,
            build: None,
        }
    }
}

/// How often a wait looks at the interrupt.
const TICK: Duration = Duration::from_millis(20);
/// How many lines may wait unread before the subject has to wait.
const BACKLOG: usize = 16;

/// A running subject.
#[derive(Debug)]
pub struct Process {
    child: Started,
    input: Option<ChildStdin>,
    heard: Receiver<Heard>,
    stderr: Arc<Mutex<Tail>>,
    stderr_done: Receiver<()>,
    calls: u64,
    ended: bool,
    meter: Arc<Meter>,
    /// What came while the lab was looking at something else.
    early: Option<Message>,
    limits: Limits,
}

impl Process {
    /// Starts `command` and waits for its hello.
    ///
    /// # Errors
    ///
    /// Returns how it ended, if it did not come as far as that.
    pub fn start(
        command: Command,
        lab: &str,
        limits: Limits,
        interrupt: &Interrupt,
    ) -> Result<Self, Outcome> {
        Self::start_told(command, lab, limits, interrupt, |_| {})
    }

    /// Starts `command`, tells `started` its number at once, and waits for its hello.
    ///
    /// # Errors
    ///
    /// As [`Process::start`].
    pub fn start_told(
        mut command: Command,
        lab: &str,
        limits: Limits,
        interrupt: &Interrupt,
        started: impl FnOnce(u32),
    ) -> Result<Self, Outcome> {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        own_group(&mut command);
        let child = command.spawn().map_err(|error| Outcome::Died {
            how: format!("it could not be started: {error}"),
            stderr: String::new(),
        })?;
        started(child.id());
        Self::greeted(Started::Own(child), lab, limits, interrupt)
    }

    /// Waits for the hello of a process that was started.
    ///
    /// # Errors
    ///
    /// As [`Process::start`].
    pub(super) fn greeted(
        mut child: Started,
        lab: &str,
        limits: Limits,
        interrupt: &Interrupt,
    ) -> Result<Self, Outcome> {
        let (stdin, stdout, stderr) = child.streams();
        let (send, heard) = mpsc::sync_channel(BACKLOG);
        let meter = Arc::new(Meter::new(limits.output));
        if let Some(output) = stdout {
            let meter = Arc::clone(&meter);
            thread::spawn(move || read_lines(output, limits.line, &meter, &send));
        }
        let tail = Arc::new(Mutex::new(Tail::default()));
        let (done, stderr_done) = mpsc::channel();
        if let Some(errors) = stderr {
            let tail = Arc::clone(&tail);
            let meter = Arc::clone(&meter);
            thread::spawn(move || {
                drain(errors, &tail, &meter);
                let _ = done.send(());
            });
        }
        let mut process = Self {
            input: stdin,
            child,
            heard,
            stderr: tail,
            stderr_done,
            calls: 0,
            ended: false,
            meter,
            early: None,
            limits,
        };
        process.greet(lab, interrupt)?;
        Ok(process)
    }

    fn greet(&mut self, lab: &str, interrupt: &Interrupt) -> Result<(), Outcome> {
        match self.hear(self.limits.start, interrupt) {
            Ok(line) => match protocol::hello(&line, lab) {
                Ok(Hello::Ready) => Ok(()),
                Ok(Hello::Failed(why)) => Err(Outcome::NotLoaded { why }),
                Err(why) => Err(Outcome::Garbled {
                    sent: shorten(&line),
                    why,
                }),
            },
            Err(outcome) if interrupt.is_raised() => Err(outcome),
            Err(outcome) => Err(not_loaded(outcome)),
        }
    }

    /// Returns the process's number in the system.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a call and does not wait for its answer.
    pub fn send(&mut self, function: &str, with: &Map<String, Value>) {
        self.send_with(function, with, &[]);
    }

    /// Sends a call of a script, with the callbacks that its function is given.
    pub fn send_call(&mut self, call: &Call, with: &Map<String, Value>) {
        self.send_with(&call.function, with, &call.callbacks);
    }

    fn send_with(
        &mut self,
        function: &str,
        with: &Map<String, Value>,
        callbacks: &[(String, Vec<String>)],
    ) {
        self.calls += 1;
        self.early = None;
        self.write(&protocol::call(self.calls, function, with, callbacks));
    }

    fn write(&mut self, line: &str) {
        if let Some(input) = &mut self.input {
            // A subject that has ended is noticed by its missing answer.
            let _ = input
                .write_all(line.as_bytes())
                .and_then(|()| input.flush());
        }
    }

    /// Tells whether the answer to the last call is there already.
    pub fn has_answered(&mut self) -> bool {
        self.has_spoken() && matches!(self.early, Some(Message::Reply(_)))
    }

    /// Tells whether the subject has answered the last call, or calls back in the middle of it.
    pub fn has_spoken(&mut self) -> bool {
        if self.early.is_none() {
            self.early = match self.heard.try_recv() {
                _ if self.meter.is_over() => Some(Message::Reply(self.flooded())),
                Ok(Heard::Line(line)) => Some(protocol::message(&line, self.calls)),
                Ok(Heard::TooLong(sent)) => Some(Message::Reply(too_long(&sent))),
                Err(TryRecvError::Disconnected) => Some(Message::Reply(self.died())),
                Err(TryRecvError::Empty) => None,
            };
        }
        self.early.is_some()
    }

    /// Waits for the answer to the last call; a callback in the middle of it is refused.
    pub fn receive(&mut self, interrupt: &Interrupt) -> Outcome {
        self.receive_at(&mut Desk::closed(), interrupt)
    }

    /// Waits for the answer to the last call, and answers callbacks in the middle of it.
    pub fn receive_at(&mut self, desk: &mut Desk<'_>, interrupt: &Interrupt) -> Outcome {
        let start = Instant::now();
        loop {
            match self.next(start, interrupt) {
                Message::Reply(outcome) => return outcome,
                Message::Asked(asked) => self.answer(asked, desk),
            }
        }
    }

    /// Waits until the subject is in the callback `name`, which is then left unanswered until
    /// [`Process::receive_at`]; tells whether it is. Other callbacks are answered.
    pub fn wait_until_asked(
        &mut self,
        name: &str,
        desk: &mut Desk<'_>,
        interrupt: &Interrupt,
    ) -> bool {
        let start = Instant::now();
        loop {
            match self.next(start, interrupt) {
                Message::Asked(asked) if asked.name != name => self.answer(asked, desk),
                message => {
                    let is_asked = matches!(message, Message::Asked(_));
                    self.early = Some(message);
                    return is_asked;
                }
            }
        }
    }

    /// Answers a callback that has come, if one has.
    pub fn answer_asked(&mut self, desk: &mut Desk<'_>) {
        while self.has_spoken() {
            match self.early.take() {
                Some(Message::Asked(asked)) => self.answer(asked, desk),
                other => {
                    self.early = other;
                    return;
                }
            }
        }
    }

    /// Returns how long a call may take.
    #[must_use]
    pub const fn patience(&self) -> Duration {
        self.limits.reply
    }

    /// Returns the answer that has come, or says that none has.
    pub fn receive_now(&mut self, waited: Duration) -> Outcome {
        match self.early.take() {
            Some(Message::Reply(outcome)) => outcome,
            _ => Outcome::Silent { waited },
        }
    }

    fn next(&mut self, start: Instant, interrupt: &Interrupt) -> Message {
        if let Some(message) = self.early.take() {
            return message;
        }
        let left = self.limits.reply.saturating_sub(start.elapsed());
        match self.hear(left, interrupt) {
            Ok(line) => protocol::message(&line, self.calls),
            Err(Outcome::Silent { .. }) => Message::Reply(Outcome::Silent {
                waited: start.elapsed(),
            }),
            Err(outcome) => Message::Reply(outcome),
        }
    }

    /// Answers a callback; a subject that calls back without end is given up.
    fn answer(&mut self, asked: Asked, desk: &mut Desk<'_>) {
        let name = asked.name.clone();
        match desk.answer(asked) {
            Some(answer) => self.write(&protocol::answer(self.calls, &answer)),
            None => {
                self.early = Some(Message::Reply(Outcome::Garbled {
                    sent: name,
                    why: "it calls back again and again".to_owned(),
                }));
            }
        }
    }

    /// Makes a call and returns how many bytes it needed, if the subject's side says so.
    ///
    /// # Errors
    ///
    /// Returns how the call ended, if it did not return.
    pub fn memory_of(
        &mut self,
        function: &str,
        with: &Map<String, Value>,
        interrupt: &Interrupt,
    ) -> Result<Option<u64>, Outcome> {
        self.calls += 1;
        self.early = None;
        self.write(&protocol::measured_call(self.calls, function, with));
        let line = self.hear(self.limits.reply, interrupt)?;
        match protocol::reply(&line, self.calls) {
            Outcome::Returned(_) => Ok(protocol::memory(&line)),
            other => Err(other),
        }
    }

    /// Makes a call and waits for its answer.
    pub fn call(
        &mut self,
        function: &str,
        with: &Map<String, Value>,
        interrupt: &Interrupt,
    ) -> Outcome {
        self.send(function, with);
        self.receive(interrupt)
    }

    fn hear(&mut self, limit: Duration, interrupt: &Interrupt) -> Result<String, Outcome> {
        let start = Instant::now();
        loop {
            let waited = start.elapsed();
            if waited >= limit || interrupt.is_raised() {
                return Err(Outcome::Silent { waited });
            }
            let heard = self
                .heard
                .recv_timeout(TICK.min(limit.saturating_sub(waited)));
            match heard {
                _ if self.meter.is_over() => return Err(self.flooded()),
                Ok(Heard::Line(line)) => return Ok(line),
                Ok(Heard::TooLong(sent)) => return Err(too_long(&sent)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.died()),
            }
        }
    }

    /// Ends a process that wrote more than it may.
    fn flooded(&mut self) -> Outcome {
        self.end();
        let most = self.limits.output >> 20;
        let stderr = self.stderr.lock().map(|tail| tail.text());
        Outcome::Died {
            how: format!("it was ended, since it wrote more than {most} MiB"),
            stderr: stderr.unwrap_or_default(),
        }
    }

    /// Collects how a process ended that closed its output.
    fn died(&mut self) -> Outcome {
        let gone = self.gone_within(Duration::from_millis(200));
        let status = self.end();
        let _ = self.stderr_done.recv_timeout(Duration::from_millis(200));
        let how = match status {
            Some(status) if gone => describe(status),
            _ => "it closed its output and went on".to_owned(),
        };
        let stderr = self.stderr.lock().map(|tail| tail.text());
        Outcome::Died {
            how,
            stderr: stderr.unwrap_or_default(),
        }
    }

    /// Tells whether the process ends by itself within `limit`, and leaves it to be waited for.
    fn gone_within(&mut self, limit: Duration) -> bool {
        let start = Instant::now();
        loop {
            if self.child.has_exited() {
                return true;
            }
            if start.elapsed() >= limit {
                return false;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Ends the whole process group at once and waits until the process is gone.
    ///
    /// The group is killed before the process is waited for: only until then does its number
    /// surely belong to it.
    pub fn end(&mut self) -> Option<ExitStatus> {
        if self.ended {
            return None;
        }
        self.ended = true;
        self.child.kill_group();
        let status = self.child.wait();
        // Not sooner: a subject that is killed must not see the end of its input, and tidy up.
        self.input = None;
        status
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Says of a subject that did not come as far as its hello why it did not.
fn not_loaded(outcome: Outcome) -> Outcome {
    let why = match outcome {
        Outcome::Silent { waited } => {
            format!("it was not loaded within {:.1} s", waited.as_secs_f64())
        }
        Outcome::Died { how, stderr } if stderr.trim().is_empty() => {
            format!("its process died while it was loaded: {how}")
        }
        Outcome::Died { how, stderr } => {
            let wrote = stderr.trim();
            format!("its process died while it was loaded: {how}; it wrote: {wrote}")
        }
        other => return other,
    };
    Outcome::NotLoaded { why }
}

fn too_long(sent: &str) -> Outcome {
    Outcome::Garbled {
        sent: shorten(sent),
        why: "its line is longer than a reply may be".to_owned(),
    }
}

/// Says how a process ended.
fn describe(status: ExitStatus) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt as _;
        if let Some(signal) = status.signal() {
            return format!("it was ended by signal {signal}");
        }
    }
    match status.code() {
        Some(code) => format!("it exited with code {code}"),
        None => "it ended".to_owned(),
    }
}

#[cfg(test)]
mod tests;
