//! The current user.

pub mod get;
pub mod get_own;
pub mod identities;
pub mod inbox;
pub mod invites;
pub mod notifications;
pub mod passkeys;
pub mod sessions;
pub mod tokens;
pub mod totp;
pub mod update;
