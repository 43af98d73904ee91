//! The caller's own user.

pub mod get;
pub mod tokens;
