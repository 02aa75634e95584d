//! Signals, job control and the end of a terminal, where there are such things.
//!
//! It tells the loop by messages, and does nothing to the screen itself.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use self::here::{stop, stop_job, watch};

/// Keeps the reader of keys away from the terminal while somebody else has it.
#[derive(Debug, Clone, Default)]
pub struct Gate {
    wanted: Arc<AtomicBool>,
    pub reading: Arc<Mutex<()>>,
}

/// A gate that is closed until this is dropped.
pub struct Closed<'g> {
    gate: &'g Gate,
    _reading: MutexGuard<'g, ()>,
}

impl Drop for Closed<'_> {
    fn drop(&mut self) {
        self.gate.wanted.store(false, Ordering::SeqCst);
    }
}

impl Gate {
    /// Closes the gate, once the reader is out of it.
    pub fn close(&self) -> Closed<'_> {
        self.wanted.store(true, Ordering::SeqCst);
        Closed {
            gate: self,
            _reading: self.reading.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// Tells whether somebody else has the terminal.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.wanted.load(Ordering::SeqCst)
    }
}

#[cfg(unix)]
mod here {
    use std::io;
    use std::sync::mpsc::Sender;
    use std::thread;
    use std::time::Duration;

    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use super::Gate;
    use crate::tui::message::Msg;

    /// How often signals and the terminal are looked at.
    const WATCH: Duration = Duration::from_millis(100);

    /// Stops the job until it is continued.
    ///
    /// A shell looks at the leader of a job, so that is stopped as well, if it is a wrapper.
    /// The others are left alone: a subject that is just being started would never get going.
    pub fn stop_job() {
        use rustix::process::{Signal, getpgrp, getpid, kill_process};
        let leader = getpgrp();
        if leader != getpid() {
            let _ = kill_process(leader, Signal::TSTP);
        }
        stop();
    }

    /// Stops this process until it is continued.
    pub fn stop() {
        let _ = emulate_default_handler(SIGTSTP);
    }

    /// Watches for signals, and for a terminal that is gone.
    pub fn watch(send: Sender<Msg>, gate: Gate) -> io::Result<()> {
        let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT])?;
        thread::spawn(move || {
            loop {
                for signal in signals.pending() {
                    let away = gate.is_closed();
                    let message = match signal {
                        SIGTSTP if away => {
                            stop();
                            continue;
                        }
                        // What is meant for the editor is not for us.
                        SIGCONT | SIGINT if away => continue,
                        SIGTSTP => Msg::Pause,
                        SIGCONT => Msg::Resumed,
                        _ => Msg::Terminate,
                    };
                    if send.send(message).is_err() {
                        return;
                    }
                }
                // The reader of keys cannot tell an end of input from silence, so this asks.
                let here = rustix::termios::tcgetattr(rustix::stdio::stdin()).is_ok();
                if !here && !gate.is_closed() {
                    let _ = send.send(Msg::Gone);
                    return;
                }
                thread::sleep(WATCH);
            }
        });
        Ok(())
    }
}

/// Elsewhere the terminal itself ends the program, and there is no job control.
#[cfg(not(unix))]
mod here {
    use std::io;
    use std::sync::mpsc::Sender;

    use super::Gate;
    use crate::tui::message::Msg;

    pub fn stop_job() {}

    pub fn stop() {}

    pub fn watch(_: Sender<Msg>, _: Gate) -> io::Result<()> {
        Ok(())
    }
}
