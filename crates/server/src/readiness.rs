//! Cache of the readiness check.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Validity period of a successful check.
const MAX_AGE: Duration = Duration::from_secs(1);

/// Time of the last successful check. `/readyz` is exempt from the rate limit, so its cost must not grow with the
/// number of requests.
#[derive(Default)]
pub struct Readiness {
    checked: Mutex<Option<Instant>>,
    draining: AtomicBool,
}

impl Readiness {
    /// Returns whether a check succeeded recently.
    pub fn is_known(&self) -> bool {
        let noted = *self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        noted.is_some_and(|noted| noted.elapsed() < MAX_AGE)
    }

    /// Records that the node is shutting down.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    /// Returns whether the node is shutting down.
    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }

    /// Records a successful check.
    pub fn note(&self) {
        *self.checked.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }
}
