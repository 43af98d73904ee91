//! Where spaces and collections stand, and what becomes of them there: made, moved, transferred, duplicated, deleted, restored.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't go on can only fail"
)]

mod collections;
mod concurrency;
mod duplicate;
mod fixture;
mod life;
mod moves;
mod transfer;
