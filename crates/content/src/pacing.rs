//! Pauses between statements of bulk work.
//!
//! Threads of imports and exports have a lower priority than threads of requests. PostgreSQL has no such priorities, so
//! imports and exports pause for most of the time instead.

use std::time::{Duration, Instant};

/// Length of a pause, as a multiple of the work before it. Imports and exports therefore use at most a sixth of one
/// processor of PostgreSQL each. On a busy server the work takes longer, and so does the pause.
const PAUSE: u32 = 5;

/// Maximum length of a pause.
const LONGEST: Duration = Duration::from_millis(500);

/// Pauses after work that started at this time.
pub(crate) async fn pause_after(started: Instant) {
    tokio::time::sleep(started.elapsed().saturating_mul(PAUSE).min(LONGEST)).await;
}
