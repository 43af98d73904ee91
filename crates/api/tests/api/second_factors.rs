//! Second factors: codes of an authenticator app, recovery codes, and confirmations that some actions require.

use std::time::{Duration, UNIX_EPOCH};

use actix_web::test::TestRequest;
use quire_domain::Role;
use quire_domain::clock::Clock as _;
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::json;

const PASSWORD: &str = "ferry lantern quilt";
const TOTP: &str = "/v1/user/totp";

/// User with a password, in a browser.
struct Person {
    app: TestApp,
    browser: Caller,
    email: String,
}

impl Person {
    async fn new() -> Self {
        let app = TestApp::start().await;
        let member = app.as_role(Role::Admin);
        let hash = app.state.hash_password(PASSWORD.to_owned()).await.unwrap();
        app.system.transact(|tx| tx.set_password(member.user(), &hash)).unwrap();
        let email = member.get("/v1/user").await.expect(200).text("/email");
        Self { browser: app.in_browser(&member), app, email }
    }

    /// Creates a user with an authenticator app. Returns the secret and the recovery codes, too.
    async fn with_app() -> (Self, String, Vec<String>) {
        let person = Self::new().await;
        let secret = person.browser.post_empty(TOTP).await.expect(200).text("/secret");
        let code = json!({"code": person.code(&secret)});
        let enabled = person.browser.post(&format!("{TOTP}/confirm"), code).await.expect(200);
        let codes = serde_json::from_value(enabled.at("/recoveryCodes").clone()).unwrap();
        // A code is valid once.
        person.app.clock.advance(Duration::from_secs(30));
        (person, secret, codes)
    }

    fn code(&self, secret: &str) -> String {
        let now = UNIX_EPOCH + Duration::from_millis(u64::try_from(self.app.clock.now().millis()).unwrap());
        quire_server::totp::code(secret, now).unwrap()
    }

    /// Signs in with the password and returns the cookie of the next step.
    async fn first_step(&self) -> String {
        let body = json!({"email": self.email, "password": PASSWORD});
        let asked = self.app.anonymous().post("/v1/auth/password", body).await.expect(401);
        assert_eq!(asked.reason(), "second-factor-required");
        let cookie = asked.header("set-cookie").to_owned();
        assert!(
            cookie.starts_with("quire-step=") && cookie.contains("HttpOnly; SameSite=Strict"),
            "{cookie}"
        );
        cookie.split(';').next().unwrap().to_owned()
    }

    async fn second_step(&self, cookie: &str, code: &str) -> Answer {
        let request = TestRequest::post().uri("/v1/auth/code").insert_header(("Cookie", cookie));
        self.app.anonymous().send(request.set_json(json!({ "code": code }))).await
    }
}

#[actix_web::test]
async fn a_sign_in_asks_for_a_code_that_works_once() {
    let (person, secret, codes) = Person::with_app().await;
    let state = person.browser.get(TOTP).await.expect(200);
    assert_eq!((state.at("/enabled"), state.at("/recoveryCodesLeft")), (&json!(true), &json!(10)));
    assert!(codes.len() == 10 && codes[0].len() == 19, "{codes:?}");
    let cookie = person.first_step().await;
    let code = person.code(&secret);
    let signed_in = person.second_step(&cookie, &code).await.expect(200);
    assert_eq!(signed_in.at("/id"), &json!(person.browser.user()));
    assert!(signed_in.header("set-cookie").starts_with("quire=qs_"));
    assert_eq!(person.second_step(&cookie, &code).await.expect(401).reason(), "wrong-code");
    // A recovery code replaces a code of the app once, in any spelling.
    let code = codes[3].to_uppercase().replace('-', " ");
    let _ = person.second_step(&cookie, &code).await.expect(200);
    assert_eq!(person.second_step(&cookie, &codes[3]).await.expect(401).reason(), "wrong-code");
    let state = person.browser.get(TOTP).await.expect(200);
    assert_eq!(state.at("/recoveryCodesLeft"), &json!(9));
}

#[actix_web::test]
async fn tries_of_codes_are_counted_and_the_first_step_ends() {
    let (person, secret, _) = Person::with_app().await;
    let cookie = person.first_step().await;
    // The code that enabled the app counts as a try, too.
    for _ in 0..4 {
        let _ = person.second_step(&cookie, "111111").await.expect(401);
    }
    let many = person.second_step(&cookie, &person.code(&secret)).await.expect(429);
    assert!(!many.header("retry-after").is_empty());

    let (person, secret, _) = Person::with_app().await;
    let cookie = person.first_step().await;
    let mut forged = cookie.clone();
    forged.insert(14, 'A');
    let refused = person.second_step(&forged, &person.code(&secret)).await.expect(401);
    assert_eq!(refused.reason(), "unauthenticated");
    let _ = person.second_step("quire-step=", &person.code(&secret)).await.expect(401);
    person.app.clock.advance(Duration::from_secs(601));
    let late = person.second_step(&cookie, &person.code(&secret)).await.expect(401);
    assert_eq!(late.reason(), "unauthenticated");
}

#[actix_web::test]
async fn a_secret_counts_once_its_first_code_is_right() {
    let person = Person::new().await;
    let confirm = format!("{TOTP}/confirm");
    let _ = person.browser.post(&confirm, json!({"code": "000000"})).await.expect(409);
    let _ = person.browser.post_empty(TOTP).await.expect(200);
    let started = person.browser.post_empty(TOTP).await.expect(200);
    let secret = started.text("/secret");
    assert!(started.text("/url").contains(&format!("secret={secret}")));
    let wrong = person.browser.post(&confirm, json!({"code": "000000"})).await.expect(400);
    assert_eq!(wrong.fields(), ["code"]);
    assert_eq!(person.browser.get(TOTP).await.expect(200).at("/enabled"), &json!(false));
    let body = json!({"email": person.email, "password": PASSWORD});
    let _ = person.app.anonymous().post("/v1/auth/password", body).await.expect(200);
    let _ = person.browser.post(&confirm, json!({"code": person.code(&secret)})).await.expect(200);
    let _ = person.browser.post_empty(TOTP).await.expect(409);
    // API tokens cannot change second factors.
    let token = person.app.as_role(Role::Admin);
    for answer in [token.post_empty(TOTP).await, token.delete(TOTP).await] {
        assert_eq!(answer.expect(403).reason(), "forbidden");
    }
}

#[actix_web::test]
async fn a_change_of_the_second_factor_needs_a_recent_proof() {
    let (person, _, codes) = Person::with_app().await;
    person.app.clock.advance(Duration::from_secs(601));
    let refused = person.browser.delete(TOTP).await.expect(403);
    assert_eq!(refused.reason(), "confirmation-required");
    let confirm = "/v1/auth/confirm";
    for (body, field) in [
        (json!({}), "password"),
        (json!({"password": "wrong"}), "password"),
        (json!({"code": "000000"}), "code"),
    ] {
        let wrong = person.browser.post(confirm, body.clone()).await.expect(400);
        assert_eq!(wrong.fields(), [field], "{body}");
    }
    let _ = person.browser.post(confirm, json!({"password": PASSWORD})).await.expect(204);
    let _ = person.browser.delete(TOTP).await.expect(204);
    let _ = person.browser.delete(TOTP).await.expect(404);
    let used = person.browser.post(confirm, json!({"code": codes[0]})).await.expect(400);
    assert_eq!(used.fields(), ["code"]);
    let body = json!({"email": person.email, "password": PASSWORD});
    let _ = person.app.anonymous().post("/v1/auth/password", body).await.expect(200);
}
