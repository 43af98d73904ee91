//! The caller's sessions in browsers.

pub mod delete;
pub mod list;
