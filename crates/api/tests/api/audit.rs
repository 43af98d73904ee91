//! The audit log: every change leaves one entry, in the transaction that made it.

use actix_web::http::Method;
use actix_web::test::TestRequest;
use quire_api::route::{Access, Audit, Route};
use quire_domain::Role;
use quire_importer::fetch::FetchConfig;
use quire_server::{Proxies, Settings};
use quire_storage::operations::audit::Command;
use quire_storage::people::invites::stored_id;
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
async fn reads_and_wrong_input_leave_none_and_neither_does_a_stranger() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let before = log(&app, &admin, "").await.len();
    let path = format!("/v1/spaces/{space}");
    let _ = admin.get(&path).await.expect(200);
    let _ = admin.patch(&path, json!({"title": 1})).await.expect(400);
    let comment = json!({"body": {"markdown": "No."}});
    let reader = app.on_space(&space, Some(Role::Read));
    let _ = reader.post(&format!("{path}/comments"), comment).await.expect(403);
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

/// Returns an id or path as the log shows it. The id of an invite link grants access, so the log shows its hash.
fn logged(operation: &str, text: &str) -> String {
    let of_links = [
        "createOrganizationInvite",
        "deleteOrganizationInviteById",
        "updateOrganizationInviteById",
        "joinOrganizationWithInvite",
    ];
    if !of_links.contains(&operation) {
        return text.to_owned();
    }
    let mut before = "link-invites";
    let segment = |segment: &str| {
        let is_invite = matches!(std::mem::take(&mut before), "link-invites" | "invites");
        before = if matches!(segment, "link-invites" | "invites") { "invites" } else { "" };
        if is_invite && !segment.is_empty() {
            stored_id(segment.parse().unwrap()).to_string()
        } else {
            segment.to_owned()
        }
    };
    text.split('/').map(segment).collect::<Vec<_>>().join("/")
}

#[actix_web::test]
async fn an_entry_names_what_was_made() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let mut made = 0;
    for route in
        quire_api::routes().into_iter().filter(|route| route.status == 201 && route.audit == Audit::Recorded)
    {
        // The SCIM token of an organization has no id, so its entry names the organization.
        if route.operation == "createScimToken" {
            continue;
        }
        let fixture = fixture_for(&app, &route).await;
        let answer = admin.send(fixture.request(&route, &fixture.path(&route))).await;
        // Some requests cannot be repeated, or need the network.
        if answer.status != 201 {
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
        let id = &*logged(route.operation, id);
        assert_eq!(target["id"], id, "{}: {target}", route.operation);
        if let Some(object) = answer.json.get("object") {
            // The kind of a review is its full object name, as is the kind of an invite.
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
    // The test above covers creations (201).
    let of_organizations = |route: &Route| route.audit == Audit::Recorded && route.status != 201;
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
        let path = path.split('?').next().map(|path| logged(route.operation, path));
        let newest = entries.json.pointer("/items/0/path").and_then(Value::as_str);
        assert_eq!(newest, path.as_deref(), "{} leaves no entry", route.operation);
        let resource = answer.json.get("object").zip(answer.json.get("id"));
        if let Some((object, id)) = resource.filter(|_| route.method == Method::PATCH) {
            named += 1;
            let target = entries.json.pointer("/items/0/target");
            let id = logged(route.operation, id.as_str().unwrap());
            assert_eq!(target, Some(&json!({"type": object, "id": id})), "{}", route.operation);
        }
    }
    assert!(left > 50 && named > 10, "{left} entries, {named} of which name a resource");
}

/// Routes that change something without an entry on success.
const UNAUDITED: [&str; 16] = [
    "convertPageContentInChangeRequest",
    "getComputedDocument",
    "getComputedRevision",
    "mailSignInLink",
    "markInboxRead",
    "receiveGitHook",
    "renderDocument",
    "renderDocumentInChangeRequest",
    "resolvePublishedContentByUrl",
    "searchSiteContent",
    "setViewedPagesInChangeRequest",
    "startPasskeySignIn",
    "trackEventsInSiteById",
    "updateNotifications",
    "updateOrganizationMemberLastSeenAt",
    "updatePresence",
];

#[actix_web::test]
async fn every_route_that_changes_something_is_audited_or_says_why_not() {
    let silent = |route: &Route| route.method != Method::GET && route.audit != Audit::Recorded;
    let mut unaudited: Vec<Route> = quire_api::routes().into_iter().filter(silent).collect();
    unaudited.sort_by_key(|route| route.operation);
    assert_eq!(unaudited.iter().map(|route| route.operation).collect::<Vec<_>>(), UNAUDITED);
    let reason = |route: &Route| match route.audit {
        Audit::Unrecorded(reason) => reason,
        Audit::Recorded => "",
    };
    assert!(unaudited.iter().all(|route| reason(route).len() > 10));
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    // Without a token, a lookup finds only published content.
    for route in unaudited.into_iter().filter(|route| route.access != Access::Public) {
        let fixture = fixture_for(&app, &route).await;
        let before = log(&app, &admin, "limit=1000").await.len();
        let answer = admin.send(fixture.request(&route, &fixture.path(&route))).await;
        assert!(answer.status.is_success(), "{}: {}", route.operation, answer.status);
        assert_eq!(log(&app, &admin, "limit=1000").await.len(), before, "{}", route.operation);
    }
}

#[actix_web::test]
async fn tokens_leave_an_entry_in_each_organization_that_they_reach() {
    let app = TestApp::start().await;
    let other = app.create_organization("Other");
    let (admin, others) = (app.as_role(Role::Admin), app.member_of(other, Some(Role::Admin)));
    let member = app.member_of(app.organization, None);
    app.join(&member, other, Some(Role::Read));
    let entries = async |operation: &str| {
        let mut found = Vec::new();
        for (caller, organization) in [(&admin, app.organization), (&others, other)] {
            let path =
                format!("/v1/orgs/{organization}/audit-log?operation={operation}&actor={}", member.user());
            found.extend(caller.get(&path).await.expect(200).at("/items").as_array().unwrap().clone());
        }
        found
    };
    let everywhere = member.post("/v1/user/tokens", json!({"label": "all"})).await.expect(201).text("/id");
    let made = entries("createApiToken").await;
    assert_eq!(made.len(), 2, "{made:?}");
    assert!(made.iter().all(|entry| entry["target"] == json!({"type": "api-token", "id": everywhere})));
    let limited = json!({"label": "one", "organizations": [other]});
    let limited = member.post("/v1/user/tokens", limited).await.expect(201).text("/id");
    let made = entries("createApiToken").await;
    assert_eq!(made.len(), 3);
    assert!(
        made.iter().all(|entry| entry["target"]["id"] != limited || entry["organization"] == json!(other))
    );
    for token in [everywhere, limited] {
        let _ = member.delete(&format!("/v1/user/tokens/{token}")).await.expect(204);
    }
    assert_eq!(entries("deleteApiToken").await.len(), 3);
}

#[actix_web::test]
async fn a_refused_attempt_of_administration_leaves_one_entry_an_hour() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let reader = app.on_space(&space, Some(Role::Read));
    let (path, settings) = (format!("/v1/spaces/{space}"), format!("/v1/orgs/{}", app.organization));
    let refused = async || log(&app, &admin, "outcome=refused&limit=1000").await;
    for _ in 0..5 {
        let _ = reader.patch(&path, json!({"title": "Mine"})).await.expect(403);
        let _ = reader.patch(&settings, json!({"title": "Mine"})).await.expect(403);
        let _ = reader.get(&format!("{settings}/audit-log")).await.expect(403);
        // A stranger does not see the space, so there is no entry.
        let _ = app.stranger().patch(&path, json!({"title": "Mine"})).await.expect(404);
    }
    let entries = refused().await;
    assert_eq!(operations(&entries), ["listAuditLog", "updateOrganizationById", "updateSpaceById"]);
    let entry = &entries[2];
    assert_eq!(entry["actor"]["id"], json!(reader.user()));
    assert_eq!((&entry["space"], &entry["outcome"]), (&json!(space), &json!("refused")));
    assert_eq!(entry["target"], json!({"type": "space", "id": space}));
    app.clock.advance(std::time::Duration::from_secs(3_600));
    let _ = reader.patch(&path, json!({"title": "Mine"})).await.expect(403);
    assert_eq!(refused().await.len(), 4);
    let done = log(&app, &admin, "outcome=done&operation=updateSpaceById").await;
    assert!(done.is_empty(), "{done:?}");
}

#[actix_web::test]
async fn a_refused_attempt_on_what_a_body_names_leaves_an_entry() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let integration = json!({
        "title": "Chat", "description": "", "scopes": [], "script": "x", "organization": app.organization,
    });
    let owner = app.as_role(Role::Admin);
    let _ = owner.post("/v1/integrations/chat", integration.clone()).await.expect(201);
    let installations = "/v1/integrations/chat/installations";
    let organization = json!({"organization": app.organization});
    let id = owner.post(installations, organization).await.expect(201).text("/id");
    let reader = app.on_space(&space, Some(Role::Read));
    let _ = reader.post("/v1/integrations/chat", integration).await.expect(403);
    let on_spaces = format!("{installations}/{id}/spaces");
    let _ = reader.post(&on_spaces, json!({"space": space})).await.expect(403);
    let entries = log(&app, &admin, "outcome=refused").await;
    assert_eq!(operations(&entries), ["installIntegrationOnSpace", "publishIntegration"]);
}

#[actix_web::test]
async fn what_one_actor_tries_in_an_hour_is_bounded() {
    let app = TestApp::start().await;
    let (admin, reader) = (app.as_role(Role::Admin), app.as_role(Role::Read));
    for _ in 0..70 {
        let target = app.member_of(app.organization, None).user();
        let path = format!("/v1/orgs/{}/members/{target}", app.organization);
        let _ = reader.patch(&path, json!({"role": "admin"})).await.expect(403);
    }
    assert_eq!(log(&app, &admin, "outcome=refused&limit=1000").await.len(), 60);
    let other = app.as_role(Role::Read);
    let _ =
        other.patch(&format!("/v1/orgs/{}", app.organization), json!({"title": "Mine"})).await.expect(403);
    assert_eq!(log(&app, &admin, "outcome=refused&limit=1000").await.len(), 61);
}

#[actix_web::test]
async fn exports_leave_an_entry_unless_nothing_is_sent() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let reader = app.on_space(&space, Some(Role::Read));
    let export = format!("/v1/spaces/{space}/content/export");
    let tag = reader.get(&export).await.expect(200).header("etag").to_owned();
    let known = TestRequest::get().uri(&export).insert_header(("If-None-Match", tag));
    let _ = reader.send(known).await.expect(304);
    let _ = reader.get(&format!("/v1/spaces/{space}/pdf")).await.expect(200);
    let entries = log(&app, &admin, &format!("actor={}", reader.user())).await;
    assert_eq!(operations(&entries), ["getSpacePDF", "exportContent"]);
    assert!(entries.iter().all(|entry| entry["space"] == json!(space) && entry["method"] == "GET"));
}

#[actix_web::test]
async fn a_transfer_is_in_the_logs_of_both_organizations() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let other = app.create_organization("Other");
    app.join(&admin, other, Some(Role::Admin));
    let collection = app.collection(app.organization);
    for (path, operation) in [
        (format!("/v1/spaces/{space}/transfer"), "transferSpace"),
        (format!("/v1/collections/{collection}/transfer"), "transferCollection"),
    ] {
        let _ = admin.post(&path, json!({"organization": other})).await.expect(200);
        for organization in [app.organization, other] {
            let log = format!("/v1/orgs/{organization}/audit-log?operation={operation}");
            let found = admin.get(&log).await.expect(200);
            assert_eq!((found.at("/count"), found.at("/items/0/path")), (&json!(1), &json!(path)));
        }
    }
}

#[actix_web::test]
async fn a_command_of_the_operator_has_no_user() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let target = Some(("member", "0190a5d2-7c1e-7000-8000-000000000001"));
    let command = Command { operation: "admin.create-user", target };
    app.system
        .transact::<_, quire_storage::Error>(|tx| tx.audit_command(&[app.organization], command))
        .unwrap();
    let [entry] = log(&app, &admin, "operation=admin.create-user").await.try_into().unwrap();
    assert_eq!(entry["actor"], json!({"object": "system", "displayName": "quire admin"}));
    assert_eq!(entry["target"]["type"], "member");
    for absent in ["token", "method", "path", "requestId", "address"] {
        assert_eq!(entry.get(absent), None, "{absent}");
    }
}

#[actix_web::test]
async fn entries_are_removed_when_their_time_is_over() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    app.schedule_jobs();
    app.clock.advance(TestApp::AUDIT_AGE);
    let _ = admin.patch(&format!("/v1/spaces/{space}"), json!({"title": "Late"})).await.expect(200);
    app.run_jobs().await;
    // At the exact age the entries are kept.
    assert_eq!(log(&app, &admin, "").await.len(), 2);
    app.clock.advance(std::time::Duration::from_secs(24 * 60 * 60));
    app.run_jobs().await;
    assert_eq!(operations(&log(&app, &admin, "").await), ["updateSpaceById"]);
}
