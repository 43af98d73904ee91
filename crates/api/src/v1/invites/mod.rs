//! Invites.

pub mod accept;
pub mod create;
pub mod delete;
pub mod email;
pub mod get;
pub mod list;
pub mod update;
