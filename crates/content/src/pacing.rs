//! Pauses of bulk work between its statements.
//!
//! Threads of imports and exports have a lower priority than those of requests. PostgreSQL gives their statements the
//! priority of any other, so that imports and exports leave it alone for most of the time instead.

use std::time::{Duration, Instant};

/// Length of a pause, in times of the work before it: PostgreSQL spends a sixth of one processor on an import or
/// export, at most. On a busy server the work takes longer, and so does the pause.
const PAUSE: u32 = 5;

/// Longest pause.
const LONGEST: Duration = Duration::from_millis(500);

/// Pauses after work that started at this time.
pub(crate) async fn pause_after(started: Instant) {
    tokio::time::sleep(started.elapsed().saturating_mul(PAUSE).min(LONGEST)).await;
}
