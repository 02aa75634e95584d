//! What the sources of a track share, so that each starts sooner: nurseries, one for each process
//! of a test.
//!
//! What comes from one nursery shares one seed for its hashes. So two processes that meet in a
//! test never come from the same one, and a subject that leans on its seed is seen.

#[cfg(target_os = "linux")]
use std::path::Path;
#[cfg(target_os = "linux")]
use std::sync::{Arc, OnceLock};

#[cfg(target_os = "linux")]
use super::Launch;
#[cfg(target_os = "linux")]
use crate::run::nursery::{Nursery, Nursling};

/// How many nurseries there are at most; a test has hardly ever more processes.
#[cfg(target_os = "linux")]
const COUNT: usize = 3;

/// The nurseries of a bench, if its track has any.
#[derive(Debug, Default)]
pub struct Warm {
    #[cfg(target_os = "linux")]
    nurseries: OnceLock<Arc<Nurseries>>,
}

#[cfg(target_os = "linux")]
impl Warm {
    /// Returns the nurseries, which `launch` describes; none is started yet.
    pub(super) fn nurseries(&self, launch: impl FnOnce() -> Launch) -> &Arc<Nurseries> {
        let make = || Arc::new(Nurseries::new(launch()));
        self.nurseries.get_or_init(make)
    }
}

/// Nurseries of one kind, each started when it is first of use.
#[cfg(target_os = "linux")]
#[derive(Debug)]
pub struct Nurseries {
    launch: Launch,
    open: [OnceLock<Option<Arc<Nursery>>>; COUNT],
}

#[cfg(target_os = "linux")]
impl Nurseries {
    /// Nurseries that are started as `launch` says.
    pub fn new(launch: Launch) -> Self {
        let open = [const { OnceLock::new() }; COUNT];
        Self { launch, open }
    }

    /// Starts a process from the nursery with this number; none where that cannot be.
    pub fn start(&self, number: usize, lab: &str, file: &Path, folder: &Path) -> Option<Nursling> {
        let open = || {
            let command = self.launch.command().ok()?;
            Nursery::open(command).ok().map(Arc::new)
        };
        let nursery = self.open.get(number)?.get_or_init(open).as_ref()?;
        Nursery::start(nursery, lab, file, folder).ok()
    }
}
