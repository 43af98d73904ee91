//! Reviews of change requests.

pub mod create;
pub mod get;
pub mod list;
pub mod reviewers;
