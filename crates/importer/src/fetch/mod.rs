//! Fetches user-supplied URLs without giving users access to the private network.
//!
//! The server fetches these URLs from inside its own network. [`Fetcher`] therefore connects to public addresses only,
//! unless the operator allows an exception, and limits time and size while it streams.

mod address;
mod allow;
mod clients;
mod error;
mod names;
mod resolver;
mod response;

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt as _;
use percent_encoding::percent_decode_str;
use reqwest::header::{CONTENT_DISPOSITION, CONTENT_TYPE, HeaderMap, LOCATION};
use url::{Host, Url};

pub use allow::{AllowRule, AllowRuleError};
use clients::{Clients, Target};
pub use error::FetchError;
use names::Names;
pub use reqwest::{Method, header};
pub use response::Response;

use crate::blocking::Threads;
use crate::progress::Progress;
use crate::spool::{Content, Incoming, IncomingError};

/// Time limit of a lookup of TXT records, since a request waits for it.
const TEXTS_TIMEOUT: Duration = Duration::from_secs(5);

/// Limits and exceptions of fetches.
#[derive(Debug, Clone)]
pub struct FetchConfig {
    /// Exceptions to the rule that only public addresses are allowed.
    pub allow: Vec<AllowRule>,
    /// Time limit for the whole fetch: resolution, redirects and body.
    pub timeout: Duration,
    /// Time limit for one connection, with the name lookup.
    pub connect_timeout: Duration,
    /// Bytes of a body, counted after decompression.
    pub max_bytes: usize,
    /// Maximum number of redirects, each checked like the first URL.
    pub max_redirects: usize,
    /// Name server that replaces those in `/etc/resolv.conf`.
    pub name_server: Option<SocketAddr>,
    /// The threads for reading, unpacking and writing.
    pub threads: Threads,
}

impl Default for FetchConfig {
    fn default() -> Self {
        Self {
            allow: Vec::new(),
            timeout: Duration::from_secs(60),
            connect_timeout: Duration::from_secs(10),
            max_bytes: 100 * 1024 * 1024,
            max_redirects: 5,
            name_server: None,
            threads: Threads::default(),
        }
    }
}

/// A fetched body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// The whole body.
    pub bytes: Bytes,
    /// The media type the target declared, without parameters, lower-case.
    pub content_type: Option<String>,
    /// The final URL after redirects.
    pub final_url: Url,
    /// Name of the file: from `Content-Disposition`, otherwise the last segment of the final URL's path.
    pub file_name: Option<String>,
}

/// A downloaded body.
#[derive(Debug, Clone)]
pub struct Downloaded {
    /// The whole body, on disk if it is large.
    pub content: Content,
    /// The media type the target declared, without parameters, lower-case.
    pub content_type: Option<String>,
    /// The final URL after redirects.
    pub final_url: Url,
    /// Name of the file, determined as in [`Fetched`].
    pub file_name: Option<String>,
}

/// Fetches URLs within the bounds of its [`FetchConfig`].
///
/// Sends no cookies, credentials or referrer, and ignores proxies in the environment: a proxy would resolve names
/// itself, bypassing the guard.
#[derive(Debug, Clone)]
pub struct Fetcher {
    config: FetchConfig,
    rules: Arc<[AllowRule]>,
    clients: Clients,
    names: Names,
}

impl Fetcher {
    /// Returns a fetcher with these limits. Its first lookup of a name reads `/etc/hosts` and `/etc/resolv.conf`.
    #[must_use]
    pub fn new(config: FetchConfig) -> Self {
        let names = match config.name_server {
            Some(server) => Names::of_server(server),
            None => Names::of_system(),
        };
        Self::with_names(config, names)
    }

    fn with_names(config: FetchConfig, names: Names) -> Self {
        let rules: Arc<[AllowRule]> = config.allow.clone().into();
        let clients = Clients::new(Arc::clone(&rules), names.clone(), config.connect_timeout);
        Self { config, rules, clients, names }
    }

    /// Returns the threads for blocking work.
    #[must_use]
    pub fn threads(&self) -> &Threads {
        &self.config.threads
    }

    /// Returns the texts of the TXT records of a name, within 5 s and the time limit of a connection.
    ///
    /// # Errors
    /// If the name has no TXT records, or no name server answers in time.
    pub async fn texts_of(&self, name: &str) -> io::Result<Vec<String>> {
        let limit = self.config.connect_timeout.min(TEXTS_TIMEOUT);
        match tokio::time::timeout(limit, self.names.texts(name)).await {
            Ok(texts) => texts,
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        }
    }

    /// Returns the time limit of a whole fetch.
    #[must_use]
    pub fn timeout(&self) -> Duration {
        self.config.timeout
    }

    /// Returns the same fetcher with limits that are at least as tight, for auxiliary fetches.
    #[must_use]
    pub fn within(&self, max_bytes: usize, timeout: Duration) -> Self {
        let mut config = self.config.clone();
        config.max_bytes = config.max_bytes.min(max_bytes);
        config.timeout = config.timeout.min(timeout);
        Self { config, ..self.clone() }
    }

    /// Fetches the body at `url` into memory.
    ///
    /// # Errors
    /// [`FetchError::InvalidUrl`] and [`FetchError::Refused`] before any connection, the others depending on the
    /// target.
    pub async fn fetch(&self, url: &str) -> Result<Fetched, FetchError> {
        let max_bytes = u64::try_from(self.config.max_bytes).unwrap_or(u64::MAX);
        let fetched = self.download(url, self.config.timeout, max_bytes, &Progress::default()).await?;
        let Downloaded { content, content_type, final_url, file_name } = fetched;
        let bytes = content.read().map_err(FetchError::Spool)?;
        Ok(Fetched { bytes, content_type, final_url, file_name })
    }

    /// Fetches the body at `url`, which may be large, with separate time and size limits. Received bytes are counted in
    /// `progress`.
    ///
    /// # Errors
    /// As for [`Fetcher::fetch`], and [`FetchError::Spool`] if the disk fails.
    pub async fn download(
        &self,
        url: &str,
        timeout: Duration,
        max_bytes: u64,
        progress: &Progress,
    ) -> Result<Downloaded, FetchError> {
        let url = parse(url)?;
        let download = async {
            let (url, response) = self.follow(url).await?;
            self.read(url, response, max_bytes, progress).await
        };
        tokio::time::timeout(timeout, download).await.unwrap_or(Err(FetchError::TimedOut { after: timeout }))
    }

    /// Posts JSON to `url` within the guard's rules, and returns the status. The response body is not read, and
    /// redirects are not followed, so that the data goes only to the given URL.
    ///
    /// # Errors
    /// As for [`Fetcher::fetch`], except for statuses.
    pub async fn post(
        &self,
        url: &str,
        headers: HeaderMap,
        body: Bytes,
        timeout: Duration,
    ) -> Result<u16, FetchError> {
        let url = parse(url)?;
        let answer = async {
            let client = self.guarded(&url)?;
            let request = client.post(url.clone()).headers(headers).header(CONTENT_TYPE, "application/json");
            let response = request.body(body).send().await.map_err(|source| self.failure(&url, source))?;
            Ok(response.status().as_u16())
        };
        tokio::time::timeout(timeout, answer).await.unwrap_or(Err(FetchError::TimedOut { after: timeout }))
    }

    /// Sends one request within the guard's rules, and returns the response with an unread body. Redirects are not
    /// followed, and any status is a response. Only the connection has a time limit.
    ///
    /// # Errors
    /// As for [`Fetcher::fetch`], except for statuses.
    pub async fn send(
        &self,
        method: Method,
        url: &Url,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<Response, FetchError> {
        let url = checked(url.clone())?;
        let request = self.guarded(&url)?.request(method, url.clone()).headers(headers).body(body);
        let inner = request.send().await.map_err(|source| self.failure(&url, source))?;
        Ok(Response { inner, url, connect_timeout: self.config.connect_timeout })
    }

    /// Returns whether the operator trusts the host of a URL, by name or by its literal address.
    #[must_use]
    pub fn trusts(&self, url: &Url) -> bool {
        let is_trusted = |address| allow::trusts_address(&self.rules, address);
        allow::trusts_host(&self.rules, url) || literal_address(url).is_some_and(is_trusted)
    }

    /// Sends a request within the guard's rules and returns the response regardless of its status, with at most
    /// `max_bytes`. Redirects are not followed, so that the data goes only to the given URL.
    ///
    /// # Errors
    /// As for [`Fetcher::fetch`], except for statuses.
    pub async fn exchange(
        &self,
        request: http::Request<Vec<u8>>,
        timeout: Duration,
        max_bytes: u64,
    ) -> Result<http::Response<Vec<u8>>, FetchError> {
        let url = parse(&request.uri().to_string())?;
        let answer = async {
            let client = self.guarded(&url)?;
            let (parts, body) = request.into_parts();
            let request = client.request(parts.method, url.clone()).headers(parts.headers).body(body);
            let response = request.send().await.map_err(|source| self.failure(&url, source))?;
            let (status, headers) = (response.status(), response.headers().clone());
            let downloaded = self.read(url, response, max_bytes, &Progress::default()).await?;
            let bytes = downloaded.content.read().map_err(FetchError::Spool)?;
            let mut answer = http::Response::new(bytes.to_vec());
            *answer.status_mut() = status;
            *answer.headers_mut() = headers;
            Ok(answer)
        };
        tokio::time::timeout(timeout, answer).await.unwrap_or(Err(FetchError::TimedOut { after: timeout }))
    }

    /// Follows redirects manually, so that each hop passes the same checks.
    async fn follow(&self, mut url: Url) -> Result<(Url, reqwest::Response), FetchError> {
        for _ in 0..=self.config.max_redirects {
            let response = self.request(&url).await?;
            let status = response.status();
            if status.is_redirection()
                && let Some(location) = response.headers().get(LOCATION)
            {
                let location = String::from_utf8_lossy(location.as_bytes());
                let next = url.join(&location).map_err(|source| FetchError::InvalidUrl {
                    reason: format!("it redirects to an invalid URL ({source})"),
                })?;
                url = checked(next)?;
                continue;
            }
            if !status.is_success() {
                return Err(FetchError::Failed { status: status.as_u16() });
            }
            return Ok((url, response));
        }
        Err(FetchError::TooManyRedirects { limit: self.config.max_redirects })
    }

    /// Sends one request after the guard has accepted its target.
    async fn request(&self, url: &Url) -> Result<reqwest::Response, FetchError> {
        let client = self.guarded(url)?;
        client.get(url.clone()).send().await.map_err(|source| self.failure(url, source))
    }

    /// Returns a client for this URL, if the guard accepts it; addresses of names are checked on resolution.
    fn guarded(&self, url: &Url) -> Result<reqwest::Client, FetchError> {
        let trusted = allow::trusts_host(&self.rules, url);
        if !trusted && let Some(address) = literal_address(url) {
            // A client connects to a literal address without using its resolver.
            resolver::check(&self.rules, address).map_err(|refused| FetchError::refused(url, &refused))?;
        }
        let target = Target { is_encrypted: url.scheme() == "https", is_trusted: trusted };
        self.clients.of(target).map_err(FetchError::Unreachable)
    }

    fn failure(&self, url: &Url, source: reqwest::Error) -> FetchError {
        FetchError::from_client(url, self.config.connect_timeout, source)
    }

    /// Reads the body up to the limit, regardless of the declared length.
    async fn read(
        &self,
        url: Url,
        response: reqwest::Response,
        max_bytes: u64,
        progress: &Progress,
    ) -> Result<Downloaded, FetchError> {
        if let Some(declared) = response.content_length() {
            if declared > max_bytes {
                return Err(FetchError::TooLarge { limit: max_bytes });
            }
            progress.expect(declared);
        }
        let content_type = content_type(response.headers());
        let file_name = file_name(response.headers(), &url);
        let kept = |error| match error {
            IncomingError::TooLarge { limit } => FetchError::TooLarge { limit },
            IncomingError::Disk(error) => FetchError::Spool(error),
        };
        let mut body = Incoming::new(max_bytes, &self.config.threads);
        let mut chunks = response.bytes_stream();
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk.map_err(|source| self.failure(&url, source))?;
            body.push(&chunk).await.map_err(kept)?;
            progress.advance(u64::try_from(chunk.len()).unwrap_or(0));
        }
        let content = body.finish().await.map_err(FetchError::Spool)?;
        Ok(Downloaded { content, content_type, final_url: url, file_name })
    }
}

fn parse(url: &str) -> Result<Url, FetchError> {
    checked(Url::parse(url).map_err(|source| FetchError::InvalidUrl { reason: source.to_string() })?)
}

/// Refuses schemes other than http and https, and URLs with credentials.
fn checked(url: Url) -> Result<Url, FetchError> {
    let reason = if !matches!(url.scheme(), "http" | "https") {
        "only http and https are fetched"
    } else if !url.username().is_empty() || url.password().is_some() {
        "it must not contain credentials"
    } else {
        return Ok(url);
    };
    Err(FetchError::InvalidUrl { reason: reason.to_owned() })
}

fn literal_address(url: &Url) -> Option<IpAddr> {
    match url.host()? {
        Host::Ipv4(address) => Some(address.into()),
        Host::Ipv6(address) => Some(address.into()),
        Host::Domain(_) => None,
    }
}

fn content_type(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    let essence = value.split(';').next()?.trim().to_ascii_lowercase();
    (!essence.is_empty()).then_some(essence)
}

/// Returns the plain `filename` of `Content-Disposition` or the URL's last segment, without any folder.
fn file_name(headers: &HeaderMap, url: &Url) -> Option<String> {
    let declared = headers
        .get(CONTENT_DISPOSITION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').find_map(|part| part.trim().strip_prefix("filename=")))
        .map(|name| name.trim_matches('"').to_owned());
    let segment = || {
        let last = url.path_segments()?.next_back()?;
        Some(percent_decode_str(last).decode_utf8_lossy().into_owned())
    };
    let name = declared.or_else(segment)?;
    let name = name.rsplit(['/', '\\']).next()?.trim();
    (!name.is_empty() && !name.contains('\0')).then(|| name.to_owned())
}

#[cfg(test)]
mod tests;
