//! Submissions that mean harm: the attack does not succeed, the verdict is right, nothing is
//! left running and the neighbour's files are as they were.
//!
//! Where the kernel cannot confine, the tests pass unseen on a developer's machine; where `CI`
//! is set they fail.

#![cfg(target_os = "linux")]

mod bad;
mod place;
mod refused;
mod rust;
