//! Bytes that a crawl may fetch: of each kind of thing, and of all together.

use quire_domain::bounds::MARKDOWN_MAX;

use crate::fetch::{Downloaded, FetchError, Fetched, Fetcher};
use crate::gather_error::GatherError;
use crate::progress::Progress;

/// Bytes of a page: as many as a page of an import may have.
pub(super) const PAGE_MAX: u64 = MARKDOWN_MAX;
/// Bytes of a picture: what a camera takes, and not what a designer keeps.
pub(super) const IMAGE_MAX: u64 = 20 * 1024 * 1024;
/// Bytes of the site's rules: RFC 9309, 2.5, asks for 500 KiB at least.
pub(super) const ROBOTS_MAX: u64 = 512 * 1024;
/// Bytes of a map of the site. Maps may have 50 MiB, and many times more addresses than a crawl follows.
pub(super) const MAP_MAX: u64 = 8 * 1024 * 1024;

/// Fetches for a crawl, and counts all that comes: what is not taken in the end is fetched all the same.
#[derive(Debug)]
pub(super) struct Quota<'f> {
    fetcher: &'f Fetcher,
    limit: u64,
    left: u64,
}

impl<'f> Quota<'f> {
    /// A quota of `limit` bytes.
    pub(super) fn new(fetcher: &'f Fetcher, limit: u64) -> Self {
        Self { fetcher, limit, left: limit }
    }

    /// Fetches a body of `most` bytes at most into memory. The caller counts the answer.
    pub(super) async fn fetch(&self, url: &str, most: u64) -> Result<Fetched, FetchError> {
        let most = usize::try_from(most.min(self.left)).unwrap_or(usize::MAX);
        self.fetcher.within(most, self.fetcher.timeout()).fetch(url).await
    }

    /// Fetches a body of `most` bytes at most, to the disk where it is large. The caller counts the answer.
    pub(super) async fn download(&self, url: &str, most: u64) -> Result<Downloaded, FetchError> {
        let most = most.min(self.left);
        self.fetcher.download(url, self.fetcher.timeout(), most, &Progress::default()).await
    }

    /// Runs work that takes the processor or the disk for a while.
    pub(super) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, GatherError> {
        self.fetcher.threads().run(work).await.map_err(GatherError::Interrupted)
    }

    /// Counts the body of an answer, `most` bytes of which were asked for. One that is larger may have come up to there.
    ///
    /// # Errors
    /// [`GatherError::TooLargeWebsite`] when it was more than is left.
    pub(super) fn count(&mut self, bytes: Result<usize, &FetchError>, most: u64) -> Result<(), GatherError> {
        let bytes = match bytes {
            Ok(bytes) => u64::try_from(bytes).unwrap_or(u64::MAX),
            // The bound was not that of the kind, but what was left.
            Err(FetchError::TooLarge { limit }) if *limit < most => u64::MAX,
            Err(FetchError::TooLarge { limit }) => *limit,
            Err(_) => 0,
        };
        let left = self.left.checked_sub(bytes);
        self.left = left.ok_or(GatherError::TooLargeWebsite { limit: self.limit })?;
        Ok(())
    }
}
