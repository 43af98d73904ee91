//! Requested reviewers of a change request.

pub mod create;
pub mod delete;
pub mod list;
