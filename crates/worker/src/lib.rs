#![doc = include_str!("../README.md")]

mod deliveries;
mod due;
pub mod jobs;
mod lease;
pub mod mail;
mod outbox;
pub mod pdf;
mod purges;
mod runner;
mod services;
mod worker;

pub use deliveries::deliver_due;
pub use purges::purge_due;
pub use runner::{Outcome, run_next};
pub use services::Services;
pub use worker::Worker;
