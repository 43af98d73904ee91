//! Webhooks: managed by administrators. Events are stored in the transaction of the change, signed, and delivered again
//! after failures.

use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use actix_web::web::Bytes;
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use diesel::connection::SimpleConnection as _;
use hmac::{Hmac, KeyInit, Mac};
use quire_domain::Role;
use quire_importer::fetch::FetchConfig;
use quire_server::Settings;
use quire_test_support::{Caller, TestApp};
use serde_json::{Value, json};
use sha2::Sha256;

/// Received request: headers and body.
pub type Received = Arc<Mutex<Vec<(Vec<(String, String)>, Vec<u8>)>>>;

/// Starts a receiver on a port of its own. It responds with these statuses in order, and then always with the last one.
pub fn receiver(statuses: &[u16]) -> (String, Received) {
    let received = Received::default();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let (seen, statuses) = (received.clone(), statuses.to_vec());
    let server = HttpServer::new(move || {
        let (seen, statuses) = (seen.clone(), statuses.clone());
        let take = move |request: HttpRequest, body: Bytes| {
            let mut seen = seen.lock().unwrap();
            let status = statuses.get(seen.len()).or(statuses.last()).copied().unwrap();
            let headers = request.headers().iter();
            let headers =
                headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect();
            seen.push((headers, body.to_vec()));
            let status = actix_web::http::StatusCode::from_u16(status).unwrap();
            async move { HttpResponse::build(status).insert_header(("Location", "http://127.0.0.1:1/")).finish() }
        };
        App::new().default_service(web::to(take))
    });
    actix_web::rt::spawn(server.workers(1).disable_signals().listen(listener).unwrap().run());
    (url, received)
}

pub async fn app() -> TestApp {
    let allow = vec!["127.0.0.1".parse().unwrap()];
    let fetch = FetchConfig { allow, ..FetchConfig::default() };
    TestApp::start_with(Settings { rate_limit: 0, ..Settings::default() }, fetch).await
}

fn path(app: &TestApp, rest: &str) -> String {
    format!("/v1/orgs/{}/webhooks{rest}", app.organization)
}

/// Creates a webhook and returns its id and secret.
async fn webhook(app: &TestApp, admin: &Caller, url: &str, events: Value) -> (String, String) {
    let made = admin.post(&path(app, ""), json!({"url": url, "events": events})).await.expect(201);
    (made.text("/id"), made.text("/secret"))
}

fn kinds(received: &Received) -> Vec<String> {
    let received = received.lock().unwrap();
    let body = |(_, body): &(_, Vec<u8>)| serde_json::from_slice::<Value>(body).unwrap();
    received.iter().map(|one| body(one)["type"].as_str().unwrap().to_owned()).collect()
}

#[actix_web::test]
async fn a_webhook_is_made_shown_changed_and_deleted() {
    let app = app().await;
    let admin = app.as_role(Role::Admin);
    let body = json!({"url": "https://example.com/hook", "description": "CI", "events": ["comment_created", "space_created"]});
    let made = admin.post(&path(&app, ""), body).await.expect(201);
    let id = made.text("/id");
    assert_eq!(made.header("location"), made.text("/urls/location"));
    assert!(made.text("/secret").starts_with("whsec_"));
    let mut expected = made.json.clone();
    expected.as_object_mut().unwrap().remove("secret");
    assert_eq!(expected["object"], "webhook");
    assert_eq!(expected["organization"], app.organization.to_string());
    assert_eq!(expected["url"], "https://example.com/hook");
    assert_eq!(expected["description"], "CI");
    assert_eq!(expected["events"], json!(["space_created", "comment_created"]));
    assert_eq!(expected["active"], true);
    let shown = admin.get(&path(&app, &format!("/{id}"))).await.expect(200);
    assert_eq!(shown.json, expected, "the secret is shown once");

    let change = json!({"description": null, "active": false, "events": ["member_added"]});
    let changed = admin.patch(&path(&app, &format!("/{id}")), change).await.expect(200);
    assert_eq!(changed.at("/active"), false);
    assert_eq!(changed.at("/events"), &json!(["member_added"]));
    assert_eq!(changed.json.get("description"), None);
    assert_eq!(changed.at("/url"), "https://example.com/hook");

    let _ = admin.delete(&path(&app, &format!("/{id}"))).await.expect(204);
    let _ = admin.get(&path(&app, &format!("/{id}"))).await.expect(404);
    let _ = admin.delete(&path(&app, &format!("/{id}"))).await.expect(404);
}

#[actix_web::test]
async fn wrong_input_is_named() {
    let app = app().await;
    let admin = app.as_role(Role::Admin);
    for (body, field) in [
        (json!({"events": ["ping"]}), "url"),
        (json!({"url": "ftp://example.com", "events": ["ping"]}), "url"),
        (json!({"url": "https://u:p@example.com", "events": ["ping"]}), "url"),
        (json!({"url": "https://example.com"}), "events"),
        (json!({"url": "https://example.com", "events": []}), "events"),
        (json!({"url": "https://example.com", "events": ["nothing"]}), "events[0]"),
        (json!({"url": "https://example.com", "events": ["ping", "ping"]}), "events"),
        (json!({"url": "https://[::x", "events": ["ping"]}), "url"),
        (json!({"url": "https://example.com", "events": ["ping"], "description": ""}), "description"),
        (json!({"url": "https://example.com", "events": ["ping"], "active": null}), "active"),
    ] {
        let refused = admin.post(&path(&app, ""), body.clone()).await.expect(400);
        assert_eq!(refused.fields(), [field], "{body}");
    }
    assert_eq!(admin.get(&path(&app, "")).await.expect(200).at("/count"), 0);
}

#[actix_web::test]
async fn a_delivery_is_signed_with_the_secret_of_its_time() {
    let app = app().await;
    let (space, admin) = app.space().await;
    let (url, received) = receiver(&[204]);
    let (id, secret) = webhook(&app, &admin, &url, json!(["comment_created"])).await;
    let body = json!({"body": {"markdown": "Hello."}});
    let are_due = || app.system.read(|reader| reader.due_work([&[], &[]])).unwrap().deliveries;
    assert!(!are_due());
    let comment = admin.post(&format!("/v1/spaces/{space}/comments"), body).await.expect(201).text("/id");
    assert!(are_due());
    app.deliver_webhooks().await;
    assert!(!are_due());
    let rotated = admin.post(&path(&app, &format!("/{id}/rotate-secret")), json!({})).await.expect(200);
    assert_ne!(rotated.text("/secret"), secret);
    let _ = admin.post(&path(&app, &format!("/{id}/ping")), json!({})).await.expect(201);
    app.deliver_webhooks().await;

    let received = received.lock().unwrap();
    let secrets = [secret, rotated.text("/secret")];
    for ((headers, body), secret) in received.iter().zip(&secrets) {
        let header = |name: &str| headers.iter().find(|(n, _)| n == name).unwrap().1.clone();
        let signature = header("x-quire-signature");
        let (time, v1) = signature.strip_prefix("t=").unwrap().split_once(",v1=").unwrap();
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
        mac.update(format!("{time}.").as_bytes());
        mac.update(body);
        let expected: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(v1, expected);
        let event: Value = serde_json::from_slice(body).unwrap();
        assert_eq!(header("x-quire-event"), event["type"].as_str().unwrap());
        assert_eq!(header("x-quire-delivery"), event["eventId"].as_str().unwrap());
        assert_eq!(header("content-type"), "application/json");
    }
    let event: Value = serde_json::from_slice(&received[0].1).unwrap();
    assert_eq!(event["type"], "comment_created");
    assert_eq!(event["spaceId"], space);
    assert_eq!(event["commentId"], comment);
    assert_eq!(event["actorId"], admin.user().to_string());
    assert_eq!(event["organizationId"], app.organization.to_string());
    assert_eq!(received.len(), 2);
}

#[actix_web::test]
async fn only_subscribed_events_of_committed_changes_are_sent() {
    let app = app().await;
    let (space, admin) = app.space().await;
    let (url, received) = receiver(&[200]);
    let all = [
        "change_request_created",
        "change_request_updated",
        "change_request_merged",
        "space_content_updated",
        "comment_created",
        "comment_updated",
        "comment_resolved",
        "comment_reopened",
        "comment_deleted",
        "comment_reply_created",
    ];
    let _ = webhook(&app, &admin, &url, json!(all)).await;
    let (elsewhere, quiet) = receiver(&[200]);
    let _ = webhook(&app, &admin, &elsewhere, json!(["member_added"])).await;
    let requests = format!("/v1/spaces/{space}/change-requests");
    let _ = admin.post(&requests, json!({"subject": 1})).await.expect(400);
    let _ = admin.post(&requests, json!({"subject": "Typos"})).await.expect(201);
    let _ = admin.patch(&format!("{requests}/1"), json!({"status": "open"})).await.expect(200);
    let _ = admin.patch(&format!("{requests}/1"), json!({"status": "open"})).await.expect(200);
    let _ = admin.post(&format!("{requests}/1/merge"), json!({})).await.expect(200);
    let body = json!({"body": {"markdown": "Hello."}});
    let comments = format!("/v1/spaces/{space}/comments");
    let one = format!("{comments}/{}", admin.post(&comments, body.clone()).await.expect(201).text("/id"));
    let _ = admin.put(&one, body.clone()).await.expect(200);
    let _ = admin.put(&one, json!({"resolved": true})).await.expect(200);
    let _ = admin.put(&one, json!({"resolved": false})).await.expect(200);
    let _ = admin.post(&format!("{one}/replies"), body).await.expect(201);
    let _ = admin.delete(&one).await.expect(204);
    app.deliver_webhooks().await;
    let mut sent = kinds(&received);
    sent.sort();
    let mut expected = all;
    expected.sort_unstable();
    assert_eq!(sent, expected);
    assert!(kinds(&quiet).is_empty());
}

#[actix_web::test]
async fn new_and_removed_spaces_and_members_cause_events() {
    let app = app().await;
    let admin = app.as_role(Role::Admin);
    let (url, received) = receiver(&[200]);
    let all = [
        "space_created",
        "space_deleted",
        "space_restored",
        "member_added",
        "member_updated",
        "member_removed",
    ];
    let _ = webhook(&app, &admin, &url, json!(all)).await;
    let organization = format!("/v1/orgs/{}", app.organization);
    let space = admin.post(&format!("{organization}/spaces"), json!({})).await.expect(201).text("/id");
    let _ = admin.delete(&format!("/v1/spaces/{space}")).await.expect(204);
    let _ = admin.post(&format!("/v1/spaces/{space}/restore"), json!({})).await.expect(200);
    let emails = json!({"emails": ["eve@example.com", "bob@example.com"], "role": "read"});
    // An e-mail invite adds no member before it is accepted.
    let invited = admin.post(&format!("{organization}/invites"), emails).await.expect(200);
    let of = |resource: usize, part: &str| invited.text(&format!("/invites/{resource}/{part}"));
    let accept = format!("/v1/invites/{}/accept", of(0, "id"));
    let _ = app.stranger().post(&accept, json!({"secret": of(0, "secret")})).await.expect(200);
    let register = format!("/v1/invites/{}/register", of(1, "id"));
    let _ = app.anonymous().post(&register, json!({"secret": of(1, "secret")})).await.expect(201);
    let member = app.as_role(Role::Read).user();
    let member = format!("{organization}/members/{member}");
    let _ = admin.patch(&member, json!({"role": "edit"})).await.expect(200);
    let _ = admin.delete(&member).await.expect(204);
    app.deliver_webhooks().await;
    let mut sent = kinds(&received);
    sent.sort();
    let mut expected = [&all[..], &["member_added"]].concat();
    expected.sort_unstable();
    assert_eq!(sent, expected);
}

#[actix_web::test]
async fn a_failure_that_may_pass_is_tried_again_after_a_pause_and_another_is_not() {
    let app = app().await;
    let admin = app.as_role(Role::Admin);
    let (url, received) = receiver(&[503, 429, 200]);
    let (id, _) = webhook(&app, &admin, &url, json!(["space_created"])).await;
    let ping = admin.post(&path(&app, &format!("/{id}/ping")), json!({})).await.expect(201);
    let delivery = path(&app, &format!("/{id}/deliveries/{}", ping.text("/id")));
    assert_eq!((ping.at("/state"), ping.at("/attempts")), (&json!("pending"), &json!(0)));
    for (attempt, state, status) in [(1, "pending", 503), (2, "pending", 429), (3, "succeeded", 200)] {
        app.deliver_webhooks().await;
        app.deliver_webhooks().await;
        let shown = admin.get(&delivery).await.expect(200);
        assert_eq!(
            (shown.at("/state"), shown.at("/attempts")),
            (&json!(state), &json!(attempt)),
            "{attempt}"
        );
        assert_eq!(shown.at("/lastStatus"), status);
        assert_eq!(shown.json.get("lastError").is_some(), state == "pending");
        assert_eq!(shown.json.get("nextAttemptAt").is_some(), state == "pending");
        app.clock.advance(std::time::Duration::from_secs(60));
    }
    assert_eq!(received.lock().unwrap().len(), 3);

    for refusal in [404, 302] {
        let (url, received) = receiver(&[refusal]);
        let (id, _) = webhook(&app, &admin, &url, json!(["space_created"])).await;
        let _ = admin.post(&path(&app, &format!("/{id}/ping")), json!({})).await.expect(201);
        app.deliver_webhooks().await;
        app.clock.advance(std::time::Duration::from_secs(7_200));
        app.deliver_webhooks().await;
        assert_eq!(received.lock().unwrap().len(), 1, "{refusal}");
        let failed = admin.get(&path(&app, &format!("/{id}/deliveries?state=failed"))).await.expect(200);
        assert_eq!((failed.at("/count"), failed.at("/items/0/lastStatus")), (&json!(1), &json!(refusal)));
    }
}

#[actix_web::test]
async fn it_is_given_up_after_twelve_tries_and_can_be_replayed() {
    let app = app().await;
    let admin = app.as_role(Role::Admin);
    let (url, received) = receiver(&[500]);
    let (id, _) = webhook(&app, &admin, &url, json!(["space_created"])).await;
    let ping = admin.post(&path(&app, &format!("/{id}/ping")), json!({})).await.expect(201).text("/id");
    for _ in 0..15 {
        app.deliver_webhooks().await;
        app.clock.advance(std::time::Duration::from_secs(3_600));
    }
    assert_eq!(received.lock().unwrap().len(), 12);
    let delivery = path(&app, &format!("/{id}/deliveries/{ping}"));
    assert_eq!(admin.get(&delivery).await.expect(200).at("/state"), "failed");
    let replayed = admin.post(&format!("{delivery}/replay"), json!({})).await.expect(200);
    assert_eq!(replayed.at("/state"), "pending");
    app.deliver_webhooks().await;
    assert_eq!(received.lock().unwrap().len(), 13);
    assert_eq!(admin.get(&delivery).await.expect(200).at("/state"), "pending", "it has tries again");
}

#[actix_web::test]
async fn a_receiver_in_the_private_network_is_not_reached() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let (url, received) = receiver(&[200]);
    let (id, _) = webhook(&app, &admin, &url, json!(["space_created"])).await;
    let _ = admin.post(&path(&app, &format!("/{id}/ping")), json!({})).await.expect(201);
    app.deliver_webhooks().await;
    assert!(received.lock().unwrap().is_empty());
    let failed = admin.get(&path(&app, &format!("/{id}/deliveries?state=failed"))).await.expect(200);
    assert_eq!(failed.at("/count"), 1);
    assert!(failed.text("/items/0/lastError").contains("127.0.0.1"));
}

#[actix_web::test]
async fn lists_are_walked_newest_first_and_for_admins_alone() {
    let app = app().await;
    let admin = app.as_role(Role::Admin);
    let mut made = Vec::new();
    for _ in 0..3 {
        made.push(webhook(&app, &admin, "https://example.com", json!(["space_created"])).await.0);
    }
    made.reverse();
    let deliveries = path(&app, &format!("/{}/deliveries", made[0]));
    let mut pinged = Vec::new();
    for _ in 0..3 {
        let ping = admin.post(&path(&app, &format!("/{}/ping", made[0])), json!({})).await.expect(201);
        pinged.insert(0, ping.text("/id"));
    }
    for (list, expected) in [(path(&app, ""), made), (deliveries, pinged)] {
        let (mut walked, mut page) = (Vec::new(), String::new());
        loop {
            let answer = admin.get(&format!("{list}?limit=1{page}")).await.expect(200);
            assert_eq!(answer.at("/count"), 3);
            walked.push(answer.text("/items/0/id"));
            let Some(next) = answer.json.pointer("/next/page").and_then(Value::as_str) else { break };
            page = format!("&page={next}");
        }
        assert_eq!(walked, expected);
        let _ = app.as_role(Role::Create).get(&list).await.expect(403);
        let _ = app.stranger().get(&list).await.expect(404);
    }
}

#[actix_web::test]
async fn webhooks_receive_changes_of_the_visibility_of_a_space() {
    let app = app().await;
    let admin = app.as_role(Role::Admin);
    let org = format!("/v1/orgs/{}", app.organization);
    let (id, _) =
        webhook(&app, &admin, "https://example.com/hook", json!(["space_visibility_updated"])).await;
    let collection = app.collection(app.organization);
    let space = admin.post(&format!("{org}/spaces"), json!({"title": "Guide"})).await.expect(201).text("/id");
    let other = admin.post(&format!("{org}/spaces"), json!({})).await.expect(201).text("/id");
    let of_space = format!("/v1/spaces/{space}");
    admin.post(&format!("{of_space}/move"), json!({"parent": collection})).await.expect(200);
    // A move within the collection does not change the visibility.
    admin.post(&format!("{of_space}/move"), json!({"parent": collection})).await.expect(200);
    let site = admin.post(&format!("{org}/sites"), json!({"spaces": [space]})).await.expect(201).text("/id");
    let site = format!("{org}/sites/{site}");
    admin.post_empty(&format!("{site}/publish")).await.expect(200);
    admin.patch(&site, json!({"title": "Docs", "basename": "docs"})).await.expect(200);
    admin.patch(&site, json!({"visibility": "visitor-auth"})).await.expect(200);
    let placed =
        admin.post(&format!("{site}/site-spaces"), json!({"spaceId": other})).await.expect(201).text("/id");
    admin.delete(&format!("{site}/site-spaces/{placed}")).await.expect(204);
    admin.post_empty(&format!("{site}/unpublish")).await.expect(200);
    admin.post_empty(&format!("{site}/publish")).await.expect(200);
    admin.delete(&site).await.expect(204);
    admin.post(&format!("{of_space}/move"), json!({"parent": null})).await.expect(200);
    let sent = admin.get(&path(&app, &format!("/{id}/deliveries"))).await.expect(200);
    let sent = sent.at("/items").as_array().unwrap().iter().rev().map(|item| {
        let event = |key: &str| item["event"][key].as_str().unwrap().to_owned();
        assert_eq!(event("type"), "space_visibility_updated");
        (event("spaceId"), event("previousVisibility"), event("visibility"))
    });
    let expected = [
        (&space, "private", "in-collection"),
        (&space, "in-collection", "public"),
        (&space, "public", "visitor-auth"),
        (&other, "private", "visitor-auth"),
        (&other, "visitor-auth", "private"),
        (&space, "visitor-auth", "in-collection"),
        (&space, "in-collection", "visitor-auth"),
        (&space, "visitor-auth", "in-collection"),
        (&space, "in-collection", "private"),
    ];
    let expected =
        expected.map(|(space, before, after)| (space.clone(), before.to_owned(), after.to_owned()));
    assert_eq!(sent.collect::<Vec<_>>(), expected);
}

#[actix_web::test]
async fn a_transferred_space_causes_events_in_both_organizations() {
    let app = app().await;
    let admin = app.as_role(Role::Admin);
    let elsewhere = app.create_organization("Elsewhere");
    let there = app.member_of(elsewhere, Some(Role::Admin));
    app.connection()
        .batch_execute(&format!(
            "INSERT INTO organization_members (organization_id, user_id, role, joined_at) VALUES ('{elsewhere}', '{}', 6, now())",
            admin.user()
        ))
        .unwrap();
    let body = json!({"url": "https://example.com/hook", "events": ["space_visibility_updated"]});
    let webhook = there.post(&format!("/v1/orgs/{elsewhere}/webhooks"), body).await.expect(201).text("/id");
    let org = format!("/v1/orgs/{}", app.organization);
    let collection = app.collection(app.organization);
    let body = json!({"title": "Guide", "parent": collection});
    let below = admin.post(&format!("{org}/spaces"), body).await.expect(201).text("/id");
    let alone = admin.post(&format!("{org}/spaces"), json!({})).await.expect(201).text("/id");
    let site =
        admin.post(&format!("{org}/sites"), json!({"spaces": [below, alone]})).await.expect(201).text("/id");
    admin.post_empty(&format!("{org}/sites/{site}/publish")).await.expect(200);
    let to = json!({ "organization": elsewhere });
    admin.post(&format!("/v1/spaces/{alone}/transfer"), to.clone()).await.expect(200);
    admin.post(&format!("/v1/collections/{collection}/transfer"), to).await.expect(200);
    let sent = there.get(&format!("/v1/orgs/{elsewhere}/webhooks/{webhook}/deliveries")).await.expect(200);
    let sent = sent.at("/items").as_array().unwrap().iter().rev();
    let sent: Vec<_> =
        sent.map(|item| (item["event"]["spaceId"].clone(), item["event"]["visibility"].clone())).collect();
    assert_eq!(sent, [(json!(alone), json!("private")), (json!(below), json!("in-collection"))]);
}
