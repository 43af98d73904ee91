//! Pull requests of branches and repositories that a connection had before.

use std::time::Duration;

use quire_test_support::{GIT_CREDENTIALS, GitRepository, GitServer};
use quire_worker::{Outcome, run_next};
use serde_json::{Value, json};

use super::Connected;
use super::protected::{Asked, HOOK, closed, filled, host};
use super::site_saved::{connected_at, rename};

/// Text of the comment on a closed pull request.
const COMMENT: &str = "is connected to another branch or repository now";

/// Returns the change of a connection to another repository.
fn to(repository: &GitRepository) -> Value {
    let (username, token) = GIT_CREDENTIALS.split_once(':').unwrap();
    let configuration = json!({"url": repository.url, "username": username, "accessToken": token});
    json!({"providerConfiguration": configuration, "priority": "git"})
}

fn comment(asked: &Asked, index: usize) -> String {
    asked.lock().unwrap()[index]["closed"].as_str().unwrap_or_default().to_owned()
}

/// Connects a space to a protected branch, and edits it. The edit waits in a pull request.
async fn waiting(server: &GitServer, provider: &str) -> Connected {
    let repository = filled(server, &format!("acme/{provider}"));
    let connected = Connected::connect(server, repository, provider, None).await;
    connected.repository.hook("update", HOOK);
    connected.edit("Two.").await;
    connected.sync().await;
    connected
}

#[actix_web::test]
async fn another_repository_closes_the_pull_request_of_the_former_one() {
    let Some(server) = GitServer::start() else { return };
    for provider in ["github", "gitlab", "gitea"] {
        let asked = host(&server, provider, true);
        let connected = waiting(&server, provider).await;
        assert_eq!(closed(&asked), [false]);
        let other = filled(&server, &format!("other-{provider}"));
        connected.change_connection(to(&other)).await;
        assert_eq!(closed(&asked), [true], "{:?}", connected.log().await);
        assert!(comment(&asked, 0).contains(COMMENT), "{}", comment(&asked, 0));
        let url = format!("http://{}/acme/{provider}/pull/1", server.address());
        let log = connected.log().await;
        let note = format!("The pull request {url} of the former branch was closed.");
        let noted = log.iter().filter(|entry| entry["summary"].as_str().unwrap().ends_with(&note)).count();
        assert_eq!(noted, 1, "{log:?}");
        // The edit that waited is in the new repository.
        assert_eq!(other.text("README.md"), "# Home\n\nTwo.\n");
        connected.no_failures().await;
    }
}

#[actix_web::test]
async fn another_branch_closes_the_former_pull_request_alone() {
    let Some(server) = GitServer::start() else { return };
    let asked = host(&server, "github", true);
    let connected = waiting(&server, "github").await;
    let repository = &connected.repository;
    let _ = repository.git(["update-ref", "refs/heads/next", "refs/heads/main"]);
    // Both branches are protected: the edit waits in another pull request from the same branch of Quire.
    repository.hook("update", "#!/bin/sh\ncase $1 in refs/heads/quire/*) exit 0;; esac\nexit 1\n");
    let branch = json!({"branch": "refs/heads/next"});
    connected.change_connection(json!({"providerConfiguration": branch, "priority": "git"})).await;
    assert_eq!(closed(&asked), [true, false], "{:?}", connected.log().await);
    assert_eq!(asked.lock().unwrap()[1]["base"], "next");
    assert!(comment(&asked, 0).contains(COMMENT), "{}", comment(&asked, 0));
    connected.no_failures().await;

    // Another folder, and the same branch again, leave the pull request open.
    connected.change_connection(json!({"providerConfiguration": branch, "priority": "git"})).await;
    connected.change_connection(json!({"projectDirectory": "docs", "priority": "gitbook"})).await;
    assert_eq!(closed(&asked), [true, false], "{:?}", connected.log().await);
}

#[actix_web::test]
async fn an_unavailable_host_does_not_keep_a_connection_from_another_repository() {
    let Some(server) = GitServer::start() else { return };
    let asked = host(&server, "github", true);
    let connected = waiting(&server, "github").await;
    let other = filled(&server, "elsewhere");
    server.answer_api(|_, _, _| (503, "{}".to_owned()));
    connected.admin.patch(&connected.path, to(&other)).await.expect(200);
    let mut failed = 0;
    for _ in 0..40 {
        match run_next(&connected.app.services()).await.unwrap() {
            Outcome::Failed(_) => failed += 1,
            Outcome::Idle => connected.app.clock.advance(Duration::from_secs(60)),
            _ => {}
        }
    }
    // The attempts end, and a person is asked to close the pull request.
    assert_eq!((failed, closed(&asked)), (3, vec![false]));
    let log = connected.log().await;
    let url = format!("http://{}/acme/github/pull/1", server.address());
    let note = format!(
        "If the pull request {url} of the former branch is open, close it there: the host cannot be reached."
    );
    assert!(log[0]["summary"].as_str().unwrap().ends_with(&note), "{log:?}");
    assert_eq!(other.text("README.md"), "# Home\n\nTwo.\n");
    connected.no_failures().await;
}

#[actix_web::test]
async fn another_repository_of_a_site_closes_the_pull_request_of_the_former_one() {
    let Some(server) = GitServer::start() else { return };
    let asked = host(&server, "github", true);
    let site = connected_at(&server, "acme/github", "github").await;
    site.repository.hook("update", HOOK);
    rename(&site, "blog", "Stories").await;
    site.sync().await;
    assert_eq!(closed(&asked), [false]);
    let other = server.create("other-site", true);
    let page = b"# Home\n\nText.\n".as_slice();
    let file = super::site::file(
        "    - {type: space, key: en, title: English, path: en, content: {directory: en}}\n",
    );
    other.commit(&[("docs.yaml", Some(&file)), ("en/README.md", Some(page))]);
    site.admin.patch(&site.path, to(&other)).await.expect(200);
    site.app.run_jobs().await;
    assert_eq!(closed(&asked), [true], "{:?}", site.log().await);
    let log = site.log().await;
    assert!(log.iter().any(|entry| entry.ends_with("of the former branch was closed.")), "{log:?}");
}
