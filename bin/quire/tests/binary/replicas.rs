//! Reads on a streaming standby.

use std::thread;
use std::time::{Duration, Instant};

use quire_test_support::PostgresServer;
use serde_json::json;

use crate::http::Client;
use crate::server::{Scratch, Server, stderr, until};

const READS: usize = 400;
/// Maximum staleness of a replica, with a margin for slow requests on a busy machine.
const BOUND: Duration = Duration::from_secs(3);

struct Deployment {
    primary: PostgresServer,
    standby: PostgresServer,
    scratch: Scratch,
    servers: [Server; 2],
    organization: String,
    ada: [Client; 2],
}

/// Starts two nodes on a primary and a standby that applies each change with this delay.
fn deployment(delay: &str) -> Deployment {
    let primary = PostgresServer::start(&[]);
    let standby = primary.standby("b", &[("recovery_min_apply_delay", delay)]);
    let scratch = Scratch::with(vec![
        ("DATABASE_URL", primary.url()),
        ("QUIRE_READ_DATABASE_URL", standby.url()),
        ("QUIRE_RATE_LIMIT", "0".to_owned()),
    ]);
    let servers = [(); 2].map(|()| Server::start(&scratch));
    let (organization, first) = scratch.bootstrap(&servers[0]);
    let ada = [first.clone(), servers[1].client(&first.token)];
    Deployment { primary, standby, scratch, servers, organization, ada }
}

/// Returns a metric of a node.
fn metric(node: &Client, name: &str) -> u64 {
    let text = node.text("/metrics");
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name} ")));
    line.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("{name} is not in {text}"))
}

/// Alternates between the nodes, sends the position of each write to the node that reads, and returns the number of
/// stale reads.
fn stale_reads(deployment: &Deployment) -> usize {
    let [first, second] = &deployment.ada;
    let space = first.send("POST", &format!("/v1/orgs/{}/spaces", deployment.organization), None).expect(201);
    let path = format!("/v1/spaces/{}", space.text("/id"));
    (0..READS)
        .filter(|number| {
            let title = format!("Title {number}");
            let written = first.send("PATCH", &path, Some(&json!({"title": title}))).expect(200);
            let position = written.header("quire-position").unwrap();
            let cookie = format!("quire_position={position}");
            let read = match number % 3 {
                0 => first.get(&path),
                1 => second.send_with("GET", &path, None, &[("Quire-Position", &position)]),
                _ => second.send_with("GET", &path, None, &[("Cookie", &cookie)]),
            };
            read.expect(200).text("/title") != title
        })
        .count()
}

#[test]
fn a_caller_reads_its_own_writes_on_every_node() {
    let deployment = deployment("0");
    assert_eq!(stale_reads(&deployment), 0);
    let [first, second] = &deployment.ada;
    // Without a write, the replica serves reads.
    let spaces = format!("/v1/orgs/{}/spaces", deployment.organization);
    until("the replica serves reads", || {
        let before = metric(first, "quire_replica_reads_total");
        first.get(&spaces).expect(200);
        metric(first, "quire_replica_reads_total") > before
    });
    assert!(metric(second, "quire_replica_reads_total") > 0);
    until("the use of the token is noted", || {
        first.get("/v1/user/tokens").expect(200).json["items"][0]["lastUsedAt"].is_string()
    });
}

#[test]
fn a_replica_that_lags_is_not_asked_for_what_it_lacks() {
    let deployment = deployment("300ms");
    assert_eq!(stale_reads(&deployment), 0);
    assert!(metric(&deployment.ada[0], "quire_replica_misses_total") > 0);
}

#[test]
fn what_is_revoked_is_refused_within_the_bound() {
    let deployment = deployment("0");
    let [_, second] = &deployment.ada;
    let spaces = format!("/v1/orgs/{}/spaces", deployment.organization);
    let admin = |arguments: &[&str]| deployment.scratch.json(&[&["admin"], arguments].concat());
    let bea = ["--email", "bea@example.com"];
    let organization = ["--organization", &deployment.organization];
    let mut create = vec!["create-user", "--name", "Bea", "--role", "read"];
    create.extend(bea);
    create.extend(organization);
    let issued = admin(&create);
    let tokens = ["token", "--label", "second"].into_iter().chain(bea).collect::<Vec<_>>();
    let other = admin(&tokens);
    let client = |issued: &serde_json::Value| deployment.servers[1].client(issued["token"].as_str().unwrap());
    let (member, revoked) = (client(&issued), client(&other));
    // New tokens are valid at once, even if the replica lacks them.
    member.get(&spaces).expect(200);
    revoked.get(&spaces).expect(200);
    let user = issued["user"].as_str().unwrap();
    deployment.standby.admin(&["SELECT pg_wal_replay_pause()"]);
    thread::sleep(Duration::from_millis(100));

    let id = other["id"].as_str().unwrap_or_else(|| panic!("{other}"));
    let disable =
        ["admin", "member", "--organization", &deployment.organization, "--user", user, "--disable"];
    for command in [&disable[..], &["admin", "revoke", id]] {
        let output = deployment.scratch.run(command);
        assert!(output.status.success(), "{command:?}: {}", stderr(&output));
    }
    let began = Instant::now();
    until("the member is refused", || matches!(member.get(&spaces).status, 403 | 404));
    until("the token is refused", || revoked.get(&spaces).status == 401);
    assert!(began.elapsed() < BOUND, "{:?}", began.elapsed());

    // Callers notice nothing, because the primary serves the reads.
    second.get(&spaces).expect(200);
    deployment.primary.admin(&["SELECT 1"]);
}
