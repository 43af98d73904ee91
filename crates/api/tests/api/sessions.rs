//! Browser sessions: cookies, lists, and requests from pages of other sites.

use std::time::Duration;

use actix_web::http::Method;
use actix_web::test::TestRequest;
use quire_domain::Role;
use quire_domain::bounds::SESSIONS_MAX;
use quire_importer::fetch::FetchConfig;
use quire_server::Settings;
use quire_storage::lookup::Credentials;
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::json;

const SESSIONS: &str = "/v1/user/sessions";
const DAY: u64 = 86_400;

async fn with_base(base_url: &str) -> TestApp {
    let settings = Settings { base_url: base_url.to_owned(), rate_limit: 0, ..Settings::default() };
    TestApp::start_with(settings, FetchConfig::default()).await
}

/// Sends a request with only these headers.
async fn send(app: &TestApp, method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
    let request = TestRequest::with_uri(path).method(method);
    let request = headers.iter().fold(request, |request, header| request.append_header(*header));
    app.anonymous().send(request).await
}

fn cookie(caller: &Caller) -> String {
    format!("quire={}", caller.token())
}

#[actix_web::test]
async fn a_session_acts_as_its_user_until_it_is_signed_out() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let browser = app.in_browser(&admin);
    assert_eq!(browser.get("/v1/user").await.expect(200).at("/id"), &json!(admin.user()));
    let space = format!("/v1/spaces/{space}");
    let _ = browser.patch(&space, json!({"title": "Renamed"})).await.expect(200);
    assert_eq!(browser.get(&space).await.expect(200).text("/title"), "Renamed");
    let ended = browser.post_empty("/v1/auth/sign-out").await.expect(204);
    assert_eq!(ended.header("set-cookie"), "quire=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
    let _ = browser.get("/v1/user").await.expect(401);
    let _ = admin.get("/v1/user").await.expect(200);

    // Signing out does not revoke an API token.
    let answer = admin.post_empty("/v1/auth/sign-out").await.expect(204);
    assert_eq!(answer.header("set-cookie"), "");
    let _ = admin.get("/v1/user").await.expect(200);
}

#[actix_web::test]
async fn a_token_is_no_cookie_and_a_secret_of_a_session_is_no_token() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let browser = app.in_browser(&admin);
    let token = format!("quire={}", admin.token());
    let _ = send(&app, Method::GET, "/v1/user", &[("Cookie", &token)]).await.expect(401);
    let bearer = format!("Bearer {}", browser.token());
    let _ = send(&app, Method::GET, "/v1/user", &[("Authorization", &bearer)]).await.expect(401);
    // The header takes precedence over the cookie, even if its token is invalid.
    let own = cookie(&browser);
    let both = [("Cookie", own.as_str()), ("Authorization", bearer.as_str())];
    let _ = send(&app, Method::GET, "/v1/user", &both).await.expect(401);
    let both = [("Cookie", own.as_str()), ("Authorization", "Basic YTpi")];
    let _ = send(&app, Method::GET, "/v1/user", &both).await.expect(401);
    // Among cookies with the same name, the first well-formed one counts.
    let several = format!("a=b; quire=old; {own}");
    let _ = send(&app, Method::GET, "/v1/user", &[("Cookie", &several)]).await.expect(200);
    for other in
        [own.replace("quire=", "Quire="), own.replace("quire=", "__Host-quire="), own.replace("qs_", "qs")]
    {
        let _ = send(&app, Method::GET, "/v1/user", &[("Cookie", &other)]).await.expect(401);
    }
}

#[actix_web::test]
async fn a_cookie_changes_nothing_for_pages_of_other_origins() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let own = cookie(&app.in_browser(&admin));
    let comments = format!("/v1/spaces/{space}/comments");
    let own_origin = "http://127.0.0.1:8080";
    let post = async |headers: &[(&'static str, &str)]| {
        let request = TestRequest::post().uri(&comments).set_json(json!({"body": {"markdown": "Hello."}}));
        let request = headers.iter().fold(request, |request, header| request.append_header(*header));
        app.anonymous().send(request.append_header(("Cookie", own.as_str()))).await
    };
    for headers in [
        &[][..],
        &[("Sec-Fetch-Site", "cross-site")],
        &[("Sec-Fetch-Site", "same-site")],
        &[("Sec-Fetch-Site", "none")],
        &[("Origin", "https://evil.example")],
        &[("Origin", "http://127.0.0.1:8081")],
        &[("Origin", "null")],
    ] {
        let refused = post(headers).await.expect(403);
        assert_eq!(refused.reason(), "cross-site-request", "{headers:?}");
    }
    assert_eq!(admin.get(&comments).await.expect(200).at("/count"), &json!(0));
    let _ = post(&[("Sec-Fetch-Site", "same-origin")]).await.expect(201);
    let _ = post(&[("Origin", own_origin)]).await.expect(201);
    // A bearer token is accepted from any origin, because browsers do not add it by themselves.
    let bearer = format!("Bearer {}", admin.token());
    let _ = post(&[("Sec-Fetch-Site", "cross-site"), ("Authorization", &bearer)]).await.expect(201);
    // Reads need no origin, because other sites link here.
    let headers = [("Cookie", own.as_str()), ("Sec-Fetch-Site", "cross-site")];
    let _ = send(&app, Method::GET, &comments, &headers).await.expect(200);
    // A form in a page cannot send JSON.
    let form = [
        ("Cookie", own.as_str()),
        ("Origin", own_origin),
        ("Content-Type", "application/x-www-form-urlencoded"),
    ];
    let request = TestRequest::post().uri(&comments).set_payload("body=x");
    let request = form.iter().fold(request, |request, header| request.append_header(*header));
    let _ = app.anonymous().send(request).await.expect(415);
}

#[actix_web::test]
async fn every_changing_route_refuses_cookies_from_elsewhere() {
    let app = TestApp::start().await;
    let own = cookie(&app.in_browser(&app.as_role(Role::Admin)));
    for route in quire_api::routes().into_iter().filter(|route| !route.method.is_safe()) {
        let headers = [("Cookie", own.as_str()), ("Sec-Fetch-Site", "cross-site")];
        let refused = send(&app, route.method.clone(), route.path, &headers).await.expect(403);
        assert_eq!(refused.reason(), "cross-site-request", "{}", route.operation);
    }
}

#[actix_web::test]
async fn over_https_the_cookie_is_for_this_host_alone() {
    let app = with_base("https://docs.example.com/quire").await;
    let admin = app.as_role(Role::Admin);
    let secret = app.in_browser(&admin).token().to_owned();
    let own = format!("__Host-quire={secret}");
    let _ = send(&app, Method::GET, "/quire/v1/user", &[("Cookie", &own)]).await.expect(200);
    let plain = format!("quire={secret}");
    let _ = send(&app, Method::GET, "/quire/v1/user", &[("Cookie", &plain)]).await.expect(401);
    let headers = [("Cookie", own.as_str()), ("Origin", "https://docs.example.com")];
    let ended = send(&app, Method::POST, "/quire/v1/auth/sign-out", &headers).await.expect(204);
    let expected = "__Host-quire=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure";
    assert_eq!(ended.header("set-cookie"), expected);
}

#[actix_web::test]
async fn sessions_are_listed_and_ended_one_by_one() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let (here, there) = (app.in_browser(&admin), app.in_browser(&admin));
    let list = here.get(SESSIONS).await.expect(200);
    assert_eq!(list.at("/count"), &json!(2));
    assert_eq!([list.at("/items/0/current"), list.at("/items/1/current")], [&json!(false), &json!(true)]);
    assert_eq!(
        (list.text("/items/0/object"), list.text("/items/0/userAgent")),
        ("session".into(), "Firefox".into())
    );
    assert_eq!(list.at("/items/0").get("token"), None);
    // Sessions are not API tokens: they are neither listed, nor counted, nor revoked as such.
    assert_eq!(here.get("/v1/user/tokens").await.expect(200).at("/count"), &json!(1));
    let other = list.text("/items/0/id");
    let _ = here.delete(&format!("/v1/user/tokens/{other}")).await.expect(404);

    let path = format!("{SESSIONS}/{other}");
    let _ = app.as_role(Role::Admin).delete(&path).await.expect(404);
    let reader = app.read_only(&admin);
    let _ = reader.delete(&path).await.expect(403);
    let _ = here.delete(&path).await.expect(204);
    let _ = there.get("/v1/user").await.expect(401);
    let _ = here.delete(&path).await.expect(404);
    let token = admin.get("/v1/user/tokens").await.expect(200).text("/items/1/id");
    let _ = here.delete(&format!("{SESSIONS}/{token}")).await.expect(404);
}

#[actix_web::test]
async fn a_session_makes_tokens_that_outlive_it() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let browser = app.in_browser(&admin);
    let made = browser.post("/v1/user/tokens", json!({"label": "ci"})).await.expect(201);
    assert_eq!(made.json.get("expiresAt"), None);
    let _ = browser.delete(&format!("/v1/user/tokens/{}", made.text("/id"))).await.expect(204);
}

#[actix_web::test]
async fn use_extends_a_session_for_ninety_days_at_most() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let (used, idle) = (app.in_browser(&admin), app.in_browser(&admin));
    for _ in 0..6 {
        app.clock.advance(Duration::from_secs(13 * DAY));
        let _ = used.get("/v1/user").await.expect(200);
    }
    let _ = idle.get("/v1/user").await.expect(401);
    app.clock.advance(Duration::from_secs(12 * DAY - 60));
    let _ = used.get("/v1/user").await.expect(200);
    app.clock.advance(Duration::from_secs(120));
    let _ = used.get("/v1/user").await.expect(401);
    assert_eq!(app.count("api_tokens WHERE session_ends_at IS NOT NULL"), 2);
    assert_eq!(app.system.transact(|tx| tx.sweep_sessions()).unwrap(), 2);
    let _ = admin.get("/v1/user").await.expect(200);
}

#[actix_web::test]
async fn a_read_by_cookie_costs_as_many_statements_as_by_token() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let browser = app.in_browser(&admin);
    let path = format!("/v1/spaces/{space}");
    let mut counts = Vec::new();
    for caller in [&admin, &browser] {
        let _ = caller.get(&path).await.expect(200);
        let before = app.statements();
        let _ = caller.get(&path).await.expect(200);
        counts.push(app.statements() - before);
    }
    assert_eq!(counts[0], counts[1]);
}

#[actix_web::test]
async fn a_new_session_ends_the_oldest_beyond_the_maximum() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let first = app.in_browser(&admin);
    let second = app.in_browser(&admin);
    for _ in 2..=SESSIONS_MAX {
        let _ = app.in_browser(&admin);
    }
    let _ = first.get("/v1/user").await.expect(401);
    let _ = second.get("/v1/user").await.expect(200);
    let kept = i64::try_from(SESSIONS_MAX).unwrap();
    assert_eq!(app.count("api_tokens WHERE session_ends_at IS NOT NULL"), kept);
}

#[actix_web::test]
async fn an_ended_session_does_not_disturb_pages() {
    let app = TestApp::start().await;
    let ended = format!("quire={}{}", Credentials::SESSION_PREFIX, "0".repeat(43));
    let page = send(&app, Method::GET, "/sites/nowhere/page", &[("Cookie", &ended)]).await.expect(404);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    let _ = send(&app, Method::GET, "/v1/orgs/x", &[("Cookie", &ended)]).await.expect(401);
}
