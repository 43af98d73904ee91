//! Pull requests that Quire opens.

use quire_domain::git::GitProvider;
use quire_git::Address;
use quire_importer::fetch::{Fetcher, Method};
use serde_json::{Value, json};

use super::requests::{Branches, find_requests};
use super::{
    Host, HostError, TIMEOUT, TITLE_MAX, URL_MAX, address_in, branch_name, json_of, requests_name, send,
    url_in,
};

/// Proposal to merge a branch.
pub(in crate::git) struct Proposal<'p> {
    /// Repository.
    pub(in crate::git) address: &'p Address,
    /// Full name of the branch with the commit.
    pub(in crate::git) source: &'p str,
    /// Full name of the branch to merge into.
    pub(in crate::git) target: &'p str,
    /// Message of the commit.
    pub(in crate::git) message: &'p str,
}

impl<'p> Proposal<'p> {
    /// Returns the names of both branches without `refs/heads/`.
    pub(in crate::git) fn branches(&self) -> (&'p str, &'p str) {
        (branch_name(self.source), branch_name(self.target))
    }
}

/// Opens a pull request unless one is open, and returns its URL. If the host refuses, returns the URL of the page for
/// opening it. Returns `None` for a server without pull requests.
pub(in crate::git) async fn propose(
    fetcher: &Fetcher,
    provider: GitProvider,
    proposal: &Proposal<'_>,
) -> Option<String> {
    let host = Host::of(provider)?;
    let opened = tokio::time::timeout(TIMEOUT, open(fetcher, host, proposal)).await;
    let url = opened.unwrap_or(Err(HostError::TimedOut));
    let url = url.inspect_err(|error| log::warn!("a pull request cannot be opened: {error}"));
    url.ok().or_else(|| page(host, proposal)).filter(|url| url.len() <= URL_MAX)
}

async fn open(fetcher: &Fetcher, host: Host, proposal: &Proposal<'_>) -> Result<String, HostError> {
    let (address, (source, target)) = (proposal.address, proposal.branches());
    let branches = Branches { source: Some(source), target: Some(target) };
    let open = find_requests(fetcher, host, address, (branches, 1)).await?;
    if let Some(url) = open.into_iter().find_map(|open| open.url) {
        return Ok(url);
    }
    let url = url_in(host, address, &[requests_name(host)]);
    let url = url.ok_or(HostError::Answer("the repository has no API"))?;
    let (_, made) = send(fetcher, Method::POST, &url, address, Some(&body(host, proposal))).await?;
    address_in(host, address, &json_of(&made)?).ok_or(HostError::Answer("the answer has no URL"))
}

fn body(host: Host, proposal: &Proposal<'_>) -> Value {
    let (source, target) = proposal.branches();
    let title: String = proposal.message.lines().next().unwrap_or_default().chars().take(TITLE_MAX).collect();
    let text = "These edits were made in Quire, which cannot push them because the branch is protected.";
    match host {
        Host::Github | Host::Gitea => json!({"title": title, "head": source, "base": target, "body": text}),
        Host::Gitlab => json!({
            "title": title, "source_branch": source, "target_branch": target, "description": text,
        }),
    }
}

/// Returns the URL of the page for opening the pull request.
fn page(host: Host, proposal: &Proposal<'_>) -> Option<String> {
    let (address, (source, target)) = (proposal.address, proposal.branches());
    let mut url = address.url().clone();
    let mut path = url.path_segments_mut().ok()?;
    path.clear().extend(address.name().split('/'));
    match host {
        Host::Github | Host::Gitea => path.push("compare").extend(format!("{target}...{source}").split('/')),
        Host::Gitlab => path.extend(["-", "merge_requests", "new"]),
    };
    drop(path);
    match host {
        Host::Github => url.set_query(Some("expand=1")),
        Host::Gitlab => {
            url.query_pairs_mut()
                .append_pair("merge_request[source_branch]", source)
                .append_pair("merge_request[target_branch]", target);
        }
        Host::Gitea => {}
    }
    Some(url.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_host_has_its_addresses() {
        let urls = |host, url: &str| {
            let address = Address::parse(url).unwrap();
            let (source, target) = ("refs/heads/quire/7", "refs/heads/main");
            let proposal = Proposal { address: &address, source, target, message: "Edit Start" };
            (
                url_in(host, &address, &[requests_name(host)]).unwrap().to_string(),
                page(host, &proposal).unwrap(),
            )
        };
        assert_eq!(
            urls(Host::Github, "https://t@github.com/acme/docs.git"),
            (
                "https://api.github.com/repos/acme/docs/pulls".to_owned(),
                "https://github.com/acme/docs/compare/main...quire/7?expand=1".to_owned()
            )
        );
        let own = urls(Host::Github, "https://git.example.org/acme/docs");
        assert_eq!(own.0, "https://git.example.org/api/v3/repos/acme/docs/pulls");
        assert_eq!(
            urls(Host::Gitlab, "https://gitlab.com/acme/team/docs.git"),
            (
                "https://gitlab.com/api/v4/projects/acme%2Fteam%2Fdocs/merge_requests".to_owned(),
                "https://gitlab.com/acme/team/docs/-/merge_requests/new?\
                 merge_request%5Bsource_branch%5D=quire%2F7&merge_request%5Btarget_branch%5D=main"
                    .to_owned()
            )
        );
        assert_eq!(
            urls(Host::Gitea, "https://codeberg.org:8443/acme/docs.git"),
            (
                "https://codeberg.org:8443/api/v1/repos/acme/docs/pulls".to_owned(),
                "https://codeberg.org:8443/acme/docs/compare/main...quire/7".to_owned()
            )
        );
    }
}
