//! Host names of sites: ownership and proofs.

use std::net::{SocketAddr, UdpSocket};
use std::sync::{Arc, Mutex};
use std::thread;

use actix_web::http::header;
use actix_web::test::TestRequest;
use quire_domain::Role;
use quire_importer::fetch::FetchConfig;
use quire_server::Settings;
use quire_test_support::{Caller, TestApp};
use serde_json::{Value, json};

use super::Stage;

const LOOKUP: &str = "/v1/urls/published";

/// TXT records: name and text.
type Zone = Arc<Mutex<Vec<(String, String)>>>;

/// Serves TXT records until the process ends.
fn name_server() -> (SocketAddr, Zone) {
    let (socket, zone) = (UdpSocket::bind("127.0.0.1:0").unwrap(), Zone::default());
    let (address, records) = (socket.local_addr().unwrap(), Arc::clone(&zone));
    thread::spawn(move || {
        let mut buffer = [0; 512];
        while let Ok((length, client)) = socket.recv_from(&mut buffer) {
            let answer = answer(&buffer[..length], &records.lock().unwrap());
            socket.send_to(&answer, client).unwrap();
        }
    });
    (address, zone)
}

/// Returns the response to a query (RFC 1035, 4.1).
fn answer(query: &[u8], zone: &[(String, String)]) -> Vec<u8> {
    let mut labels = Vec::new();
    let mut at = 12;
    while query[at] > 0 {
        let end = at + 1 + usize::from(query[at]);
        labels.push(String::from_utf8(query[at + 1..end].to_vec()).unwrap());
        at = end;
    }
    let name = labels.join(".").to_lowercase();
    let texts: Vec<&String> = zone.iter().filter(|(known, _)| *known == name).map(|(_, text)| text).collect();
    let code = if texts.is_empty() { 3 } else { 0 };
    let count = u8::try_from(texts.len()).unwrap();
    let mut response = query[..2].to_vec();
    response.extend([0x81, 0x80 | code, 0, 1, 0, count, 0, 0, 0, 0]);
    response.extend(&query[12..at + 5]);
    for text in texts {
        let length = u8::try_from(text.len()).unwrap();
        response.extend([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, length + 1, length]);
        response.extend(text.bytes());
    }
    response
}

async fn stage(settings: Settings) -> (Stage, Zone) {
    let (server, zone) = name_server();
    let fetch = FetchConfig { name_server: Some(server), ..FetchConfig::default() };
    let settings = Settings { rate_limit: 0, trust_hostnames: Some(false), ..settings };
    (Stage::set_in(TestApp::start_with(settings, fetch).await).await, zone)
}

/// Creates a site of another organization, with its administrator.
async fn rival(stage: &Stage) -> (Caller, String) {
    let organization = stage.app.create_organization("Rival");
    let caller = stage.app.member_of(organization, Some(Role::Admin));
    let sites = format!("/v1/orgs/{organization}/sites");
    let site = caller.post(&sites, json!({"title": "Rival"})).await.expect(201).text("/id");
    (caller, format!("{sites}/{site}"))
}

async fn find(stage: &Stage, url: &str) -> u16 {
    stage.app.anonymous().post(LOOKUP, json!({ "url": url })).await.status.as_u16()
}

#[actix_web::test]
async fn a_host_name_counts_once_a_record_proves_it() {
    let (stage, zone) = stage(Settings::default()).await;
    stage.resource("Guide").await;
    let before = stage.publish().await.text("/urls/published");
    let named = json!({"hostname": "docs.ferry.example", "proxy": "WWW.Ferry.example/Docs"});
    let pending = stage.manager.patch(&stage.site, named.clone()).await.expect(200);
    assert_eq!(pending.text("/hostname"), "docs.ferry.example");
    assert_eq!(pending.text("/proxy/origin"), "www.ferry.example/Docs");
    assert_eq!(pending.text("/urls/published"), before, "the site keeps its address");
    let value = format!("quire-organization={}", stage.app.organization);
    let record = |host: &str| json!({"type": "TXT", "name": format!("_quire.{host}"), "value": value});
    let state = |host: &str| json!({"hostname": host, "status": "pending", "record": record(host)});
    let hosts = ["docs.ferry.example", "www.ferry.example"];
    assert_eq!(pending.at("/hostnames"), &json!(hosts.map(state)));
    for url in ["https://docs.ferry.example/", "https://www.ferry.example/Docs/x"] {
        assert_eq!(find(&stage, url).await, 404, "{url}");
    }
    let request = TestRequest::with_uri("/v1/").insert_header((header::HOST, "docs.ferry.example"));
    stage.app.anonymous().send(request).await.expect(200);

    // A record of another organization is no proof.
    let other = format!("quire-organization={}", stage.app.create_organization("Other"));
    zone.lock().unwrap().push(("_quire.docs.ferry.example".to_owned(), other));
    let again = stage.manager.patch(&stage.site, named.clone()).await.expect(200);
    assert_eq!(again.text("/hostnames/0/status"), "pending");
    for host in hosts {
        zone.lock().unwrap().push((format!("_quire.{host}"), value.clone()));
    }
    let proven = stage.manager.patch(&stage.site, named).await.expect(200);
    let state = |host: &str| json!({"hostname": host, "status": "verified"});
    assert_eq!(proven.at("/hostnames"), &json!(hosts.map(state)));
    assert_eq!(proven.text("/urls/published"), "https://www.ferry.example/Docs");
    for url in ["https://docs.ferry.example/", "https://www.ferry.example/Docs/x"] {
        assert_eq!(find(&stage, url).await, 200, "{url}");
    }
    let read = stage.app.anonymous().get(&format!("{}/published", stage.site)).await;
    assert_eq!(read.json.pointer("/site/hostnames"), None, "visitors don't see the proof");
}

#[actix_web::test]
async fn a_host_name_belongs_to_one_organization() {
    let (stage, zone) = stage(Settings::default()).await;
    let (stranger, theirs) = rival(&stage).await;
    stage.manager.patch(&stage.site, json!({"proxy": "www.ferry.example/docs"})).await.expect(200);
    for (body, field) in [
        (json!({"hostname": "www.ferry.example"}), "hostname"),
        (json!({"proxy": "www.ferry.example/docs/guide"}), "proxy"),
        (json!({"proxy": "www.ferry.example/other"}), "proxy"),
        (json!({"proxy": {"origin": "WWW.FERRY.example/docs"}}), "proxy"),
    ] {
        let refused = stranger.patch(&theirs, body.clone()).await.expect(409);
        assert_eq!(
            (refused.reason().as_str(), refused.fields()),
            ("name-taken", vec![field.to_owned()]),
            "{body}"
        );
    }
    stranger.patch(&theirs, json!({"hostname": "docs.ferry.example"})).await.expect(200);
    // A second site of the organization may use the name: the proof is for both.
    let second = stage.manager.post(&stage.sites, json!({"title": "Second"})).await.expect(201).text("/id");
    let second = format!("{}/{second}", stage.sites);
    stage.manager.patch(&second, json!({"proxy": "www.ferry.example/api"})).await.expect(200);
    let value = format!("quire-organization={}", stage.app.organization);
    zone.lock().unwrap().push(("_quire.www.ferry.example".to_owned(), value));
    stage.manager.patch(&second, json!({"proxy": "www.ferry.example/api"})).await.expect(200);
    let first = stage.manager.get(&stage.site).await.expect(200);
    assert_eq!(first.text("/hostnames/0/status"), "verified");

    // A name that no site of the organization uses is free.
    stage.manager.patch(&stage.site, json!({"proxy": null})).await.expect(200);
    stranger.patch(&theirs, json!({"hostname": "www.ferry.example"})).await.expect(409);
    stage.manager.delete(&second).await.expect(204);
    let taken = stranger.patch(&theirs, json!({"hostname": "www.ferry.example"})).await.expect(200);
    assert_eq!(taken.text("/hostnames/0/status"), "pending", "the proof of another doesn't count");
}

#[actix_web::test]
async fn concurrent_claims_have_one_winner() {
    let (stage, _) = stage(Settings::default()).await;
    let (stranger, theirs) = rival(&stage).await;
    let body = json!({"hostname": "docs.ferry.example", "proxy": "ferry.example/docs"});
    let (ours, others) = futures_util::join!(
        stage.manager.patch(&stage.site, body.clone()),
        stranger.patch(&theirs, body.clone())
    );
    let mut statuses = [ours.status.as_u16(), others.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
}

#[actix_web::test]
async fn names_of_the_deployment_are_never_given_away() {
    let own = Settings {
        base_url: "https://quire.ferry.example".to_owned(),
        own_hostnames: vec!["quire.internal.example".to_owned()],
        ..Settings::default()
    };
    let (stage, _) = stage(own).await;
    let bodies: [(Value, &str); 4] = [
        (json!({"hostname": "quire.internal.example"}), "hostname"),
        (json!({"hostname": "quire.ferry.example"}), "hostname"),
        (json!({"proxy": "quire.ferry.example/docs"}), "proxy"),
        (json!({"proxy": "Quire.Internal.example/docs"}), "proxy"),
    ];
    for (body, field) in bodies {
        let refused = stage.manager.patch(&stage.site, body.clone()).await.expect(409);
        assert_eq!(
            (refused.reason().as_str(), refused.fields()),
            ("name-taken", vec![field.to_owned()]),
            "{body}"
        );
    }
    // A name that a site already had when it became the deployment's own.
    stage.app.store.execute("UPDATE sites SET hostname = 'quire.internal.example', published = true");
    // The start page redirects to the sign-in page.
    for (path, status) in [("/v1/", 200), ("/healthz", 200), ("/readyz", 200), ("/", 303)] {
        let request =
            TestRequest::with_uri(path).insert_header((header::HOST, "Quire.Internal.Example.:8443"));
        let answer = stage.app.anonymous().send(request).await;
        assert!(answer.status == status && answer.json.get("error").is_none(), "{path}: {}", answer.status);
    }
}

#[actix_web::test]
async fn operators_give_host_names_and_take_them_away() {
    let (stage, _) = stage(Settings::default()).await;
    let (stranger, theirs) = rival(&stage).await;
    let host = json!({"hostname": "docs.ferry.example"});
    stranger.patch(&theirs, host.clone()).await.expect(200);
    let organization = stage.app.organization;
    let give = || {
        stage
            .app
            .system
            .transact::<_, quire_storage::Error>(|tx| tx.give_hostname(organization, "docs.ferry.example"))
    };
    give().unwrap();
    assert_eq!(stranger.get(&theirs).await.expect(200).json.get("hostname"), None);
    stranger.patch(&theirs, host.clone()).await.expect(409);
    let named = stage.manager.patch(&stage.site, host.clone()).await.expect(200);
    assert_eq!(named.text("/hostnames/0/status"), "verified");
    // The organization keeps the name although no site uses it.
    stage.manager.patch(&stage.site, json!({"hostname": null})).await.expect(200);
    stranger.patch(&theirs, host.clone()).await.expect(409);
    let free =
        || stage.app.system.transact::<_, quire_storage::Error>(|tx| tx.free_hostname("docs.ferry.example"));
    assert_eq!(free().unwrap(), Some(organization));
    assert_eq!(free().unwrap(), None);
    stranger.patch(&theirs, host).await.expect(200);
    stage.app.system.transact::<_, quire_storage::Error>(|tx| tx.trust_hostnames()).unwrap();
    assert_eq!(stranger.get(&theirs).await.expect(200).text("/hostnames/0/status"), "verified");
}
