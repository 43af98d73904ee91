//! Deliveries of webhooks.

pub mod get;
pub mod list;
pub mod replay;
