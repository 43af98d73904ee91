//! Keys in the database: wrapped by the master key, unwrapped by no other key, and rewrapped by a new one.

use std::sync::Arc;

use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use diesel::sql_types::{Binary, Nullable};
use quire_domain::ids::OrganizationId;
use quire_storage::content::files::FileStore;
use quire_storage::operations::keys::{MasterKeys, Rewrapped};
use quire_storage::{Error, MIGRATIONS, Options, Result, SystemStorage, SystemTx};
use quire_test_support::{FakeClock, TestDatabase, TestIds};

use crate::jobs::NoDocuments;

const OLD: [u8; 32] = [1; 32];
const NEW: [u8; 32] = [2; 32];

struct Deployment {
    database: TestDatabase,
    files: tempfile::TempDir,
}

impl Deployment {
    fn new() -> Self {
        let database = TestDatabase::create("quire", |url| drop(MIGRATIONS.run(url).unwrap()));
        Self { database, files: tempfile::tempdir().unwrap() }
    }

    /// Returns a node without master keys.
    fn locked(&self) -> SystemStorage {
        let options = Options { connections: 2, ..Options::new(&self.database.url) };
        let store = FileStore::in_folder(self.files.path()).unwrap();
        SystemStorage::new(
            &options,
            store,
            Arc::new(FakeClock::new()),
            Arc::new(TestIds),
            Arc::new(NoDocuments),
        )
    }

    fn try_start(&self, current: [u8; 32], others: &[[u8; 32]]) -> Result<SystemStorage> {
        let storage = self.locked();
        storage.unlock(MasterKeys::new(current, others)).map(|()| storage)
    }

    fn start(&self, current: [u8; 32], others: &[[u8; 32]]) -> SystemStorage {
        self.try_start(current, others).unwrap()
    }

    fn execute(&self, statements: &str) {
        PgConnection::establish(&self.database.url).unwrap().batch_execute(statements).unwrap();
    }

    fn stored(&self, column: &str) -> Vec<Vec<u8>> {
        let (table, column) = column.split_once('.').unwrap();
        let query = format!("SELECT {column} AS value FROM {table} WHERE {column} IS NOT NULL");
        let mut connection = PgConnection::establish(&self.database.url).unwrap();
        let rows: Vec<Value> = diesel::sql_query(query).load(&mut connection).unwrap();
        rows.into_iter().filter_map(|row| row.value).collect()
    }
}

#[derive(QueryableByName)]
struct Value {
    #[diesel(sql_type = Nullable<Binary>)]
    value: Option<Vec<u8>>,
}

fn transact<T>(storage: &SystemStorage, work: impl FnOnce(&mut SystemTx<'_>) -> Result<T>) -> Result<T> {
    storage.transact(work)
}

fn organization(storage: &SystemStorage) -> OrganizationId {
    transact(storage, |tx| tx.create_organization("Acme", "acme")).unwrap()
}

fn sentence(error: Error) -> String {
    format!("{:#}", anyhow::Error::from(error))
}

#[test]
fn a_key_is_stored_wrapped_and_stays_the_same() {
    let deployment = Deployment::new();
    let locked = deployment.locked();
    let acme = organization(&locked);
    let refused = transact(&locked, |tx| tx.visitor_key(acme)).unwrap_err();
    assert!(refused.to_string().contains("locked"), "{refused}");
    let storage = deployment.start(OLD, &[]);
    let (visitor, urls) =
        transact(&storage, |tx| Ok((tx.visitor_key(acme)?, tx.deployment_key("urls")?))).unwrap();
    for stored in ["organizations.visitor_key", "deployment_keys.secret"]
        .map(|column| deployment.stored(column))
        .concat()
    {
        assert_eq!(stored.len(), 81);
        assert!(!stored.windows(32).any(|part| part == visitor || part == urls));
    }
    // A later start changes nothing.
    let later = deployment.start(OLD, &[]);
    assert_eq!(
        transact(&later, |tx| Ok((tx.visitor_key(acme)?, tx.deployment_key("urls")?))).unwrap(),
        (visitor, urls)
    );
}

#[test]
fn a_node_with_another_master_key_does_not_start_and_breaks_nothing() {
    let deployment = Deployment::new();
    assert_eq!(deployment.locked().needed_master_keys().unwrap(), []);
    let first = deployment.start(OLD, &[]);
    let needed = deployment.locked().needed_master_keys().unwrap();
    assert_eq!(needed, [MasterKeys::new(OLD, &[]).current()]);
    let refused = sentence(deployment.try_start(NEW, &[]).err().unwrap());
    assert!(
        refused.contains("wrapped by another master key") && refused.contains(&needed[0].to_string()),
        "{refused}"
    );
    let acme = organization(&first);
    let key = transact(&first, |tx| tx.visitor_key(acme)).unwrap();
    let second = deployment.start(NEW, &[OLD]);
    assert_eq!(transact(&second, |tx| tx.visitor_key(acme)).unwrap(), key);
}

#[test]
fn of_many_nodes_that_start_at_once_with_different_keys_those_with_one_do() {
    let deployment = Deployment::new();
    let started: Vec<bool> = std::thread::scope(|scope| {
        let start = |number| {
            scope.spawn({
                let deployment = &deployment;
                move || deployment.try_start([number; 32], &[]).is_ok()
            })
        };
        let threads: Vec<_> = (1..=4).map(start).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(started.iter().filter(|started| **started).count(), 1, "{started:?}");
}

#[test]
fn a_new_master_key_takes_over_in_batches_and_the_old_one_can_go() {
    let deployment = Deployment::new();
    let old = deployment.start(OLD, &[]);
    let acme = organization(&old);
    let key = transact(&old, |tx| tx.visitor_key(acme)).unwrap();
    let urls = transact(&old, |tx| tx.deployment_key("urls")).unwrap();
    // More keys than a batch.
    for _ in 0..600 {
        let other = organization(&old);
        transact(&old, |tx| tx.visitor_key(other)).unwrap();
    }
    let both = deployment.start(NEW, &[OLD]);
    let late = organization(&both);
    let _ = transact(&both, |tx| tx.visitor_key(late)).unwrap();
    let done = both.rewrap_keys().unwrap();
    assert_eq!(done, Rewrapped { deployment_keys: 2, visitor_keys: 601, share_links: 0 });
    assert_eq!(both.rewrap_keys().unwrap().total(), 0);
    let new = deployment.start(NEW, &[]);
    assert_eq!(transact(&new, |tx| tx.visitor_key(acme)).unwrap(), key);
    assert_eq!(transact(&new, |tx| tx.deployment_key("urls")).unwrap(), urls);
    assert!(deployment.try_start(OLD, &[]).is_err());
}

#[test]
fn a_wrapped_key_opens_nowhere_but_in_its_own_row() {
    let deployment = Deployment::new();
    let storage = deployment.start(OLD, &[]);
    let (acme, other) = (organization(&storage), organization(&storage));
    let _ = transact(&storage, |tx| tx.visitor_key(acme)).unwrap();
    deployment.execute(&format!(
        "UPDATE organizations SET visitor_key = (SELECT visitor_key FROM organizations WHERE id = '{acme}') WHERE id = '{other}'"
    ));
    assert!(matches!(transact(&storage, |tx| tx.visitor_key(other)), Err(Error::Internal(..))));
}

#[test]
fn a_database_opens_with_a_new_master_key_after_the_statements_of_the_guide() {
    let guide = include_str!("../../../../docs/operations.md");
    let behind = guide.split_once("To use a database without it").unwrap().1;
    let statements = behind.split_once("```sql").unwrap().1.split_once("```").unwrap().0;
    let deployment = Deployment::new();
    let first = deployment.start(OLD, &[]);
    let acme = organization(&first);
    let lost = transact(&first, |tx| tx.visitor_key(acme)).unwrap();
    assert!(deployment.try_start(NEW, &[]).is_err());
    deployment.execute(statements);
    let second = deployment.start(NEW, &[]);
    assert_ne!(transact(&second, |tx| tx.visitor_key(acme)).unwrap(), lost);
}
