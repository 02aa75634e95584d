//! Which folders another user can come to, and which of them a program is part of.

use std::path::{Path, PathBuf};

/// Tells whether a folder can be reached only by somebody who passes closed folders.
#[cfg(unix)]
pub fn needs_search(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    real.ancestors().any(|folder| {
        folder.metadata().is_ok_and(|data| {
            let needed = if data.is_dir() { 0o001 } else { 0o004 };
            data.permissions().mode() & needed == 0
        })
    })
}

#[cfg(not(unix))]
pub fn needs_search(_: &Path) -> bool {
    false
}

/// Returns the folder that a program was installed into, or the program alone.
///
/// `PREFIX/bin/node` reads `PREFIX/lib`; but the prefix must be no home folder, nor hold one.
pub fn prefix_of(program: &Path) -> PathBuf {
    let real = program
        .canonicalize()
        .unwrap_or_else(|_| program.to_owned());
    let prefix = real
        .parent()
        .filter(|bin| bin.file_name().is_some_and(|name| name == "bin"))
        .and_then(Path::parent);
    match prefix {
        Some(prefix) if !holds_a_home(prefix) => prefix.to_owned(),
        _ => real,
    }
}

/// Tells whether a folder is too wide to be opened to a stranger.
pub fn holds_a_home(folder: &Path) -> bool {
    let homes = ["/", "/home", "/root", "/Users", "/tmp", "/var", "/opt"].map(PathBuf::from);
    let home = std::env::var_os("HOME").map(PathBuf::from);
    homes.iter().any(|wide| folder == wide)
        || folder.parent() == Some(Path::new("/home"))
        || home.is_some_and(|home| home.starts_with(folder))
}
