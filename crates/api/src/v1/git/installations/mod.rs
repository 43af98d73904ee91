//! Connections of spaces to Git repositories.

pub mod comparison;
pub mod create;
pub mod delete;
pub mod get;
pub mod hook_secret;
pub mod of_site;
pub mod operations;
pub mod sync;
pub mod update;
