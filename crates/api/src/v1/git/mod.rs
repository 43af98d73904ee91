//! Imports from and exports to Git repositories, and connections to them.

pub mod export;
pub mod hooks;
pub mod import;
pub mod info;
pub mod installations;
mod request;
