//! Change requests.

pub mod create;
pub mod get;
pub mod list;
pub mod merge;
pub mod pull;
pub mod update;
