//! The current user.

pub mod find;
pub mod get;
pub mod invites;
pub mod tokens;
