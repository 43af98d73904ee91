//! Comments and replies, on spaces and on change requests.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't go on can only fail"
)]

mod concurrency;
mod fixture;
mod input;
mod life;
mod lists;
mod reactions;
mod replies;
mod rights;
mod targets;
