//! Connections of spaces to Git repositories.

pub mod comparison;
pub mod create;
pub mod delete;
pub mod get;
pub mod operations;
pub mod sync;
pub mod update;
