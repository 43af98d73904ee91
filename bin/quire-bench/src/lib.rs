//! Shared by the benchmark and the walk-through: a server in its own folder, and a client of it.

#![allow(missing_docs, reason = "nothing outside this package uses it")]

pub mod client;
pub mod recount;
pub mod server;
