//! Repositories, branches and files that the credentials of a connection can access.

use quire_domain::git_hosts::{GitBranch, GitFile, GitRepositoryEntry};
use quire_git::Address;
use quire_importer::fetch::header::HeaderMap;
use quire_importer::fetch::{Fetcher, Method};
use serde_json::Value;
use url::Url;

use super::{Host, HostError, TIMEOUT, api_url, json_of, send};

/// Items per page of a list, the maximum of all hosts.
const PAGE: usize = 100;

/// Maximum number of pages read per list.
const PAGES: usize = 10;

/// Repository on a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostedRepository {
    /// Repository on GitHub.
    Github {
        /// Name of its owner.
        account: String,
        /// Its name.
        name: String,
    },
    /// Project on GitLab.
    Gitlab {
        /// Its id.
        project: u64,
    },
}

/// Result of a request. `None` if the resource does not exist for these credentials.
type Found<T> = Result<Option<T>, HostError>;

/// Returns the repositories that the credentials can access, up to the page limit. `is_app` is true for credentials of
/// a GitHub App.
pub(in crate::git) async fn repositories(
    fetcher: &Fetcher,
    address: &Address,
    (host, is_app): (Host, bool),
) -> Found<Vec<GitRepositoryEntry>> {
    let (path, query, read): (_, _, fn(&Value) -> Option<GitRepositoryEntry>) = match (host, is_app) {
        (Host::Github, true) => (["installation", "repositories"].as_slice(), "", of_github),
        (Host::Github | Host::Gitea, _) => (["user", "repos"].as_slice(), "sort=full_name", of_github),
        (Host::Gitlab, _) => {
            (["projects"].as_slice(), "membership=true&simple=true&order_by=path&sort=asc", of_gitlab)
        }
    };
    let url = url_of(host, address, path);
    listed(fetcher, address, url, query, read).await
}

/// Returns the clone URL of a repository by its id.
pub(in crate::git) async fn clone_url(
    fetcher: &Fetcher,
    address: &Address,
    host: Host,
    id: i64,
) -> Found<String> {
    let id = id.to_string();
    let (path, field) = match host {
        Host::Github | Host::Gitea => (["repositories", &id], "clone_url"),
        Host::Gitlab => (["projects", &id], "http_url_to_repo"),
    };
    let Some(url) = url_of(host, address, &path) else { return Ok(None) };
    let Some((_, bytes)) = answer(fetcher, Method::GET, &url, address).await? else { return Ok(None) };
    let found = json_of(&bytes)?;
    let url = found.get(field).and_then(Value::as_str).and_then(|url| Address::parse(url).ok());
    let is_there = |found: &Address| found.origin() == address.origin() && !found.has_account();
    let url = url.filter(is_there).ok_or(HostError::Answer("it names another host"))?;
    Ok(Some(url.to_string()))
}

/// Returns the branches of a repository, up to the page limit.
pub(in crate::git) async fn branches(
    fetcher: &Fetcher,
    address: &Address,
    repository: &HostedRepository,
) -> Found<Vec<GitBranch>> {
    let project;
    let (host, path) = match repository {
        HostedRepository::Github { account, name } => {
            (Host::Github, vec!["repos", account, name, "branches"])
        }
        HostedRepository::Gitlab { project: id } => {
            project = id.to_string();
            (Host::Gitlab, vec!["projects", &project, "repository", "branches"])
        }
    };
    let url = url_of(host, address, &path);
    listed(fetcher, address, url, "", |found| {
        let name = found["name"].as_str()?;
        Some(GitBranch { name: name.to_owned(), reference: format!("refs/heads/{name}") })
    })
    .await
}

/// Returns a file of a repository.
pub(in crate::git) async fn file(
    fetcher: &Fetcher,
    address: &Address,
    repository: &HostedRepository,
    (path, reference): (&str, &str),
) -> Found<GitFile> {
    let project;
    let (host, method, folders) = match repository {
        HostedRepository::Github { account, name } => {
            let mut folders = vec!["repos", account, name, "contents"];
            folders.extend(path.split('/'));
            (Host::Github, Method::GET, folders)
        }
        HostedRepository::Gitlab { project: id } => {
            project = id.to_string();
            // HEAD omits the bytes of the file.
            (Host::Gitlab, Method::HEAD, vec!["projects", &project, "repository", "files", path])
        }
    };
    let Some(mut url) = url_of(host, address, &folders) else { return Ok(None) };
    url.query_pairs_mut().append_pair("ref", reference);
    let Some((headers, bytes)) = answer(fetcher, method, &url, address).await? else { return Ok(None) };
    match host {
        Host::Github | Host::Gitea => {
            let found = json_of(&bytes)?;
            // For a folder the answer is a list of its entries.
            let is_file = found.get("type").is_some_and(|kind| kind == "file");
            Ok(is_file.then(|| file_of_github(&found)).flatten())
        }
        Host::Gitlab => Ok(file_of_gitlab(&headers)),
    }
}

/// Returns an API URL. `None` if a segment would change the path.
fn url_of(host: Host, address: &Address, path: &[&str]) -> Option<Url> {
    if path.iter().any(|segment| matches!(*segment, "" | "." | "..")) {
        return None;
    }
    let mut url = api_url(host, address.url())?;
    url.path_segments_mut().ok()?.pop_if_empty().extend(path);
    Some(url)
}

/// Reads the pages of a list. Returns its items.
async fn listed<T>(
    fetcher: &Fetcher,
    address: &Address,
    url: Option<Url>,
    query: &str,
    read: impl Fn(&Value) -> Option<T>,
) -> Found<Vec<T>> {
    let Some(mut url) = url else { return Ok(None) };
    let pages = async {
        let mut items = Vec::new();
        for page in 1..=PAGES {
            url.set_query(Some(query).filter(|query| !query.is_empty()));
            url.query_pairs_mut()
                .append_pair("per_page", &PAGE.to_string())
                .append_pair("page", &page.to_string());
            let Some((_, bytes)) = exchanged(fetcher, Method::GET, &url, address).await? else {
                return Ok(None);
            };
            let found = json_of(&bytes)?;
            // For a GitHub App the list is within an object.
            let found = found.get("repositories").unwrap_or(&found);
            let found = found.as_array().ok_or(HostError::Answer("the answer is not a list"))?;
            items.extend(found.iter().filter_map(&read));
            if found.len() < PAGE {
                break;
            }
        }
        Ok(Some(items))
    };
    tokio::time::timeout(TIMEOUT, pages).await.unwrap_or(Err(HostError::TimedOut))
}

async fn answer(
    fetcher: &Fetcher,
    method: Method,
    url: &Url,
    address: &Address,
) -> Found<(HeaderMap, Vec<u8>)> {
    let exchanged = exchanged(fetcher, method, url, address);
    tokio::time::timeout(TIMEOUT, exchanged).await.unwrap_or(Err(HostError::TimedOut))
}

/// Sends a request. Returns `None` for a resource that the host does not have or hides.
async fn exchanged(
    fetcher: &Fetcher,
    method: Method,
    url: &Url,
    address: &Address,
) -> Found<(HeaderMap, Vec<u8>)> {
    match send(fetcher, method, url, address, None).await {
        Ok(answer) => Ok(Some(answer)),
        Err(HostError::Status(404)) => Ok(None),
        Err(error) => Err(error),
    }
}

fn of_github(found: &Value) -> Option<GitRepositoryEntry> {
    Some(GitRepositoryEntry {
        id: found["id"].as_u64()?,
        account_name: found.pointer("/owner/login")?.as_str()?.to_owned(),
        repository_name: found["name"].as_str()?.to_owned(),
        full_name: found["full_name"].as_str()?.to_owned(),
        default_branch: found["default_branch"].as_str().map(str::to_owned),
    })
}

fn of_gitlab(found: &Value) -> Option<GitRepositoryEntry> {
    let full_name = found["path_with_namespace"].as_str()?;
    let (account, name) = full_name.rsplit_once('/')?;
    Some(GitRepositoryEntry {
        id: found["id"].as_u64()?,
        account_name: account.to_owned(),
        repository_name: name.to_owned(),
        full_name: full_name.to_owned(),
        default_branch: found["default_branch"].as_str().map(str::to_owned),
    })
}

fn file_of_github(found: &Value) -> Option<GitFile> {
    let text = |field: &str| found[field].as_str().map(str::to_owned);
    Some(GitFile {
        name: text("name")?,
        path: text("path")?,
        sha: text("sha")?,
        size: found["size"].as_u64()?,
    })
}

fn file_of_gitlab(headers: &HeaderMap) -> Option<GitFile> {
    let text =
        |name: &str| headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    Some(GitFile {
        name: text("x-gitlab-file-name")?,
        path: text("x-gitlab-file-path")?,
        sha: text("x-gitlab-blob-id")?,
        size: text("x-gitlab-size")?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_to_another_resource() {
        let address = Address::parse("https://git.example.org/acme/docs.git").unwrap();
        let url = |path: &[&str]| url_of(Host::Github, &address, path).map(|url| url.to_string());
        assert_eq!(
            url(&["repos", "acme", "a/b?c", "branches"]).as_deref(),
            Some("https://git.example.org/api/v3/repos/acme/a%2Fb%3Fc/branches")
        );
        for name in ["", ".", ".."] {
            assert_eq!(url(&["repos", "acme", name, "branches"]), None);
        }
        let public = Address::parse("https://github.com/acme/docs").unwrap();
        let url = url_of(Host::Github, &public, &["user", "repos"]).unwrap();
        assert_eq!(url.as_str(), "https://api.github.com/user/repos");
    }
}
