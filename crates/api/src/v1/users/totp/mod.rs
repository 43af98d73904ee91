//! The caller's authenticator app.

pub mod confirm;
pub mod delete;
pub mod get;
pub mod start;
