//! Integrations.

pub mod get;
pub mod image;
mod images;
pub mod installations;
pub mod list;
pub mod publish;
pub mod unpublish;
