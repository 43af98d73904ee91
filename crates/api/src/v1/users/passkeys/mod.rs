//! The caller's passkeys.

pub mod create;
pub mod delete;
pub mod list;
pub mod start;
pub mod update;
