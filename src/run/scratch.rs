//! Scratch folders: on memory where there is some, gone afterwards, even after a kill.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use tempfile::TempDir;

use super::confine;

const PREFIX: &str = "idemlab-";
const LOCK: &str = ".lock";
/// What the database of a test and its journal need at least, in bytes.
#[cfg(unix)]
const ROOM: u64 = 256 << 10;

/// A folder of one run. It is removed when dropped; one whose owner was killed is removed by
/// the next run.
#[derive(Debug)]
pub struct Scratch {
    folder: TempDir,
    _lock: File,
    next: AtomicU64,
}

impl Scratch {
    /// Makes a scratch folder, and removes those that dead runs left behind.
    ///
    /// # Errors
    ///
    /// Fails when the folder cannot be made or locked.
    pub fn new() -> io::Result<Self> {
        let base = base();
        // A subject is told the path as text: another path would look like its own mistake.
        if base.to_str().is_none() {
            let path = base.display();
            return Err(io::Error::other(format!("the path {path} is not UTF-8")));
        }
        remove_abandoned(&base);
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(&base)?;
        // It has its name only once it is locked: else another run might take it for abandoned.
        let unnamed = folder.path().join(".lock.new");
        let lock = File::create(&unnamed)?;
        lock.lock()?;
        fs::rename(unnamed, folder.path().join(LOCK))?;
        Ok(Self {
            folder,
            _lock: lock,
            next: AtomicU64::new(0),
        })
    }

    /// Returns the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns its name, which no other run has.
    #[must_use]
    pub fn name(&self) -> String {
        let name = self.folder.path().file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// Tells whether there is hardly any room left in it; not everywhere is that known.
    #[must_use]
    pub fn is_full(&self) -> bool {
        #[cfg(unix)]
        if let Ok(place) = rustix::fs::statvfs(self.folder.path()) {
            return place.f_bavail.saturating_mul(place.f_frsize) < ROOM;
        }
        false
    }

    /// Makes a folder in it under a name never used before.
    ///
    /// # Errors
    ///
    /// Fails when the folder cannot be made.
    pub fn fresh(&self) -> io::Result<PathBuf> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let folder = self.folder.path().join(number.to_string());
        fs::create_dir(&folder)?;
        Ok(folder)
    }
}

/// Prefers memory: a database on disk costs a wait for the disk at each commit.
fn base() -> PathBuf {
    let memory = Path::new("/dev/shm");
    if cfg!(target_os = "linux")
        && std::env::var_os("IDEMLAB_SCRATCH").is_none()
        && tempfile::tempfile_in(memory).is_ok()
    {
        return memory.to_owned();
    }
    std::env::var_os("IDEMLAB_SCRATCH").map_or_else(std::env::temp_dir, PathBuf::from)
}

/// Removes scratch folders whose lock nobody holds any more.
fn remove_abandoned(base: &Path) {
    let Ok(entries) = fs::read_dir(base) else {
        return;
    };
    for entry in entries.flatten() {
        let ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if ours && is_abandoned(&entry.path().join(LOCK)) {
            confine::sweep(&entry.file_name().to_string_lossy());
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn is_abandoned(lock: &Path) -> bool {
    // A folder without a lock file may be one that is being made at this moment: leave it.
    let Ok(file) = File::open(lock) else {
        return false;
    };
    match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_in_use_stays_and_an_abandoned_one_goes() {
        let base = tempfile::tempdir().unwrap();
        let used = base.path().join("idemlab-used");
        let dead = base.path().join("idemlab-dead");
        let other = base.path().join("another");
        for folder in [&used, &dead, &other] {
            fs::create_dir(folder).unwrap();
            File::create(folder.join(LOCK)).unwrap();
        }
        let lock = File::open(used.join(LOCK)).unwrap();
        lock.lock().unwrap();
        remove_abandoned(base.path());
        assert!(used.exists());
        assert!(!dead.exists());
        assert!(other.exists());
    }

    #[test]
    fn runs_that_start_at_once_leave_each_other_alone() {
        let many = || {
            for _ in 0..100 {
                let scratch = Scratch::new().unwrap();
                scratch.fresh().unwrap();
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(many);
            }
        });
    }

    #[test]
    fn every_folder_has_a_name_of_its_own_and_all_go_at_the_end() {
        let scratch = Scratch::new().unwrap();
        let (a, b) = (scratch.fresh().unwrap(), scratch.fresh().unwrap());
        assert_ne!(a, b);
        drop(scratch);
        assert!(!a.exists() && !b.exists());
    }
}
