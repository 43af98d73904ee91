//! The caller's own user and tokens.

use std::time::Duration;

use diesel::connection::SimpleConnection as _;
use quire_domain::Role;
use quire_domain::clock::{Clock as _, Timestamp};
use quire_domain::ids::UserId;
use quire_test_support::TestApp;
use serde_json::{Value, json};

const TOKENS: &str = "/v1/user/tokens";

fn in_days(app: &TestApp, days: i64) -> Timestamp {
    Timestamp::from_millis(app.clock.now().millis() + days * 86_400_000).unwrap()
}

#[actix_web::test]
async fn everyone_sees_themselves() {
    let app = TestApp::start().await;
    let caller = app.stranger();
    let user = caller.get("/v1/user").await.expect(200);
    assert_eq!(user.text("/object"), "user");
    assert_eq!(user.at("/id"), &json!(caller.user()));
    assert!(user.text("/email").ends_with("@example.com") && user.text("/displayName").starts_with("User "));
    assert!(user.text("/urls/location").ends_with(&format!("/v1/users/{}", caller.user())));
    assert!(user.text("/createdAt").ends_with('Z'));
    app.anonymous().get("/v1/user").await.expect(401);
}

#[actix_web::test]
async fn others_are_seen_by_those_who_share_an_organization() {
    let app = TestApp::start().await;
    let (reader, guest) = (app.as_role(Role::Read), app.member_of(app.organization, None));
    let elsewhere = app.create_organization("Elsewhere");
    let stranger = app.member_of(elsewhere, Some(Role::Admin));
    let path = format!("/v1/users/{}", reader.user());
    for caller in [&reader, &guest] {
        let user = caller.get(&path).await.expect(200);
        assert_eq!((user.text("/object"), user.at("/id")), ("user".to_owned(), &json!(reader.user())));
        assert!(
            user.text("/email").ends_with("@example.com") && user.text("/displayName").starts_with("User ")
        );
        assert!(user.text("/urls/location").ends_with(&path));
        assert_eq!(user.json.get("createdAt"), None);
    }
    let absent = format!("/v1/users/{}", UserId::from_uuid(uuid::Uuid::nil()));
    let unknown = stranger.get(&absent).await.expect(404);
    assert_eq!(stranger.get(&path).await.expect(404).bytes, unknown.bytes);
    app.anonymous().get(&path).await.expect(401);
    let _ = stranger.get(&format!("/v1/users/{}", stranger.user())).await.expect(200);

    // Organizations outside the token's limits, and organizations in which the caller is disabled, reveal nothing.
    let admin = app.as_role(Role::Admin);
    let own = admin.post("/v1/orgs", json!({"title": "Own"})).await.expect(201).text("/id");
    let body = json!({"label": "own", "organizations": [own]});
    let limited = admin.with_token(&admin.post(TOKENS, body).await.expect(201).text("/token"));
    let _ = limited.get(&path).await.expect(404);
    let _ = limited.get(&format!("/v1/users/{}", admin.user())).await.expect(200);
    let disable =
        format!("UPDATE organization_members SET disabled = true WHERE user_id = '{}'", guest.user());
    app.connection().batch_execute(&disable).unwrap();
    let _ = guest.get(&path).await.expect(404);
    let _ = admin.get(&format!("/v1/users/{}", guest.user())).await.expect(200);
}

#[actix_web::test]
async fn a_token_is_shown_once_and_works_until_it_is_revoked_or_expires() {
    let app = TestApp::start().await;
    let caller = app.as_role(Role::Edit);
    let body = json!({"label": "ci", "readOnly": true, "organizations": [app.organization], "expiresAt": in_days(&app, 2)});
    let made = caller.post(TOKENS, body.clone()).await.expect(201);
    assert!(made.header("location").ends_with(&format!("{TOKENS}/{}", made.text("/id"))));
    assert_eq!(made.text("/object"), "api-token");
    for key in ["label", "readOnly", "organizations", "expiresAt"] {
        assert_eq!(made.at(&format!("/{key}")), &body[key], "{key}");
    }
    let limited = caller.with_token(&made.text("/token"));
    assert_eq!(limited.get("/v1/user").await.expect(200).at("/id"), &json!(caller.user()));
    let list = caller.get(TOKENS).await.expect(200);
    assert_eq!(list.at("/count"), &json!(2));
    let listed = list.at("/items/0");
    assert_eq!((&listed["label"], listed.get("token")), (&json!("ci"), None));
    assert!(listed["lastUsedAt"].is_string(), "{listed}");
    app.clock.advance(Duration::from_secs(2 * 86_400));
    limited.get("/v1/user").await.expect(401);

    let other = caller.post(TOKENS, json!({"label": "laptop"})).await.expect(201);
    assert_eq!(other.at("/readOnly"), &json!(false));
    assert_eq!((other.json.get("organizations"), other.json.get("expiresAt")), (None, None));
    let laptop = caller.with_token(&other.text("/token"));
    laptop.get("/v1/user").await.expect(200);
    app.stranger().delete(&format!("{TOKENS}/{}", other.text("/id"))).await.expect(404);
    laptop.delete(&format!("{TOKENS}/{}", other.text("/id"))).await.expect(204);
    laptop.get("/v1/user").await.expect(401);
    caller.delete(&format!("{TOKENS}/{}", other.text("/id"))).await.expect(404);
}

#[actix_web::test]
async fn no_token_makes_a_stronger_one() {
    let app = TestApp::start().await;
    let caller = app.as_role(Role::Edit);
    let elsewhere = app.create_organization("Elsewhere");
    app.system.transact(|tx| tx.put_member(elsewhere, caller.user(), None)).unwrap();
    let reader = app.read_only(&caller);
    reader.post(TOKENS, json!({"label": "x"})).await.expect(403);
    let tokens = reader.get(TOKENS).await.expect(200);
    let [own, other] = [true, false].map(|read_only| {
        let mut items = tokens.at("/items").as_array().unwrap().iter();
        let found = items.find(|token| token["readOnly"] == json!(read_only)).unwrap();
        format!("{TOKENS}/{}", found["id"].as_str().unwrap())
    });

    let body = json!({"label": "x", "organizations": [app.organization], "expiresAt": in_days(&app, 2)});
    let limited = caller.with_token(&caller.post(TOKENS, body).await.expect(201).text("/token"));
    for (body, status) in [
        (json!({"label": "all"}), 403),
        (json!({"label": "no end", "organizations": [app.organization]}), 403),
        (json!({"label": "later", "organizations": [app.organization], "expiresAt": in_days(&app, 3)}), 403),
        (json!({"label": "elsewhere", "organizations": [elsewhere], "expiresAt": in_days(&app, 1)}), 403),
        (json!({"label": "less", "organizations": [app.organization], "expiresAt": in_days(&app, 1)}), 201),
    ] {
        let answer = limited.post(TOKENS, body.clone()).await;
        assert_eq!(answer.status, status, "{body}");
    }
    limited.get(&format!("/v1/orgs/{elsewhere}")).await.expect(404);
    assert_eq!(limited.get("/v1/orgs").await.expect(200).at("/count"), &json!(1));

    // A token cannot revoke a stronger token; each token can revoke itself.
    reader.delete(&other).await.expect(403);
    limited.delete(&other).await.expect(403);
    reader.delete(&own).await.expect(204);
    reader.get(TOKENS).await.expect(401);
    limited.delete(&own).await.expect(404);
    caller.get(TOKENS).await.expect(200);
}

#[actix_web::test]
async fn wrong_limits_are_named() {
    let app = TestApp::start().await;
    let caller = app.as_role(Role::Edit);
    let foreign = app.create_organization("Elsewhere");
    let past = in_days(&app, 0);
    for (body, field) in [
        (json!({"label": ""}), "label"),
        (json!({"label": "a".repeat(51)}), "label"),
        (json!({}), "label"),
        (json!({"label": "x", "organizations": []}), "organizations"),
        (json!({"label": "x", "organizations": [app.organization, foreign]}), "organizations[1]"),
        (json!({"label": "x", "expiresAt": past}), "expiresAt"),
        (json!({"label": "x", "expiresAt": "soon"}), "expiresAt"),
    ] {
        let refused = caller.post(TOKENS, body.clone()).await.expect(400);
        assert_eq!(refused.fields(), [field], "{body}");
    }
    assert_eq!(caller.get(TOKENS).await.expect(200).at("/count"), &json!(1));
}

#[actix_web::test]
async fn the_list_of_tokens_walks_once() {
    let app = TestApp::start().await;
    let caller = app.stranger();
    for label in 0..4 {
        let _ = caller.post(TOKENS, json!({"label": label.to_string()})).await.expect(201);
    }
    let (mut labels, mut page) = (Vec::new(), String::new());
    loop {
        let list = caller.get(&format!("{TOKENS}?limit=1{page}")).await.expect(200);
        labels.push(list.text("/items/0/label"));
        let Some(next) = list.json.pointer("/next/page").and_then(Value::as_str) else { break };
        page = format!("&page={next}");
    }
    assert_eq!(labels, ["3", "2", "1", "0", "test"]);
}
