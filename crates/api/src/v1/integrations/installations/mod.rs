//! Installations of integrations on organizations, and below them on spaces and sites.

mod below;
pub mod create;
pub mod delete;
pub mod get;
pub mod list;
pub mod site_installations;
pub mod space_installations;
pub mod update;
