//! A process that starts others by forking itself, so that each has at once what took it long.
//!
//! What comes from one nursery shares one seed for its hashes; who takes processes from which
//! nursery is for `track/warm`.

use std::io::{self, BufRead as _, BufReader, IoSlice};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
use serde_json::{Value, json};

use super::process::{kill_group_of, own_group};

/// A running nursery. It ends when it is dropped, and with it every process that it started.
#[derive(Debug)]
pub struct Nursery(Mutex<Line>);

/// The line to it: one request, one answer.
#[derive(Debug)]
struct Line {
    socket: BufReader<UnixStream>,
    process: Child,
}

/// A process that a nursery started, in a group of its own.
#[derive(Debug)]
pub struct Nursling {
    nursery: Arc<Nursery>,
    number: u32,
    /// Its standard input.
    pub stdin: Option<ChildStdin>,
    /// Its standard output.
    pub stdout: Option<ChildStdout>,
    /// Its standard error.
    pub stderr: Option<ChildStderr>,
}

impl Nursery {
    /// Starts a nursery, which reads its requests from standard input.
    ///
    /// # Errors
    ///
    /// Fails when the process cannot be started.
    pub fn open(mut command: Command) -> io::Result<Self> {
        let (ours, theirs) = UnixStream::pair()?;
        own_group(&mut command);
        let process = command
            .stdin(OwnedFd::from(theirs))
            // Never written to, but of the kind that its children have: what can be sought in the
            // parent is taken for it in the child too.
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let socket = BufReader::new(ours);
        Ok(Self(Mutex::new(Line { socket, process })))
    }

    /// Starts a process that answers for `lab` with `file`, and works in `folder`.
    ///
    /// # Errors
    ///
    /// Fails when the nursery has gone or cannot fork.
    pub fn start(
        nursery: &Arc<Self>,
        lab: &str,
        file: &Path,
        folder: &Path,
    ) -> io::Result<Nursling> {
        let (input, stdin) = io::pipe()?;
        let (stdout, output) = io::pipe()?;
        let (stderr, errors) = io::pipe()?;
        let (Some(file), Some(folder)) = (file.to_str(), folder.to_str()) else {
            return Err(io::Error::other("a path that is not UTF-8"));
        };
        let handed = [input.as_fd(), output.as_fd(), errors.as_fd()];
        let mut space = [const { MaybeUninit::uninit() }; rustix::cmsg_space!(ScmRights(3))];
        let mut rights = SendAncillaryBuffer::new(&mut space);
        if !rights.push(SendAncillaryMessage::ScmRights(&handed)) {
            return Err(io::Error::other("no room for three descriptors"));
        }
        let answer = nursery.ask(&json!({"start": [lab, file, folder]}), &mut rights)?;
        let number = answer["pid"].as_u64().and_then(|pid| pid.try_into().ok());
        Ok(Nursling {
            nursery: Arc::clone(nursery),
            number: number.ok_or_else(|| io::Error::other("the nursery cannot fork"))?,
            stdin: Some(OwnedFd::from(stdin).into()),
            stdout: Some(OwnedFd::from(stdout).into()),
            stderr: Some(OwnedFd::from(stderr).into()),
        })
    }

    fn ask(
        &self,
        request: &Value,
        rights: &mut SendAncillaryBuffer<'_, '_, '_>,
    ) -> io::Result<Value> {
        let mut line = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = format!("{request}\n");
        let sent = sendmsg(
            line.socket.get_ref(),
            &[IoSlice::new(text.as_bytes())],
            rights,
            SendFlags::NOSIGNAL,
        )?;
        if sent < text.len() {
            return Err(io::Error::other("the nursery did not take a whole request"));
        }
        let mut answer = String::new();
        line.socket.read_line(&mut answer)?;
        Ok(serde_json::from_str(&answer)?)
    }
}

impl Drop for Nursery {
    fn drop(&mut self) {
        let line = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        let _ = line.socket.get_ref().shutdown(std::net::Shutdown::Both);
        let _ = line.process.wait();
    }
}

impl Nursling {
    /// Returns its number in the system, which is its own until it was waited for.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.number
    }

    /// Ends its whole group; it is still to be waited for.
    pub fn kill_group(&self) {
        kill_group_of(self.number);
    }

    /// Tells whether it has ended, and leaves it to be waited for.
    #[must_use]
    pub fn has_exited(&self) -> bool {
        self.ask("ended").is_none_or(|answer| answer == true)
    }

    /// Waits until it is gone, and returns how it ended.
    #[must_use]
    pub fn wait(&self) -> Option<ExitStatus> {
        let raw = self.ask("wait")?.as_i64()?;
        i32::try_from(raw).ok().map(ExitStatus::from_raw)
    }

    fn ask(&self, what: &str) -> Option<Value> {
        let request = json!({what: self.number});
        let mut answer = self
            .nursery
            .ask(&request, &mut SendAncillaryBuffer::default());
        answer.as_mut().ok().map(|answer| answer[what].take())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::run::Scratch;
    use crate::run::track::python;

    /// Starts a file in a nursery, if there is a Python; in CI there must be.
    fn start(source: &str) -> Option<(Nursling, Scratch)> {
        let python = match python::find() {
            Ok(python) => python,
            Err(missing) => {
                assert!(std::env::var_os("CI").is_none(), "{missing}");
                return None;
            }
        };
        let scratch = Scratch::new().unwrap();
        let file = scratch.path().join("retention.py");
        fs::write(&file, source).unwrap();
        let nursery = Arc::new(Nursery::open(python::nursery(python).command().unwrap()).unwrap());
        let started = Nursery::start(&nursery, "retention", &file, scratch.path()).unwrap();
        Some((started, scratch))
    }

    /// Reads the hello, if one comes.
    fn hello(nursling: &mut Nursling) -> String {
        let mut line = String::new();
        let mut output = BufReader::new(nursling.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        line
    }

    #[test]
    fn it_tells_how_what_it_started_has_ended() {
        let Some((mut nursling, _scratch)) = start("import os\nos._exit(7)\n") else {
            return;
        };
        assert_eq!(hello(&mut nursling), "");
        assert_eq!(nursling.wait().and_then(|status| status.code()), Some(7));
    }

    #[test]
    fn what_it_started_is_ended_with_its_group() {
        let Some((mut nursling, _scratch)) = start("") else {
            return;
        };
        assert!(hello(&mut nursling).contains("\"hello\": 1"));
        assert!(!nursling.has_exited());
        nursling.kill_group();
        assert_eq!(nursling.wait().and_then(|status| status.signal()), Some(9));
    }

    #[test]
    fn one_that_has_gone_starts_nothing() {
        let Some((nursling, scratch)) = start("") else {
            return;
        };
        let nursery = Arc::clone(&nursling.nursery);
        nursery.0.lock().unwrap().process.kill().unwrap();
        nursery.0.lock().unwrap().process.wait().unwrap();
        let file = scratch.path().join("retention.py");
        assert!(Nursery::start(&nursery, "retention", &file, scratch.path()).is_err());
        assert!(nursling.has_exited());
        assert!(nursling.wait().is_none());
    }
}
