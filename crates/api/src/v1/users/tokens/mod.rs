//! The caller's API tokens.

pub mod create;
pub mod delete;
pub mod list;
