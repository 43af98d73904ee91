//! Spaces and collections in their hierarchy: creation, moves, transfers, duplicates, deletion and restoration.

mod collections;
mod concurrency;
mod duplicate;
mod fixture;
mod levels;
mod life;
mod moves;
mod transfer;
