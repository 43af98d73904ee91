//! Organizations.

pub mod by_domain;
pub mod create;
pub mod get;
pub mod list;
pub mod subdomain;
pub mod update;
pub mod search;
