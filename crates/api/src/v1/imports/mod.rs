//! Imports: content from outside, as one revision.

pub mod change_request;
mod run;
pub mod space;
