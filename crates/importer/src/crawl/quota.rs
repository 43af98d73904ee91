//! Byte limits of a crawl: by kind of content, and in total.

use quire_domain::bounds::MARKDOWN_MAX;

use crate::fetch::{Downloaded, FetchError, Fetched, Fetcher};
use crate::gather_error::GatherError;
use crate::progress::Progress;

/// Maximum bytes of a page, the same as in other imports.
pub(super) const PAGE_MAX: u64 = MARKDOWN_MAX;
/// Bytes of a picture: enough for photographs, not for design files.
pub(super) const IMAGE_MAX: u64 = 20 * 1024 * 1024;
/// Bytes of `robots.txt`: RFC 9309, 2.5, requires at least 500 KiB.
pub(super) const ROBOTS_MAX: u64 = 512 * 1024;
/// Bytes of a sitemap. Sitemaps may have 50 MiB, and many times more addresses than a crawl follows.
pub(super) const MAP_MAX: u64 = 8 * 1024 * 1024;

/// Fetches for a crawl and counts all received bytes, including content that is not used.
#[derive(Debug)]
pub(super) struct Quota<'f> {
    fetcher: &'f Fetcher,
    limit: u64,
    left: u64,
}

impl<'f> Quota<'f> {
    /// Returns a quota of `limit` bytes.
    pub(super) fn new(fetcher: &'f Fetcher, limit: u64) -> Self {
        Self { fetcher, limit, left: limit }
    }

    /// Fetches a body of at most `most` bytes into memory. The caller counts the result.
    pub(super) async fn fetch(&self, url: &str, most: u64) -> Result<Fetched, FetchError> {
        let most = usize::try_from(most.min(self.left)).unwrap_or(usize::MAX);
        self.fetcher.within(most, self.fetcher.timeout()).fetch(url).await
    }

    /// Fetches a body of at most `most` bytes, to disk if it is large. The caller counts the result.
    pub(super) async fn download(&self, url: &str, most: u64) -> Result<Downloaded, FetchError> {
        let most = most.min(self.left);
        self.fetcher.download(url, self.fetcher.timeout(), most, &Progress::default()).await
    }

    /// Runs CPU- or disk-intensive work.
    pub(super) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, GatherError> {
        self.fetcher.threads().run(work).await.map_err(GatherError::Interrupted)
    }

    /// Counts the body of a response that was limited to `most` bytes. A larger body counts up to the limit.
    ///
    /// # Errors
    /// [`GatherError::TooLargeWebsite`] if it exceeds the rest of the quota.
    pub(super) fn count(&mut self, bytes: Result<usize, &FetchError>, most: u64) -> Result<(), GatherError> {
        let bytes = match bytes {
            Ok(bytes) => u64::try_from(bytes).unwrap_or(u64::MAX),
            // The fetch was limited by the rest of the quota, not by the kind of content.
            Err(FetchError::TooLarge { limit }) if *limit < most => u64::MAX,
            Err(FetchError::TooLarge { limit }) => *limit,
            Err(_) => 0,
        };
        let left = self.left.checked_sub(bytes);
        self.left = left.ok_or(GatherError::TooLargeWebsite { limit: self.limit })?;
        Ok(())
    }
}
