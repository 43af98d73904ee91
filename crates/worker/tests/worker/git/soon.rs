//! Edits of a connected space, which are in the repository within a minute.

use std::time::Duration;

use quire_domain::clock::{Clock as _, Timestamp};
use quire_test_support::GitServer;
use serde_json::json;

use super::Connected;

/// Seconds between synchronizations, and from an edit to the next one.
const POLL: i64 = 300;
const PAUSE: i64 = 30;

impl Connected {
    /// Returns the time until the next synchronization, in seconds.
    async fn next_run(&self) -> i64 {
        let next: Timestamp =
            self.admin.get(&self.path).await.expect(200).text("/nextRunAt").parse().unwrap();
        (next.millis() - self.app.clock.now().millis()) / 1_000
    }
}

#[actix_web::test]
async fn edits_of_a_space_soon_become_commits() {
    let Some(server) = GitServer::start() else { return };
    let repository = server.create("soon", true);
    repository.commit(&[
        ("README.md", Some(b"# Home\n\nOne.\n\nTwo.\n".as_slice())),
        ("SUMMARY.md", Some(b"# Table of contents\n\n* [Home](README.md)\n")),
    ]);
    let connected = Connected::to(&server, repository).await;
    let (app, repository) = (&connected.app, &connected.repository);
    app.schedule_jobs();
    let head = repository.head().unwrap();
    assert_eq!(connected.next_run().await, POLL);
    connected.edit("First.\n\nTwo.").await;
    assert_eq!(connected.next_run().await, PAUSE);
    app.clock.advance(Duration::from_secs(20));
    // A merge is an edit as any other.
    let requests = format!("/v1/spaces/{}/change-requests", connected.space);
    let made =
        connected.admin.post(&requests, json!({"subject": "Add a page"})).await.expect(201).text("/id");
    let change = json!({"operation": "insert_page", "title": "Guide", "document": {"markdown": "Text."}});
    let content = format!("{requests}/{made}/content");
    connected.admin.post(&content, json!({"changes": [change]})).await.expect(200);
    let _ = connected.admin.post_empty(&format!("{requests}/{made}/merge")).await.expect(200);
    assert_eq!(connected.next_run().await, PAUSE - 20);
    app.clock.advance(Duration::from_secs(11));
    app.run_jobs().await;
    assert_eq!(repository.text("README.md"), "# Home\n\nFirst.\n\nTwo.\n", "{:?}", connected.log().await);
    assert!(repository.files().contains_key("guide.md"), "{:?}", repository.files());
    let subjects = repository.git(["log", "--format=%s", &format!("{head}..main")]);
    assert_eq!(subjects, "Add a page\nEdit Home");

    connected.no_failures().await;
}

#[actix_web::test]
async fn what_a_synchronization_writes_asks_for_no_other_one() {
    let Some(server) = GitServer::start() else { return };
    let repository = server.create("own", true);
    repository.commit(&[
        ("README.md", Some(b"# Home\n\nOne.\n\nTwo.\n\nThree.\n".as_slice())),
        ("SUMMARY.md", Some(b"# Table of contents\n\n* [Home](README.md)\n")),
    ]);
    let connected = Connected::to(&server, repository).await;
    let repository = &connected.repository;
    assert_eq!(connected.next_run().await, POLL, "after the first import");
    connected.edit("One.\n\nTwo.\n\nThird.").await;
    connected.sync().await;
    assert_eq!(connected.next_run().await, POLL, "after an export");
    repository.commit(&[("README.md", Some(b"# Home\n\nFirst.\n\nTwo.\n\nThird.\n".as_slice()))]);
    connected.sync().await;
    assert_eq!(connected.next_run().await, POLL, "after an import");
    // Paragraphs of one page on both sides, which are merged by way of a change request.
    connected.edit("First.\n\nTwo.\n\nLast.").await;
    repository.commit(&[("README.md", Some(b"# Home\n\nNew.\n\nTwo.\n\nThird.\n".as_slice()))]);
    connected.sync().await;
    assert_eq!(
        repository.text("README.md"),
        "# Home\n\nNew.\n\nTwo.\n\nLast.\n",
        "{:?}",
        connected.log().await
    );
    assert_eq!(connected.next_run().await, POLL, "after a merge");
    connected.no_failures().await;
}
