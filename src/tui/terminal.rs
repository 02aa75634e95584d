//! The terminal itself: taken, given back, and given back whatever happens.
//!
//! It knows nothing of the lab.

use std::io::{self, Stdout, stdout};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, ThreadId};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::{SetCursorStyle, Show};
use ratatui::crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode, size,
};

/// A terminal that is drawn on.
pub type Screen = Terminal<CrosstermBackend<Stdout>>;

/// Whether the terminal is ours at the moment.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal, given back when this is dropped.
#[derive(Debug)]
pub struct Taken {
    /// What is drawn on.
    pub screen: Screen,
}

impl Taken {
    /// Takes the terminal: raw keys, a screen of its own, pastes told apart from keys.
    ///
    /// # Errors
    ///
    /// Fails when the terminal does not let it; it is given back then.
    pub fn take() -> io::Result<Self> {
        hook();
        enter().inspect_err(|_| restore())?;
        let screen = Terminal::new(CrosstermBackend::new(stdout())).inspect_err(|_| restore())?;
        Ok(Self { screen })
    }

    /// Takes the terminal again after it was given back or changed by somebody else.
    ///
    /// # Errors
    ///
    /// Fails when the terminal does not let it.
    pub fn retake(&mut self) -> io::Result<(u16, u16)> {
        // A shell may have changed the mode behind our back.
        let _ = disable_raw_mode();
        enter()?;
        // Not the terminal's own `clear`, which asks where the cursor is and waits for an answer.
        execute!(stdout(), Clear(ClearType::All))?;
        self.screen = Terminal::new(CrosstermBackend::new(stdout()))?;
        size()
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        restore();
    }
}

fn enter() -> io::Result<()> {
    TAKEN.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    execute!(
        stdout(),
        EnterAlternateScreen,
        EnableBracketedPaste,
        SetCursorStyle::SteadyBar
    )
}

/// Gives the terminal back. May be called at any time, more than once, from a panic too.
pub fn restore() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    // Each on its own: what one of them fails at must not keep the others from trying.
    let _ = execute!(
        stdout(),
        DisableBracketedPaste,
        SetCursorStyle::DefaultUserShape,
        LeaveAlternateScreen,
        Show
    );
    let _ = disable_raw_mode();
}

/// Gives the terminal back before a panic of the drawing thread is told.
///
/// A panic elsewhere is caught by the worker and told on the screen, so nothing is written.
fn hook() {
    static HOOK: Once = Once::new();
    let drawing: ThreadId = thread::current().id();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if thread::current().id() == drawing {
                restore();
                before(info);
            } else if !TAKEN.load(Ordering::SeqCst) {
                before(info);
            }
        }));
    });
}
