//! The store against a real PostgreSQL.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't go on can only fail"
)]

mod catalogue;
mod files;
mod jobs;
mod keys;
mod roles;
mod rules;
