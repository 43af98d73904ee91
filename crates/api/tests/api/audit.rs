//! The audit log: every change leaves one entry, in the transaction that made it.

use actix_web::http::Method;
use actix_web::test::TestRequest;
use quire_api::route::Route;
use quire_api::{Proxies, Settings};
use quire_domain::Role;
use quire_importer::fetch::FetchConfig;
use quire_test_support::{Caller, TestApp};
use serde_json::{Value, json};

use crate::routes::fixture_for;

async fn log(app: &TestApp, admin: &Caller, query: &str) -> Vec<Value> {
    let path = format!("/v1/orgs/{}/audit-log?{query}", app.organization);
    admin.get(&path).await.expect(200).at("/items").as_array().unwrap().clone()
}

fn operations(entries: &[Value]) -> Vec<&str> {
    entries.iter().map(|entry| entry["operation"].as_str().unwrap()).collect()
}

#[actix_web::test]
async fn a_change_leaves_an_entry_with_who_what_when_and_where() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let path = format!("/v1/spaces/{space}");
    let request = TestRequest::patch()
        .uri(&format!("{path}?secret=1"))
        .insert_header(("X-Request-Id", "r-1"))
        .peer_addr("192.0.2.7:4000".parse().unwrap())
        .set_json(json!({"title": "New"}));
    let _ = admin.send(request).await.expect(200);
    let entries = log(&app, &admin, "operation=updateSpaceById").await;
    let [entry] = entries.as_slice() else { panic!("{entries:?}") };
    assert_eq!(entry["object"], "audit-entry");
    assert_eq!(entry["organization"], app.organization.to_string());
    assert_eq!(entry["space"], space);
    assert_eq!(entry["actor"]["id"], admin.user().to_string());
    assert_eq!(entry["method"], "PATCH");
    assert_eq!(entry["path"], path);
    assert_eq!(entry["target"], json!({"type": "space", "id": space}));
    assert_eq!(entry["address"], "192.0.2.7");
    assert_eq!(entry["requestId"], "r-1");
    assert!(entry["createdAt"].is_string() && entry["token"].is_string() && entry["id"].is_string());
}

#[actix_web::test]
async fn callers_cannot_choose_their_address() {
    let proxies = Proxies { trusted: vec!["10.0.0.0/8".parse().unwrap()], ..Proxies::default() };
    let settings = Settings { rate_limit: 0, proxies, ..Settings::default() };
    let app = TestApp::start_with(settings, FetchConfig::default()).await;
    let (space, admin) = app.space().await;
    for (peer, name, value, expected) in [
        ("10.0.0.1:80", "X-Forwarded-For", "6.6.6.6, 192.0.2.7", "192.0.2.7"),
        ("10.0.0.1:80", "Forwarded", "for=6.6.6.6", "10.0.0.1"),
        ("192.0.2.9:80", "X-Forwarded-For", "6.6.6.6", "192.0.2.9"),
    ] {
        let request =
            TestRequest::patch().uri(&format!("/v1/spaces/{space}")).set_json(json!({"title": value}));
        let request = request.peer_addr(peer.parse().unwrap()).insert_header((name, value));
        let _ = admin.send(request).await.expect(200);
        let entries = log(&app, &admin, "operation=updateSpaceById&limit=1").await;
        assert_eq!(entries[0]["address"], expected, "{name}: {value}");
    }
}

#[actix_web::test]
async fn reads_and_refusals_leave_none() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let before = log(&app, &admin, "").await.len();
    let path = format!("/v1/spaces/{space}");
    let _ = admin.get(&path).await.expect(200);
    let _ = admin.patch(&path, json!({"title": 1})).await.expect(400);
    let _ = app.on_space(&space, Some(Role::Read)).patch(&path, json!({"title": "No"})).await.expect(403);
    let _ = app.stranger().patch(&path, json!({"title": "No"})).await.expect(404);
    assert_eq!(log(&app, &admin, "").await.len(), before);
}

#[actix_web::test]
async fn the_log_is_filtered_and_walked_newest_first() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let other = app.as_role(Role::Admin);
    for caller in [&admin, &other] {
        let _ = caller.patch(&format!("/v1/spaces/{space}"), json!({"title": "New"})).await.expect(200);
        let body = json!({"body": {"markdown": "Hello."}});
        let _ = caller.post(&format!("/v1/spaces/{space}/comments"), body).await.expect(201);
    }
    let all = log(&app, &admin, &format!("space={space}")).await;
    let expected = ["postCommentInSpace", "updateSpaceById", "postCommentInSpace", "updateSpaceById"];
    assert_eq!(operations(&all), expected);
    assert_eq!(log(&app, &admin, &format!("actor={}", other.user())).await, all[..2]);
    let middle = all[2]["createdAt"].as_str().unwrap();
    let since = log(&app, &admin, &format!("space={space}&from={middle}")).await;
    assert!(since.iter().all(|entry| entry["createdAt"].as_str().unwrap() >= middle));
    assert!(log(&app, &admin, "to=2000-01-01T00:00:00Z").await.is_empty());

    let (mut walked, mut page) = (Vec::new(), String::new());
    loop {
        let path = format!("/v1/orgs/{}/audit-log?space={space}&limit=1{page}", app.organization);
        let answer = admin.get(&path).await.expect(200);
        assert_eq!(answer.at("/count"), 4);
        walked.push(answer.at("/items/0").clone());
        let Some(next) = answer.json.pointer("/next/page").and_then(Value::as_str).map(str::to_owned) else {
            break;
        };
        page = format!("&page={next}");
    }
    assert_eq!(walked, all);
}

#[actix_web::test]
async fn it_is_for_administrators_alone_and_asks_for_what_it_understands() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let path = format!("/v1/orgs/{}/audit-log", app.organization);
    let _ = app.as_role(Role::Create).get(&path).await.expect(403);
    let _ = app.stranger().get(&path).await.expect(404);
    let _ = app.anonymous().get(&path).await.expect(401);
    for (query, field) in [("from=noon", "from"), ("to=noon", "to"), ("page=x", "page")] {
        let refused = admin.get(&format!("{path}?{query}")).await.expect(400);
        assert_eq!(refused.fields(), [field], "{query}");
    }
}

#[actix_web::test]
async fn an_entry_names_what_was_made() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let mut made = 0;
    for route in quire_api::routes().into_iter().filter(|route| route.status == 201 && route.audited) {
        let fixture = fixture_for(&app, &route).await;
        let answer = admin.send(fixture.request(&route, &fixture.path(&route))).await;
        // A token of one's own is nobody else's business, and not every sample can be made twice or without the network.
        if answer.status != 201 || route.operation == "createApiToken" {
            continue;
        }
        made += 1;
        let location = answer.header("location").to_owned();
        let (_, id) = location.rsplit_once('/').unwrap();
        let owner = if route.operation == "createOrganization" {
            id.to_owned()
        } else {
            app.organization.to_string()
        };
        let query = format!("/v1/orgs/{owner}/audit-log?operation={}&limit=1", route.operation);
        let entries = admin.get(&query).await.expect(200);
        let target = entries
            .json
            .pointer("/items/0/target")
            .unwrap_or_else(|| panic!("{} leaves no target", route.operation));
        assert_eq!(target["id"], id, "{}: {target}", route.operation);
        if let Some(object) = answer.json.get("object") {
            // A review is called by its whole name, as is an invite of any kind.
            assert_eq!(target["type"], *object, "{}", route.operation);
        }
        let found = admin.get(&format!("/v1/orgs/{owner}/audit-log?target={id}")).await.expect(200);
        assert_eq!(found.at("/items/0/operation"), route.operation);
    }
    assert!(made > 20, "{made} routes make something");
}

#[actix_web::test]
async fn every_route_that_changes_something_leaves_an_entry_that_names_it() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let (mut left, mut named) = (0, 0);
    // One's own tokens are nobody else's business; what is computed is asked for with a body, but changes nothing; and what is made is
    // looked at above.
    let of_organizations = |route: &Route| {
        let (own, computed) = (route.path.starts_with("/v1/user"), route.path.contains("/computed/"));
        route.audited && route.status != 201 && !own && !computed
    };
    for route in quire_api::routes().into_iter().filter(of_organizations) {
        let fixture = fixture_for(&app, &route).await;
        let answer = admin.send(fixture.request(&route, &fixture.path(&route))).await;
        if !answer.status.is_success() {
            continue;
        }
        left += 1;
        let query = format!("/v1/orgs/{}/audit-log?operation={}&limit=1", app.organization, route.operation);
        let entries = admin.get(&query).await.expect(200);
        let path = fixture.path(&route);
        let path = path.split('?').next();
        let newest = entries.json.pointer("/items/0/path").and_then(Value::as_str);
        assert_eq!(newest, path, "{} leaves no entry", route.operation);
        let resource = answer.json.get("object").zip(answer.json.get("id"));
        if let Some((object, id)) = resource.filter(|_| route.method == Method::PATCH) {
            named += 1;
            let target = entries.json.pointer("/items/0/target");
            assert_eq!(target, Some(&json!({"type": object, "id": id})), "{}", route.operation);
        }
    }
    assert!(left > 50 && named > 10, "{left} entries, {named} of which name a resource");
}
