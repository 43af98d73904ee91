//! The eleven sources of imports, each over HTTP from a server on this machine, with an export shaped as its product makes it.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::items_after_statements,
    reason = "a test that can't go on can only fail"
)]

mod files;
mod products;
mod support;
mod website;
