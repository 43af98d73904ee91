//! Backups, restores and checks of a deployment with content and files.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't go on can only fail"
)]

mod backup;
mod check;
mod deployment;
