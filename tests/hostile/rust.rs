//! Attacks in Rust, many of them on the compiler.
