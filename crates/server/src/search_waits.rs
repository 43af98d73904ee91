//! Waiting for the search index of this node.

use tokio::time::{Duration, Instant, sleep};

use crate::error::ApiResult;

/// Time that a search waits for the index before it is answered 503 with the progress.
const PATIENCE: Duration = Duration::from_secs(5);
/// Time between two attempts.
const POLL: Duration = Duration::from_millis(100);

/// Repeats a search while the index must be updated first. No connection is held between attempts.
///
/// # Errors
/// Errors of `search`.
pub async fn when_indexed<T, F: Future<Output = ApiResult<T>>>(
    mut search: impl FnMut() -> F,
) -> ApiResult<T> {
    let start = Instant::now();
    loop {
        match search().await {
            Err(error) if error.awaits_index() && start.elapsed() < PATIENCE => sleep(POLL).await,
            result => return result,
        }
    }
}
