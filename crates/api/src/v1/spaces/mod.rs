//! Spaces.

pub mod commenters;
pub mod create;
pub mod delete;
pub mod duplicate;
pub mod get;
pub mod list;
pub mod move_to;
pub mod restore;
pub mod search;
pub mod transfer;
pub mod update;
