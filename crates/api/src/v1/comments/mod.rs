//! Comments of spaces and of change requests: each endpoint serves both.

pub(super) mod body;
pub mod create;
pub mod delete;
pub mod get;
pub mod list;
mod path;
pub mod replies;
mod target;
pub mod update;
