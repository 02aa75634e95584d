//! Signals that ask the program to stop.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::run::Interrupt;

/// Ctrl-c, a polite kill, and a terminal that goes away.
#[cfg(unix)]
const STOPPING: [i32; 3] = [
    signal_hook::consts::SIGINT,
    signal_hook::consts::SIGTERM,
    signal_hook::consts::SIGHUP,
];
#[cfg(not(unix))]
const STOPPING: [i32; 2] = [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM];

/// Makes an interrupt that those signals raise.
pub fn interrupt_of_signals() -> Interrupt {
    let interrupt = Interrupt::default();
    for signal in STOPPING {
        // Without the handler ctrl-c still ends the program, only less cleanly.
        let _ = signal_hook::flag::register(signal, interrupt.flag());
    }
    interrupt
}

/// Ends the program at a signal while `waiting` is set.
///
/// A read of standard input does not notice a signal, so nobody else could. While it waits,
/// nothing runs and everything is saved.
#[cfg(unix)]
pub fn leave_while(waiting: Arc<AtomicBool>) {
    let Ok(mut signals) = signal_hook::iterator::Signals::new(STOPPING) else {
        return;
    };
    std::thread::spawn(move || {
        for _ in signals.forever() {
            if waiting.load(std::sync::atomic::Ordering::SeqCst) {
                std::process::exit(super::Exit::Interrupted.code().into());
            }
        }
    });
}

#[cfg(not(unix))]
pub fn leave_while(_: Arc<AtomicBool>) {}
