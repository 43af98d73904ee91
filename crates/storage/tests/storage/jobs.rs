//! Job queue: every job runs, on one worker at a time, and again if its worker was lost.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use quire_domain::clock::{Clock, Timestamp};
use quire_domain::documents::DocumentJson;
use quire_storage::content::files::FileStore;
use quire_storage::content::store::{Analysis, DocumentAnalyzer, QuotedNode};
use quire_storage::operations::jobs::{DueWork, Failed, Job};
use quire_storage::operations::keys::MasterKeys;
use quire_storage::{MIGRATIONS, Options, Result, SystemStorage, SystemTx};
use quire_test_support::{FakeClock, TestDatabase, TestIds, TestStore};
use serde_json::{Value, json};

const LEASE: Duration = Duration::from_secs(60);

pub struct NoDocuments;

impl DocumentAnalyzer for NoDocuments {
    fn analyze(&self, _: &DocumentJson) -> Analysis {
        Analysis::default()
    }

    fn trace(&self, _: &DocumentJson, _: &DocumentJson, nodes: &[QuotedNode]) -> Vec<Option<QuotedNode>> {
        vec![None; nodes.len()]
    }
}

struct Queue {
    storage: SystemStorage,
    clock: Arc<FakeClock>,
    _database: TestDatabase,
    _files: tempfile::TempDir,
}

impl Queue {
    fn new() -> Self {
        let database = TestDatabase::create("quire", |url| drop(MIGRATIONS.run(url).unwrap()));
        let files = tempfile::tempdir().unwrap();
        let clock = Arc::new(FakeClock::new());
        let options = Options { connections: 4, ..Options::new(&database.url) };
        let store = FileStore::in_folder(files.path()).unwrap();
        let storage =
            SystemStorage::new(&options, store, clock.clone(), Arc::new(TestIds), Arc::new(NoDocuments));
        Self { storage, clock, _database: database, _files: files }
    }

    fn transact<T>(&self, work: impl FnOnce(&mut SystemTx<'_>) -> Result<T>) -> T {
        self.storage.transact(work).unwrap()
    }

    fn enqueue(&self, payload: Value, key: Option<&str>) -> bool {
        let run_at = self.clock.now();
        self.transact(|tx| tx.enqueue("count", payload, key, run_at))
    }

    fn take(&self) -> Option<Job> {
        self.transact(|tx| tx.take_job(&["count"], LEASE))
    }
}

#[test]
fn two_workers_on_one_queue_run_each_job_once() {
    let queue = Queue::new();
    for number in 0..60 {
        assert!(queue.enqueue(json!(number), None));
    }
    let runs: Mutex<BTreeMap<i64, u32>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(job) = queue.take() {
                    *runs.lock().unwrap().entry(job.payload.as_i64().unwrap()).or_default() += 1;
                    assert!(queue.transact(|tx| tx.finish_job(&job)));
                }
            });
        }
    });
    let runs = runs.into_inner().unwrap();
    assert_eq!(runs.len(), 60);
    assert!(runs.values().all(|count| *count == 1), "{runs:?}");
}

#[test]
fn a_lost_workers_job_is_run_again_after_its_lease_and_the_lost_one_changes_nothing() {
    let queue = Queue::new();
    queue.enqueue(json!({}), None);
    let lost = queue.take().unwrap();
    queue.clock.advance(LEASE - Duration::from_secs(1));
    assert_eq!(queue.take(), None);
    queue.clock.advance(Duration::from_secs(1));
    let second = queue.take().unwrap();
    assert_eq!((second.id, second.attempt), (lost.id, 2));
    assert!(!queue.transact(|tx| tx.extend_lease(&lost, LEASE)));
    assert!(!queue.transact(|tx| tx.finish_job(&lost)));
    assert!(!queue.transact(|tx| tx.repeat_job(&lost, LEASE)));
    assert_eq!(queue.transact(|tx| tx.fail_job(&lost, "late", false)), Failed::Lost);
    assert!(queue.transact(|tx| tx.finish_job(&second)));
    queue.clock.advance(LEASE * 2);
    assert_eq!(queue.take(), None);
}

#[test]
fn a_lease_that_is_extended_keeps_others_away() {
    let queue = Queue::new();
    queue.enqueue(json!({}), None);
    let job = queue.take().unwrap();
    for _ in 0..3 {
        queue.clock.advance(LEASE / 2);
        assert!(queue.transact(|tx| tx.extend_lease(&job, LEASE)));
        assert_eq!(queue.take(), None);
    }
}

#[test]
fn a_key_is_written_once_until_its_job_ends() {
    let queue = Queue::new();
    assert!(queue.enqueue(json!(1), Some("daily")));
    assert!(!queue.enqueue(json!(2), Some("daily")));
    assert!(queue.enqueue(json!(3), Some("other")));
    let job = queue.take().unwrap();
    assert!(!queue.enqueue(json!(4), Some("daily")));
    assert!(queue.transact(|tx| tx.repeat_job(&job, LEASE)));
    assert!(!queue.enqueue(json!(5), Some("daily")));
    queue.clock.advance(LEASE);
    // The other job has been due for longer.
    assert_eq!(queue.take().unwrap().payload, json!(3));
    let again = queue.take().unwrap();
    assert_eq!((again.id, again.attempt), (job.id, 1));
    assert!(queue.transact(|tx| tx.finish_job(&again)));
    assert!(queue.enqueue(json!(6), Some("daily")));
}

#[test]
fn workers_are_notified_of_due_jobs_after_the_commit() {
    let queue = Queue::new();
    let mut due = queue.storage.due_jobs();
    let mut is_reported = || {
        let changed = due.has_changed().unwrap();
        due.mark_unchanged();
        changed
    };
    assert!(!is_reported());
    queue.enqueue(json!(1), Some("daily"));
    assert!(is_reported());
    // A job that already exists, a job for later, and a job that is rolled back.
    queue.enqueue(json!(2), Some("daily"));
    assert!(!is_reported());
    let run_at = queue.clock.now();
    let later = Timestamp::from_millis(run_at.millis() + 1).unwrap();
    assert!(queue.transact(|tx| tx.enqueue("count", json!(3), None, later)));
    assert!(!is_reported());
    let refused = queue.storage.transact(|tx| {
        assert!(tx.enqueue("count", json!(3), None, run_at)?);
        Err::<(), _>(quire_storage::Error::NotFound)
    });
    assert!(refused.is_err() && !is_reported());
}

#[test]
fn due_work_is_what_a_worker_can_take() {
    let queue = Queue::new();
    let due = || {
        let kinds: [&[&str]; 2] = [&["other", "another"], &["count"]];
        queue.storage.read(|reader| reader.due_work(kinds)).unwrap()
    };
    let jobs = |jobs| DueWork { jobs, deliveries: false };
    assert_eq!(due(), jobs([false, false]));
    queue.enqueue(json!({}), None);
    assert_eq!(due(), jobs([false, true]));
    let _ = queue.take().unwrap();
    assert_eq!(due(), jobs([false, false]));
    queue.clock.advance(LEASE);
    assert_eq!(due(), jobs([false, true]));
    let job = queue.take().unwrap();
    assert!(queue.transact(|tx| tx.repeat_job(&job, LEASE)));
    assert_eq!(due(), jobs([false, false]));
    queue.clock.advance(LEASE);
    assert_eq!(due(), jobs([false, true]));
    let run_at = queue.clock.now();
    assert!(queue.transact(|tx| tx.enqueue("another", json!({}), None, run_at)));
    assert_eq!(due(), jobs([true, true]));
}

#[test]
fn a_job_that_fails_waits_longer_each_time_and_is_given_up_at_last() {
    let queue = Queue::new();
    queue.enqueue(json!({}), Some("doomed"));
    let mut pauses = Vec::new();
    loop {
        let job = queue.take().unwrap();
        match queue.transact(|tx| tx.fail_job(&job, "no\0pe", false)) {
            Failed::Again { at } => {
                assert_eq!(queue.take(), None);
                let pause = Duration::try_from(at.since(queue.clock.now())).unwrap();
                queue.clock.advance(pause);
                pauses.push(pause);
            }
            failed => {
                assert_eq!(failed, Failed::GivenUp);
                break;
            }
        }
    }
    assert_eq!(pauses.len(), 11);
    assert!(pauses.is_sorted());
    queue.clock.advance(Duration::from_secs(86_400));
    assert_eq!(queue.take(), None);
    assert!(queue.enqueue(json!({}), Some("doomed")), "the key is free again");
}

#[test]
fn an_endless_job_is_never_given_up() {
    let queue = Queue::new();
    queue.enqueue(json!({}), None);
    for _ in 0..30 {
        let job = queue.take().unwrap();
        assert!(matches!(queue.transact(|tx| tx.fail_job(&job, "nope", true)), Failed::Again { .. }));
        queue.clock.advance(Duration::from_secs(3_600));
    }
}

#[test]
fn jobs_of_kinds_that_a_worker_does_not_know_are_left_to_others() {
    let queue = Queue::new();
    queue.enqueue(json!({}), None);
    assert_eq!(queue.transact(|tx| tx.take_job(&["other"], LEASE)), None);
    assert!(queue.take().is_some());
}

#[test]
fn a_job_is_not_written_when_its_transaction_fails() {
    let queue = Queue::new();
    let run_at = queue.clock.now();
    let failed: Result<()> = queue.storage.transact(|tx| {
        tx.enqueue("count", json!({}), None, run_at)?;
        Err(quire_storage::Error::NotFound)
    });
    assert!(failed.is_err());
    assert_eq!(queue.take(), None);
}

/// Clock of a node that is wrong by this many milliseconds.
struct WrongClock(i64);

impl Clock for WrongClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(FakeClock::new().now().millis() + self.0).unwrap()
    }
}

/// Returns another node on the store of a test, whose clock is wrong by this many milliseconds.
pub fn node_with_wrong_clock(store: &TestStore, wrong_by: i64) -> SystemStorage {
    let options = Options { connections: 2, ..Options::new(store.url()) };
    let files = FileStore::in_folder(store.folder.path()).unwrap();
    let clock = Arc::new(WrongClock(wrong_by));
    let node = SystemStorage::new(&options, files, clock, Arc::new(TestIds), Arc::new(NoDocuments));
    node.unlock(MasterKeys::new(TestStore::MASTER_KEY, &[])).unwrap();
    node
}

#[test]
fn nodes_whose_clocks_differ_agree_on_leases() {
    let queue = Queue::new();
    let node = |wrong_by| {
        let options = Options { connections: 2, ..Options::new(&queue._database.url) };
        let store = FileStore::in_folder(queue._files.path()).unwrap();
        let clock = Arc::new(WrongClock(wrong_by));
        SystemStorage::new(&options, store, clock, Arc::new(TestIds), Arc::new(NoDocuments))
    };
    let (late, early) = (node(-3_600_000), node(3_600_000));
    let enqueue = |on: &SystemStorage| {
        let run_at = on.clock().now();
        on.transact(|tx| tx.enqueue("count", json!(1), None, run_at)).unwrap()
    };
    let take = |on: &SystemStorage| on.transact(|tx| tx.take_job(&["count"], LEASE)).unwrap();
    assert!(enqueue(&early));
    let job = take(&late).expect("a job of an early clock is due");
    assert_eq!(take(&early), None, "its lease has not ended");
    assert!(early.transact(|tx| tx.extend_lease(&job, LEASE)).unwrap());
    let failed = early.transact(|tx| tx.fail_job(&job, "a failure", false)).unwrap();
    let Failed::Again { at } = failed else { panic!("{failed:?}") };
    let pause = at.millis() - FakeClock::new().now().millis();
    assert!((5_000..=10_000).contains(&pause), "{pause} ms by the clock of the database");
    assert!(enqueue(&late));
    assert!(take(&early).is_some(), "a job of a late clock is due");
}
