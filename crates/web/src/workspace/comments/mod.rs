//! Comments of a page or a change request.

mod threads;
mod writing;

pub(super) use threads::{Threads, Wanted, document};
