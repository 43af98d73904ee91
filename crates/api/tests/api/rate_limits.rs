//! Rate limits per user and per client address. The quotas are so small that nothing is replenished during a test.

use actix_web::test::TestRequest;
use quire_importer::fetch::FetchConfig;
use quire_server::{Proxies, Settings};
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::json;

/// Starts an application with these limits of requests per minute and user, and per minute and client address.
async fn app(rate_limit: u32, peer_rate_limit: u32) -> TestApp {
    let proxies = Proxies { trusted: vec!["10.0.0.1".parse().unwrap()], ..Proxies::default() };
    let settings = Settings { rate_limit, peer_rate_limit, proxies, ..Settings::default() };
    TestApp::start_with(settings, FetchConfig::default()).await
}

async fn get(caller: &Caller, address: &str, path: &str) -> Answer {
    let peer = format!("{address}:4000").parse().unwrap();
    caller.send(TestRequest::get().uri(path).peer_addr(peer)).await
}

fn made_up(caller: &Caller, letter: &str) -> Caller {
    caller.with_token(&format!("qr_{}", letter.repeat(43)))
}

#[actix_web::test]
async fn the_tokens_of_a_user_are_counted_together() {
    let app = app(2, 0).await;
    let (ada, grace) = (app.stranger(), app.stranger());
    let another = app.read_only(&ada);
    let _ = ada.get("/v1/user").await.expect(200);
    let _ = another.get("/v1/user").await.expect(200);
    for caller in [&ada, &another] {
        let refused = caller.get("/v1/user").await.expect(429);
        assert_eq!(refused.reason(), "rate-limited");
        let wait: u64 = refused.header("retry-after").parse().unwrap();
        assert!((1..=61).contains(&wait), "{wait}");
    }
    let _ = grace.get("/v1/user").await.expect(200);
}

#[actix_web::test]
async fn requests_without_a_valid_token_count_against_the_address() {
    let app = app(0, 3).await;
    let (anonymous, ada) = (app.anonymous(), app.stranger());
    let _ = get(&ada, "192.0.2.1", "/v1/user").await.expect(200);
    let _ = get(&anonymous, "192.0.2.1", "/v1/openapi.json").await.expect(200);
    let _ = get(&made_up(&ada, "A"), "192.0.2.1", "/v1/user").await.expect(401);
    let before = app.statements();
    let site = format!("/v1/orgs/{0}/sites/{0}/published?shareKey=guess", app.organization);
    for path in ["/v1/openapi.json", "/metrics", "/docs/", "/nowhere", &site] {
        let refused = get(&anonymous, "192.0.2.1", path).await.expect(429);
        assert_eq!(refused.reason(), "rate-limited", "{path}");
    }
    let _ = get(&made_up(&ada, "B"), "192.0.2.1", "/v1/user").await.expect(429);
    assert_eq!(app.statements(), before, "a refused request costs no statement");
    // Known tokens, other addresses and probes are not limited.
    let _ = get(&ada, "192.0.2.1", "/v1/user").await.expect(200);
    let _ = get(&anonymous, "192.0.2.2", "/v1/openapi.json").await.expect(200);
    for path in ["/healthz", "/readyz"] {
        let _ = get(&anonymous, "192.0.2.1", path).await.expect(200);
    }
}

#[actix_web::test]
async fn a_revoked_token_counts_against_the_address() {
    let app = app(0, 2).await;
    let (ada, other) = (app.stranger(), app.stranger());
    let token = ada.post("/v1/user/tokens", json!({"label": "ci"})).await.expect(201);
    let revoked = ada.with_token(&token.text("/token"));
    let _ = revoked.get("/v1/user").await.expect(200);
    let _ = ada.delete(&format!("/v1/user/tokens/{}", token.text("/id"))).await.expect(204);
    for _ in 0..2 {
        let _ = get(&revoked, "192.0.2.1", "/v1/user").await.expect(401);
    }
    let _ = get(&revoked, "192.0.2.1", "/v1/user").await.expect(429);
    let _ = get(&other, "192.0.2.1", "/v1/user").await.expect(429);
}

#[actix_web::test]
async fn clients_behind_a_trusted_proxy_are_counted_separately() {
    let app = app(0, 1).await;
    let anonymous = app.anonymous();
    let ask = async |from: &str, forged: &str| {
        let request = TestRequest::get().uri("/v1/openapi.json").peer_addr("10.0.0.1:80".parse().unwrap());
        anonymous.send(request.insert_header(("X-Forwarded-For", format!("{forged}, {from}")))).await
    };
    let _ = ask("192.0.2.1", "6.6.6.6").await.expect(200);
    let _ = ask("192.0.2.1", "7.7.7.7").await.expect(429);
    let _ = ask("192.0.2.2", "6.6.6.6").await.expect(200);
}
