//! The caller's notifications by mail.

pub mod get;
pub mod update;
