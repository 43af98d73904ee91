//! CORS: origins whose pages may call the API in browsers.

use actix_web::http::Method;
use actix_web::test::TestRequest;
use quire_importer::fetch::FetchConfig;
use quire_server::Settings;
use quire_test_support::{Answer, TestApp};

const LISTED: &str = "https://app.example.com";

/// Sends a preflight request from a page of this origin.
async fn preflight(app: &TestApp, origin: &str) -> Answer {
    let request = TestRequest::default().method(Method::OPTIONS).uri("/v1/orgs");
    let request = request.insert_header(("Origin", origin));
    let request = request.insert_header(("Access-Control-Request-Method", "GET"));
    app.anonymous().send(request).await
}

async fn app_with(origins: &[&str]) -> TestApp {
    let cors_origins = origins.iter().map(|origin| (*origin).to_owned()).collect();
    TestApp::start_with(Settings { cors_origins, ..Settings::default() }, FetchConfig::default()).await
}

#[actix_web::test]
async fn only_listed_origins_are_let_in() {
    let app = app_with(&[LISTED]).await;
    let answer = preflight(&app, LISTED).await.expect(200);
    assert_eq!(answer.header("Access-Control-Allow-Origin"), LISTED);
    let answer = preflight(&app, "https://other.example.com").await.expect(400);
    assert_eq!(answer.header("Access-Control-Allow-Origin"), "");
}

#[actix_web::test]
async fn without_a_list_options_is_a_method_like_others() {
    let app = app_with(&[]).await;
    let answer = preflight(&app, LISTED).await.expect(405);
    assert_eq!(answer.reason(), "method-not-allowed");
    assert_eq!(answer.header("Access-Control-Allow-Origin"), "");
    assert!(!answer.header("Vary").contains("Origin"));
}
