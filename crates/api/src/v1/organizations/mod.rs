//! Organizations.

pub mod get;
pub mod list;
pub mod search;
