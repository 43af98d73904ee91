//! Access of identity providers with SCIM.

pub mod create;
pub mod delete;
pub mod get;
