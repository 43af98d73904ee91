//! Caching of the readiness check.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Validity period of a successful check.
const HOLDS: Duration = Duration::from_secs(1);

/// Time of the last successful check. `/readyz` is exempt from the rate limit, so its cost must not grow with the
/// requests.
#[derive(Default)]
pub struct Readiness(Mutex<Option<Instant>>);

impl Readiness {
    /// Returns `true` after a recent successful check.
    pub fn is_known(&self) -> bool {
        let noted = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        noted.is_some_and(|noted| noted.elapsed() < HOLDS)
    }

    /// Records a successful check.
    pub fn note(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }
}
