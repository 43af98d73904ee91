//! Content logic against a real PostgreSQL, without HTTP.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't go on can only fail"
)]

mod amended_saves;
mod edits;
mod exports;
mod groups;
mod imports;
mod merged_writes;
mod moved_heads;
mod serial_orders;
mod workspace;
