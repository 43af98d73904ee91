//! Replies to comments of spaces and of change requests: each endpoint serves both.

pub mod create;
pub mod delete;
pub mod get;
pub mod list;
pub mod update;
