//! `kill -9` under load: acknowledged changes are kept, none is duplicated, and none is partial.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use nix::sys::signal::{Signal, kill};
use serde_json::{Value, json};

use crate::http::{Answer, Client};
use crate::server::{Scratch, Server, until};

const THREADS: usize = 4;
/// Successful rounds before the kill, and again after it.
pub const SUCCESSES: usize = 100;

/// Acknowledged creation, under a unique name that the client has chosen.
#[derive(Clone, Debug)]
pub enum Made {
    Space { name: String, id: String },
    ChangeRequest { name: String, id: String, number: u64 },
    Edit { name: String },
    Comment { name: String, id: String },
    Merge { name: String, revision: String },
}

/// Target of the load: all threads write to one space, so that their change requests and merges conflict.
#[derive(Clone, Debug)]
pub struct LoadTarget {
    pub client: Client,
    pub spaces: String,
    space: String,
}

impl LoadTarget {
    pub fn new(scratch: &Scratch, server: &Server) -> Self {
        let (organization, client) = scratch.bootstrap(server);
        let spaces = format!("/v1/orgs/{organization}/spaces");
        let made = client.send("POST", &spaces, Some(&json!({"title": "Handbook"}))).expect(201);
        Self { space: format!("/v1/spaces/{}", made.text("/id")), spaces, client }
    }

    /// Returns the same target on a restarted server at another address.
    pub fn on(self, server: &Server) -> Self {
        Self { client: server.client(&self.client.token), ..self }
    }

    fn change_request(&self, number: u64) -> String {
        format!("{}/change-requests/{number}", self.space)
    }
}

/// Reason for a thread to stop.
enum Refusal {
    /// The database was unavailable: the outcome is unknown.
    Unavailable,
    /// The connection failed.
    Gone,
}

fn post(target: &LoadTarget, path: &str, body: Value) -> Result<Value, Refusal> {
    match target.client.try_send("POST", path, Some(&body)) {
        Some(Answer { status: 200 | 201, json, .. }) => Ok(json),
        Some(Answer { status: 503, .. }) => Err(Refusal::Unavailable),
        Some(answer) => panic!("{path}: {answer:?}"),
        None => Err(Refusal::Gone),
    }
}

/// Runs one round: creates a space, and a change request that is edited, commented on and merged. Acknowledged changes
/// are sent to `made`.
fn round(target: &LoadTarget, name: &str, made: &mpsc::Sender<Made>) -> Result<(), Refusal> {
    let text = |json: &Value, key: &str| json[key].as_str().unwrap().to_owned();
    let acknowledge = |what| made.send(what).unwrap();
    let name = name.to_owned();

    let space = post(target, &target.spaces, json!({"title": name}))?;
    acknowledge(Made::Space { name: name.clone(), id: text(&space, "id") });

    let request = post(target, &format!("{}/change-requests", target.space), json!({"subject": name}))?;
    let number = request["number"].as_u64().unwrap();
    acknowledge(Made::ChangeRequest { name: name.clone(), id: text(&request, "id"), number });

    let path = target.change_request(number);
    let page =
        json!({"operation": "insert_page", "title": name, "document": {"markdown": format!("Page {name}")}});
    post(target, &format!("{path}/content"), json!({"changes": [page]}))?;
    acknowledge(Made::Edit { name: name.clone() });

    let comment = post(target, &format!("{path}/comments"), json!({"body": {"markdown": name}}))?;
    acknowledge(Made::Comment { name: name.clone(), id: text(&comment, "id") });

    let merge = post(target, &format!("{path}/merge"), json!({}))?;
    assert_eq!(merge["result"], "merge", "pages of their own don't conflict: {merge}");
    acknowledge(Made::Merge { name, revision: text(&merge, "revision") });
    Ok(())
}

/// Runs a load, calls `axe` in the middle of it, and returns the acknowledged changes.
pub fn load_with(target: &LoadTarget, axe: impl FnOnce(&mpsc::Receiver<Made>) -> Vec<Made>) -> Vec<Made> {
    let stop = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (sender, stop) = (sender.clone(), &stop);
            scope.spawn(move || {
                for number in 0.. {
                    let end = round(target, &format!("{thread}-{number}"), &sender);
                    if stop.load(Ordering::Relaxed) || matches!(end, Err(Refusal::Gone)) {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut made: Vec<Made> = receiver.iter().take(SUCCESSES).collect();
        made.extend(axe(&receiver));
        stop.store(true, Ordering::Relaxed);
        made.extend(receiver.iter());
        made
    })
}

/// Returns the items of a list by a text, which must be unique.
fn by_text(items: Vec<Value>, key: &str) -> BTreeMap<String, Value> {
    let count = items.len();
    let map: BTreeMap<String, Value> =
        items.into_iter().map(|item| (item[key].as_str().unwrap().to_owned(), item)).collect();
    assert_eq!(map.len(), count, "something is there twice: {:?}", map.keys());
    map
}

fn titles(client: &Client, content: &str) -> BTreeSet<String> {
    let pages = client.get(&format!("{content}/pages")).expect(200).json["pages"].as_array().unwrap().clone();
    by_text(pages, "title").into_keys().collect()
}

/// Asserts that every acknowledged change exists exactly once and complete, and that no other change is partial.
pub fn check(target: &LoadTarget, made: &[Made]) {
    let client = &target.client;
    let spaces = by_text(client.list(&target.spaces), "title");
    let requests = ["draft", "open", "archived", "merged"].into_iter();
    let requests = requests.flat_map(|status| {
        client.list_with(&format!("{}/change-requests", target.space), &format!("status={status}"))
    });
    let requests = by_text(requests.collect(), "subject");

    let mut numbers: Vec<u64> =
        requests.values().map(|request| request["number"].as_u64().unwrap()).collect();
    numbers.sort_unstable();
    assert!(
        numbers.iter().copied().eq(1..=u64::try_from(numbers.len()).unwrap()),
        "numbers have gaps: {numbers:?}"
    );

    let merged: BTreeSet<String> = requests
        .iter()
        .filter(|(_, request)| request["status"] == "merged")
        .map(|(name, _)| name.clone())
        .collect();
    let main = titles(client, &format!("{}/content", target.space));
    assert_eq!(main, merged, "the main content is exactly what was merged");
    assert_eq!(revisions(target), merged.len() + 1, "each merge is one revision");

    for made in made {
        match made {
            Made::Space { name, id } => {
                assert_eq!(spaces[name]["id"], **id);
                client.get(&format!("/v1/spaces/{id}/content")).expect(200);
            }
            Made::ChangeRequest { name, id, number } => {
                assert_eq!((&requests[name]["id"], &requests[name]["number"]), (&json!(id), &json!(number)));
            }
            Made::Edit { name } => {
                let number = requests[name]["number"].as_u64().unwrap();
                let content = format!("{}/content", target.change_request(number));
                assert!(titles(client, &content).contains(name), "the edit {name} is lost");
            }
            Made::Comment { name, id } => {
                let number = requests[name]["number"].as_u64().unwrap();
                let comments = client.list(&format!("{}/comments", target.change_request(number)));
                assert_eq!(comments.len(), 1, "{name}");
                assert_eq!(
                    (&comments[0]["id"], &comments[0]["body"]["markdown"]),
                    (&json!(id), &json!(name))
                );
                assert_eq!(requests[name]["comments"], 1);
            }
            Made::Merge { name, revision } => {
                assert_eq!(requests[name]["revisionMerged"], **revision);
            }
        }
    }
}

/// Returns the number of revisions of the main content. Each must be readable.
fn revisions(target: &LoadTarget) -> usize {
    let mut next = Some(target.client.get(&target.space).expect(200).text("/revision"));
    let mut count = 0;
    while let Some(id) = next {
        let revision = target.client.get(&format!("{}/revisions/{id}", target.space)).expect(200);
        next = revision.json["parents"].get(0).map(|id| id.as_str().unwrap().to_owned());
        count += 1;
    }
    count
}

#[test]
fn a_killed_server_loses_nothing_that_it_acknowledged() {
    let scratch = Scratch::new();
    let server = Server::start(&scratch);
    let target = LoadTarget::new(&scratch, &server);
    let made = load_with(&target, |_| {
        server.kill();
        Vec::new()
    });
    assert!(made.len() >= SUCCESSES);
    let server = Server::start(&scratch);
    let target = target.on(&server);
    check(&target, &made);
    post(&target, &target.spaces, json!({})).ok().unwrap();
}

#[test]
fn a_killed_postgresql_loses_nothing_and_restarts_under_the_same_server() {
    let scratch = Scratch::new();
    let server = Server::start(&scratch);
    let target = LoadTarget::new(&scratch, &server);
    let made = load_with(&target, |receiver| {
        kill(scratch.postmaster().unwrap(), Signal::SIGKILL).unwrap();
        // All further changes are acknowledged with the new process, except for a few requests in progress.
        receiver.iter().take(SUCCESSES).collect()
    });
    assert!(made.len() >= 2 * SUCCESSES);
    until("the server is ready", || target.client.get("/readyz").status == 200);
    check(&target, &made);
    // Both processes are killed at once, and everything is checked again.
    kill(scratch.postmaster().unwrap(), Signal::SIGKILL).unwrap();
    server.kill();
    let server = Server::start(&scratch);
    check(&target.on(&server), &made);
}
