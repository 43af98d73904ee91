//! Content: spaces in their tree of collections, pages with their history, change requests with their reviews,
//! comments, files, imports, Git, search and links.

pub mod change_requests;
pub mod collections;
pub mod comments;
pub mod custom_fields;
pub mod files;
pub mod git_installations;
pub mod git_sites;
pub mod git_syncs;
pub mod hierarchy;
pub mod imports;
pub mod links;
pub(crate) mod merge_rules;
pub mod openapi_specs;
pub mod reviews;
pub mod search;
pub mod spaces;
pub mod store;
pub mod translations;
