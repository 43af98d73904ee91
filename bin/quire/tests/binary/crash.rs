//! `kill -9` in the middle of a load: what was answered with success is there, nothing is there twice, nothing is there by half.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use nix::sys::signal::{Signal, kill};
use serde_json::{Value, json};

use crate::http::{Answer, Client};
use crate::server::{Scratch, Server, until};

const THREADS: usize = 4;
/// Successes before the axe falls, and after PostgreSQL's end.
const SUCCESSES: usize = 60;

/// What a client was told.
#[derive(Clone, Debug)]
struct Made {
    id: String,
    title: String,
}

/// Makes spaces until it is told to stop or nobody answers; each title is tried once. Whatever is acknowledged is sent on.
fn load(client: &Client, spaces: &str, thread: usize, stop: &AtomicBool, made: &mpsc::Sender<Made>) {
    for number in 0.. {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let title = format!("{thread}-{number}");
        match client.try_send("POST", spaces, Some(&json!({"title": title}))) {
            Some(Answer { status: 201, json }) => {
                let id = json["id"].as_str().unwrap().to_owned();
                made.send(Made { id, title }).unwrap();
            }
            Some(Answer { status: 503, .. }) => {}
            Some(answer) => panic!("{answer:?}"),
            None => return,
        }
    }
}

/// Runs a load, calls `axe` in the middle of it, and answers what was acknowledged.
fn load_with(
    client: &Client,
    spaces: &str,
    axe: impl FnOnce(&mpsc::Receiver<Made>) -> Vec<Made>,
) -> Vec<Made> {
    let stop = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (sender, stop) = (sender.clone(), &stop);
            scope.spawn(move || load(client, spaces, thread, stop, &sender));
        }
        drop(sender);
        let mut made: Vec<Made> = receiver.iter().take(SUCCESSES).collect();
        made.extend(axe(&receiver));
        stop.store(true, Ordering::Relaxed);
        made.extend(receiver.iter());
        made
    })
}

/// Every acknowledged space is there once, with its content; of the others each is there whole or not at all.
fn check(client: &Client, spaces: &str, made: &[Made]) {
    let listed = client.list(spaces);
    let mut titles: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for space in &listed {
        let text = |key: &str| space[key].as_str().unwrap();
        titles.entry(text("title")).or_default().push(text("id"));
    }
    assert!(titles.values().all(|ids| ids.len() == 1), "a space is there twice: {titles:?}");
    for Made { id, title } in made {
        assert_eq!(titles.get(title.as_str()), Some(&vec![id.as_str()]), "{title} was acknowledged");
    }
    // At most one request of each thread was under way when the axe fell, however often it fell.
    assert!(made.len() <= listed.len());
    for space in &listed {
        whole(client, space);
    }
}

fn whole(client: &Client, space: &Value) {
    let read = client.get(&format!("/v1/spaces/{}", space["id"].as_str().unwrap())).expect(200);
    assert_eq!(read.json["revision"], space["revision"]);
}

#[test]
fn a_killed_server_loses_nothing_that_it_acknowledged() {
    let scratch = Scratch::new();
    let server = Server::start(&scratch);
    let (organization, ada) = scratch.bootstrap(&server);
    let spaces = format!("/v1/orgs/{organization}/spaces");
    let made = load_with(&ada, &spaces, |_| {
        server.kill();
        Vec::new()
    });
    assert!(made.len() >= SUCCESSES);
    let server = Server::start(&scratch);
    let ada = server.client(&ada.token);
    check(&ada, &spaces, &made);
    ada.send("POST", &spaces, None).expect(201);
}

#[test]
fn a_killed_postgresql_loses_nothing_and_comes_back_under_the_same_server() {
    let scratch = Scratch::new();
    let server = Server::start(&scratch);
    let (organization, ada) = scratch.bootstrap(&server);
    let spaces = format!("/v1/orgs/{organization}/spaces");
    let made = load_with(&ada, &spaces, |receiver| {
        kill(scratch.postmaster().unwrap(), Signal::SIGKILL).unwrap();
        // What is acknowledged from here on is due to the new one, but for the few that were under way.
        receiver.iter().take(SUCCESSES).collect()
    });
    assert!(made.len() >= 2 * SUCCESSES);
    until("the server is ready", || ada.get("/readyz").status == 200);
    check(&ada, &spaces, &made);
    // And the same after a crash of both at once.
    kill(scratch.postmaster().unwrap(), Signal::SIGKILL).unwrap();
    server.kill();
    let server = Server::start(&scratch);
    check(&server.client(&ada.token), &spaces, &made);
}
