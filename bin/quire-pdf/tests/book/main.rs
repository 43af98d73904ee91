//! Tests with real PDFs.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't go on can only fail"
)]

mod content;
mod limits;
mod pdf;
mod scripts;
