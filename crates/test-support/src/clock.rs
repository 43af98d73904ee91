//! Settable clock and id generator.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use quire_domain::clock::{Clock, IdGenerator, Timestamp};
use uuid::Uuid;

/// Clock that moves only when a test sets it. It starts at the real time, which expiry of tokens and ids depend on.
#[derive(Debug)]
pub struct FakeClock(AtomicI64);

impl FakeClock {
    /// Returns a clock set to the real time.
    #[must_use]
    pub fn new() -> Self {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Self(AtomicI64::new(i64::try_from(now.as_millis()).unwrap_or(0)))
    }

    /// Moves the clock forward.
    pub fn advance(&self, by: Duration) {
        self.0.fetch_add(i64::try_from(by.as_millis()).unwrap_or(0), Ordering::SeqCst);
    }
}

impl Default for FakeClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for FakeClock {
    fn instead_of_database(&self) -> Option<Timestamp> {
        Some(self.now())
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst)).expect("the clock is within the range of times")
    }
}

/// Id generator that works like that of the service.
#[derive(Clone, Copy, Debug, Default)]
pub struct TestIds;

impl IdGenerator for TestIds {
    #[expect(clippy::disallowed_methods, reason = "this is the generator that tests pass in")]
    fn uuid(&self) -> Uuid {
        Uuid::now_v7()
    }
}
