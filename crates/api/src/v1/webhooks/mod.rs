//! Webhooks.

pub mod create;
pub mod delete;
pub mod deliveries;
pub mod get;
pub mod list;
pub mod ping;
pub mod rotate_secret;
pub mod update;
