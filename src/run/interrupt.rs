//! A flag that ends a run early: a key on the screen, ctrl-c, a signal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag shared by a run and whoever may stop it.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks the run to stop; it does so within some 20 ms.
    pub fn raise(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Tells whether the run was asked to stop.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Returns the flag itself, for a signal handler to set.
    #[must_use]
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}
