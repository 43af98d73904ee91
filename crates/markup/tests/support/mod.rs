//! Shared helpers of tests.
#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test uses a part of it, and helpers of tests may fail as tests do"
)]

pub mod docx;
