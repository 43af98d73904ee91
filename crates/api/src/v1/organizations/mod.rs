//! Organizations.

pub mod by_domain;
pub mod create;
pub mod get;
pub mod list;
pub mod search;
pub mod subdomain;
pub mod titles;
pub mod update;
