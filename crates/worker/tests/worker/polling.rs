//! The poll finds the work of other processes.

use std::time::{Duration, Instant};

use quire_domain::clock::Clock as _;
use quire_test_support::TestApp;
use quire_worker::Worker;
use quire_worker::jobs::sweep_invites;
use serde_json::json;

/// Table and condition that match the job after its first run.
const WAITING: &str = "jobs WHERE kind = 'sweep-invites' AND key = 'polled' AND run_at > created_at";

#[actix_web::test]
async fn a_job_of_another_process_is_found_by_the_poll() {
    let app = TestApp::start().await;
    let worker = Worker::start(app.services()).unwrap();
    // Another node writes the job and notifies only its own lanes.
    let (node, run_at) = (app.another_node(), app.clock.now());
    let write = node.transact(|tx| tx.enqueue(sweep_invites::KIND, json!({}), Some("polled"), run_at));
    assert!(write.unwrap());
    let deadline = Instant::now() + Duration::from_secs(60);
    while app.count(WAITING) == 0 {
        assert!(Instant::now() < deadline, "the job was not found");
        actix_web::rt::time::sleep(Duration::from_millis(20)).await;
    }
    worker.stop();
}
