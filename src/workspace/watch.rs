//! Watches the sources of a workspace: one event for each change of their content.
//!
//! The only user of the notify library. Where the system cannot tell of changes, the folder is
//! looked at twice a second. What did not change the content of a source is no event: a look at
//! it, an editor's own files, a save without a change.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use notify::{PollWatcher, RecursiveMode, Watcher};

use super::Workspace;

/// How long it must be quiet before a change is told: an editor saves in several acts.
const QUIET: Duration = Duration::from_millis(60);
/// How often a folder is looked at where the system does not tell of changes.
const LOOK: Duration = Duration::from_millis(500);

/// How changes are noticed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum How {
    /// The system tells of them.
    Told,
    /// The folder is looked at twice a second, for this reason.
    Looking(String),
}

/// A workspace that is being watched; dropped, it is not any more.
pub struct Watch {
    how: How,
    /// Dropped, the thread that waits for news of the system ends.
    _stop: Sender<()>,
}

impl Watch {
    /// Begins to watch; `changed` is called, on a thread of its own, after each change.
    #[must_use]
    pub fn begin(folder: &Path, changed: impl Fn() + Send + 'static) -> Self {
        let (tell, told) = mpsc::channel();
        let (stop, stopped) = mpsc::channel::<()>();
        let (mut watcher, how) = watcher(folder, &tell);
        let folder = folder.to_owned();
        // Before anything is run: what changes from here on is told.
        let mut watched = BTreeSet::new();
        let mut known = look(&folder, watcher.as_mut(), &mut watched);
        thread::spawn(move || {
            while next(&told, &stopped) {
                let now = look(&folder, watcher.as_mut(), &mut watched);
                if now != known {
                    known = now;
                    changed();
                }
            }
        });
        Self { how, _stop: stop }
    }

    /// Tells how changes are noticed.
    #[must_use]
    pub const fn how(&self) -> &How {
        &self.how
    }
}

impl std::fmt::Debug for Watch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch")
            .field("how", &self.how)
            .finish_non_exhaustive()
    }
}

/// Waits for news and then for quiet; false once nobody listens any more.
fn next(told: &Receiver<()>, stopped: &Receiver<()>) -> bool {
    loop {
        match told.recv_timeout(LOOK) {
            Ok(()) => break,
            Err(RecvTimeoutError::Timeout) if is_open(stopped) => {}
            Err(_) => return false,
        }
    }
    while told.recv_timeout(QUIET).is_ok() {}
    is_open(stopped)
}

fn is_open(stopped: &Receiver<()>) -> bool {
    !matches!(stopped.try_recv(), Err(mpsc::TryRecvError::Disconnected))
}

/// Makes a watcher of the system, or one that looks.
fn watcher(folder: &Path, tell: &Sender<()>) -> (Box<dyn Watcher + Send>, How) {
    let why = if std::env::var_os("IDEMLAB_POLL").is_some() {
        Some("IDEMLAB_POLL is set".to_owned())
    } else {
        elsewhere(folder)
    };
    let news = |tell: &Sender<()>| {
        let tell = tell.clone();
        move |_: notify::Result<notify::Event>| {
            let _ = tell.send(());
        }
    };
    let why = match why {
        Some(why) => why,
        None => match notify::recommended_watcher(news(tell)) {
            Ok(mut watcher) => match watcher.watch(folder, RecursiveMode::NonRecursive) {
                Ok(()) => return (Box::new(watcher), How::Told),
                Err(error) => error.to_string(),
            },
            Err(error) => error.to_string(),
        },
    };
    let config = notify::Config::default()
        .with_poll_interval(LOOK)
        .with_compare_contents(true);
    match PollWatcher::new(news(tell), config) {
        Ok(watcher) => (Box::new(watcher), How::Looking(why)),
        // It has no reason to fail; then only a key runs the tests.
        Err(_) => (Box::new(notify::NullWatcher), How::Looking(why)),
    }
}

/// Names a kind of file system on which the system does not tell of every change.
#[cfg(target_os = "linux")]
fn elsewhere(folder: &Path) -> Option<String> {
    const KINDS: [(u64, &str); 8] = [
        (0x6969, "NFS"),
        (0x517b, "SMB"),
        (0xff53_4d42, "CIFS"),
        (0xfe53_4d42, "SMB"),
        (0x0102_1997, "9P"),
        (0x6573_5546, "FUSE"),
        (0x786f_4256, "a shared folder of a virtual machine"),
        (0x00c3_6400, "Ceph"),
    ];
    let kind = rustix::fs::statfs(folder).ok()?.f_type;
    // The kernel gives 32 bits in a number whose size and sign differ from machine to machine.
    let kind = u64::try_from(i128::from(kind) & 0xffff_ffff).ok()?;
    let (_, name) = KINDS.iter().find(|(known, _)| *known == kind)?;
    Some(format!("the folder lies on {name}"))
}

#[cfg(not(target_os = "linux"))]
fn elsewhere(_: &Path) -> Option<String> {
    None
}

/// Names what the sources hold, and watches the folders in which they lie.
fn look(folder: &Path, watcher: &mut dyn Watcher, watched: &mut BTreeSet<PathBuf>) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut folders = BTreeSet::from([folder.to_owned()]);
    // While the manifest is broken, it is all that can be watched.
    let manifest = std::fs::read(folder.join(super::MANIFEST)).unwrap_or_default();
    hasher.write(&manifest);
    let sources = Workspace::open(folder).ok().map(|there| there.sources());
    match sources {
        Some(Ok(sources)) => {
            for source in sources {
                hasher.write(source.inside.as_bytes());
                hasher.write(&std::fs::read(&source.path).unwrap_or_default());
                folders.extend(source.path.parent().map(Path::to_owned));
            }
        }
        Some(Err(problem)) => hasher.write(problem.title.as_bytes()),
        None => {}
    }
    for new in folders.difference(watched) {
        let _ = watcher.watch(new, RecursiveMode::NonRecursive);
    }
    for old in watched.difference(&folders) {
        let _ = watcher.unwatch(old);
    }
    *watched = folders;
    hasher.finish()
}
