//! A worker that is lost at any stage of a synchronization: the next one ends it, with the same commit.

use std::time::Duration;

use quire_test_support::{GitRepository, GitServer};
use quire_worker::run_next;
use serde_json::json;
use tokio::sync::mpsc;

use super::Connected;

/// Longer than the lease of a job.
const LEASE: Duration = Duration::from_secs(61);

fn filled(server: &GitServer) -> GitRepository {
    let repository = server.create("docs", true);
    repository.commit(&[
        ("README.md", Some(b"# Home\n\n- one\n- two\n")),
        ("guide.md", Some(b"# Guide\n\nAll about it.\n")),
        ("SUMMARY.md", Some(b"# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n")),
    ]);
    repository
}

impl Connected {
    /// Runs the job until the server holds the answer of a request, and loses it there. Returns whether there was one.
    async fn lose_after(&self, server: &GitServer, answered: usize) -> bool {
        let (announce, mut held) = mpsc::unbounded_channel();
        // The test may have ended.
        server.answer_only(answered, move || {
            let _ = announce.send(());
        });
        let services = self.app.services();
        let is_lost = tokio::select! {
            outcome = run_next(&services) => {
                outcome.unwrap();
                false
            }
            announced = held.recv() => announced.is_some(),
        };
        server.answer_all();
        self.app.clock.advance(LEASE);
        is_lost
    }
}

#[actix_web::test]
async fn a_synchronization_that_is_lost_at_any_stage_is_repeated_to_the_same_commit() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server)).await;
    let repository = &connected.repository;
    let home = connected.app.content(&connected.space, &connected.admin);
    let home = home.pages_in_order().next().unwrap().id.to_string();
    let mut stages = 0;
    loop {
        // An edit on each side, so that the run imports and exports.
        let text = format!("# Guide\n\nAll about it, {stages}.\n");
        let there = repository.commit(&[("guide.md", Some(text.as_bytes()))]);
        let document = json!({"markdown": format!("* one\n* two, {stages}")});
        connected.write(&[json!({"operation": "update_page", "page": home, "document": document})]).await;
        connected.ask().await;
        let was_lost = connected.lose_after(&server, stages).await;
        let pushed = repository.head().filter(|head| *head != there);
        connected.app.run_jobs().await;
        connected.no_failures().await;
        let head = repository.head().unwrap();
        if let Some(pushed) = pushed {
            assert_eq!(head, pushed, "stage {stages}: another commit");
        }
        let parents = repository.git(["rev-list", &format!("{there}..main")]);
        assert_eq!(parents.lines().count(), 1, "stage {stages}: one commit for one edit");
        assert_eq!(repository.text("README.md"), format!("# Home\n\n- one\n- two, {stages}\n"));
        assert_eq!(repository.text("guide.md"), text);
        if !was_lost {
            break;
        }
        stages += 1;
    }
    assert!(stages > 8, "{stages} requests");
}
