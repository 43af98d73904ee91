//! Spaces and repositories without pages. An empty repository never empties a space, and two empty sides are the same.

use quire_test_support::{GIT_CREDENTIALS, GitRepository, GitServer};
use serde_json::json;

use super::Connected;

const SUMMARY: &[u8] = b"# Table of contents\n\n* [Home](README.md)\n";

impl Connected {
    /// Connects a new, empty space.
    async fn empty(server: &GitServer, repository: GitRepository, priority: &str) -> Self {
        let app = super::app(server).await;
        let (space, admin) = app.space().await;
        let body = json!({"provider": "git", "target": {"type": "space", "spaceId": space}});
        let made = admin.post("/v1/git/installations", body).await.expect(201);
        let path = format!("/v1/git/installations/{}", made.text("/id"));
        let connected = Self { app, space, admin, repository, path };
        let (username, token) = GIT_CREDENTIALS.split_once(':').unwrap();
        let configuration =
            json!({"url": connected.repository.url, "username": username, "accessToken": token});
        let body = json!({"providerConfiguration": configuration, "priority": priority});
        connected.change_connection(body).await;
        connected
    }

    /// Adds a page on each side, one after the other, and compares both.
    async fn add_on_both_sides(&self, context: &str) {
        let document = json!({"markdown": "Written here."});
        self.write(&[json!({"operation": "insert_page", "title": "Home", "document": document})]).await;
        self.sync().await;
        self.no_failures().await;
        let home = self.repository.text("README.md");
        assert_eq!(home, "# Home\n\nWritten here.\n", "{context}");
        self.repository.commit(&[
            ("there.md", Some(b"# There\n\nWritten there.\n")),
            ("SUMMARY.md", Some(&[SUMMARY, b"* [There](there.md)\n"].concat())),
        ]);
        self.sync().await;
        self.no_failures().await;
        let tree = self.app.content(&self.space, &self.admin);
        let titles: Vec<_> = tree.pages_in_order().map(|page| page.title.as_str()).collect();
        assert_eq!(titles, ["Home", "There"], "{context}");
    }
}

#[actix_web::test]
async fn two_empty_sides_are_the_same_until_one_has_a_page() {
    let Some(server) = GitServer::start() else { return };
    for priority in ["git", "gitbook"] {
        for has_commit in [false, true] {
            let context = format!("{priority}-{has_commit}");
            let repository = server.create(&context, true);
            if has_commit {
                repository.commit(&[("LICENSE", Some(b"All rights reserved.\n"))]);
            }
            let connected = Connected::empty(&server, repository, priority).await;
            connected.no_failures().await;
            // A commit without pages changes nothing.
            connected.repository.commit(&[("LICENSE", Some(b"Some rights reserved.\n"))]);
            connected.sync().await;
            connected.no_failures().await;
            connected.add_on_both_sides(&context).await;
        }
    }
}

#[actix_web::test]
async fn the_first_page_may_come_from_either_side() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::empty(&server, server.create("there", true), "git").await;
    connected
        .repository
        .commit(&[("README.md", Some(b"# Home\n\nWritten there.\n")), ("SUMMARY.md", Some(SUMMARY))]);
    connected.sync().await;
    connected.no_failures().await;
    assert_eq!(connected.app.content(&connected.space, &connected.admin).pages().count(), 1);
}

#[actix_web::test]
async fn a_space_that_loses_its_last_page_is_still_synchronized() {
    let Some(server) = GitServer::start() else { return };
    let repository = server.create("emptied", true);
    repository.commit(&[("README.md", Some(b"# Home\n\nOne.\n")), ("SUMMARY.md", Some(SUMMARY))]);
    let connected = Connected::to(&server, repository).await;
    let tree = connected.app.content(&connected.space, &connected.admin);
    let home = tree.pages().next().unwrap().id.to_string();
    connected.write(&[json!({"operation": "delete_page", "page": home})]).await;
    connected.sync().await;
    connected.no_failures().await;
    assert!(!connected.repository.files().contains_key("README.md"));
    connected.repository.commit(&[("LICENSE", Some(b"All rights reserved.\n"))]);
    connected.sync().await;
    connected.no_failures().await;
    connected.add_on_both_sides("emptied").await;
}

#[actix_web::test]
async fn an_empty_repository_empties_no_space() {
    let Some(server) = GitServer::start() else { return };
    let repository = server.create("full", true);
    repository.commit(&[("README.md", Some(b"# Home\n\nOne.\n")), ("SUMMARY.md", Some(SUMMARY))]);
    let connected = Connected::to(&server, repository).await;
    connected.repository.commit(&[
        ("README.md", None),
        ("SUMMARY.md", None),
        ("LICENSE", Some(b"All rights reserved.\n")),
    ]);
    connected.sync().await;
    let log = connected.log().await;
    assert_eq!(log[0]["state"], "failure", "{log:?}");
    assert_eq!(connected.app.content(&connected.space, &connected.admin).pages().count(), 1);
}
