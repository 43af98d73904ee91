#![doc = include_str!("../README.md")]

mod credentials;
mod database;
mod error;
pub mod functions;
pub mod group_queue;
mod head_queue;
mod log_position;
pub mod migrations;
pub mod optimistic;
mod pool;
mod replicas;
mod sealing;
pub mod session;
pub mod statement;
#[cfg(test)]
mod statement_check;

pub use credentials::{Actor, Credentials};
pub use database::{Database, Options, not_run};
pub use error::{Error, Result, violated_key};
pub use head_queue::{Turn, Turns};
pub use log_position::LogPosition;
pub use pool::StatementCounter;
pub use replicas::{OnPrimary, ReadCounts, ReadRoute, Replicas, Server};
pub use sealing::Seal;
