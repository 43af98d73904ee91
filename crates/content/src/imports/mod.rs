//! Imports from a request to a new revision, both within a request and in the queue.

mod draft;
mod input;
mod limiter;
mod runner;
mod spooled;

pub use input::{Destination, Import, ImportInput};
pub use limiter::ImportLimiter;
pub use runner::ImportRunner;
