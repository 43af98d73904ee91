//! What the benchmark and the walk-through share: a server of their own, and a client of it.

#![allow(missing_docs, reason = "nothing outside this package uses it")]

pub mod client;
pub mod server;
