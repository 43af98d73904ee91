#![doc = include_str!("../README.md")]
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test without its database or application can only fail, and the sentence says why"
)]

mod cluster;
mod database;

pub use cluster::{DATABASE_URL_VARIABLE, TestCluster, test_cluster};
pub use database::TestDatabase;
