//! The program as a user meets it: command lines, whole outputs, exit codes.
//!
//! Every test runs the built program in an empty folder with an environment of its own.

mod help;
mod json;
#[cfg(unix)]
mod kills;
mod lab;
mod new;
mod own;
mod packs;
mod plain;
mod progress;
#[cfg(unix)]
mod scripts;
#[cfg(target_os = "linux")]
mod signals;
mod surroundings;
mod tiny;
mod usage;
