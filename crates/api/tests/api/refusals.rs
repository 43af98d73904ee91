//! Refusals before any lookup, and impossible preconditions.

use actix_web::http::Method;
use actix_web::http::header::{HeaderValue, IF_MATCH};
use actix_web::test::TestRequest;
use quire_domain::Role;
use quire_domain::ids::SpaceId;
use quire_storage::content::store::ContentSelector;
use quire_test_support::TestApp;
use serde_json::{Value, json};

#[actix_web::test]
async fn an_unknown_token_is_refused_before_other_errors_are_reported() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let unknown = admin.with_token(&format!("qr_{}", "A".repeat(43)));
    let of_space = format!("/v1/spaces/{space}");
    let gets = [
        "/v1/orgs?page=x".to_owned(),
        format!("{of_space}/pdf?only=true"),
        format!("/v1/orgs/{}/members?limit=x", app.organization),
        "/v1/spaces/x".to_owned(),
    ];
    for path in &gets {
        let known = admin.get(path).await;
        assert!([400, 404].contains(&known.status.as_u16()), "{path}: {}", known.status);
        unknown.get(path).await.expect(401);
    }
    let both = json!({"emoji": "🚀", "icon": "https://example.com/icon.png"});
    admin.patch(&of_space, both.clone()).await.expect(400);
    unknown.patch(&of_space, both).await.expect(401);
}

#[actix_web::test]
async fn what_callers_make_up_as_a_method_is_one_series() {
    let app = TestApp::start().await;
    for name in ["MADEUPA", "MADEUPB"] {
        let method = Method::from_bytes(name.as_bytes()).unwrap();
        let _ = app.anonymous().call(method, "/healthz").await;
    }
    let metrics = app.anonymous().get("/metrics").await.expect(200);
    let text = String::from_utf8(metrics.bytes.to_vec()).unwrap();
    assert!(text.contains(r#"method="other""#) && !text.contains("MADEUP"), "{text}");
}

#[actix_web::test]
async fn metrics_export_the_number_of_statements() {
    let app = TestApp::start().await;
    let sent = app.statements();
    let metrics = app.anonymous().get("/metrics").await.expect(200);
    let text = String::from_utf8(metrics.bytes.to_vec()).unwrap();
    assert!(text.contains(&format!("\nquire_sql_statements_total {sent}\n")), "{text}");
}

#[actix_web::test]
async fn metrics_export_the_bytes_of_caches() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let id: SpaceId = space.parse().unwrap();
    let (_, pages) = app.edit(&admin, id, ContentSelector::Space, |content| {
        content.pages(1, |_, _| "# Page\n\nText.".to_owned())
    });
    admin.get(&format!("/v1/spaces/{space}/content/page/{}", pages[0])).await.expect(200);
    let metrics = app.anonymous().get("/metrics").await.expect(200);
    let text = String::from_utf8(metrics.bytes.to_vec()).unwrap();
    let bytes = |cache: &str| -> Option<u64> {
        let series = format!("quire_cache_bytes{{cache=\"{cache}\"}} ");
        text.lines().find_map(|line| line.strip_prefix(&series)?.parse().ok())
    };
    assert!(["answers", "documents", "trees"].map(bytes).into_iter().all(|bytes| bytes > Some(0)), "{text}");
    let unused = ["links", "outlines", "computed_trees", "search_overlays", "search_scores"];
    assert_eq!(unused.map(bytes), [Some(0); 5], "{text}");
}

#[actix_web::test]
async fn a_condition_that_cannot_hold_holds_nowhere() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let member = app.as_role(Role::Read);
    let organization = format!("/v1/orgs/{}", app.organization);
    let team =
        admin.put(&format!("{organization}/teams"), json!({"title": "T"})).await.expect(201).text("/id");
    let site = admin.post(&format!("{organization}/sites"), json!({})).await.expect(201).text("/id");
    let granted = format!("/v1/spaces/{space}/permissions");
    app.grant(&member, &space, Role::Edit);
    let schema = json!({"jsonSchema": {"type": "object", "properties": {}, "additionalProperties": false}});
    let requests: [(Method, String, Value); 5] = [
        (Method::PATCH, format!("/v1/spaces/{space}"), json!({"title": "Other"})),
        (Method::PATCH, format!("{granted}/users/{}", member.user()), json!({"role": "read"})),
        (Method::PUT, format!("{organization}/teams/{team}/members"), json!({"add": [member.user()]})),
        (Method::PUT, format!("{organization}/teams/{team}/members/{}", member.user()), json!({})),
        (Method::PUT, format!("{organization}/sites/{site}/adaptive-schema"), schema),
    ];
    let tags = ["\"never\"", "\"für\""].map(|tag| HeaderValue::from_bytes(tag.as_bytes()).unwrap());
    for (method, path, body) in requests {
        let request = || TestRequest::with_uri(&path).method(method.clone()).set_json(&body);
        for tag in &tags {
            admin.send(request().insert_header((IF_MATCH, tag.clone()))).await.expect(412);
        }
        let passed = admin.send(request()).await;
        assert!(passed.status.is_success(), "{path}: {}", passed.json);
    }
}

#[actix_web::test]
async fn the_root_of_the_api_tells_the_version_with_and_without_a_slash() {
    let app = TestApp::start().await;
    for path in ["/v1", "/v1/"] {
        let answer = app.anonymous().get(path).await.expect(200);
        assert_eq!(answer.json, json!({"version": env!("CARGO_PKG_VERSION"), "build": "unknown"}), "{path}");
    }
    app.anonymous().get("/v1//").await.expect(404);
}
