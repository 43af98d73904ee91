//! Imports from and exports to Git repositories.

pub mod export;
pub mod import;
pub mod info;
mod request;
