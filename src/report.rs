//! Reports: one finished value in many forms. Leaves: they run nothing and decide nothing.

pub mod breaking;
pub mod github;
pub mod grade;
pub mod hand_in;
pub mod human;
pub mod json;
pub mod problems;
pub mod stryker;
pub mod trial;
