//! Signing in with mailed links.

use quire_domain::Role;
use quire_test_support::{Answer, Caller, MailSink, TestApp};
use serde_json::json;

const LINK: &str = "/v1/auth/link";
const VERIFY: &str = "/v1/auth/link/verify";
const RESET: &str = "/v1/auth/reset";

/// Returns the secret of the next mailed link.
async fn mailed(app: &TestApp, sink: &MailSink) -> String {
    app.run_jobs().await;
    sink.next().line("http").rsplit('/').next().unwrap().to_owned()
}

/// Returns the caller with the session of a sign-in response.
fn browser(caller: &Caller, signed_in: &Answer) -> Caller {
    let cookie = signed_in.header("set-cookie");
    let secret = cookie.strip_prefix("quire=").and_then(|rest| rest.split(';').next()).unwrap();
    caller.with_token(secret)
}

async fn address(caller: &Caller) -> String {
    caller.get("/v1/user").await.expect(200).text("/email")
}

#[actix_web::test]
async fn a_mailed_link_signs_in_once() {
    let sink = MailSink::start();
    let app = TestApp::start_with_mail(&sink).await;
    let caller = app.as_role(Role::Read);
    let anonymous = app.anonymous();
    let known = anonymous.post(LINK, json!({"email": address(&caller).await})).await.expect(204);
    let unknown = anonymous.post(LINK, json!({"email": "eve@example.org"})).await.expect(204);
    assert_eq!(known.json, unknown.json);
    let secret = mailed(&app, &sink).await;
    assert!(sink.is_empty());
    let signed_in = anonymous.post(VERIFY, json!({"secret": secret})).await.expect(200);
    assert_eq!(signed_in.at("/id"), &json!(caller.user()));
    let sessions = browser(&caller, &signed_in).get("/v1/user/sessions").await.expect(200);
    assert_eq!(sessions.at("/items").as_array().unwrap().len(), 1);
    for secret in [secret.as_str(), "ql_unknown"] {
        let refused = anonymous.post(VERIFY, json!({"secret": secret})).await.expect(401);
        assert_eq!(refused.at("/error/reason"), "wrong-link");
    }
}

#[actix_web::test]
async fn a_reset_sets_a_password_and_ends_other_sessions() {
    let sink = MailSink::start();
    let app = TestApp::start_with_mail(&sink).await;
    let caller = app.as_role(Role::Read);
    let (anonymous, other) = (app.anonymous(), app.in_browser(&caller));
    let email = address(&caller).await;
    let asked = json!({"email": email, "purpose": "password-reset"});
    let _ = anonymous.post(LINK, asked).await.expect(204);
    let secret = mailed(&app, &sink).await;
    for weak in ["password123", "short"] {
        let refused = anonymous.post(RESET, json!({"secret": secret, "password": weak})).await.expect(400);
        assert_eq!(refused.at("/error/details/0/field"), "password");
    }
    let _ = other.get("/v1/user").await.expect(200);
    let new = json!({"secret": secret, "password": "marble tundra whistle"});
    let reset = anonymous.post(RESET, new.clone()).await.expect(200);
    let _ = browser(&caller, &reset).get("/v1/user").await.expect(200);
    let _ = other.get("/v1/user").await.expect(401);
    assert_eq!(anonymous.post(RESET, new).await.expect(401).at("/error/reason"), "wrong-link");
    let proof = json!({"email": email, "password": "marble tundra whistle"});
    let _ = anonymous.post("/v1/auth/password", proof).await.expect(200);
}

#[actix_web::test]
async fn requests_for_links_are_bounded_and_checked() {
    let app = TestApp::start_with_mail(&MailSink::start()).await;
    let anonymous = app.anonymous();
    let wrong = anonymous.post(LINK, json!({"email": "eve"})).await.expect(400);
    assert_eq!(wrong.at("/error/details/0/field"), "email");
    let asked = json!({"email": "eve@example.org", "purpose": "sign-up"});
    let _ = anonymous.post(LINK, asked).await.expect(400);
    for _ in 0..5 {
        let _ = anonymous.post(LINK, json!({"email": "eve@example.org"})).await.expect(204);
    }
    let _ = anonymous.post(LINK, json!({"email": "eve@example.org"})).await.expect(429);
}

#[actix_web::test]
async fn without_mail_there_are_no_links() {
    let app = TestApp::start().await;
    let _ = app.anonymous().post(LINK, json!({"email": "eve@example.org"})).await.expect(404);
}
