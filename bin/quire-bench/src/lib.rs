//! Shared code of the benchmark, the walk-through and the fault injection: a server in its own folder, and its client.

#![allow(missing_docs, reason = "nothing outside this package uses it")]

pub mod client;
pub mod recount;
pub mod server;
