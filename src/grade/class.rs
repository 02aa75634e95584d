//! Many submissions: several at once, each result stored before the next is begun.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::session::{Key, Session, SessionError};
use super::{Fault, Found, Grader};
use crate::gradebook::Submission;

/// What happens while a class is graded.
#[derive(Debug)]
pub enum News<'a> {
    /// It begins.
    Begun {
        /// How many submissions there are.
        all: usize,
        /// How many of them have their result from an earlier run.
        known: usize,
    },
    /// A submission has its result.
    Graded(&'a Submission),
}

/// Why a class is not graded to its end.
#[derive(Debug, thiserror::Error)]
pub enum ClassFault {
    /// The run was stopped; what has been graded is in the session.
    #[error("interrupted")]
    Interrupted,
    /// The session cannot be used.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// Nothing can be graded on this machine.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// Grades what has no result yet, `jobs` submissions at once.
///
/// # Errors
///
/// Fails when it is interrupted, or the session cannot be written. A submission that cannot be
/// run is a result.
pub fn grade(
    grader: &Grader<'_>,
    found: &[Found],
    session: &Mutex<Session>,
    jobs: usize,
    tell: &(dyn Fn(News<'_>) + Sync),
) -> Result<(), ClassFault> {
    let mut left = Vec::new();
    for one in found {
        if !lock(session).has(key(grader, one))? {
            left.push(one);
        }
    }
    tell(News::Begun {
        all: found.len(),
        known: found.len() - left.len(),
    });
    let next = AtomicUsize::new(0);
    let fault: Mutex<Option<ClassFault>> = Mutex::new(None);
    thread::scope(|scope| {
        for _ in 0..jobs.min(left.len()) {
            scope.spawn(|| {
                while let Some(one) = left.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let stored = grader
                        .grade(one)
                        .map_err(ClassFault::from)
                        .and_then(|result| {
                            lock(session).store(key(grader, one), &result)?;
                            tell(News::Graded(&result));
                            Ok(())
                        });
                    if let Err(error) = stored {
                        // The others end with their own submission; no new one is begun.
                        next.store(left.len(), Ordering::Relaxed);
                        lock(&fault).get_or_insert(error);
                    }
                }
            });
        }
    });
    match fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(ClassFault::Fault(Fault::Interrupted)) => Err(ClassFault::Interrupted),
        Some(fault) => Err(fault),
        None => Ok(()),
    }
}

/// Returns what a submission's result is found by.
#[must_use]
pub fn key<'a>(grader: &'a Grader<'_>, found: &'a Found) -> Key<'a> {
    Key {
        path: &found.path,
        hash: &found.hash,
        grader: grader.id(),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
