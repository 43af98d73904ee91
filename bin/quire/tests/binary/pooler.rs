//! Nodes behind PgBouncer.

use diesel::dsl::sql;
use diesel::sql_types::{BigInt, Text};
use diesel::{Connection as _, PgConnection, RunQueryDsl as _};
use quire_test_support::{PoolMode, Pooler, PostgresServer};

use crate::crash::{LoadTarget, SUCCESSES, check, load_with};
use crate::server::{Scratch, Server, stderr};

const SERVER_CONNECTIONS: u32 = 60;

/// Starts two nodes on an empty database behind a pooler, and loads both.
fn serves_behind(mode: PoolMode, with_direct: bool) {
    let postgres = PostgresServer::start(&[]);
    let pooler = match Pooler::start(postgres.port(), mode, SERVER_CONNECTIONS) {
        Ok(pooler) => pooler,
        Err(reason) => return println!("skipped: {reason}"),
    };
    let mut variables = vec![("DATABASE_URL", pooler.url())];
    if with_direct {
        variables.push(("QUIRE_MIGRATE_DATABASE_URL", postgres.url()));
    }
    let scratch = Scratch::with(variables);
    let servers = [(); 2].map(|()| Server::start(&scratch));
    let target = LoadTarget::new(&scratch, &servers[0]);
    let made = load_with(&target, |receiver| receiver.iter().take(SUCCESSES).collect());
    assert!(made.len() >= 2 * SUCCESSES);
    check(&target.on(&servers[1]), &made);
    // An advisory lock left on a server connection would block the next start.
    let migrated = scratch.run(&["migrate"]);
    assert!(migrated.status.success(), "{}", stderr(&migrated));
    let mut direct = PgConnection::establish(&postgres.url()).unwrap();
    let locks = sql::<BigInt>("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'");
    assert_eq!(locks.get_result::<i64>(&mut direct).unwrap(), 0);
    // This session is new. Sessions that the pooler opened before the first start keep their settings.
    let mut unprepared = PgConnection::establish(&postgres.url()).unwrap();
    let timeout = sql::<Text>("SHOW statement_timeout").get_result::<String>(&mut unprepared).unwrap();
    assert_eq!(timeout, "1min");
}

#[test]
fn nodes_serve_behind_pgbouncer_in_session_mode() {
    serves_behind(PoolMode::Session, false);
}

#[test]
fn nodes_serve_behind_pgbouncer_in_transaction_mode() {
    serves_behind(PoolMode::Transaction, true);
}

#[test]
fn migrations_run_through_pgbouncer_in_transaction_mode() {
    serves_behind(PoolMode::Transaction, false);
}

#[test]
fn a_direct_connection_to_another_database_is_refused() {
    let postgres = PostgresServer::start(&[]);
    postgres.admin(&["CREATE DATABASE other OWNER quire"]);
    let other = format!("{}other", postgres.url().trim_end_matches("quire"));
    let variables = vec![("DATABASE_URL", postgres.url()), ("QUIRE_MIGRATE_DATABASE_URL", other)];
    let refused = Scratch::with(variables).run(&["migrate"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("name different databases"), "{}", stderr(&refused));
}
