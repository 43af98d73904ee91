//! Waits for pending PDFs: concurrent requests for one PDF share their database polls.

use std::future::Future;
use std::sync::Arc;

use quire_cache::Cache;
use quire_domain::ids::PdfId;
use quire_storage::operations::pdf::PdfRecord;
use tokio::sync::Mutex;
use tokio::time::{Duration, Instant};

use crate::error::ApiResult;

/// Interval between two polls of a PDF.
pub const POLL: Duration = Duration::from_millis(250);

/// Time and result of the last poll; no result if it failed.
type Last = Option<(Instant, Option<PdfRecord>)>;

/// Latest poll result per pending PDF. Entries expire when no request is waiting.
pub struct PdfPoller(Cache<PdfId, Arc<Mutex<Last>>>);

impl Default for PdfPoller {
    fn default() -> Self {
        const PDFS: u64 = 10_000;
        const REST: Duration = Duration::from_secs(10);
        Self(Cache::builder().max_capacity(PDFS).time_to_idle(REST).build())
    }
}

impl PdfPoller {
    /// Calls `poll` at most once per [`POLL`] and shares the result with other requests; `None` if the shared poll
    /// failed.
    ///
    /// # Errors
    /// Errors of `poll`.
    pub async fn poll<F>(&self, pdf: PdfId, poll: impl FnOnce() -> F) -> ApiResult<Option<PdfRecord>>
    where
        F: Future<Output = ApiResult<PdfRecord>>,
    {
        let last = self.0.get_with(pdf, Arc::default);
        let mut last = last.lock().await;
        if let Some((at, seen)) = &*last
            && at.elapsed() < POLL
        {
            return Ok(seen.clone());
        }
        let seen = poll().await;
        *last = Some((Instant::now(), seen.as_ref().ok().cloned()));
        seen.map(Some)
    }
}
