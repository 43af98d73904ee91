//! Routing: the route that serves a path, and responses to unknown paths and methods.

use std::collections::BTreeSet;

use actix_web::http::Method;
use quire_importer::fetch::FetchConfig;
use quire_server::Settings;
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::json;

const ID: &str = "0190a5d2-7c1e-7000-8000-000000000001";
/// `spaces` with an unnecessary percent-encoding.
const SPACES: &str = "sp%61ces";
const PATHS: &str = "/v1/spaces/{spaceId}/content/path/{pagePath}";

/// Returns the metric series of requests, with their counts.
fn series(app: &TestApp) -> BTreeSet<String> {
    let text = String::from_utf8(app.state.metrics.render().unwrap()).unwrap();
    text.lines().filter(|line| line.starts_with("quire_http_requests_total")).map(str::to_owned).collect()
}

/// Sends a request without a body. Returns the response and the route in the metrics.
async fn ask(app: &TestApp, caller: &Caller, method: Method, path: &str) -> (Answer, String) {
    let before = series(app);
    let answer = caller.call(method, path).await;
    let counted = series(app).difference(&before).next().unwrap().clone();
    let route = counted.split_once("route=\"").unwrap().1.split_once('"').unwrap().0;
    (answer, route.to_owned())
}

/// Checks rows of method, path, status, `Allow` and route. Paths have `ID` in place of `:id`.
async fn check(app: &TestApp, rows: &[(Method, &str, u16, &str, &str)]) {
    for (method, path, status, allow, route) in rows {
        let path = path.replace(":id", ID);
        let (answer, found) = ask(app, &app.anonymous(), method.clone(), &path).await;
        let seen = (answer.status.as_u16(), answer.header("allow"), found.as_str());
        assert_eq!(seen, (*status, *allow, *route), "{method} {path}");
    }
}

#[actix_web::test]
async fn known_paths_have_a_route_and_their_methods() {
    let app = TestApp::start().await;
    let (space, posts) = ("/v1/spaces/{spaceId}", "GET, POST, HEAD");
    let comments = "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments";
    let methods = "GET, DELETE, PATCH, HEAD";
    check(
        &app,
        &[
            (Method::GET, "/", 303, "", "/"),
            (Method::POST, "/", 405, "GET, HEAD", "/"),
            (Method::GET, "/healthz", 200, "", "/healthz"),
            (Method::HEAD, "/healthz", 200, "", "/healthz"),
            (Method::POST, "/healthz", 405, "GET, HEAD", "/healthz"),
            (Method::GET, "/readyz", 200, "", "/readyz"),
            (Method::GET, "/metrics", 200, "", "/metrics"),
            (Method::GET, "/v1", 200, "", "/v1"),
            (Method::GET, "/v1/", 200, "", "/v1"),
            (Method::DELETE, "/v1/", 405, "GET, HEAD", "/v1"),
            (Method::GET, "/v1/openapi.json", 200, "", "/v1/openapi.json"),
            (Method::GET, "/v1/spaces/:id", 401, "", space),
            (Method::HEAD, "/v1/spaces/:id", 401, "", space),
            (Method::PUT, "/v1/spaces/:id", 405, methods, space),
            (Method::OPTIONS, "/v1/spaces/:id", 405, methods, space),
            (Method::TRACE, "/v1/spaces/:id", 405, methods, space),
            (Method::GET, "/v1/spaces/:id/change-requests/1/comments", 401, "", comments),
            (Method::PUT, "/v1/spaces/:id/change-requests/1/comments", 405, posts, comments),
            (Method::GET, "/v1/spaces/:id/search", 401, "", "/v1/spaces/{spaceId}/search"),
            (Method::GET, "/v1/user/invites", 401, "", "/v1/user/invites"),
            (Method::GET, "/v1/user/tokens", 401, "", "/v1/user/tokens"),
            (Method::GET, "/docs", 307, "", "/docs"),
            (Method::GET, "/docs/", 200, "", "/docs/{file}"),
            (Method::POST, "/docs/", 405, "GET, HEAD", "/docs/{file}"),
            (Method::GET, "/docs/swagger-ui.css", 200, "", "/docs/{file}"),
            (Method::GET, "/docs/a/b/", 404, "", "/docs/{file}"),
            (Method::POST, "/docs/nothing", 404, "", "/docs/{file}"),
        ],
    )
    .await;
}

#[actix_web::test]
async fn unknown_paths_have_no_route() {
    let app = TestApp::start().await;
    for path in [
        "//",
        "/v1//",
        "/v2",
        "/healthz/",
        "/HEALTHZ",
        "/docsx",
        "/v1/spaces",
        "/v1/spaces/",
        "/v1/spaces/:id/",
        "/v1/spaces//content",
        "//v1/spaces/:id",
        "/v1//spaces/:id",
        "/v1/spaces/:id/content/",
        "/v1/spaces/:id/content/path",
        "/v1/spaces/:id/nowhere",
        "/v1/spaces/:id/comments/:id/replies/:id/more",
        "/v1/spaces%2F:id",
        "/v1/{spaces}/:id",
        "/v1/user/",
    ] {
        for method in [Method::GET, Method::HEAD, Method::POST, Method::OPTIONS] {
            check(&app, &[(method, path, 404, "", "-")]).await;
        }
    }
}

#[actix_web::test]
async fn encoded_segments_are_decoded_before_the_lookup_except_for_slashes() {
    let app = TestApp::start().await;
    let space = "/v1/spaces/{spaceId}";
    for (path, route) in [
        (format!("/v1/{SPACES}/{ID}"), space),
        (format!("/v1/spaces/{}", ID.replacen('0', "%30", 1)), space),
        ("/v1/spaces/a%2Fb".to_owned(), space),
        ("/v1/spaces/a%252Fb%25".to_owned(), space),
        ("/v1/spaces/%00%ff%zz".to_owned(), space),
        ("/v1/spaces/a+b".to_owned(), space),
        ("/v1/spaces/%7BspaceId%7D".to_owned(), space),
        (format!("/v1/spaces/{ID}/content/path/"), PATHS),
        (format!("/v1/spaces/{ID}/content/path//"), PATHS),
        (format!("/v1/spaces/{ID}/content/path/a/b%2Fc/d/"), PATHS),
        (format!("/v1/spaces/{ID}/content/path/a%0Ab"), PATHS),
        (format!("/v1/spaces/{ID}?a=/b/c"), space),
    ] {
        check(&app, &[(Method::GET, &path, 401, "", route)]).await;
    }
}

#[actix_web::test]
async fn routes_are_below_the_path_of_the_base_url() {
    let settings = Settings {
        base_url: "https://example.com/a/quire/".to_owned(),
        rate_limit: 0,
        ..Settings::default()
    };
    let app = TestApp::start_with(settings, FetchConfig::default()).await;
    let space = "/a/quire/v1/spaces/{spaceId}";
    check(
        &app,
        &[
            (Method::GET, "/a/quire/healthz", 200, "", "/a/quire/healthz"),
            (Method::GET, "/a/quire/v1/", 200, "", "/a/quire/v1"),
            (Method::GET, "/a/quire/v1/spaces/:id", 401, "", space),
            (Method::PUT, "/a/quire/v1/spaces/:id", 405, "GET, DELETE, PATCH, HEAD", space),
            (Method::GET, "/a/quire/docs/", 200, "", "/a/quire/docs/{file}"),
            (Method::GET, "/a/quire", 404, "", "-"),
            (Method::GET, "/a/quire/", 303, "", "/a/quire/"),
            (Method::GET, "/a/quire//healthz", 404, "", "-"),
        ],
    )
    .await;
    // Requests outside the base path are not counted.
    for path in ["/healthz", "/a/healthz", "/a/quirehealthz", "/", "/v1"] {
        assert_eq!(app.anonymous().get(path).await.expect(404).reason(), "not-found", "{path}");
    }
}

#[actix_web::test]
async fn parameters_are_decoded_for_handlers() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let page = json!({"changes": [{"operation": "insert_page", "title": "A b", "document": {"markdown": "Hello."}}]});
    admin.post(&format!("/v1/spaces/{space}/content"), page).await.expect(200);
    for path in ["a-b", "a%2Db", "%61-b"] {
        let found = admin.get(&format!("/v1/spaces/{space}/content/path/{path}")).await.expect(200);
        assert_eq!(found.text("/title"), "A b", "{path}");
    }
    let encoded = space.replacen('-', "%2D", 1);
    assert_eq!(admin.get(&format!("/v1/spaces/{encoded}")).await.expect(200).text("/id"), space);
}

#[actix_web::test]
async fn encoded_paths_leave_entries_in_the_audit_log() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let entries = || app.count("audit_entries WHERE operation = 'updateSpaceById'");
    admin.patch(&format!("/v1/spaces/{space}"), json!({"title": "One"})).await.expect(200);
    assert_eq!(entries(), 1);
    admin.patch(&format!("/v1/{SPACES}/{space}"), json!({"title": "Two"})).await.expect(200);
    assert_eq!(entries(), 2);
}
