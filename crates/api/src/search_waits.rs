//! Waiting for the search index of this node.

use tokio::time::{Duration, Instant, sleep};

use crate::error::ApiResult;

/// Time that a search waits for the index before it is answered 503 with the progress.
const PATIENCE: Duration = Duration::from_secs(5);
/// Time between two attempts.
const POLL: Duration = Duration::from_millis(100);

/// Searches, again and again while the index has to be brought up to date first. No connection is held in between.
///
/// # Errors
/// Those of `search`.
pub async fn when_indexed<T>(mut search: impl AsyncFnMut() -> ApiResult<T>) -> ApiResult<T> {
    let start = Instant::now();
    loop {
        match search().await {
            Err(error) if error.awaits_index() && start.elapsed() < PATIENCE => sleep(POLL).await,
            result => return result,
        }
    }
}
