//! OpenAPI specifications of an organization.

pub mod content;
pub mod create;
pub mod delete;
pub mod get;
pub mod list;
mod path;
pub mod put;
pub mod version;
pub mod versions;
