//! Spaces.

pub mod commenters;
pub mod create;
pub mod get;
pub mod list;
pub mod search;
pub mod update;
