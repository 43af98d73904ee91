//! Why a fetch ended without a body.

use std::error::Error;
use std::time::Duration;

use url::Url;

use super::resolver::RefusedAddress;

/// Why a fetch ended without a body.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The URL can't be fetched as it is written: not a URL, another scheme, credentials inside.
    #[error("the URL can't be fetched: {reason}")]
    InvalidUrl {
        /// What is wrong with it. The URL itself is not repeated: it may hold a password.
        reason: String,
    },
    /// The guard refuses the address behind the host.
    #[error("`{host}` is not fetched: not a public address")]
    Refused {
        /// Host of the URL that led there.
        host: String,
    },
    /// The target answered with a status other than success.
    #[error("the target answered with status {status}")]
    Failed {
        /// The HTTP status.
        status: u16,
    },
    /// The target could not be reached, or broke off.
    #[error("the target could not be reached or broke off")]
    Unreachable(#[source] reqwest::Error),
    /// The target redirected too often.
    #[error("the target redirected more than {limit} times")]
    TooManyRedirects {
        /// The bound.
        limit: usize,
    },
    /// The body is larger than the bound.
    #[error("the target's body is larger than {limit} bytes")]
    TooLarge {
        /// The bound in bytes.
        limit: u64,
    },
    /// The body can't be kept on this machine.
    #[error("what was fetched can't be kept")]
    Spool(#[source] std::io::Error),
    /// The whole fetch, or making the connection, took longer than the bound.
    #[error("the target took longer than {after:?}")]
    TimedOut {
        /// The bound that was passed.
        after: Duration,
    },
}

impl FetchError {
    pub(super) fn refused(url: &Url, refused: &RefusedAddress) -> Self {
        let host = url.host_str().unwrap_or_default().to_owned();
        log::warn!("`{host}` is not fetched: {refused}");
        Self::Refused { host }
    }

    /// Tells a refusal by the resolver and a connection that took longer than `connect_timeout` apart from a
    /// target that can't be reached.
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
        // The URL is the caller's own and may hold a secret in its query.
        Self::Unreachable(source.without_url())
    }
}
