//! Imports: content from outside, as one revision.

pub mod change_request;
pub mod export;
mod run;
pub mod space;
