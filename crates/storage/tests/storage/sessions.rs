//! Settings of sessions, and migrations behind a pooler.

use std::thread;
use std::time::Duration;

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use quire_storage::{MIGRATIONS, Options, session};
use quire_test_support::{TestDatabase, TestStore};

fn setting(url: &str, name: &str) -> String {
    let mut connection = PgConnection::establish(url).unwrap();
    sql::<Text>(&format!("SHOW {name}")).get_result(&mut connection).unwrap()
}

/// A pooler in transaction mode opens its own sessions, to which no `SET` of a client applies.
#[test]
fn sessions_that_set_nothing_have_the_timeouts() {
    let database = TestDatabase::create("quire", |url| drop(MIGRATIONS.run(url).unwrap()));
    assert_eq!(setting(&database.url, "statement_timeout"), "0");
    thread::scope(|scope| {
        let nodes: Vec<_> = (0..4).map(|_| scope.spawn(|| session::keep_defaults(&database.url))).collect();
        nodes.into_iter().for_each(|node| node.join().unwrap().unwrap());
    });
    for (name, value) in [
        ("statement_timeout", "1min"),
        ("lock_timeout", "30s"),
        ("idle_in_transaction_session_timeout", "1min"),
    ] {
        assert_eq!(setting(&database.url, name), value, "{name}");
    }
}

#[test]
fn nodes_that_start_at_once_run_each_migration_once_and_keep_no_lock() {
    let database = TestDatabase::create("quire", |url| drop(MIGRATIONS.run(url).unwrap()));
    MIGRATIONS.revert_all(&database.url).unwrap();
    let ran: Vec<String> = thread::scope(|scope| {
        let nodes: Vec<_> = (0..3).map(|_| scope.spawn(|| MIGRATIONS.run(&database.url).unwrap())).collect();
        nodes.into_iter().flat_map(|node| node.join().unwrap()).collect()
    });
    let mut connection = PgConnection::establish(&database.url).unwrap();
    let count =
        |connection: &mut PgConnection, query: &str| sql::<BigInt>(query).get_result::<i64>(connection);
    let recorded = count(&mut connection, "SELECT count(*) FROM __diesel_schema_migrations").unwrap();
    assert_eq!(i64::try_from(ran.len()).unwrap(), recorded);
    // This connection stays open, like a server connection of a pooler: a session-level lock would stay, too.
    let locks = "SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database \
                 WHERE l.locktype = 'advisory' AND d.datname = current_database()";
    assert_eq!(count(&mut connection, locks).unwrap(), 0);
}

/// A read-only transaction refuses every write, as a standby does.
#[test]
fn an_up_to_date_database_is_only_read() {
    let store = TestStore::new();
    store.execute(
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$",
    );
    let node = store.another_node();
    node.check_ready().unwrap();
}

#[test]
fn statements_that_take_long_are_counted() {
    let store = TestStore::new();
    let options = |slow| Options { slow_statement: slow, connections: 1, ..Options::new(store.url()) };
    for (slow, is_counted) in
        [(Some(Duration::ZERO), true), (Some(Duration::from_secs(60)), false), (None, false)]
    {
        let node = store.node_with(&options(slow));
        node.check_ready().unwrap();
        assert_eq!(node.statements().slow() > 0, is_counted, "{slow:?}");
    }
}
