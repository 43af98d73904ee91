//! Loss of the primary under load: a standby takes over, and no acknowledged change is lost.

use std::time::{Duration, Instant};

use diesel::dsl::sql;
use diesel::sql_types::BigInt;
use diesel::{Connection as _, PgConnection, RunQueryDsl as _};
use quire_test_support::PostgresServer;
use serde_json::json;

use crate::crash::{LoadTarget, SUCCESSES, check, load_with};
use crate::server::{Scratch, Server, until};

/// Time limit from the promotion to the first write on each node.
const HEALED_WITHIN: Duration = Duration::from_secs(10);

#[test]
fn a_lost_primary_loses_nothing_and_nodes_follow_the_promoted_standby() {
    let mut primary = PostgresServer::start(&[]);
    let standbys = ["b", "c"].map(|name| primary.standby(name, &[]));
    let synchronous = "ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (b, c)'";
    primary.admin(&[synchronous, "SELECT pg_reload_conf()"]);
    let hosts: Vec<String> = [primary.port(), standbys[0].port(), standbys[1].port()]
        .map(|port| format!("127.0.0.1:{port}"))
        .to_vec();
    let hosts = hosts.join(",");
    let url = format!("postgresql://quire@{hosts}/quire?target_session_attrs=read-write&connect_timeout=2");
    let scratch = Scratch::with(vec![("DATABASE_URL", url)]);
    let servers = [(); 2].map(|()| Server::start(&scratch));
    let target = LoadTarget::new(&scratch, &servers[0]);
    let mut healed = Duration::MAX;
    let made = load_with(&target, |receiver| {
        primary.kill();
        // One of the two standbys may lack the last commits.
        let next = standbys.iter().max_by_key(|standby| received(standby)).unwrap();
        next.promote();
        let promoted = Instant::now();
        for server in &servers {
            let client = server.client(&target.client.token);
            let mut attempts = 0..;
            let mut write = || {
                let title = format!("healed {} {:?}", server.pid(), attempts.next());
                client.try_send("POST", &target.spaces, Some(&json!({"title": title})))
            };
            until("the node writes", || write().is_some_and(|answer| answer.status == 201));
        }
        healed = promoted.elapsed();
        receiver.iter().take(SUCCESSES).collect()
    });
    println!("{} changes were acknowledged; both nodes wrote {healed:?} after the promotion", made.len());
    assert!(healed < HEALED_WITHIN, "{healed:?}");
    assert!(made.len() >= 2 * SUCCESSES);
    check(&target.on(&servers[1]), &made);
}

/// Returns the log position up to which a standby has received the log.
fn received(standby: &PostgresServer) -> i64 {
    let mut connection = PgConnection::establish(&standby.url()).unwrap();
    let position = sql::<BigInt>("SELECT (pg_last_wal_receive_lsn() - '0/0'::pg_lsn)::bigint");
    position.get_result(&mut connection).unwrap()
}
