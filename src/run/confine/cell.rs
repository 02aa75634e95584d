//! The place of one submission: its read-only copy, its scratch folder, its user, its groups.
//!
//! When a cell is dropped, whatever still runs in it is ended and its folders are removed.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

use super::group::Group;
use super::policy::{Policy, Resources};
use super::uid::{self, Lease};
use super::watch::Watch;
use super::{COMMAND, Confinement, reach};
use crate::run::Scratch;
use crate::run::track::rust::program;

/// The most files and bytes of a submission that are copied.
const MOST_FILES: usize = 2000;
const MOST_BYTES: u64 = 64 << 20;
/// How deep its folders may lie in each other.
const DEEPEST: usize = 16;
/// What the `PATH` of a confined program is.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Why there is no cell: the machine's fault, never the submission's.
pub type Unmade = io::Error;

/// What a confined process is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A subject of a track.
    Run,
    /// Any other program that speaks the protocol.
    Command,
    /// A compiler.
    Build,
}

/// The place of one submission.
#[derive(Debug)]
pub struct Cell {
    // The order matters: processes end before their folders go and their user is given back.
    watch: Watch,
    group: Group,
    folder: PathBuf,
    lease: Option<Lease>,
    confinement: Confinement,
    next: AtomicU64,
}

impl Cell {
    /// Makes a cell in `scratch`.
    ///
    /// # Errors
    ///
    /// Fails when the machine refuses a folder, a user or a group.
    pub fn new(confinement: &Confinement, scratch: &Scratch) -> Result<Self, Unmade> {
        let lease = if confinement.trial.uid {
            Some(uid::lend()?)
        } else {
            None
        };
        let folder = scratch.fresh()?;
        let owner = lease.as_ref().map(Lease::uid);
        for (name, own) in [("code", false), ("work", false), ("home", true)] {
            let place = folder.join(name);
            fs::create_dir(&place)?;
            set_mode(&place, if own { 0o700 } else { 0o711 })?;
            if own {
                give(&place, owner)?;
            }
        }
        if owner.is_some() {
            // Another user has to pass through here; nobody can list what is in it.
            set_mode(scratch.path(), 0o711)?;
            set_mode(&folder, 0o711)?;
        }
        let number = folder.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{}-{number}", scratch.name());
        let allowance = confinement.allowance;
        let memory = allowance.memory.saturating_mul(4).max(6 << 30);
        let group = confinement
            .parents
            .make(&name, allowance.processes, memory)?;
        let counted = confinement.parents.pids();
        Ok(Self {
            watch: Watch::new(owner, (!counted).then_some(allowance.processes)),
            group,
            folder,
            lease,
            confinement: confinement.clone(),
            next: AtomicU64::new(0),
        })
    }

    /// Returns the folder of the submission's copy; a confined program cannot write there.
    #[must_use]
    pub fn code(&self) -> PathBuf {
        self.folder.join("code")
    }

    /// Returns a folder that the program may write.
    #[must_use]
    pub fn home(&self) -> PathBuf {
        self.folder.join("home")
    }

    /// Copies one file of a submission, and returns the copy.
    ///
    /// # Errors
    ///
    /// Fails when it is no plain file, too large or cannot be read.
    pub fn copy_file(&self, file: &Path) -> io::Result<PathBuf> {
        let name = file.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let copy = self.code().join(name);
        copy_plain(file, &copy, MOST_BYTES)?;
        set_mode(&copy, 0o444)?;
        set_mode(&self.code(), 0o755)?;
        Ok(copy)
    }

    /// Copies a submission's folder; links and what is no plain file are left out.
    ///
    /// # Errors
    ///
    /// Fails when it is too large or cannot be read.
    pub fn copy_folder(&self, folder: &Path) -> io::Result<PathBuf> {
        let mut room = Room {
            files: MOST_FILES,
            bytes: MOST_BYTES,
        };
        room.copy(folder, &self.code(), 0)?;
        Ok(self.code())
    }

    /// Copies a submission's folder to where its own build may change it.
    ///
    /// # Errors
    ///
    /// Fails when it is too large or cannot be read.
    pub fn copy_to_build(&self, folder: &Path) -> io::Result<PathBuf> {
        let place = self.home().join("program");
        fs::create_dir(&place)?;
        let mut room = Room {
            files: MOST_FILES,
            bytes: MOST_BYTES,
        };
        room.copy(folder, &place, 0)?;
        self.give_all(&place)?;
        Ok(place)
    }

    fn give_all(&self, folder: &Path) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                self.give_all(&entry.path())?;
            } else {
                set_mode(&entry.path(), 0o755)?;
                self.give(&entry.path())?;
            }
        }
        set_mode(folder, 0o755)?;
        self.give(folder)
    }

    /// Opens the copy, and all in it, to be read by the program.
    ///
    /// # Errors
    ///
    /// Fails when the lab may not do so.
    pub fn open_code(&self) -> io::Result<()> {
        open_folder(&self.code())
    }

    /// Copies what was built to where the program can no longer change it.
    ///
    /// # Errors
    ///
    /// Fails when it is no plain file or too large.
    pub fn keep(&self, built: &Path) -> io::Result<PathBuf> {
        let name = built.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let kept = self.code().join(name);
        copy_plain(built, &kept, MOST_BYTES)?;
        fs::remove_file(built)?;
        set_mode(&kept, 0o555)?;
        Ok(kept)
    }

    /// Makes a folder for one test under a name never used before, the program's own.
    ///
    /// # Errors
    ///
    /// Fails when the folder cannot be made.
    pub fn fresh(&self) -> io::Result<PathBuf> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        // Where program and lab are one user, the program must not be there first.
        let name = format!("{number}-{:x}", unforeseen());
        let folder = self.folder.join("work").join(name);
        fs::create_dir(&folder)?;
        set_mode(&folder, 0o700)?;
        Ok(folder)
    }

    /// Gives a file or folder to the program's user.
    ///
    /// # Errors
    ///
    /// Fails when the lab may not do so.
    pub fn give(&self, path: &Path) -> io::Result<()> {
        give(path, self.lease.as_ref().map(Lease::uid))
    }

    /// Makes the command that runs `command` confined; `read` is opened to it besides its copy.
    ///
    /// # Errors
    ///
    /// Fails when the program cannot find itself.
    pub fn confine(
        &self,
        command: &Command,
        purpose: Purpose,
        read: &[PathBuf],
    ) -> io::Result<Command> {
        let mut policy = self.policy(purpose, read);
        let wanted = Path::new(command.get_program());
        if wanted.is_absolute() {
            policy.read.push(reach::prefix_of(wanted));
        }
        policy.search =
            self.lease.is_some() && policy.read.iter().any(|path| reach::needs_search(path));
        let home = self.home();
        let mut helper = Command::new(program()?);
        helper
            .args([COMMAND, &policy.to_argument()])
            .arg(command.get_program())
            .args(command.get_args())
            .env_clear()
            .env("PATH", PATH)
            .env("LANG", "C.UTF-8")
            .env("HOME", &home)
            .env("TMPDIR", &home)
            .envs(
                command
                    .get_envs()
                    .filter_map(|(name, value)| Some((name, value?))),
            )
            .current_dir(command.get_current_dir().unwrap_or(&self.code()));
        Ok(helper)
    }

    fn policy(&self, purpose: Purpose, read: &[PathBuf]) -> Policy {
        let allowance = &self.confinement.allowance;
        let uid = self.lease.as_ref().map(Lease::uid);
        let mut policy = Policy {
            read: read.to_vec(),
            write: vec![self.home()],
            join: self.group.joins(),
            uid,
            search: false,
            resources: Resources::of(allowance, purpose),
            build: purpose == Purpose::Build,
            failed: Some(self.folder.join("failed")),
        };
        policy.resources.processes = uid.map(|_| allowance.processes);
        policy.read.push(self.code());
        policy.write.push(self.folder.join("work"));
        policy
    }

    /// Tells the cell that a process was started in it.
    pub fn started(&self, process: u32) {
        self.watch.started(process);
    }

    /// Says what could not be applied, if a helper failed.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        let words = fs::read_to_string(self.folder.join("failed")).ok()?;
        (!words.is_empty()).then_some(words)
    }

    /// Ends everything that runs in the cell.
    fn end(&self) {
        if self.group.is_some() {
            self.group.kill();
        } else {
            self.watch.kill();
        }
    }
}

impl Drop for Cell {
    fn drop(&mut self) {
        self.end();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn open_folder(folder: &Path) -> io::Result<()> {
    set_mode(folder, 0o755)?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            open_folder(&entry.path())?;
        } else {
            set_mode(&entry.path(), 0o555)?;
        }
    }
    Ok(())
}

/// A number that a program in the cell cannot guess.
fn unforeseen() -> u64 {
    use std::hash::{BuildHasher as _, RandomState};
    RandomState::new().hash_one(0)
}

/// What is left of the room that a submission may take.
struct Room {
    files: usize,
    bytes: u64,
}

impl Room {
    fn copy(&mut self, from: &Path, to: &Path, depth: usize) -> io::Result<()> {
        if depth > DEEPEST {
            return Err(io::Error::other("its folders lie too deep"));
        }
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            let (source, copy) = (entry.path(), to.join(entry.file_name()));
            self.files = self
                .files
                .checked_sub(1)
                .ok_or_else(|| io::Error::other(format!("it has more than {MOST_FILES} files")))?;
            if kind.is_dir() {
                fs::create_dir(&copy)?;
                self.copy(&source, &copy, depth + 1)?;
            } else if kind.is_file() {
                self.bytes -= copy_plain(&source, &copy, self.bytes)?;
                set_mode(&copy, 0o555)?;
            }
        }
        set_mode(to, 0o755)
    }
}

/// Copies a plain file of at most `most` bytes; never through a link.
fn copy_plain(from: &Path, to: &Path, most: u64) -> io::Result<u64> {
    let file = open_plain(from)?;
    let mut copy = File::create_new(to)?;
    let bytes = io::copy(&mut file.take(most + 1), &mut copy)?;
    if bytes > most {
        return Err(io::Error::other("it is too large"));
    }
    Ok(bytes)
}

/// Opens a file, unless it is a link or something that is no file.
fn open_plain(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.custom_flags(i32::try_from(flags.bits()).unwrap_or_default());
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::other("it is no plain file"))
    }
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn give(path: &Path, owner: Option<u32>) -> io::Result<()> {
    match owner {
        Some(owner) => std::os::unix::fs::lchown(path, Some(owner), Some(owner)),
        None => Ok(()),
    }
}

#[cfg(not(unix))]
fn give(_: &Path, _: Option<u32>) -> io::Result<()> {
    Ok(())
}
