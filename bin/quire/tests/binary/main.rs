//! Tests of the binary: real processes, each with its own data folder and PostgreSQL.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that can't go on can only fail"
)]

mod admin;
mod configuration;
mod crash;
mod failover;
mod http;
mod import;
mod keys;
mod lifecycle;
mod maintenance;
mod pooler;
mod replicas;
mod server;
