//! OpenID Connect providers of organizations.

pub mod create;
pub mod delete;
pub mod get;
mod issuer;
pub mod list;
pub mod update;
