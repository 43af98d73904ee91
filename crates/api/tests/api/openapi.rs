//! The served OpenAPI document.

use quire_importer::fetch::FetchConfig;
use quire_server::Settings;
use quire_test_support::TestApp;
use serde_json::json;

#[actix_web::test]
async fn a_deployment_below_a_path_says_so() {
    let settings = Settings { base_url: "https://example.com/quire".to_owned(), ..Settings::default() };
    let app = TestApp::start_with(settings, FetchConfig::default()).await;
    let document = app.anonymous().get("/quire/v1/openapi.json").await.expect(200);
    assert_eq!(document.at("/servers"), &json!([{"url": "/quire"}]));
    assert_eq!(app.anonymous().get("/v1/openapi.json").await.expect(404).reason(), "not-found");
}
