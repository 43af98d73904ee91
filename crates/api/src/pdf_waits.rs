//! Waiting for PDFs: however many requests wait for one, a node asks the database for it as often as for one.

use std::future::Future;
use std::sync::Arc;

use moka::sync::Cache;
use quire_domain::ids::PdfId;
use quire_storage::pdfs::PdfRecord;
use tokio::sync::Mutex;
use tokio::time::{Duration, Instant};

use crate::error::ApiResult;

/// How often it is looked whether a PDF is ready.
pub const POLL: Duration = Duration::from_millis(250);

/// When it was last looked, and what was seen unless that failed.
type Last = Option<(Instant, Option<PdfRecord>)>;

/// The last look at each PDF that is waited for. Those that nobody waits for are forgotten.
pub struct PdfWaits(Cache<PdfId, Arc<Mutex<Last>>>);

impl Default for PdfWaits {
    fn default() -> Self {
        const PDFS: u64 = 10_000;
        const REST: Duration = Duration::from_secs(10);
        Self(Cache::builder().max_capacity(PDFS).time_to_idle(REST).build())
    }
}

impl PdfWaits {
    /// What `look` sees, or what it saw for somebody else since [`POLL`]; `None` when that somebody couldn't see
    /// anything.
    ///
    /// # Errors
    /// What `look` says.
    pub async fn look<F>(&self, pdf: PdfId, look: impl FnOnce() -> F) -> ApiResult<Option<PdfRecord>>
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
        let seen = look().await;
        *last = Some((Instant::now(), seen.as_ref().ok().cloned()));
        seen.map(Some)
    }
}
