//! Installations of integrations on organizations, and below them on spaces and sites.

mod below;
pub mod create;
pub mod delete;
pub mod get;
pub mod list;
pub mod on_sites;
pub mod on_spaces;
pub mod update;
