//! Errors of a fetch.

use std::error::Error;
use std::time::Duration;

use url::Url;

use super::resolver::RefusedAddress;

/// Error of a fetch.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The URL is not supported: invalid, another scheme, or with credentials.
    #[error("the URL cannot be fetched: {reason}")]
    InvalidUrl {
        /// Reason. It does not repeat the URL, which may contain a password.
        reason: String,
    },
    /// The guard refuses an address of the host.
    #[error("`{host}` is not fetched: not a public address")]
    Refused {
        /// Host of the requested URL or redirect.
        host: String,
    },
    /// The target answered with a status other than success.
    #[error("the target answered with status {status}")]
    Failed {
        /// The HTTP status.
        status: u16,
    },
    /// The target could not be reached, or the connection was interrupted.
    #[error("the target could not be reached, or the connection was interrupted")]
    Unreachable(#[source] reqwest::Error),
    /// The target redirected too often.
    #[error("the target redirected more than {limit} times")]
    TooManyRedirects {
        /// The limit.
        limit: usize,
    },
    /// The body exceeds the limit.
    #[error("the target's body is larger than {limit} bytes")]
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// The body could not be stored on this machine.
    #[error("the fetched content cannot be stored")]
    Spool(#[source] std::io::Error),
    /// The whole fetch, or the connection, exceeded its time limit.
    #[error("the target took longer than {after:?}")]
    TimedOut {
        /// The exceeded time limit.
        after: Duration,
    },
}

impl FetchError {
    pub(super) fn refused(url: &Url, refused: &RefusedAddress) -> Self {
        let host = url.host_str().unwrap_or_default().to_owned();
        log::warn!("`{host}` is not fetched: {refused}");
        Self::Refused { host }
    }

    /// Distinguishes a refusal by the resolver and a connection beyond `connect_timeout` from an unreachable target.
    pub(super) fn from_client(url: &Url, connect_timeout: Duration, source: reqwest::Error) -> Self {
        let mut cause: Option<&(dyn Error + 'static)> = source.source();
        while let Some(error) = cause {
            if let Some(refused) = error.downcast_ref::<RefusedAddress>() {
                return Self::refused(url, refused);
            }
            cause = error.source();
        }
        if source.is_timeout() {
            return Self::TimedOut { after: connect_timeout };
        }
        // The URL is known to the caller and may contain a secret in its query.
        Self::Unreachable(source.without_url())
    }
}
