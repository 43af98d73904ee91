//! What webhooks were told.

pub mod get;
pub mod list;
pub mod replay;
