//! Reports: one finished value in many forms. Leaves: they run nothing and decide nothing.

pub mod github;
pub mod grade;
pub mod human;
pub mod json;
pub mod problems;
pub mod stryker;
