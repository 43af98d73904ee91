//! Branches that accept no pushes.

use std::sync::{Arc, Mutex};

use quire_test_support::{GitRepository, GitServer};
use serde_json::{Value, json};

use super::Connected;

/// Hook that refuses pushes to `main`.
pub(super) const HOOK: &str = "#!/bin/sh\n[ \"$1\" != refs/heads/main ]\n";

/// Bodies of requests to open a pull request. A closed one has the key `closed`, with the comment if there is one.
pub(super) type Asked = Arc<Mutex<Vec<Value>>>;

pub(super) fn filled(server: &GitServer, name: &str) -> GitRepository {
    let repository = server.create(name, true);
    repository.commit(&[
        ("README.md", Some(b"# Home\n\nOne.\n")),
        ("guide.md", Some(b"# Guide\n\nAll about it.\n")),
        ("SUMMARY.md", Some(b"# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n")),
    ]);
    repository
}

/// Number of pull requests on a page of a list.
const PAGE: usize = 50;

/// Makes the server answer as the API of a provider. `opens` decides whether it opens pull requests.
pub(super) fn host(server: &GitServer, provider: &'static str, opens: bool) -> Asked {
    host_among(server, (provider, 0), opens)
}

/// Like [`host`], for a host that lists a number of other pull requests first.
fn host_among(server: &GitServer, (provider, others): (&'static str, usize), opens: bool) -> Asked {
    let asked = Asked::default();
    let (list, base) = match provider {
        "github" => ("/api/v3/repos/acme/github/pulls", "html_url"),
        "gitlab" => ("/api/v4/projects/acme%2Fgitlab/merge_requests", "web_url"),
        _ => ("/api/v1/repos/acme/gitea/pulls", "html_url"),
    };
    let comments = match provider {
        "gitlab" => ("/merge_requests/", "/notes"),
        _ => ("/issues/", "/comments"),
    };
    let (kept, address) = (Arc::clone(&asked), server.address());
    server.answer_api(move |method, target, body| {
        let mut asked = kept.lock().unwrap();
        let request = |(index, body): (usize, &Value)| {
            let number = index + 1;
            let (source, target) = match provider {
                "gitlab" => (&body["source_branch"], &body["target_branch"]),
                _ => (&body["head"], &body["base"]),
            };
            let commit = "0a".repeat(20);
            json!({base: format!("http://{address}/acme/{provider}/pull/{number}"),
                "number": number, "iid": number, "state": "open", "sha": commit,
                "head": {"ref": source, "sha": commit, "repo": {"id": 1}},
                "base": {"ref": target, "repo": {"id": 1}},
                "source_branch": source, "target_branch": target,
                "source_project_id": 1, "target_project_id": 1})
        };
        let body: Value = serde_json::from_str(body).unwrap_or_default();
        let path = target.split('?').next().unwrap_or_default();
        let number = |path: &str| path.parse::<usize>().ok().filter(|number| *number > 0);
        let one = path.strip_prefix(list).and_then(|path| number(path.trim_start_matches('/')));
        let commented =
            path.split_once(comments.0).and_then(|(_, rest)| number(rest.strip_suffix(comments.1)?));
        match (method, path == list, one.or(commented)) {
            ("GET", true, _) => {
                let open = asked.iter().enumerate().filter(|(_, body)| body.get("closed").is_none());
                let other = json!({"head": "feature", "base": "other"});
                let other = |number| request((number, &other));
                let listed = (100..100 + others).map(other).chain(open.map(request));
                let page = target.split_once("&page=").map_or(1, |(_, page)| page.parse().unwrap());
                let listed = listed.skip((page - 1) * PAGE).take(PAGE);
                (200, Value::from(listed.collect::<Vec<_>>()).to_string())
            }
            ("POST", true, _) if opens => {
                let made = request((asked.len(), &body)).to_string();
                asked.push(body);
                (201, made)
            }
            ("PATCH" | "PUT", _, Some(number))
                if body["state"] == "closed" || body["state_event"] == "close" =>
            {
                asked[number - 1]["closed"] = Value::Null;
                (200, "{}".to_owned())
            }
            ("POST", false, Some(number)) => {
                asked[number - 1]["closed"] = body["body"].clone();
                (201, "{}".to_owned())
            }
            _ => (403, "{}".to_owned()),
        }
    });
    asked
}

impl Connected {
    fn other_branch(&self) -> String {
        format!("refs/heads/quire/{}", self.space)
    }

    /// Returns the first page on the branch of the space.
    fn proposed(&self) -> String {
        self.repository.git(["cat-file", "blob", &format!("{}:README.md", self.other_branch())])
    }
}

#[actix_web::test]
async fn edits_of_a_protected_branch_wait_in_a_pull_request() {
    let Some(server) = GitServer::start() else { return };
    for provider in ["github", "gitlab", "gitea"] {
        let asked = host(&server, provider, true);
        let repository = filled(&server, &format!("acme/{provider}"));
        let connected = Connected::connect(&server, repository, provider, None).await;
        let repository = &connected.repository;
        repository.hook("update", HOOK);
        let before = repository.head().unwrap();
        connected.edit("Two.").await;
        connected.sync().await;
        assert_eq!(repository.head().unwrap(), before);
        assert_eq!(connected.proposed(), "# Home\n\nTwo.");
        let url = format!("http://{}/acme/{provider}/pull/1", server.address());
        let entry = connected.log().await[0].clone();
        assert_eq!((&entry["state"], &entry["pullRequest"]), (&json!("success"), &json!(url)), "{entry}");
        assert!(entry["summary"].as_str().unwrap().contains("pull request"), "{entry}");
        let title = asked.lock().unwrap()[0]["title"].clone();
        assert_eq!(title, "Edit Home");

        // Nothing changes while the pull request is open. Further edits replace its commit.
        connected.sync().await;
        assert_eq!(connected.log().await.len(), 2);
        connected.edit("Three.").await;
        connected.sync().await;
        assert_eq!(connected.proposed(), "# Home\n\nThree.");
        assert_eq!(asked.lock().unwrap().len(), 1, "the open pull request shows the new commit");
        assert_eq!(connected.log().await.len(), 3);

        // After the merge both sides are equal.
        let _ = repository.git(["update-ref", "refs/heads/main", &connected.other_branch()]);
        connected.sync().await;
        let entry = connected.log().await[0].clone();
        assert_eq!((&entry["direction"], entry.get("changeRequest")), (&json!("import"), None), "{entry}");
        let merged = repository.head();
        connected.sync().await;
        assert_eq!((repository.head(), connected.log().await.len()), (merged, 4));
        connected.no_failures().await;
    }
}

#[actix_web::test]
async fn without_an_interface_the_log_says_where_the_edits_are() {
    let Some(server) = GitServer::start() else { return };
    let _asked = host(&server, "github", false);
    let repository = filled(&server, "acme/github");
    let connected = Connected::connect(&server, repository, "github", None).await;
    connected.repository.hook("update", HOOK);
    connected.edit("Two.").await;
    connected.sync().await;
    let page =
        format!("http://{}/acme/github/compare/main...quire/{}?expand=1", server.address(), connected.space);
    assert_eq!(connected.log().await[0]["pullRequest"], page);

    let connected = Connected::to(&server, filled(&server, "plain")).await;
    connected.repository.hook("update", HOOK);
    connected.edit("Two.").await;
    connected.sync().await;
    let entry = connected.log().await[0].clone();
    let branch = format!("The edits are on the branch `quire/{}`: merge it into `main`.", connected.space);
    assert!(entry["summary"].as_str().unwrap().ends_with(&branch), "{entry}");
    assert_eq!(connected.proposed(), "# Home\n\nTwo.");
}

#[actix_web::test]
async fn without_rights_to_push_the_reason_is_that_of_the_branch() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server, "closed")).await;
    connected.repository.hook("update", "#!/bin/sh\nexit 1\n");
    connected.edit("Two.").await;
    connected.sync().await;
    let entry = connected.log().await[0].clone();
    assert_eq!(entry["summary"], "The export failed: The server refused the commit: hook declined.");
}

/// Returns whether each pull request was closed with a comment.
pub(super) fn closed(asked: &Asked) -> Vec<bool> {
    asked.lock().unwrap().iter().map(|request| request["closed"].is_string()).collect()
}

#[actix_web::test]
async fn a_pull_request_without_waiting_edits_is_closed() {
    let Some(server) = GitServer::start() else { return };
    for provider in ["github", "gitlab", "gitea"] {
        let asked = host(&server, provider, true);
        let repository = filled(&server, &format!("acme/{provider}"));
        let connected = Connected::connect(&server, repository, provider, None).await;
        let repository = &connected.repository;
        repository.hook("update", HOOK);
        let summary = async || connected.log().await[0]["summary"].as_str().unwrap().to_owned();

        // The edit is undone.
        connected.edit("Two.").await;
        connected.sync().await;
        assert_eq!(closed(&asked), [false]);
        connected.edit("One.").await;
        connected.sync().await;
        assert_eq!(closed(&asked), [true], "{:?}", connected.log().await);
        let sentence = format!(
            "No change waits in the pull request http://{}/acme/{provider}/pull/1 any more, so it was closed.",
            server.address()
        );
        assert!(summary().await.ends_with(&sentence), "{}", summary().await);

        // The same edit again waits in another one. A commit that changes the same text takes precedence.
        connected.edit("Two.").await;
        connected.sync().await;
        assert_eq!(closed(&asked), [true, false]);
        repository.commit(&[("README.md", Some(b"# Home\n\nOther.\n"))]);
        connected.sync().await;
        assert_eq!(closed(&asked), [true, true], "{:?}", connected.log().await);
        assert!(summary().await.contains("are in a change request. No change waits"), "{}", summary().await);

        // The host is asked for previews alone.
        let log = connected.log().await;
        let _ = server.take_requests();
        connected.sync().await;
        let requests = server.take_requests();
        assert_eq!(requests.iter().filter(|line| line.contains("/api/")).count(), 1, "{requests:?}");
        assert_eq!(connected.log().await, log);
        connected.no_failures().await;
    }
}

#[actix_web::test]
async fn a_pull_request_is_found_among_many() {
    let Some(server) = GitServer::start() else { return };
    let asked = host_among(&server, ("gitea", 2 * PAGE), true);
    let connected = Connected::connect(&server, filled(&server, "acme/gitea"), "gitea", None).await;
    connected.repository.hook("update", HOOK);
    for text in ["Two.", "Three."] {
        connected.edit(text).await;
        connected.sync().await;
        assert_eq!(closed(&asked), [false], "the open pull request is found");
    }
    let url = format!("http://{}/acme/gitea/pull/1", server.address());
    assert_eq!(connected.log().await[0]["pullRequest"], url);
    connected.edit("One.").await;
    connected.sync().await;
    assert_eq!(closed(&asked), [true], "{:?}", connected.log().await);
    connected.no_failures().await;
}

#[actix_web::test]
async fn a_host_that_refuses_to_close_a_pull_request_is_asked_once() {
    let Some(server) = GitServer::start() else { return };
    let asked = host(&server, "github", true);
    let connected = Connected::connect(&server, filled(&server, "acme/github"), "github", None).await;
    connected.repository.hook("update", HOOK);
    connected.edit("Two.").await;
    connected.sync().await;
    let list = json!([{
        "html_url": format!("http://{}/acme/github/pull/1", server.address()), "number": 1, "state": "open",
        "head": {"ref": format!("quire/{}", connected.space), "sha": "0a".repeat(20), "repo": {"id": 1}},
        "base": {"ref": "main", "repo": {"id": 1}},
    }]);
    // A host that is not available is asked again.
    server.answer_api(|_, _, _| (503, "{}".to_owned()));
    connected.edit("One.").await;
    connected.sync().await;
    server.answer_api(move |method, _, _| match method {
        "GET" => (200, list.to_string()),
        _ => (403, "{}".to_owned()),
    });
    connected.sync().await;
    let entry = connected.log().await[0].clone();
    let summary = entry["summary"].as_str().unwrap();
    assert!(
        summary.ends_with("/acme/github/pull/1 any more. Close it there: the host does not let Quire do it."),
        "{summary}"
    );
    let _ = server.take_requests();
    connected.sync().await;
    assert!(!server.take_requests().iter().any(|line| line.contains("quire%2F")));
    assert_eq!(closed(&asked), [false]);
}

#[actix_web::test]
async fn a_repository_that_may_only_be_read_is_still_imported() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server, "read")).await;
    let _ = connected.repository.git(["config", "http.receivepack", "false"]);
    connected.edit("Two.").await;
    // A second commit.
    let new = json!({"operation": "insert_page", "title": "New", "document": {"markdown": "Text."}});
    connected.write(&[new]).await;
    let _ = server.take_requests();
    connected.sync().await;
    let pushes = server.take_requests().into_iter().filter(|line| line.contains("git-receive-pack"));
    assert_eq!(pushes.count(), 1, "one attempt");
    let failed = connected.log().await[0].clone();
    let summary =
        "The export failed: The server refused the commit: these credentials give no right to push.";
    assert_eq!(failed["summary"], summary);
    let state = connected.admin.get(&connected.path).await.expect(200);
    assert_ne!(state.text("/status"), "unauthenticated");
    assert!(state.at("/nextRunAt").is_string());

    connected.repository.commit(&[("guide.md", Some(b"# Guide\n\nWritten there.\n"))]);
    connected.sync().await;
    let log = connected.log().await;
    let directions: Vec<_> = log.iter().map(|entry| entry["direction"].as_str().unwrap()).collect();
    assert_eq!(directions, ["export", "import", "export", "import"], "{log:?}");
    let guide = connected.app.content(&connected.space, &connected.admin);
    let guide = guide.pages_in_order().nth(1).unwrap().id.to_string();
    assert!(connected.page(&guide, "markdown").await.to_string().contains("Written there."));
}
