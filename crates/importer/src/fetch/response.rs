//! Response of a request whose caller reads the body itself.

use std::time::Duration;

use bytes::Bytes;
use reqwest::header::HeaderMap;
use url::Url;

use super::error::FetchError;

/// Response with an unread body.
#[derive(Debug)]
pub struct Response {
    pub(super) inner: reqwest::Response,
    pub(super) url: Url,
    pub(super) connect_timeout: Duration,
}

impl Response {
    /// Returns the HTTP status.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.inner.status().as_u16()
    }

    /// Returns the headers.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        self.inner.headers()
    }

    /// Returns the next part of the body; `None` after the last one. The caller bounds their total size.
    ///
    /// # Errors
    /// If the connection is interrupted.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, FetchError> {
        let chunk = self.inner.chunk().await;
        chunk.map_err(|source| FetchError::from_client(&self.url, self.connect_timeout, source))
    }
}
