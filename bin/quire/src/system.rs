//! System clock and random ids. No other code reads them.

use quire_domain::clock::{Clock, IdGenerator, Timestamp};
use time::OffsetDateTime;
use uuid::Uuid;

/// The system clock.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock that is passed in elsewhere")]
    #[expect(clippy::expect_used, reason = "a machine that thinks it is after the year 9999 can't be served")]
    fn now(&self) -> Timestamp {
        OffsetDateTime::now_utc().try_into().expect("the system clock is before the year 10000")
    }
}

/// Generator of version 7 UUIDs, which sort by creation time, so that new rows are adjacent in their indexes.
#[derive(Clone, Copy, Debug)]
pub struct SystemIds;

impl IdGenerator for SystemIds {
    #[expect(clippy::disallowed_methods, reason = "this is the generator that is passed in elsewhere")]
    fn uuid(&self) -> Uuid {
        Uuid::now_v7()
    }
}
