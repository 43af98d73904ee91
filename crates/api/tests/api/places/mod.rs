//! Where spaces and collections stand, and what becomes of them there: made, moved, transferred, duplicated, deleted,
//! restored.

mod collections;
mod concurrency;
mod duplicate;
mod fixture;
mod levels;
mod life;
mod moves;
mod transfer;
