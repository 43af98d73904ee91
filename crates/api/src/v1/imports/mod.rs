//! Imports: content from outside, as one revision.

pub mod body;
pub mod cancel;
pub mod change_request;
pub mod export;
pub mod get;
mod later;
pub mod list;
mod run;
pub mod space;
