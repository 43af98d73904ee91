//! Errors of the schema, with their paths.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail as tests do"
)]

#[allow(unreachable_pub)]
mod build;
mod nodes;
mod properties;
mod readers;
mod tables;
