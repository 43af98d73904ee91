//! Database of one test.

use std::sync::atomic::{AtomicU32, Ordering};

use diesel::connection::SimpleConnection;
use diesel::dsl::sql;
use diesel::sql_types::Bool;
use diesel::{Connection, PgConnection, RunQueryDsl};

use crate::test_cluster;

/// Database of one test: a copy of a migrated template, dropped with this value.
#[derive(Debug)]
pub struct TestDatabase {
    /// URL of the database.
    pub url: String,
    name: String,
}

impl TestDatabase {
    /// Copies the template with this key. The first caller creates it: `migrate` receives the URL of an empty database.
    /// Callers in other processes on the same server wait, so each key is migrated once.
    ///
    /// The key (1 to 32 of `a-z`, `0-9`, `_`) identifies the result of `migrate`. Change both together.
    ///
    /// # Panics
    /// If PostgreSQL is unreachable or fails.
    pub fn create(template_key: &str, migrate: impl FnOnce(&str)) -> Self {
        assert!(is_key(template_key), "{template_key:?} is not a template key");
        let mut admin = connect(&test_cluster().url);
        let template = format!("quire_template_{template_key}");
        if !exists(&mut admin, &template) {
            make_template(&mut admin, &template, migrate);
        }
        let name = unique_name(template_key);
        // A killed process with the same id may have left its database behind.
        execute(&mut admin, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
        execute(&mut admin, &format!("CREATE DATABASE {name} TEMPLATE {template}"));
        Self { url: with_database(&test_cluster().url, &name), name }
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let dropped = PgConnection::establish(&test_cluster().url)
            .map_err(|error| error.to_string())
            .and_then(|mut admin| {
                let statement = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name);
                admin.batch_execute(&statement).map_err(|error| error.to_string())
            });
        if let Err(error) = dropped {
            log::warn!("the test database {} stays: {error}", self.name);
        }
    }
}

/// Creates a template under a temporary name and renames it, so that a failed migration leaves no incomplete template.
fn make_template(admin: &mut PgConnection, template: &str, migrate: impl FnOnce(&str)) {
    execute(admin, &format!("SELECT pg_advisory_lock(hashtext('{template}'))"));
    if !exists(admin, template) {
        let unfinished = format!("{template}_new");
        execute(admin, &format!("DROP DATABASE IF EXISTS {unfinished} WITH (FORCE)"));
        execute(admin, &format!("CREATE DATABASE {unfinished}"));
        migrate(&with_database(&test_cluster().url, &unfinished));
        execute(admin, &format!("ALTER DATABASE {unfinished} RENAME TO {template}"));
    }
    execute(admin, &format!("SELECT pg_advisory_unlock(hashtext('{template}'))"));
}

fn connect(url: &str) -> PgConnection {
    PgConnection::establish(url).unwrap_or_else(|error| panic!("can't connect to {url}: {error}"))
}

fn execute(connection: &mut PgConnection, statement: &str) {
    connection.batch_execute(statement).unwrap_or_else(|error| panic!("{statement}: {error}"));
}

fn exists(admin: &mut PgConnection, database: &str) -> bool {
    let query = format!("EXISTS (SELECT FROM pg_database WHERE datname = '{database}')");
    diesel::select(sql::<Bool>(&query)).get_result(admin).unwrap_or_else(|error| panic!("{query}: {error}"))
}

fn is_key(text: &str) -> bool {
    let letters = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    (1..=32).contains(&text.len()) && text.bytes().all(letters)
}

fn unique_name(template_key: &str) -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    format!("test_{template_key}_{}_{number}", std::process::id())
}

/// Returns a URL with the database name replaced. The name is the part between host and parameters.
fn with_database(url: &str, database: &str) -> String {
    let (address, parameters) = match url.split_once('?') {
        Some((address, parameters)) => (address, format!("?{parameters}")),
        None => (url, String::new()),
    };
    let (scheme, rest) = address.split_once("://").unwrap_or(("postgresql", address));
    let host = rest.split('/').next().unwrap_or_default();
    format!("{scheme}://{host}/{database}{parameters}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_change_their_database_only() {
        for (url, expected) in [
            ("postgresql:///quire?host=%2Frun&user=quire", "postgresql:///x?host=%2Frun&user=quire"),
            (
                "postgres://u:p@a:1,b:2/db?target_session_attrs=any",
                "postgres://u:p@a:1,b:2/x?target_session_attrs=any",
            ),
            ("postgres://localhost", "postgres://localhost/x"),
        ] {
            assert_eq!(with_database(url, "x"), expected);
        }
    }

    #[test]
    fn each_database_is_a_copy_of_its_template_and_dropped_with_its_test() {
        let migrate = |url: &str| execute(&mut connect(url), "CREATE TABLE things (name text)");
        let first = TestDatabase::create("copies", migrate);
        execute(&mut connect(&first.url), "INSERT INTO things VALUES ('only here')");
        let second = TestDatabase::create("copies", |_| panic!("the template was there"));
        let empty = diesel::select(sql::<Bool>("NOT EXISTS (SELECT FROM things)"));
        assert!(empty.get_result::<bool>(&mut connect(&second.url)).unwrap());
        let name = first.name.clone();
        // Dropping must also work while a connection is open.
        let _connection = connect(&first.url);
        drop(first);
        assert!(!exists(&mut connect(&test_cluster().url), &name));
    }

    #[test]
    fn a_template_is_made_once_by_many() {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let create = || TestDatabase::create("once", |_| assert_eq!(MADE.fetch_add(1, Ordering::SeqCst), 0));
        let databases: Vec<TestDatabase> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(create)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!((databases.len(), MADE.load(Ordering::SeqCst)), (8, 1));
    }
}
