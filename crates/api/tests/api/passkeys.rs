//! Passkeys: registration and sign-in.

use std::time::Duration;

use quire_domain::Role;
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::{Value, json};

use crate::authenticator::{Authenticator, app};

const PASSKEYS: &str = "/v1/user/passkeys";
const SIGN_IN: &str = "/v1/auth/passkey";

/// Starts a sign-in. Returns the challenge and the options for the authenticator.
async fn start(app: &TestApp) -> (Value, Value) {
    let started = app.anonymous().post_empty(&format!("{SIGN_IN}/start")).await.expect(200);
    (started.at("/id").clone(), started.at("/publicKey").clone())
}

async fn finish(caller: &Caller, challenge: &Value, credential: &Value) -> Answer {
    caller.post(SIGN_IN, json!({"challenge": challenge, "credential": credential})).await
}

#[actix_web::test]
async fn a_passkey_signs_in_on_every_node_without_a_code() {
    let app = app().await;
    let person = app.as_role(Role::Read);
    let mut authenticator = Authenticator::new(1);
    let id = authenticator.register(&app.in_browser(&person), "Laptop").await;
    let (challenge, options) = start(&app).await;
    assert_eq!((&options["rpId"], &options["allowCredentials"]), (&json!("localhost"), &json!([])));
    let node = app.on_another_node(&app.anonymous()).await;
    let signed_in = finish(&node, &challenge, &authenticator.get(&options)).await.expect(200);
    assert_eq!(signed_in.at("/id"), &json!(person.user()));
    let cookie = signed_in.header("set-cookie").to_owned();
    assert!(cookie.starts_with("quire=qs_") && cookie.contains("HttpOnly; SameSite=Lax"), "{cookie}");
    let secret = cookie.split([';', '=']).nth(1).unwrap();
    let browser = person.with_token(secret);
    let listed = browser.get(PASSKEYS).await.expect(200);
    assert_eq!((listed.at("/items/0/id"), listed.at("/items/0/name")), (&json!(id), &json!("Laptop")));
    assert!(listed.at("/items/0/lastUsedAt").is_string());
    // The new session counts as a recent proof of identity.
    app.clock.advance(Duration::from_secs(500));
    let _ = browser.delete(&format!("{PASSKEYS}/{id}")).await.expect(204);
    let (challenge, options) = start(&app).await;
    let removed = finish(&app.anonymous(), &challenge, &authenticator.get(&options)).await.expect(401);
    assert_eq!(removed.reason(), "wrong-passkey");
}

#[actix_web::test]
async fn what_is_not_accepted_has_one_answer_and_uses_the_challenge_up() {
    let app = app().await;
    let person = app.as_role(Role::Read);
    let mut authenticator = Authenticator::new(1);
    let _ = authenticator.register(&app.in_browser(&person), "Laptop").await;
    let anonymous = app.anonymous();
    let (challenge, options) = start(&app).await;
    let right = authenticator.get(&options);
    let mut wrong = right.clone();
    wrong["response"]["signature"] = json!("MEUCIQ");
    let mut unknown = Authenticator::new(2);
    let _ = unknown.create(&json!({"challenge": "AA", "user": {"id": "AAAA"}}));
    let refused = finish(&anonymous, &challenge, &wrong).await.expect(401);
    let spent = finish(&anonymous, &challenge, &right).await.expect(401);
    let (challenge, options) = start(&app).await;
    let stranger = finish(&anonymous, &challenge, &unknown.get(&options)).await.expect(401);
    // Refused sign-ins are in the audit log, at most once an hour.
    let admin = app.as_role(Role::Admin);
    let path = format!("/v1/orgs/{}/audit-log?operation=signInWithPasskey", app.organization);
    let entries = admin.get(&path).await.expect(200);
    assert_eq!(entries.at("/items").as_array().unwrap().len(), 1);
    assert_eq!(entries.at("/items/0/outcome"), &json!("refused"));
    let (challenge, options) = start(&app).await;
    app.clock.advance(Duration::from_secs(301));
    let late = finish(&anonymous, &challenge, &authenticator.get(&options)).await.expect(401);
    let bodies = [&refused, &spent, &stranger, &late].map(|answer| answer.json["error"].clone());
    assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:?}");
    assert_eq!(refused.reason(), "wrong-passkey");
    // The challenge of a registration cannot be used to sign in.
    let started = app.in_browser(&person).post_empty(&format!("{PASSKEYS}/start")).await.expect(200);
    let other = authenticator.get(started.at("/publicKey"));
    let refused = finish(&anonymous, started.at("/id"), &other).await.expect(401);
    assert_eq!(refused.reason(), "wrong-passkey");
}

#[actix_web::test]
async fn a_counter_and_a_challenge_are_accepted_once_and_tries_are_counted() {
    let app = app().await;
    let mut authenticator = Authenticator::new(1);
    let _ = authenticator.register(&app.in_browser(&app.as_role(Role::Read)), "Laptop").await;
    let anonymous = app.anonymous();
    let (challenge, options) = start(&app).await;
    let answer = authenticator.get(&options);
    let _ = finish(&anonymous, &challenge, &answer).await.expect(200);
    let again = finish(&anonymous, &challenge, &answer).await.expect(401);
    assert_eq!(again.reason(), "wrong-passkey");
    let mut copy = Authenticator::new(1);
    let (challenge, options) = start(&app).await;
    let _ = copy.create(&json!({"challenge": "AA", "user": {"id": answer["response"]["userHandle"]}}));
    let refused = finish(&anonymous, &challenge, &copy.get(&options)).await.expect(401);
    assert_eq!(refused.reason(), "wrong-passkey");
    for _ in 0..2 {
        let (challenge, options) = start(&app).await;
        let _ = finish(&anonymous, &challenge, &authenticator.get(&options)).await.expect(200);
    }
    let (challenge, options) = start(&app).await;
    let many = finish(&anonymous, &challenge, &authenticator.get(&options)).await.expect(429);
    assert!(!many.header("retry-after").is_empty());
}

#[actix_web::test]
async fn registrations_and_removals_need_a_session_with_a_recent_proof() {
    let app = app().await;
    let person = app.as_role(Role::Read);
    let browser = app.in_browser(&person);
    let start = format!("{PASSKEYS}/start");
    let mut authenticator = Authenticator::new(1);
    let started = browser.post_empty(&start).await.expect(200);
    let options = started.at("/publicKey").clone();
    assert_eq!(options["rp"], json!({"id": "localhost", "name": "Quire"}));
    let credential = authenticator.create(&options);
    let body = json!({"challenge": started.at("/id"), "name": "Phone", "credential": credential});
    // Another user cannot use this challenge.
    let other = app.in_browser(&app.as_role(Role::Read));
    assert_eq!(other.post(PASSKEYS, body.clone()).await.expect(400).fields(), ["challenge"]);
    assert_eq!(person.post_empty(&start).await.expect(403).reason(), "forbidden");
    assert_eq!(person.post(PASSKEYS, body.clone()).await.expect(403).reason(), "forbidden");
    let created = browser.post(PASSKEYS, body.clone()).await.expect(201);
    assert_eq!((created.at("/object"), created.at("/name")), (&json!("passkey"), &json!("Phone")));
    assert_eq!(browser.post(PASSKEYS, body).await.expect(400).fields(), ["challenge"]);
    // The options list existing credentials. No credential can be registered twice, not even for another user.
    let started = browser.post_empty(&start).await.expect(200);
    assert_eq!(started.at("/publicKey/excludeCredentials/0/id"), &credential["id"]);
    let twice = authenticator.create(started.at("/publicKey"));
    let body = json!({"challenge": started.at("/id"), "name": "Phone", "credential": twice});
    assert_eq!(browser.post(PASSKEYS, body).await.expect(400).fields(), ["credential"]);
    let started = other.post_empty(&start).await.expect(200);
    let taken = authenticator.create(started.at("/publicKey"));
    let body = json!({"challenge": started.at("/id"), "name": "Phone", "credential": taken});
    assert_eq!(other.post(PASSKEYS, body).await.expect(409).reason(), "conflict");

    let path = format!("{PASSKEYS}/{}", created.text("/id"));
    app.clock.advance(Duration::from_secs(601));
    assert_eq!(browser.post_empty(&start).await.expect(403).reason(), "confirmation-required");
    assert_eq!(browser.delete(&path).await.expect(403).reason(), "confirmation-required");
    let renamed = browser.patch(&path, json!({"name": "  Old phone "})).await.expect(200);
    assert_eq!(renamed.at("/id"), created.at("/id"));
    assert_eq!(browser.patch(&path, json!({"name": ""})).await.expect(400).fields(), ["name"]);
    let other = app.in_browser(&app.as_role(Role::Read));
    let _ = other.patch(&path, json!({"name": "Mine"})).await.expect(404);
    let _ = other.delete(&path).await.expect(404);
    assert_eq!(
        app.read_only(&person).patch(&path, json!({"name": "x"})).await.expect(403).reason(),
        "forbidden"
    );
    assert_eq!(other.get(PASSKEYS).await.expect(200).at("/items"), &json!([]));
}

#[actix_web::test]
async fn answers_have_a_form_and_a_bound_and_some_addresses_have_no_passkeys() {
    let app = app().await;
    let browser = app.in_browser(&app.as_role(Role::Read));
    let started = browser.post_empty(&format!("{PASSKEYS}/start")).await.expect(200);
    let long = json!({"id": "A".repeat(20_000)});
    for credential in [json!({}), json!({"id": 1}), long] {
        let body = json!({"challenge": started.at("/id"), "name": "x", "credential": credential});
        assert_eq!(browser.post(PASSKEYS, body).await.expect(400).fields(), ["credential"]);
        let (challenge, _) = start(&app).await;
        let wrong = finish(&app.anonymous(), &challenge, &credential).await.expect(400);
        assert_eq!(wrong.fields(), ["credential"]);
    }
    let body = json!({"challenge": started.at("/id"), "name": "x", "credential": []});
    assert_eq!(browser.post(PASSKEYS, body).await.expect(400).fields(), ["credential"]);

    let app = TestApp::start().await;
    let browser = app.in_browser(&app.as_role(Role::Read));
    let none = app.anonymous().post_empty(&format!("{SIGN_IN}/start")).await.expect(409);
    assert_eq!(none.reason(), "conflict");
    let _ = browser.post_empty(&format!("{PASSKEYS}/start")).await.expect(409);
}

#[actix_web::test]
async fn a_user_has_a_bounded_number_and_expired_challenges_are_swept() {
    let app = app().await;
    let browser = app.in_browser(&app.as_role(Role::Read));
    for seed in 1..=20 {
        let _ = Authenticator::new(seed).register(&browser, &format!("Key {seed}")).await;
    }
    let many = browser.post_empty(&format!("{PASSKEYS}/start")).await.expect(409);
    assert_eq!(many.reason(), "too-many");
    let page = browser.get(&format!("{PASSKEYS}?limit=1")).await.expect(200);
    assert_eq!((page.at("/items/0/name"), page.at("/count")), (&json!("Key 20"), &json!(20)));
    let _ = start(&app).await;
    app.clock.advance(Duration::from_secs(301));
    assert_eq!(app.system.transact(|tx| tx.sweep_passkey_challenges()).unwrap(), 1);
}
