//! Imports, from a request to a new revision: those that a request waits for, and those of the queue.

mod draft;
mod input;
mod limiter;
mod runner;
mod spooled;

pub use input::{Destination, Import, ImportInput};
pub use limiter::ImportLimiter;
pub use runner::ImportRunner;
