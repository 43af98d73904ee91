//! Invites.

pub mod accept;
pub mod create;
pub mod delete;
pub mod email;
pub mod email_list;
pub mod email_revoke;
pub mod get;
pub mod list;
pub mod register;
pub mod update;
