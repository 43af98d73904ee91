use std::net::UdpSocket;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use hickory_resolver::config::ConnectionConfig;
use hickory_resolver::proto::op::{Message, ResponseCode};
use hickory_resolver::proto::rr::{RData, Record};
use tokio::runtime::{Builder, Handle};

use super::*;
use crate::fetch::{FetchConfig, FetchError, Fetcher};

/// Questions that a server received in order: name and family.
type Asked = Arc<Mutex<Vec<String>>>;

const WIKI: &[(&str, &str)] = &[
    ("wiki.corp.example.", "192.0.2.1"),
    ("wiki.corp.example.", "2001:db8::1"),
    ("old.example.", "192.0.2.2"),
];

fn at(socket: &UdpSocket) -> NameServerConfig {
    let mut way = ConnectionConfig::udp();
    way.port = socket.local_addr().unwrap().port();
    NameServerConfig::new(Ipv4Addr::LOCALHOST.into(), true, vec![way])
}

/// Returns a server that never answers while the socket is open.
fn silent() -> (NameServerConfig, UdpSocket) {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    (at(&socket), socket)
}

/// Serves these names until the test's process ends.
fn serving(zone: &'static [(&'static str, &'static str)]) -> (NameServerConfig, Asked) {
    let (socket, asked) = (UdpSocket::bind("127.0.0.1:0").unwrap(), Asked::default());
    let (server, log) = (at(&socket), Arc::clone(&asked));
    thread::spawn(move || {
        let mut buffer = [0; 512];
        while let Ok((length, client)) = socket.recv_from(&mut buffer) {
            let question = Message::from_vec(&buffer[..length]).unwrap();
            log.lock().unwrap().push(question.queries[0].to_string());
            socket.send_to(&answer(question, zone).to_vec().unwrap(), client).unwrap();
        }
    });
    (server, asked)
}

fn answer(question: Message, zone: &[(&str, &str)]) -> Message {
    let mut message = question.into_response();
    let query = message.queries[0].clone();
    let known: Vec<_> = zone.iter().filter(|(name, _)| *name == query.name().to_string()).collect();
    if known.is_empty() {
        message.metadata.response_code = ResponseCode::NXDomain;
    }
    for (_, address) in known {
        let data = RData::from(address.parse::<IpAddr>().unwrap());
        if data.record_type() == query.query_type() {
            message.add_answer(Record::from_rdata(query.name().clone(), 60, data));
        }
    }
    message
}

/// Returns names for these contents of `/etc/hosts` and `/etc/resolv.conf`, with other server addresses.
fn names(hosts: &str, conf: &str, servers: Vec<NameServerConfig>) -> Names {
    let mut listed = Hosts::default();
    listed.read_hosts_conf(hosts.as_bytes()).unwrap();
    let (mut config, options) =
        system_conf::parse_resolv_conf(format!("nameserver 127.0.0.1\n{conf}")).unwrap();
    config.name_servers = servers;
    Names::new(listed, Ok(Dns::new(config, options)))
}

fn run<T>(future: impl Future<Output = T>) -> T {
    Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

fn found(names: &Names, name: &str) -> Vec<String> {
    let mut found: Vec<_> = run(names.addresses(name)).unwrap().iter().map(IpAddr::to_string).collect();
    found.sort();
    found
}

#[test]
fn a_name_has_the_addresses_of_both_families() {
    let (server, _) = serving(WIKI);
    let names = names("", "search unused.example", vec![server]);
    assert_eq!(found(&names, "wiki.corp.example"), ["192.0.2.1", "2001:db8::1"]);
    assert_eq!(found(&names, "old.example"), ["192.0.2.2"]);
}

#[test]
fn listed_names_local_names_and_addresses_need_no_server() {
    let (server, asked) = serving(WIKI);
    let names = names("192.0.2.9 wiki.corp.example wiki_2\n", "search corp.example", vec![server]);
    assert_eq!(found(&names, "wiki.corp.example"), ["192.0.2.9"]);
    assert_eq!(found(&names, "wiki_2"), ["192.0.2.9"]);
    assert_eq!(found(&names, "localhost"), ["127.0.0.1", "::1"]);
    assert_eq!(found(&names, "192.0.2.7"), ["192.0.2.7"]);
    assert!(asked.lock().unwrap().is_empty());
}

#[test]
fn the_search_list_completes_names() {
    let (server, asked) = serving(WIKI);
    let names = names("", "search lab.example corp.example", vec![server]);
    assert_eq!(found(&names, "wiki"), ["192.0.2.1", "2001:db8::1"]);
    let asked = asked.lock().unwrap().join(" ");
    assert!(asked.contains("wiki.lab.example.") && !asked.contains("wiki. "), "{asked}");
    // If a name contains a dot, it is tried as is first; with a final dot, nothing else is tried.
    assert_eq!(found(&names, "old.example"), ["192.0.2.2"]);
    assert!(run(names.addresses("wiki.")).is_err());
}

#[test]
fn a_silent_server_gives_way_to_the_next_and_one_that_answers_is_believed() {
    let ((first, _silent), (second, asked)) = (silent(), serving(WIKI));
    let conf = "options timeout:1\nsearch corp.example";
    assert_eq!(found(&names("", conf, vec![first, second.clone()]), "old.example"), ["192.0.2.2"]);
    asked.lock().unwrap().clear();
    let (empty, _) = serving(&[]);
    assert!(run(names("", "", vec![empty, second]).addresses("old.example")).is_err());
    assert!(asked.lock().unwrap().is_empty());
}

#[test]
fn a_dropped_lookup_leaks_nothing() {
    let (server, _silent) = silent();
    let names = names("", "options timeout:30", vec![server]);
    run(async {
        let lookup = tokio::time::timeout(Duration::from_millis(50), names.addresses("name.example"));
        assert!(lookup.await.is_err());
        let ended = async {
            while Handle::current().metrics().num_alive_tasks() > 0 {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), ended).await.unwrap();
    });
}

#[test]
fn the_time_for_a_connection_bounds_the_lookup() {
    let (server, _silent) = silent();
    let config = FetchConfig { connect_timeout: Duration::from_millis(100), ..FetchConfig::default() };
    let fetcher = Fetcher::with_names(config, names("", "options timeout:30", vec![server]));
    let error = run(fetcher.fetch("http://name.example/")).unwrap_err();
    assert!(matches!(error, FetchError::TimedOut { .. }), "{error:?}");
}

#[test]
fn a_name_that_does_not_exist_is_unreachable() {
    let (server, _) = serving(WIKI);
    let fetcher = Fetcher::with_names(FetchConfig::default(), names("", "", vec![server]));
    let error = run(fetcher.fetch("http://new.example/")).unwrap_err();
    assert!(matches!(error, FetchError::Unreachable(_)), "{error:?}");
    assert_eq!(error.to_string(), "the target could not be reached, or the connection was interrupted");
}

#[test]
fn a_name_that_a_server_puts_into_a_private_network_is_refused() {
    let (server, _) = serving(&[("inside.example.", "8.8.8.8"), ("inside.example.", "fd00::1")]);
    let fetcher = Fetcher::with_names(FetchConfig::default(), names("", "", vec![server]));
    let error = run(fetcher.fetch("http://inside.example/")).unwrap_err();
    assert!(matches!(error, FetchError::Refused { .. }), "{error:?}");
}

#[test]
fn without_a_configuration_only_listed_names_are_known() {
    let mut hosts = Hosts::default();
    hosts.read_hosts_conf("192.0.2.9 wiki\n".as_bytes()).unwrap();
    let names = Names::new(hosts, Err("no nameservers found in config".to_owned()));
    assert_eq!(found(&names, "wiki"), ["192.0.2.9"]);
    let error = run(names.addresses("wiki.example")).unwrap_err();
    assert_eq!(error.to_string(), "/etc/resolv.conf can't be used: no nameservers found in config");
}
