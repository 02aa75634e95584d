//! Tests of the screen: key strings to whole screens, and any messages in any order.

mod faults;
mod further;
mod lab;
mod own;
mod random;
mod screens;
mod walk;
