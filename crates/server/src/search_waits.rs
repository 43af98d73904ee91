//! Searches while the index of this node is incomplete or damaged.

use actix_web::HttpResponse;
use actix_web::http::header::{HeaderName, HeaderValue};
use quire_storage::content::search::SearchProgress;
use tokio::time::{Duration, Instant, sleep};

use crate::error::{ApiError, ApiResult};

/// Header of a search in an incomplete index: the number of indexed pages and of all pages.
pub const SEARCH_PROGRESS: HeaderName = HeaderName::from_static("quire-search-progress");

/// Maximum wait of a search for the rebuild of a damaged index, after which it is answered with 503.
const MAX_WAIT: Duration = Duration::from_secs(5);
/// Pause between two attempts.
const POLL: Duration = Duration::from_millis(100);

/// Adds the progress of the index to the response of a search.
///
/// # Errors
/// Never.
pub fn with_progress(
    mut response: HttpResponse,
    progress: Option<SearchProgress>,
) -> ApiResult<HttpResponse> {
    if let Some(SearchProgress { indexed, total }) = progress {
        let value = HeaderValue::from_str(&format!("{indexed}/{total}")).map_err(ApiError::internal)?;
        response.headers_mut().insert(SEARCH_PROGRESS, value);
    }
    Ok(response)
}

/// Repeats a search while the index is damaged. No connection is held between attempts.
///
/// # Errors
/// Errors of `search`.
pub async fn when_indexed<T, F: Future<Output = ApiResult<T>>>(
    mut search: impl FnMut() -> F,
) -> ApiResult<T> {
    let start = Instant::now();
    loop {
        match search().await {
            Err(error) if error.awaits_index() && start.elapsed() < MAX_WAIT => sleep(POLL).await,
            result => return result,
        }
    }
}
