//! Start and stop of the server.

use std::io::{Read, Write};
use std::net::TcpStream;

use nix::sys::signal::Signal;
use serde_json::{Value, json};

use crate::http::{Client, read_answer};
use crate::server::{Scratch, Server, is_alive, stderr, until};

#[test]
fn a_signal_drains_requests_and_stops_everything() {
    let scratch = Scratch::new();
    for signal in [Signal::SIGTERM, Signal::SIGINT] {
        let mut server = Server::start(&scratch);
        let (organization, ada) = match signal {
            Signal::SIGTERM => scratch.bootstrap(&server),
            _ => {
                let issued = scratch.json(&["admin", "token", "--email", "ada@example.com", "--label", "x"]);
                let ada = server.client(issued["token"].as_str().unwrap());
                (ada.list("/v1/orgs")[0]["id"].as_str().unwrap().to_owned(), ada)
            }
        };
        let postmaster = scratch.postmaster().unwrap();
        let body = json!({"title": signal.as_str()});
        let mut request = begin(&ada, &format!("/v1/orgs/{organization}/spaces"), &body);
        server.signal(signal);
        until("the server takes no more", || ada.try_send("GET", "/healthz", None).is_none());
        request.write_all(body.to_string().as_bytes()).unwrap();
        read_answer(&mut request).unwrap().expect(201);
        assert_eq!(server.wait(), Some(0), "{}", scratch.log());
        assert!(!is_alive(postmaster) && scratch.postmaster().is_none());
    }
    assert!(!scratch.log().contains("qr_"), "a token is in the log");
}

#[test]
fn a_node_that_drains_is_not_ready_but_serves_until_the_second_signal() {
    let scratch = Scratch::new();
    let mut command = scratch.quire(&["serve"]);
    command.env("QUIRE_DRAIN_SECONDS", "600");
    let mut server = Server::spawn(&scratch, command);
    let (_, ada) = scratch.bootstrap(&server);
    ada.get("/readyz").expect(200);
    server.signal(Signal::SIGTERM);
    until("the node is not ready", || ada.get("/readyz").status == 503);
    ada.get("/v1/orgs").expect(200);
    server.signal(Signal::SIGTERM);
    assert_eq!(server.wait(), Some(0), "{}", scratch.log());
}

/// Sends the head of a request and waits until the server asks for the body, so that the request is in progress.
fn begin(client: &Client, path: &str, body: &Value) -> TcpStream {
    let request = String::from_utf8(client.request("POST", path, Some(body))).unwrap();
    let (head, _) = request.split_once("\r\n\r\n").unwrap();
    let mut stream = client.connect().unwrap();
    stream.write_all(format!("{head}\r\nExpect: 100-continue\r\n\r\n").as_bytes()).unwrap();
    let mut asked = [0; b"HTTP/1.1 100 Continue\r\n\r\n".len()];
    stream.read_exact(&mut asked).unwrap();
    assert!(asked.starts_with(b"HTTP/1.1 100 "), "{}", String::from_utf8_lossy(&asked));
    stream
}

#[test]
fn a_second_server_on_the_same_data_is_refused() {
    let scratch = Scratch::new();
    let first = Server::start(&scratch);
    let second = scratch.run(&["serve"]);
    assert_eq!(second.status.code(), Some(1));
    let expected = format!("is already served by another process ({})", first.pid());
    assert!(stderr(&second).contains(&expected), "{}", stderr(&second));
    first.client("").get("/readyz").expect(200);
}

#[test]
fn everything_is_served_below_the_path_of_the_base_url() {
    let scratch = Scratch::new();
    let mut command = scratch.quire(&["serve"]);
    command.env("QUIRE_BASE_URL", "https://example.com/quire/");
    let server = Server::spawn(&scratch, command);
    assert!(server.greeting.ends_with(" at https://example.com/quire/docs\n"), "{}", server.greeting);
    let (organization, ada) = scratch.bootstrap(&server);
    ada.get("/healthz").expect(404);
    ada.get("/quire/healthz").expect(200);
    let space = ada.send("POST", &format!("/quire/v1/orgs/{organization}/spaces"), None).expect(201);
    assert!(space.text("/urls/location").starts_with("https://example.com/quire/v1/spaces/"));
}

#[test]
fn the_log_has_a_line_for_each_request_with_who_asked() {
    let scratch = Scratch::new();
    let server = Server::start(&scratch);
    let (organization, ada) = scratch.bootstrap(&server);
    ada.send("POST", &format!("/v1/orgs/{organization}/spaces"), Some(&json!({"title": "Secret plans"})))
        .expect(201);
    server.client("").get("/v1/orgs").expect(401);
    let tokens = scratch.json(&["admin", "tokens"]);
    let user = tokens["user"].as_str().unwrap();
    let log = scratch.log();
    let line =
        |part: &str| log.lines().find(|line| line.contains(part)).unwrap_or_else(|| panic!("{part}: {log}"));
    assert!(line("POST /v1/orgs/{organizationId}/spaces 201").ends_with(&format!("actor {user}")));
    assert!(line("GET /v1/orgs 401").ends_with("from 127.0.0.1 actor -"));
    assert!(!log.contains("Secret plans") && !log.contains("qr_"));
}
