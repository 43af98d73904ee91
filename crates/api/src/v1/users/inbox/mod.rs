//! The caller's inbox.

pub mod list;
pub mod read;
