//! Control groups: they count the processes of a submission, bound its memory and end it whole.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use super::watch;

/// Where all mounted cgroup file systems lie by custom.
const MOUNTS: &str = "/sys/fs/cgroup";
/// How long killed processes may take to be gone.
const PATIENCE: Duration = Duration::from_secs(5);

/// The folders in which a group can be made here, one for each hierarchy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parents {
    pids: Option<PathBuf>,
    memory: Option<PathBuf>,
}

impl Parents {
    /// Returns those of this machine.
    pub fn here() -> &'static Self {
        static HERE: OnceLock<Parents> = OnceLock::new();
        HERE.get_or_init(Self::find)
    }

    /// Finds them by trying.
    fn find() -> Self {
        if !cfg!(target_os = "linux") {
            return Self::default();
        }
        let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        Self {
            pids: parent(&own, "pids", &["pids.max"], 64),
            memory: parent(
                &own,
                "memory",
                &["memory.max", "memory.limit_in_bytes"],
                1 << 30,
            ),
        }
    }

    pub const fn pids(&self) -> bool {
        self.pids.is_some()
    }

    pub const fn memory(&self) -> bool {
        self.memory.is_some()
    }

    /// Ends and removes the groups of a run that was killed.
    pub fn sweep(&self, run: &str) {
        for parent in [&self.pids, &self.memory].into_iter().flatten() {
            for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
                let name = entry.file_name();
                let ours = name
                    .to_string_lossy()
                    .strip_prefix(run)
                    .is_some_and(|rest| rest.starts_with('-'));
                if ours {
                    Group(vec![entry.path()]).end();
                }
            }
        }
    }

    /// Makes a group under a name never used before.
    pub fn make(&self, name: &str, processes: u64, memory: u64) -> io::Result<Group> {
        let mut group = Group(Vec::new());
        for parent in [&self.pids, &self.memory].into_iter().flatten() {
            let folder = parent.join(name);
            if group.0.contains(&folder) {
                continue;
            }
            fs::create_dir(&folder)?;
            group.0.push(folder);
        }
        if let Some(parent) = &self.pids {
            fs::write(parent.join(name).join("pids.max"), processes.to_string())?;
        }
        if let Some(parent) = &self.memory {
            let folder = parent.join(name);
            for file in ["memory.max", "memory.limit_in_bytes"] {
                if folder.join(file).exists() {
                    fs::write(folder.join(file), memory.to_string())?;
                }
            }
        }
        Ok(group)
    }
}

/// Finds a folder in which a group with one of these files can be made.
fn parent(own: &str, controller: &str, files: &[&str], most: u64) -> Option<PathBuf> {
    let mut candidates = Vec::new();
    for line in own.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else {
            continue;
        };
        let mounts = if controllers.is_empty() {
            vec![Path::new(MOUNTS).to_owned()]
        } else if controllers.split(',').any(|known| known == controller) {
            let together = Path::new(MOUNTS).join(controllers);
            vec![Path::new(MOUNTS).join(controller), together]
        } else {
            continue;
        };
        for mount in mounts {
            candidates.push(mount.join(path.trim_start_matches('/')));
            candidates.push(mount);
        }
    }
    candidates
        .into_iter()
        .find(|parent| works(parent, files, most))
}

/// Tries to make a group, and removes it again.
fn works(parent: &Path, files: &[&str], most: u64) -> bool {
    let trial = parent.join(format!("idemlab-trial-{}", std::process::id()));
    if fs::create_dir(&trial).is_err() {
        return false;
    }
    let good = files.iter().any(|file| {
        let file = trial.join(file);
        file.exists() && fs::write(file, most.to_string()).is_ok()
    }) && fs::OpenOptions::new()
        .write(true)
        .open(trial.join("cgroup.procs"))
        .is_ok();
    let _ = fs::remove_dir(&trial);
    good
}

/// The control groups of one submission; whatever is in them ends with it.
#[derive(Debug)]
pub struct Group(Vec<PathBuf>);

impl Group {
    /// Returns the files by which a process joins.
    pub fn joins(&self) -> Vec<PathBuf> {
        self.0
            .iter()
            .map(|folder| folder.join("cgroup.procs"))
            .collect()
    }

    /// Tells whether there is any.
    pub fn is_some(&self) -> bool {
        !self.0.is_empty()
    }

    /// Returns the processes in it.
    fn members(&self) -> Vec<i32> {
        let mut members = Vec::new();
        for file in self.joins() {
            let text = fs::read_to_string(file).unwrap_or_default();
            members.extend(text.lines().filter_map(|line| line.parse::<i32>().ok()));
        }
        members
    }

    /// Ends every process in it, and waits until all are gone.
    pub fn kill(&self) {
        for folder in &self.0 {
            let _ = fs::write(folder.join("pids.max"), "0");
        }
        let start = Instant::now();
        loop {
            let members = self.members();
            if members.is_empty() || start.elapsed() > PATIENCE {
                return;
            }
            for member in members {
                watch::kill(member);
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Ends what is in it and removes it.
    fn end(&self) {
        self.kill();
        let start = Instant::now();
        for folder in &self.0 {
            while fs::remove_dir(folder).is_err_and(|error| error.kind() != io::ErrorKind::NotFound)
                && start.elapsed() < PATIENCE
            {
                thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}
