//! Time and new ids, as values and as interfaces. Code that needs them takes a [`Clock`] or an [`IdGenerator`]; this
//! crate never reads the system clock.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use time::format_description::well_known::Rfc3339;
use time::{OffsetDateTime, UtcOffset};
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

/// Time in UTC with millisecond resolution, in the years 0 to 9999.
///
/// The wire form is RFC 3339 with exactly three digits of milliseconds: `2026-01-02T03:04:05.678Z`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(OffsetDateTime);

/// Text or number outside the range of [`Timestamp`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a time in RFC 3339, such as 2026-01-02T03:04:05.678Z")]
pub struct TimestampError;

impl Timestamp {
    /// Returns the time `millis` milliseconds after (if negative, before) 1970-01-01T00:00:00Z.
    ///
    /// # Errors
    /// [`TimestampError`] if the year is not between 0 and 9999.
    pub fn from_millis(millis: i64) -> Result<Self, TimestampError> {
        OffsetDateTime::from_unix_timestamp_nanos(i128::from(millis) * 1_000_000)
            .map_err(|_| TimestampError)
            .and_then(Self::new)
    }

    /// Returns the milliseconds since 1970-01-01T00:00:00Z.
    pub fn millis(self) -> i64 {
        self.0.unix_timestamp() * 1_000 + i64::from(self.0.millisecond())
    }

    /// Returns the duration from `earlier` to `self`; negative if `earlier` is later.
    pub fn since(self, earlier: Self) -> time::Duration {
        self.0 - earlier.0
    }

    /// Returns the date and time in UTC.
    pub const fn to_datetime(self) -> OffsetDateTime {
        self.0
    }

    /// Truncates to milliseconds and converts to UTC.
    fn new(moment: OffsetDateTime) -> Result<Self, TimestampError> {
        let utc = moment.checked_to_offset(UtcOffset::UTC).ok_or(TimestampError)?;
        if !(0..=9999).contains(&utc.year()) {
            return Err(TimestampError);
        }
        utc.replace_millisecond(utc.millisecond()).map(Self).map_err(|_| TimestampError)
    }
}

impl TryFrom<OffsetDateTime> for Timestamp {
    type Error = TimestampError;

    fn try_from(moment: OffsetDateTime) -> Result<Self, Self::Error> {
        Self::new(moment)
    }
}

impl From<Timestamp> for OffsetDateTime {
    fn from(timestamp: Timestamp) -> Self {
        timestamp.0
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (date, time) = (self.0.date(), self.0.time());
        write!(
            f,
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
            date.year(),
            u8::from(date.month()),
            date.day(),
            time.hour(),
            time.minute(),
            time.second(),
            time.millisecond()
        )
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Timestamp {
    type Err = TimestampError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        OffsetDateTime::parse(text, &Rfc3339).map_err(|_| TimestampError).and_then(Self::new)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl PartialSchema for Timestamp {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .into()
    }
}

impl ToSchema for Timestamp {}

/// Source of the current time. The binary passes the system clock, tests a fixed one.
pub trait Clock: Send + Sync {
    /// Returns the current time.
    fn now(&self) -> Timestamp;

    /// Returns the time that replaces the database's clock in statements about leases; `None` except for clocks of
    /// tests. The database's clock is the one that all nodes share.
    fn instead_of_database(&self) -> Option<Timestamp> {
        None
    }
}

/// Source of new ids. The binary passes a UUIDv7 generator, tests a predictable one.
pub trait IdGenerator: Send + Sync {
    /// Returns a new UUID, which sorts after all earlier ones.
    fn uuid(&self) -> Uuid;
}

/// Ids that count up from 1: equal in each run, for tests and for programs with reproducible output. Two generators
/// produce the same ids, so only one may write to a store.
#[derive(Debug, Default)]
pub struct CountingIds(AtomicU64);

impl IdGenerator for CountingIds {
    fn uuid(&self) -> Uuid {
        let before = self.0.fetch_add(1, Ordering::Relaxed);
        Uuid::from_u128(u128::from(before).saturating_add(1))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn counting_ids_are_reproducible_and_sorted() {
        let (ids, again) = (CountingIds::default(), CountingIds::default());
        let made: Vec<Uuid> = (0..300).map(|_| ids.uuid()).collect();
        assert!(made.is_sorted_by(|earlier, later| earlier < later));
        assert!(made.iter().all(|id| *id == again.uuid()));
        assert_eq!(made.first(), Some(&Uuid::from_u128(1)));
    }

    #[test]
    fn shows_exactly_three_digits_of_milliseconds() {
        let shown = |text: &str| text.parse::<Timestamp>().map(|t| t.to_string());
        assert_eq!(shown("2026-01-02T03:04:05Z").as_deref(), Ok("2026-01-02T03:04:05.000Z"));
        assert_eq!(shown("2026-01-02T03:04:05.6789Z").as_deref(), Ok("2026-01-02T03:04:05.678Z"));
        assert_eq!(shown("2026-01-02T03:04:05.6+02:00").as_deref(), Ok("2026-01-02T01:04:05.600Z"));
        assert_eq!(shown("2026-01-02"), Err(TimestampError));
    }

    #[test]
    fn refuses_years_that_rfc_3339_cannot_write() {
        assert_eq!(Timestamp::from_millis(i64::MAX), Err(TimestampError));
        assert_eq!("0000-01-01T00:00:00+14:00".parse::<Timestamp>(), Err(TimestampError));
    }

    proptest! {
        #[test]
        fn milliseconds_text_and_json_hold_the_same_moment(millis in -62_167_219_200_000_i64..253_402_300_800_000) {
            let timestamp = Timestamp::from_millis(millis).unwrap();
            prop_assert_eq!(timestamp.millis(), millis);
            prop_assert_eq!(timestamp.to_string().parse(), Ok(timestamp));
            let json = serde_json::to_string(&timestamp).unwrap();
            prop_assert_eq!(serde_json::from_str::<Timestamp>(&json).unwrap(), timestamp);
        }
    }
}
