//! Transient failures of the database: the caller should retry.

use diesel::connection::SimpleConnection as _;
use quire_domain::Role;
use quire_domain::policy::Action;
use quire_storage::Error;
use quire_test_support::{TestStore, TestUser};

/// Creates translation settings.
fn write(store: &TestStore, admin: &TestUser) -> Result<(), Error> {
    store.storage().transact(&admin.credentials, |tx| {
        let organization = tx.organization(store.organization)?.authorize(Action::ViewOrganization)?;
        tx.create_translation(&organization, "French".to_owned(), Vec::new()).map(drop)
    })
}

/// Closes all connections. Connections opened afterwards use the settings of the database.
fn close_connections(store: &TestStore) {
    store.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
         WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
}

#[test]
fn a_write_to_a_read_only_database_is_transient() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    let set = |value: &str| {
        store.execute(&format!(
            "SET transaction_read_only = off; DO $$ BEGIN EXECUTE format(\
               'ALTER DATABASE %I SET default_transaction_read_only = {value}', current_database()); END $$"
        ));
        close_connections(&store);
    };
    set("on");
    // The first statement may find its connection closed, which is also transient.
    for _ in 0..2 {
        let refused = write(&store, &admin);
        assert!(matches!(refused, Err(Error::Unavailable(_))), "{refused:?}");
    }
    let message = format!("{:?}", write(&store, &admin));
    assert!(message.contains("read-only transaction"), "{message}");
}

#[test]
fn a_connection_that_was_closed_is_transient() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    write(&store, &admin).unwrap();
    let ended = store.storage().transact(&admin.credentials, |tx| {
        let organization = tx.organization(store.organization)?.authorize(Action::ViewOrganization)?;
        close_connections(&store);
        tx.create_translation(&organization, "German".to_owned(), Vec::new()).map(drop)
    });
    assert!(matches!(ended, Err(Error::Unavailable(_))), "{ended:?}");
    // Each connection that was open is found broken once.
    assert!((0..10).any(|_| write(&store, &admin).is_ok()));
}

#[test]
fn preparations_that_lose_two_connections_are_transient() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    let ended = store.storage().write(
        &admin.credentials,
        |reader| {
            close_connections(&store);
            // The kind of error does not matter.
            reader.organization(store.organization).map_err(|_| Error::NotFound).map(drop)
        },
        |_, ()| Ok(()),
    );
    assert!(matches!(ended, Err(Error::Unavailable(_))), "{ended:?}");
}

/// Runs a PL/pgSQL function body whenever translation settings are created.
fn on_write(store: &TestStore, body: &str) {
    store.execute(&format!(
        "CREATE OR REPLACE FUNCTION interfere() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} RETURN NEW; END $$; \
         CREATE OR REPLACE TRIGGER interfere BEFORE INSERT ON translation_settings \
             FOR EACH ROW EXECUTE FUNCTION interfere()"
    ));
}

#[test]
fn errors_pass_by_their_sqlstate_whatever_their_text() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    let fails = |code: &str| {
        // Hints and English texts of other errors are not misinterpreted.
        on_write(
            &store,
            &format!(
                "RAISE EXCEPTION USING ERRCODE = '{code}', MESSAGE = 'deadlock detected', HINT = '40P01', DETAIL = 'x';"
            ),
        );
        write(&store, &admin).unwrap_err()
    };
    for code in [
        "08000", "08006", "25006", "40001", "40P01", "53000", "53100", "53200", "53300", "53400", "55P03",
        "57014", "57P01", "57P02", "57P03", "57P05",
    ] {
        let error = fails(code);
        assert!(matches!(error, Error::Unavailable(_)), "{code}: {error:?}");
    }
    for code in ["22012", "23514", "25P02", "42P01", "55000", "58030", "P0001", "XX000"] {
        let error = fails(code);
        assert!(matches!(error, Error::Database(_)), "{code}: {error:?}");
    }
}

#[test]
fn a_statement_that_is_cancelled_is_transient() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    on_write(&store, "PERFORM pg_cancel_backend(pg_backend_pid()), pg_sleep(60);");
    let cancelled = write(&store, &admin);
    assert!(matches!(cancelled, Err(Error::Unavailable(_))), "{cancelled:?}");
}

#[test]
fn a_lock_that_is_not_free_is_transient() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    on_write(&store, "SET LOCAL lock_timeout = '1ms'; LOCK TABLE teams;");
    let mut other = store.connection();
    other.batch_execute("BEGIN; LOCK TABLE teams").unwrap();
    let timed_out = write(&store, &admin);
    assert!(matches!(timed_out, Err(Error::Unavailable(_))), "{timed_out:?}");
    on_write(&store, "LOCK TABLE teams NOWAIT;");
    let refused = write(&store, &admin);
    assert!(matches!(refused, Err(Error::Unavailable(_))), "{refused:?}");
    other.batch_execute("COMMIT").unwrap();
    assert!(write(&store, &admin).is_ok());
}

#[test]
fn a_deadlock_is_transient() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    on_write(&store, "LOCK TABLE teams;");
    let mut other = store.connection();
    // The session that has waited longest detects the deadlock. On a busy machine, that may be the other one.
    for _ in 0..10 {
        other.batch_execute("BEGIN; LOCK TABLE teams").unwrap();
        let (written, locked) = std::thread::scope(|scope| {
            let written = scope.spawn(|| write(&store, &admin));
            // Test databases are copies of one template, so a table has the same id in each of them.
            let until_it_waits = "DO $$ BEGIN \
                 WHILE NOT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'teams'::regclass \
                     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) LOOP \
                     PERFORM pg_sleep(0.01); \
                 END LOOP; END $$";
            other.batch_execute(until_it_waits).unwrap();
            let locked = other.batch_execute("LOCK TABLE translation_settings");
            other.batch_execute("ROLLBACK").unwrap();
            (written.join().unwrap(), locked)
        });
        if locked.is_ok() {
            let message = format!("{written:?}");
            assert!(
                matches!(written, Err(Error::Unavailable(_))) && message.contains("deadlock"),
                "{message}"
            );
            return;
        }
    }
    panic!("the other session found each deadlock");
}

#[test]
fn a_session_that_is_shut_down_is_transient() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    on_write(&store, "PERFORM pg_terminate_backend(pg_backend_pid()), pg_sleep(60);");
    let ended = write(&store, &admin);
    assert!(matches!(ended, Err(Error::Unavailable(_))), "{ended:?}");
}
