//! OpenAPI specifications of an organization.

pub mod content;
pub mod create;
pub mod delete;
pub mod get;
pub mod list;
mod place;
pub mod put;
pub mod version;
pub mod versions;
