//! Two workers that synchronize the same space concurrently: nothing is written twice.

use quire_test_support::GitServer;
use serde_json::{Value, json};
use tokio::process::Child;
use tokio::sync::mpsc;

use super::Connected;
use super::lost::{LEASE, filled};

impl Connected {
    /// Starts a worker and waits until the server withholds an answer. Returns the worker, and whether an answer was
    /// withheld.
    async fn held_after(&self, server: &GitServer, answered: usize) -> (Child, bool) {
        let (announce, mut held) = mpsc::unbounded_channel();
        // The test may have ended.
        server.hold_one(answered, move || {
            let _ = announce.send(());
        });
        let mut worker = self.worker(server);
        let is_held = tokio::select! {
            status = worker.wait() => {
                assert!(status.unwrap().success());
                false
            }
            announced = held.recv() => announced.is_some(),
        };
        (worker, is_held)
    }

    /// Returns the directions of the runs in the log after the first `count`, oldest first.
    async fn directions_since(&self, count: usize) -> Vec<Value> {
        let log = self.log().await;
        log.iter().rev().skip(count).map(|entry| entry["direction"].clone()).collect()
    }
}

#[actix_web::test]
async fn two_workers_at_once_write_each_change_once() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server)).await;
    let repository = &connected.repository;
    let mut stage = 0;
    loop {
        let before = connected.log().await.len();
        let text = format!("# Guide\n\nAll about it, {stage}.\n");
        let there = repository.commit(&[("guide.md", Some(text.as_bytes()))]);
        connected.edit(&format!("* one\n* two, {stage}")).await;
        connected.ask().await;
        let (mut first, is_held) = connected.held_after(&server, stage).await;
        if is_held {
            // While the first worker holds the lease, another worker has nothing to do.
            let (head, ended) = (repository.head(), connected.log().await);
            connected.app.run_jobs().await;
            assert_eq!((repository.head(), connected.log().await), (head, ended), "stage {stage}");
            // After the lease expires, another worker runs while the first one still works.
            connected.app.clock.advance(LEASE);
            connected.app.run_jobs().await;
            let pushed = repository.head();
            server.answer_late();
            assert!(first.wait().await.unwrap().success());
            assert_eq!(repository.head(), pushed, "stage {stage}: the first worker pushed, too");
        }
        server.answer_all();
        connected.no_failures().await;
        // If the push arrived but its answer is withheld, the second worker finds the commit and imports it.
        let directions = connected.directions_since(before).await;
        let is_found = is_held && directions == ["import", "import"];
        assert!(is_found || directions == ["import", "export"], "stage {stage}: {directions:?}");
        let commits = repository.git(["rev-list", &format!("{there}..main")]);
        assert_eq!(commits.lines().count(), 1, "stage {stage}");
        assert_eq!(repository.text("README.md"), format!("# Home\n\n- one\n- two, {stage}\n"));
        assert_eq!(repository.text("guide.md"), text);
        // Both sides are equal, so another run changes nothing.
        let revision =
            connected.admin.get(&format!("/v1/spaces/{}", connected.space)).await.text("/revision");
        let head = repository.head();
        connected.sync().await;
        let same = connected.admin.get(&format!("/v1/spaces/{}", connected.space)).await.text("/revision");
        assert_eq!((repository.head(), same), (head, revision), "stage {stage}");
        if !is_held {
            break;
        }
        stage += 1;
    }
    assert!(stage > 8, "{stage} requests");
    let set_aside = connected.admin.get(&format!("/v1/spaces/{}/change-requests", connected.space)).await;
    assert_eq!(set_aside.expect(200).at("/items"), &json!([]));
}
