//! Branches that accept no pushes.

use std::sync::{Arc, Mutex};

use quire_test_support::{GitRepository, GitServer};
use serde_json::{Value, json};

use super::Connected;

/// Hook that refuses pushes to `main`.
pub(super) const HOOK: &str = "#!/bin/sh\n[ \"$1\" != refs/heads/main ]\n";

/// Bodies of requests to open a pull request.
pub(super) type Asked = Arc<Mutex<Vec<Value>>>;

fn filled(server: &GitServer, name: &str) -> GitRepository {
    let repository = server.create(name, true);
    repository.commit(&[
        ("README.md", Some(b"# Home\n\nOne.\n")),
        ("guide.md", Some(b"# Guide\n\nAll about it.\n")),
        ("SUMMARY.md", Some(b"# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n")),
    ]);
    repository
}

/// Makes the server answer as the API of a provider. `opens` decides whether it opens pull requests.
pub(super) fn host(server: &GitServer, provider: &'static str, opens: bool) -> Asked {
    let asked = Asked::default();
    let (list, base) = match provider {
        "github" => ("/api/v3/repos/acme/github/pulls", "html_url"),
        "gitlab" => ("/api/v4/projects/acme%2Fgitlab/merge_requests", "web_url"),
        _ => ("/api/v1/repos/acme/gitea/pulls", "html_url"),
    };
    let (kept, address) = (Arc::clone(&asked), server.address());
    server.answer_api(move |method, target, body| {
        let mut asked = kept.lock().unwrap();
        let request = |body: &Value| {
            let (source, target) = match provider {
                "gitlab" => (&body["source_branch"], &body["target_branch"]),
                _ => (&body["head"], &body["base"]),
            };
            json!({base: format!("http://{address}/acme/{provider}/pull/1"), "head": {"ref": source},
                "base": {"ref": target}, "source_branch": source, "target_branch": target})
        };
        match (method, target.split('?').next() == Some(list)) {
            ("GET", true) => (200, Value::from(asked.iter().map(request).collect::<Vec<_>>()).to_string()),
            ("POST", true) if opens => {
                let body: Value = serde_json::from_str(body).unwrap();
                let made = request(&body).to_string();
                asked.push(body);
                (201, made)
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
