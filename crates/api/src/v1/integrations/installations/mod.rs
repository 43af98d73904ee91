//! Installations of integrations on organizations, and below them on spaces.

pub mod create;
pub mod delete;
pub mod get;
pub mod list;
pub mod on_spaces;
pub mod update;
