//! Reports: one finished value in many forms. Leaves: they run nothing and decide nothing.

pub mod human;
pub mod json;
