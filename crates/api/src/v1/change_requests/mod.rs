//! Change requests.

pub mod contributors;
pub mod create;
mod filter;
pub mod get;
pub mod list;
pub mod list_of_organization;
pub mod merge;
pub mod pull;
pub mod update;
pub mod viewed;
