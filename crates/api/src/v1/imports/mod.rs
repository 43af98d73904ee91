//! Imports of external content, each as one revision.

pub mod body;
pub mod cancel;
pub mod change_request;
mod enqueue;
pub mod export;
pub mod get;
mod import;
pub mod list;
pub mod space;
