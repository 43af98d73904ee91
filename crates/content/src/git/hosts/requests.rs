//! Open pull requests, and statuses of their commits.

use quire_domain::clock::Timestamp;
use quire_domain::git_installations::GitPreviewState;
use quire_git::{Address, ObjectId};
use quire_importer::fetch::header::{HeaderMap, LINK};
use quire_importer::fetch::{Fetcher, Method};
use serde_json::{Value, json};

use super::{Host, HostError, TIMEOUT, TITLE_MAX, URL_MAX, address_in, json_of, requests_name, send, url_in};

/// Pull requests per page of a list. Gitea sends no more.
const PAGE: usize = 50;

/// Maximum number of pages read per list.
const PAGES: usize = 20;

/// Maximum length of a status text in characters. GitHub has the lowest limit.
const TEXT_MAX: usize = 140;

/// Maximum length of a status name in characters.
const NAME_MAX: usize = 100;

/// Open pull request, or merge request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::git) struct OpenRequest {
    pub(in crate::git) number: u64,
    pub(in crate::git) title: String,
    /// Web URL.
    pub(in crate::git) url: Option<String>,
    /// Last commit.
    pub(in crate::git) commit: String,
    /// Name of the branch to merge.
    pub(in crate::git) source: String,
    /// Name of the branch to merge it into.
    pub(in crate::git) target: String,
    /// True if it comes from another repository.
    pub(in crate::git) is_external: bool,
    /// Time of its last change.
    pub(in crate::git) updated_at: Option<Timestamp>,
}

/// Status of a commit.
#[derive(Clone, Copy, Debug)]
pub(in crate::git) struct Status<'s> {
    pub(in crate::git) state: GitPreviewState,
    /// Name that distinguishes it from other statuses of the commit.
    pub(in crate::git) name: &'s str,
    pub(in crate::git) text: &'s str,
    /// URL of a page with details.
    pub(in crate::git) url: &'s str,
}

/// Returns the full name of the ref that a host updates to the last commit of a pull request.
pub(in crate::git) fn head_of(host: Host, number: u64) -> String {
    match host {
        Host::Github | Host::Gitea => format!("refs/pull/{number}/head"),
        Host::Gitlab => format!("refs/merge-requests/{number}/head"),
    }
}

/// Branches of pull requests, without `refs/heads/`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branches<'b> {
    /// Branch to merge, of the repository itself. `None` for any.
    pub(super) source: Option<&'b str>,
    /// Branch to merge it into. `None` for any.
    pub(super) target: Option<&'b str>,
}

impl Branches<'_> {
    /// Returns whether a pull request is one of these branches. Hosts may ignore a part of the query.
    fn have(&self, request: &OpenRequest) -> bool {
        self.source.is_none_or(|source| request.source == source && !request.is_external)
            && self.target.is_none_or(|target| request.target == target)
    }

    /// Returns the query for the open pull requests, most recently updated first.
    fn query(&self, host: Host, address: &Address) -> Vec<(&'static str, String)> {
        let owner = address.name().split('/').next().unwrap_or_default();
        let (fixed, [source, target]) = match host {
            Host::Github => (
                [("state", "open"), ("sort", "updated"), ("direction", "desc")].as_slice(),
                [Some("head"), Some("base")],
            ),
            Host::Gitlab => (
                [("state", "opened"), ("order_by", "updated_at"), ("sort", "desc")].as_slice(),
                [Some("source_branch"), Some("target_branch")],
            ),
            // Gitea has no filter by source. Forgejo and old versions ignore the other one.
            Host::Gitea => {
                ([("state", "open"), ("sort", "recentupdate")].as_slice(), [None, Some("base_branch")])
            }
        };
        let size = if host == Host::Gitea { "limit" } else { "per_page" };
        let mut query: Vec<_> = fixed.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        query.push((size, PAGE.to_string()));
        let qualified = |source: &str| match host {
            Host::Github => format!("{owner}:{source}"),
            Host::Gitlab | Host::Gitea => source.to_owned(),
        };
        query.extend(source.zip(self.source.map(qualified)));
        query.extend(target.zip(self.target.map(str::to_owned)));
        query
    }
}

/// Returns the open pull requests into a branch, most recently updated first.
pub(in crate::git) async fn open_requests(
    fetcher: &Fetcher,
    host: Host,
    address: &Address,
    target: &str,
) -> Result<Vec<OpenRequest>, HostError> {
    let branches = Branches { source: None, target: Some(target) };
    let open = find_requests(fetcher, host, address, (branches, PAGE));
    tokio::time::timeout(TIMEOUT, open).await.map_err(|_| HostError::TimedOut)?
}

/// Returns open pull requests of branches, most recently updated first. Reads no further pages after `enough` of them.
pub(super) async fn find_requests(
    fetcher: &Fetcher,
    host: Host,
    address: &Address,
    (branches, enough): (Branches<'_>, usize),
) -> Result<Vec<OpenRequest>, HostError> {
    let url = url_in(host, address, &[requests_name(host)]);
    let mut url = url.ok_or(HostError::Answer("the repository has no API"))?;
    url.query_pairs_mut().extend_pairs(branches.query(host, address));
    let mut open = Vec::new();
    for page in 1..=PAGES {
        let mut url = url.clone();
        if page > 1 {
            url.query_pairs_mut().append_pair("page", &page.to_string());
        }
        let (headers, body) = send(fetcher, Method::GET, &url, address, None).await?;
        let Value::Array(found) = json_of(&body)? else {
            return Err(HostError::Answer("the answer is not a list"));
        };
        let requests = found.iter().filter_map(|found| read(host, address, found));
        open.extend(requests.filter(|request| branches.have(request)));
        if open.len() >= enough || !has_next(&headers, found.len()) {
            break;
        }
    }
    Ok(open)
}

/// Returns whether a list has another page. A host may send fewer items per page than requested.
fn has_next(headers: &HeaderMap, count: usize) -> bool {
    let links = headers.get_all(LINK).into_iter();
    let is_linked = links.filter_map(|links| links.to_str().ok()).any(|links| links.contains("rel=\"next\""));
    count > 0 && (is_linked || count >= PAGE)
}

/// Closes open pull requests of a branch of the repository itself, those that `is_ended` selects, with a comment.
/// Returns their web URLs, and the first reason why one could not be closed.
///
/// # Errors
/// If the list cannot be read.
pub(in crate::git) async fn close_requests(
    fetcher: &Fetcher,
    host: Host,
    (address, source): (&Address, &str),
    (comment, is_ended): (&str, impl Fn(&OpenRequest) -> bool),
) -> Result<(Vec<String>, Option<HostError>), HostError> {
    let branches = Branches { source: Some(source), target: None };
    let (mut urls, mut failure) = (Vec::new(), None);
    let open = find_requests(fetcher, host, address, (branches, usize::MAX)).await?;
    for request in open.into_iter().filter(is_ended) {
        if let Err(error) = close(fetcher, host, address, (request.number, comment)).await {
            failure.get_or_insert(error);
        }
        urls.extend(request.url);
    }
    Ok((urls, failure))
}

/// Closes a pull request and comments on it. A refused comment is no error.
async fn close(
    fetcher: &Fetcher,
    host: Host,
    address: &Address,
    (number, comment): (u64, &str),
) -> Result<(), HostError> {
    let number = number.to_string();
    let (method, body, comments) = match host {
        Host::Github | Host::Gitea => {
            (Method::PATCH, json!({"state": "closed"}), ["issues", number.as_str(), "comments"])
        }
        Host::Gitlab => {
            (Method::PUT, json!({"state_event": "close"}), ["merge_requests", number.as_str(), "notes"])
        }
    };
    let url =
        |path: &[&str]| url_in(host, address, path).ok_or(HostError::Answer("the repository has no API"));
    send(fetcher, method, &url(&[requests_name(host), &number])?, address, Some(&body)).await?;
    let body = json!({ "body": comment });
    let sent = send(fetcher, Method::POST, &url(&comments)?, address, Some(&body)).await;
    if let Err(error) = sent {
        log::warn!("a closed pull request of {address} has no comment: {error}");
    }
    Ok(())
}

/// Reads a pull request. Returns `None` if it is closed or invalid.
fn read(host: Host, address: &Address, found: &Value) -> Option<OpenRequest> {
    let [number, state, base, source, commit] = match host {
        Host::Github | Host::Gitea => ["/number", "/state", "/base/ref", "/head/ref", "/head/sha"],
        Host::Gitlab => ["/iid", "/state", "/target_branch", "/source_branch", "/sha"],
    };
    let text = |pointer: &str| found.pointer(pointer).and_then(Value::as_str);
    if !matches!(text(state)?, "open" | "opened") {
        return None;
    }
    let [from, into] = match host {
        Host::Github | Host::Gitea => ["/head/repo/id", "/base/repo/id"],
        Host::Gitlab => ["/source_project_id", "/target_project_id"],
    };
    // The source repository may have been deleted.
    let is_external = match (found.pointer(from).and_then(Value::as_u64), found.pointer(into)) {
        (Some(from), Some(into)) => into.as_u64() != Some(from),
        _ => true,
    };
    let title = text("/title").unwrap_or_default().replace('\0', "");
    Some(OpenRequest {
        number: found
            .pointer(number)?
            .as_u64()
            .filter(|number| (1..=u64::from(u32::MAX)).contains(number))?,
        title: title.chars().take(TITLE_MAX).collect(),
        url: address_in(host, address, found).filter(|url| url.len() <= URL_MAX),
        commit: ObjectId::from_hex(text(commit)?.as_bytes()).ok()?.to_string(),
        source: text(source)?.to_owned(),
        target: text(base)?.to_owned(),
        is_external,
        updated_at: serde_json::from_value(found["updated_at"].clone()).ok(),
    })
}

/// Sets the status of a commit.
pub(in crate::git) async fn report(
    fetcher: &Fetcher,
    host: Host,
    address: &Address,
    (commit, status): (&str, Status<'_>),
) -> Result<(), HostError> {
    let url = url_in(host, address, &["statuses", commit]);
    let url = url.ok_or(HostError::Answer("the repository has no API"))?;
    let body = body(host, status);
    let sent = send(fetcher, Method::POST, &url, address, Some(&body));
    tokio::time::timeout(TIMEOUT, sent).await.map_err(|_| HostError::TimedOut)??;
    Ok(())
}

fn body(host: Host, Status { state, name, text, url }: Status<'_>) -> Value {
    let short = |text: &str, most: usize| text.chars().take(most).collect::<String>();
    let (name, text) = (short(name, NAME_MAX), short(text, TEXT_MAX));
    let state = match (host, state) {
        (Host::Gitlab, GitPreviewState::Failure) => "failed",
        (_, state) => state.as_str(),
    };
    match host {
        Host::Github | Host::Gitea => {
            json!({"state": state, "context": name, "description": text, "target_url": url})
        }
        Host::Gitlab => json!({"state": state, "name": name, "description": text, "target_url": url}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_and_invalid_pull_requests_are_left_out() {
        let address = Address::parse("https://github.com/acme/docs").unwrap();
        let commit = "0a".repeat(20);
        let found = |number: i64, state: &str, base: &str, sha: &str, repository: Value| {
            json!({"number": number, "state": state, "title": "Add a page",
                "html_url": "https://github.com/acme/docs/pull/7", "updated_at": "2026-01-02T03:04:05Z",
                "base": {"ref": base, "repo": {"id": 1}},
                "head": {"ref": "next", "sha": sha, "repo": repository}})
        };
        let read = |found: &Value| read(Host::Github, &address, found);
        let own = read(&found(7, "open", "main", &commit, json!({"id": 1}))).unwrap();
        assert_eq!((own.number, own.is_external), (7, false));
        assert_eq!((own.source.as_str(), own.target.as_str()), ("next", "main"));
        assert!(own.updated_at.is_some());
        assert!(read(&found(7, "open", "main", &commit, json!({"id": 2}))).unwrap().is_external);
        assert!(read(&found(7, "open", "main", &commit, Value::Null)).unwrap().is_external);
        for other in [
            found(7, "closed", "main", &commit, json!({"id": 1})),
            found(0, "open", "main", &commit, json!({"id": 1})),
            found(7, "open", "main", "../..", json!({"id": 1})),
        ] {
            assert_eq!(read(&other), None);
        }
    }

    #[test]
    fn a_list_goes_on_with_a_link_or_after_a_full_page() {
        let link = "<https://git.example.org/a?page=2>; rel=\"next\",<https://git.example.org/a?page=9>; rel=\"last\"";
        let linked = HeaderMap::from_iter([(LINK, link.parse().unwrap())]);
        let last = HeaderMap::from_iter([(LINK, link.replace("next", "prev").parse().unwrap())]);
        assert_eq!([0, 1, PAGE].map(|count| has_next(&linked, count)), [false, true, true]);
        assert_eq!([0, 1, PAGE].map(|count| has_next(&last, count)), [false, false, true]);
    }

    #[test]
    fn a_status_has_the_words_of_its_host() {
        let text = "a".repeat(200);
        let status = Status { state: GitPreviewState::Failure, name: "Quire", text: &text, url: "https://q" };
        assert_eq!(
            (&body(Host::Gitlab, status)["state"], &body(Host::Gitea, status)["state"]),
            (&json!("failed"), &json!("failure"))
        );
        assert_eq!(body(Host::Github, status)["description"].as_str().unwrap().len(), TEXT_MAX);
    }
}
