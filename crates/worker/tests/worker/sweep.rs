//! `sweep-files` through the queue, with a real file store.

use std::time::Duration;

use bytes::Bytes;
use quire_domain::Role;
use quire_domain::clock::Clock as _;
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;
use quire_revision::BlobHash;
use quire_storage::SystemStorage;
use quire_storage::content::files::StoredFile;
use quire_storage::content::store::ContentSelector;
use quire_storage::lookup::Credentials;
use quire_test_support::{Caller, TestApp, TestBucket};
use quire_worker::{Outcome, jobs, run_next};
use serde_json::json;

const HOUR: Duration = Duration::from_secs(3_600);
const DAY: Duration = Duration::from_secs(24 * 3_600);

struct Files {
    app: TestApp,
    admin: Caller,
    space: SpaceId,
}

impl Files {
    async fn new() -> Self {
        let app = TestApp::start().await;
        let admin = app.as_role(Role::Admin);
        let made = admin.post(&format!("/v1/orgs/{}/spaces", app.organization), json!({})).await.expect(201);
        let space = made.text("/id").parse().unwrap();
        Self { app, admin, space }
    }

    fn storage(&self) -> &SystemStorage {
        &self.app.system
    }

    /// Writes bytes, the first step of an upload.
    async fn put(&self, text: &'static str) -> BlobHash {
        let hash = BlobHash::of(text.as_bytes());
        self.storage().files().put(self.space, hash, Bytes::from_static(text.as_bytes())).await.unwrap();
        hash
    }

    /// Writes a row that refers to bytes, the second step of an upload.
    fn claim(&self, hash: BlobHash) {
        let credentials = Credentials::from_token(self.admin.token()).unwrap();
        let claimed: quire_storage::Result<()> = self.storage().storage().transact(&credentials, |tx| {
            let content = tx.content(self.space, ContentSelector::Space)?.authorize(Action::EditContent)?;
            tx.store_blobs(&content, &[(hash, 1)])
        });
        claimed.unwrap();
    }

    async fn is_there(&self, hash: BlobHash) -> bool {
        self.storage().files().get(self.space, hash, None).await.unwrap().is_some()
    }

    fn schedule(&self) {
        self.storage().transact(jobs::schedule).unwrap();
    }
}

#[actix_web::test]
async fn once_a_day_bytes_that_nothing_names_go_and_the_others_stay() {
    let files = Files::new().await;
    let (named, orphan) = (files.put("named").await, files.put("orphan").await);
    files.claim(named);
    // Any number of starting nodes schedules the job once.
    files.schedule();
    files.schedule();
    assert_eq!(run_next(&files.app.services()).await.unwrap(), Outcome::Idle);
    files.app.clock.advance(DAY);
    files.app.run_jobs().await;
    assert!(files.is_there(named).await);
    assert!(!files.is_there(orphan).await);

    let next = files.put("next day").await;
    files.schedule();
    files.app.clock.advance(DAY);
    files.app.run_jobs().await;
    assert!(!files.is_there(next).await);
}

#[actix_web::test]
async fn bytes_stay_while_a_snapshot_may_name_them() {
    let files = Files::new().await;
    let orphan = files.put("orphan").await;
    files.app.clock.advance(2 * HOUR);
    let snapshot = files.app.store.snapshot();
    jobs::sweep_files::run(files.storage()).await.unwrap();
    assert!(files.is_there(orphan).await);
    drop(snapshot);
    jobs::sweep_files::run(files.storage()).await.unwrap();
    assert!(!files.is_there(orphan).await);
}

#[actix_web::test]
async fn a_bucket_is_swept_and_bytes_that_are_named_meanwhile_come_back() {
    let Some(bucket) = TestBucket::new() else { return };
    let files = Files::new().await;
    let storage = files.app.store.another_node_with_files(bucket.store());
    let put = async |text: &'static str| {
        let hash = BlobHash::of(text.as_bytes());
        storage.files().put(files.space, hash, Bytes::from_static(text.as_bytes())).await.unwrap();
        hash
    };
    let is_there = async |hash| storage.files().get(files.space, hash, None).await.unwrap().is_some();
    let (named, orphan, late) = (put("named").await, put("orphan").await, put("late").await);
    files.claim(named);
    files.app.clock.advance(2 * HOUR);
    jobs::sweep_files::run(&storage).await.unwrap();
    // Bytes that were moved aside are recent, so they are kept, and readers find them.
    assert!(is_there(named).await && is_there(orphan).await && is_there(late).await);
    files.claim(late);
    files.app.clock.advance(2 * HOUR);
    jobs::sweep_files::run(&storage).await.unwrap();
    assert!(is_there(named).await && is_there(late).await);
    assert!(!is_there(orphan).await);
}

#[actix_web::test]
async fn bytes_whose_transaction_may_still_come_stay() {
    let files = Files::new().await;
    let fresh = files.put("fresh").await;
    jobs::sweep_files::run(files.storage()).await.unwrap();
    assert!(files.is_there(fresh).await);
    // The fake clock must be advanced, because the file has its real modification time.
    files.app.clock.advance(2 * HOUR);
    jobs::sweep_files::run(files.storage()).await.unwrap();
    assert!(!files.is_there(fresh).await);
}

#[actix_web::test]
async fn bytes_that_are_written_again_between_the_look_and_the_removal_are_moved_back() {
    let files = Files::new().await;
    let before = files.app.clock.now();
    // The sweep saw a modification time before `before`, and the bytes were written again since.
    let hash = files.put("again").await;
    let file = StoredFile { space: files.space, hash };
    assert!(!files.storage().files().remove_old(file, before).await.unwrap());
    assert!(files.is_there(hash).await);
    files.app.clock.advance(HOUR);
    assert!(files.storage().files().remove_old(file, files.app.clock.now()).await.unwrap());
    assert!(!files.is_there(hash).await);
    assert!(files.storage().files().remove_old(file, files.app.clock.now()).await.unwrap(), "twice is fine");
}
