//! Answers that have what a plain fixture lacks.

use quire_test_support::{Caller, TestApp};
use serde_json::Value;

use crate::routes::Fixture;

/// Answers, each with the operation that gave it.
pub async fn answers(_app: &TestApp, _fixture: &Fixture, _admin: &Caller) -> Vec<(&'static str, Value)> {
    Vec::new()
}
