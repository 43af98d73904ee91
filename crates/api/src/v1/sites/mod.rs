//! Sites.

mod access;
pub mod adaptive_schema;
mod conditions;
pub mod create;
pub mod customization;
pub mod delete;
mod destination;
pub mod get;
pub mod insights;
pub mod list;
pub mod publish;
pub mod published;
pub mod publishing;
pub mod redirect;
pub mod redirects;
pub mod renderer;
pub mod search;
pub mod share_links;
pub mod structure;
pub mod update;

pub(crate) use access::{SitePath, Visit, as_member, lock, parts, read, visit_as, visit_parts};
pub(crate) use conditions::WithConditions;
