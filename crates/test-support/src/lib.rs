#![doc = include_str!("../README.md")]
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test without its database or application can only fail, and the sentence says why"
)]

mod app;
mod caller;
mod clock;
mod cluster;
mod content;
mod database;
mod journal;

pub use app::TestApp;
pub use caller::{Answer, Caller};
pub use clock::{FakeClock, TestIds};
pub use cluster::{DATABASE_URL_VARIABLE, TestCluster, test_cluster};
pub use content::ContentEditor;
pub use database::TestDatabase;
pub use journal::{Exchange, Journal};
