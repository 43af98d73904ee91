//! Members of a team.

pub mod change;
pub mod list;
pub mod put;
pub mod remove;
