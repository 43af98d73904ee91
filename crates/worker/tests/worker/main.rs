//! Jobs on a real database.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't go on can only fail"
)]

mod git;
mod imports;
mod mails;
mod notices;
mod polling;
mod purge;
mod sweep;
