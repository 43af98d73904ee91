//! Workers that are killed at each stage of a synchronization: the next worker completes it with the same commit.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use quire_domain::clock::Clock as _;
use quire_importer::fetch::FetchConfig;
use quire_test_support::{FakeClock, GitRepository, GitServer, TestApp, TestStore};
use quire_worker::{Outcome, run_next};
use serde_json::{Value, json};
use tokio::process::{Child, Command};
use tokio::sync::mpsc;

use super::Connected;

/// Environment variable with the database, folder, time and Git server for the killed process.
const WORKER: &str = "QUIRE_TEST_KILLED_WORKER";

/// Time that exceeds the lease of a job.
pub(super) const LEASE: Duration = Duration::from_secs(61);

pub(super) fn filled(server: &GitServer) -> GitRepository {
    let repository = server.create("docs", true);
    repository.commit(&[
        ("README.md", Some(b"# Home\n\n- one\n- two\n")),
        ("guide.md", Some(b"# Guide\n\nAll about it.\n")),
        ("SUMMARY.md", Some(b"# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n")),
    ]);
    repository
}

#[actix_web::test]
#[ignore = "the process that the next test kills"]
async fn a_worker_until_it_is_killed() {
    let Some(worker) = std::env::var_os(WORKER) else { return };
    let worker: Value = serde_json::from_str(worker.to_str().unwrap()).unwrap();
    let clock = FakeClock::new();
    let ahead = worker["now"].as_i64().unwrap() - clock.now().millis();
    clock.advance(Duration::from_millis(u64::try_from(ahead).unwrap_or(0)));
    let folder = Path::new(worker["folder"].as_str().unwrap());
    let storage = TestStore::open(worker["database"].as_str().unwrap(), folder, clock);
    let allow = vec![worker["server"].as_str().unwrap().parse().unwrap()];
    let services = TestApp::services_of(storage, FetchConfig { allow, ..FetchConfig::default() });
    while run_next(&services).await.unwrap() != Outcome::Idle {}
}

impl Connected {
    /// Starts a worker as a separate process.
    pub(super) fn worker(&self, server: &GitServer) -> Child {
        let store = &self.app.store;
        let worker = json!({"database": store.url(), "folder": store.folder.path(),
            "now": self.app.clock.now().millis(), "server": server.address().to_string()});
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "git::lost::a_worker_until_it_is_killed", "--ignored"])
            .env(WORKER, worker.to_string())
            .stdout(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap()
    }

    /// Runs a worker until the server withholds an answer, then kills it. Returns whether an answer was withheld.
    pub(super) async fn kill_after(&self, server: &GitServer, answered: usize) -> bool {
        let (announce, mut held) = mpsc::unbounded_channel();
        // The test may have ended.
        server.answer_only(answered, move || {
            let _ = announce.send(());
        });
        let mut worker = self.worker(server);
        let is_killed = tokio::select! {
            status = worker.wait() => {
                assert!(status.unwrap().success());
                false
            }
            announced = held.recv() => announced.is_some(),
        };
        if is_killed {
            worker.kill().await.unwrap();
        }
        server.answer_all();
        self.app.clock.advance(LEASE);
        is_killed
    }
}

#[actix_web::test]
async fn a_worker_that_is_killed_at_any_stage_is_followed_by_the_same_commit() {
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
        let added = json!({"operation": "insert_page", "title": format!("Stage {stages}"),
            "document": {"markdown": format!("# Part\n\n1. At stage {stages}.")}});
        let edited = json!({"operation": "update_page", "page": home, "document": document});
        connected.write(&[edited, added]).await;
        connected.ask().await;
        let was_killed = connected.kill_after(&server, stages).await;
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
        let added = repository.text(&format!("stage-{stages}.md"));
        assert_eq!(added, format!("# Stage {stages}\n\n## Part\n\n1. At stage {stages}.\n"));
        if !was_killed {
            break;
        }
        stages += 1;
    }
    assert!(stages > 8, "{stages} requests");
    let set_aside = connected.admin.get(&format!("/v1/spaces/{}/change-requests", connected.space)).await;
    assert_eq!(set_aside.expect(200).at("/items"), &json!([]));
}

#[actix_web::test]
async fn commits_of_several_revisions_are_the_same_after_a_worker_was_killed() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server)).await;
    let repository = &connected.repository;
    let mut stages = 0;
    loop {
        let before = repository.head().unwrap();
        connected.edit(&format!("* one\n* two, {stages}")).await;
        let added = json!({"operation": "insert_page", "title": format!("Stage {stages}"),
            "document": {"markdown": "Text."}});
        connected.write(&[added]).await;
        connected.ask().await;
        let was_killed = connected.kill_after(&server, stages).await;
        let pushed = repository.head().filter(|head| *head != before);
        connected.app.run_jobs().await;
        connected.no_failures().await;
        if pushed.is_some() {
            assert_eq!(repository.head(), pushed, "stage {stages}: another commit");
        }
        let subjects = repository.git(["log", "--format=%s", &format!("{before}..main")]);
        assert_eq!(subjects, format!("Edit Stage {stages}\nEdit Home"), "stage {stages}");
        assert_eq!(repository.text(&format!("stage-{stages}.md")), format!("# Stage {stages}\n\nText.\n"));
        let head = repository.head();
        connected.sync().await;
        assert_eq!(repository.head(), head, "stage {stages}: a commit without an edit");
        if !was_killed {
            break;
        }
        stages += 1;
    }
    assert!(stages > 4, "{stages} requests");
}
