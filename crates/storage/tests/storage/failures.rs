//! Failures of the database that pass: the caller is told to come back.

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

/// Connections open afterwards start with the settings of the database.
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
    // The first statement may find its connection closed, which is transient, too.
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
