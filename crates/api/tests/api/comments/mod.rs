//! Comments and replies, on spaces and on change requests.

mod concurrency;
mod fixture;
mod input;
mod life;
mod lists;
mod reactions;
mod replies;
mod rights;
mod targets;
