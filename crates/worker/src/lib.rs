#![doc = include_str!("../README.md")]

pub mod jobs;
mod runner;
mod worker;

pub use runner::{Outcome, run_next};
pub use worker::Worker;
