//! Jobs that run again after a time.

use std::time::Duration;

use quire_domain::clock::Timestamp;
use quire_storage::{Result, SystemTx};
use serde_json::Value;

/// Writes a periodic job, whose kind is its key, unless it exists.
pub(super) fn schedule(tx: &mut SystemTx<'_>, kind: &'static str, every: Duration) -> Result<()> {
    let run_at = shifted(tx.now(), every, i64::saturating_add);
    tx.enqueue(kind, Value::Null, Some(kind), run_at)?;
    Ok(())
}

/// Returns a time shifted by a duration; unchanged on overflow.
pub(super) fn shifted(moment: Timestamp, by: Duration, shift: fn(i64, i64) -> i64) -> Timestamp {
    let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_millis(shift(moment.millis(), by)).unwrap_or(moment)
}
