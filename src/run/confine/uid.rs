//! Users for confined programs: numbers that nobody else has, each lent to one submission.

#[cfg(unix)]
use std::fs::{self, File};
use std::io;
#[cfg(unix)]
use std::path::{Path, PathBuf};

/// The first of the numbers that systemd's list of uids leaves to nobody, up to [`LAST`].
pub const FIRST: u32 = 60_578;
#[cfg(unix)]
const LAST: u32 = 61_183;

/// Where the locks lie that keep two labs from lending the same number.
#[cfg(unix)]
const PLACES: [&str; 2] = ["/run/idemlab-uids", "/dev/shm/idemlab-uids"];

/// A user lent to one submission; given back when dropped.
#[derive(Debug)]
pub struct Lease {
    uid: u32,
    #[cfg(unix)]
    _lock: File,
}

impl Lease {
    /// Returns the user's number.
    pub const fn uid(&self) -> u32 {
        self.uid
    }
}

/// Tells whether the lab may become another user.
#[cfg(unix)]
pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
pub fn is_root() -> bool {
    false
}

/// Lends a user that runs nothing and is lent to nobody.
#[cfg(unix)]
pub fn lend() -> io::Result<Lease> {
    let place = place()?;
    let known = fs::read_to_string("/etc/passwd").unwrap_or_default();
    for uid in FIRST..=LAST {
        if known.lines().any(|line| has_number(line, uid)) {
            continue;
        }
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(place.join(uid.to_string()))?;
        if lock.try_lock().is_ok() && !super::watch::runs_anything(uid) {
            return Ok(Lease { uid, _lock: lock });
        }
    }
    Err(io::Error::other(
        "every user for confined programs is in use",
    ))
}

#[cfg(not(unix))]
pub fn lend() -> io::Result<Lease> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

/// Makes the folder of the locks; nobody else may write there.
#[cfg(unix)]
fn place() -> io::Result<PathBuf> {
    use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
    let mut last = io::Error::from(io::ErrorKind::NotFound);
    for place in PLACES.map(Path::new) {
        match fs::DirBuilder::new().mode(0o700).create(place) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                last = error;
                continue;
            }
        }
        let data = place.symlink_metadata()?;
        if data.is_dir() && data.uid() == 0 && data.mode() & 0o022 == 0 {
            return Ok(place.to_owned());
        }
    }
    Err(last)
}

#[cfg(unix)]
fn has_number(line: &str, uid: u32) -> bool {
    line.split(':')
        .nth(2)
        .is_some_and(|number| number.parse() == Ok(uid))
}
