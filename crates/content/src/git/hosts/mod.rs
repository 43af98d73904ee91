//! Pull requests and lists through the APIs of GitHub, GitLab, and Gitea or Forgejo.

mod app;
mod proposals;
mod repositories;
mod requests;

use std::time::Duration;

use bytes::Bytes;
use quire_domain::git::GitProvider;
use quire_git::Address;
use quire_importer::fetch::header::{
    ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, USER_AGENT,
};
use quire_importer::fetch::{FetchError, Fetcher, Method};
use serde_json::Value;
use url::Url;

pub(super) use self::app::TokenError;
pub use self::app::{GithubApp, GithubAppError};
pub(super) use self::proposals::{Proposal, propose};
pub use self::repositories::HostedRepository;
pub(super) use self::repositories::{branches, clone_url, file, repositories};
pub(super) use self::requests::{OpenRequest, Status, close_requests, head_of, open_requests, report};

/// Prefix of branch refs.
pub(super) const BRANCHES: &str = "refs/heads/";

/// Time limit for all requests of a proposal or list.
pub(super) const TIMEOUT: Duration = Duration::from_secs(20);

/// Maximum size of an answer in bytes. GitHub's answer about a file contains up to 1 MiB of the file, in Base64.
const MAX_BYTES: usize = 2 << 20;

/// Maximum length of a pull request's URL.
const URL_MAX: usize = 2_048;

/// Maximum length of a title in characters. GitLab has the lowest limit.
const TITLE_MAX: usize = 250;

/// User agent. GitHub requires one.
const AGENT: &str = concat!("quire/", env!("CARGO_PKG_VERSION"));

/// Host name of github.com, and the URL of its API, which has another host name.
const GITHUB: (&str, &str) = ("github.com", "https://api.github.com/");

/// Reason why a request to a host failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum HostError {
    /// The host could not be reached, or the guard refused it.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// The host answered with a status other than success.
    #[error("the host answered with status {0}")]
    Status(u16),
    /// The answer is invalid.
    #[error("{0}")]
    Answer(&'static str),
    /// The host took too long.
    #[error("the host did not answer in time")]
    TimedOut,
}

impl HostError {
    /// Returns whether the host refused a request, so that another attempt will fail, too.
    pub(super) fn is_refusal(&self) -> bool {
        matches!(self, Self::Status(status) if (400..500).contains(status) && !matches!(*status, 408 | 429))
    }
}

/// API of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Host {
    Github,
    Gitlab,
    /// Gitea or Forgejo.
    Gitea,
}

impl Host {
    /// Returns the API of a provider. `None` for a server without an API.
    pub(super) fn of(provider: GitProvider) -> Option<Self> {
        match provider {
            GitProvider::Github | GitProvider::GithubLegacy => Some(Self::Github),
            GitProvider::Gitlab => Some(Self::Gitlab),
            GitProvider::Gitea => Some(Self::Gitea),
            GitProvider::Git => None,
        }
    }
}

/// Returns the name of a branch without `refs/heads/`.
pub(super) fn branch_name(full: &str) -> &str {
    full.strip_prefix(BRANCHES).unwrap_or(full)
}

/// Returns the URL of the API for the host of a repository.
fn api_url(host: Host, repository: &Url) -> Option<Url> {
    let mut url = repository.clone();
    let path = match host {
        Host::Github if (url.scheme(), url.host_str(), url.port()) == ("https", Some(GITHUB.0), None) => {
            return Url::parse(GITHUB.1).ok();
        }
        Host::Github => "api/v3",
        Host::Gitlab => "api/v4",
        Host::Gitea => "api/v1",
    };
    url.set_path(path);
    url.set_query(None);
    Some(url)
}

/// Returns the path segment of pull requests.
fn requests_name(host: Host) -> &'static str {
    match host {
        Host::Github | Host::Gitea => "pulls",
        Host::Gitlab => "merge_requests",
    }
}

/// Returns the API URL of a resource of a repository.
fn url_in(host: Host, address: &Address, path: &[&str]) -> Option<Url> {
    let mut url = api_url(host, address.url())?;
    let folder = match host {
        Host::Github | Host::Gitea => "repos",
        Host::Gitlab => "projects",
    };
    let name = percent_encoding::percent_decode_str(address.name()).decode_utf8().ok()?;
    let mut segments = url.path_segments_mut().ok()?;
    segments.push(folder);
    match host {
        // GitLab encodes the full path of a project as one segment.
        Host::Gitlab => segments.push(&name),
        Host::Github | Host::Gitea => segments.extend(name.split('/')),
    };
    segments.extend(path);
    drop(segments);
    Some(url)
}

/// Returns the web URL of a pull request, which must be on the host of the repository.
fn address_in(host: Host, address: &Address, found: &Value) -> Option<String> {
    let field = match host {
        Host::Github | Host::Gitea => "html_url",
        Host::Gitlab => "web_url",
    };
    let url = Url::parse(found[field].as_str()?).ok()?;
    let is_same = matches!(url.scheme(), "http" | "https") && url.host() == address.url().host();
    is_same.then(|| url.to_string())
}

/// Sends a request with the credentials of a repository, and returns the headers and the body of the answer.
async fn send(
    fetcher: &Fetcher,
    method: Method,
    url: &Url,
    address: &Address,
    body: Option<&Value>,
) -> Result<(HeaderMap, Vec<u8>), HostError> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    headers.insert(USER_AGENT, HeaderValue::from_static(AGENT));
    if let Some(account) = address.account() {
        let token = HeaderValue::from_str(&format!("Bearer {}", account.password));
        let mut token = token.map_err(|_| HostError::Answer("the token cannot be sent"))?;
        token.set_sensitive(true);
        headers.insert(AUTHORIZATION, token);
    }
    let body = body.map(|body| Bytes::from(body.to_string())).unwrap_or_default();
    if !body.is_empty() {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    let mut response = fetcher.send(method, url, headers, body).await?;
    if !matches!(response.status(), 200 | 201) {
        return Err(HostError::Status(response.status()));
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if bytes.len().saturating_add(chunk.len()) > MAX_BYTES {
            return Err(HostError::Answer("the answer is too large"));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok((response.headers().clone(), bytes))
}

fn json_of(bytes: &[u8]) -> Result<Value, HostError> {
    serde_json::from_slice(bytes).map_err(|_| HostError::Answer("the answer is not JSON"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_address_of_another_host_is_not_shown() {
        let address = Address::parse("https://github.com/acme/docs").unwrap();
        let shown = |url: &str| address_in(Host::Github, &address, &json!({"html_url": url}));
        assert!(shown("https://github.com/acme/docs/pull/1").is_some());
        assert_eq!(shown("https://evil.example/acme/docs/pull/1"), None);
        assert_eq!(shown("javascript:alert(1)"), None);
    }
}
