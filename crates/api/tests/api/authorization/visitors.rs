//! Holders of site tokens: each opens what its site shows, through the routes that are for visitors.

use quire_api::route::{Access, Route};
use quire_domain::Role;
use quire_test_support::{Caller, TestApp};
use serde_json::json;

use super::call;
use crate::routes::{Fixture, fixture};

/// A site of the fixture, published, and its address.
async fn published(app: &TestApp, fixture: &Fixture) -> (Caller, String) {
    let admin = app.as_role(Role::Admin);
    let route = quire_api::routes().into_iter().find(|route| route.operation == "getSiteById").unwrap();
    let site = fixture.path(&route);
    admin.post_empty(&format!("{site}/publish")).await.expect(200);
    (admin, site)
}

/// A caller with a site token of a site.
async fn visitor(app: &TestApp, site: &str) -> Caller {
    let id = site.rsplit('/').next().unwrap();
    let url = format!("http://127.0.0.1:8080/sites/{}/{id}", app.organization);
    let found = app.anonymous().post("/v1/urls/published", json!({ "url": url })).await.expect(200);
    app.anonymous().with_token(&found.text("/apiToken"))
}

fn guarded() -> impl Iterator<Item = Route> {
    quire_api::routes().into_iter().filter(|route| route.access != Access::Public)
}

/// Returns the routes that do not answer as expected: those that are opened, and those that differ from a missing
/// resource.
async fn wrong(fixture: &Fixture, caller: &Caller, opens: impl Fn(&Route) -> bool) -> Vec<String> {
    let absent = caller.get("/v1/spaces/0190a5d2-7c1e-7000-8000-000000000001").await.expect(404);
    let mut wrong = Vec::new();
    for route in guarded() {
        let answer = call(fixture, &route, caller).await;
        let is_right = match opens(&route) {
            true => answer.status == 200,
            false => answer.status == 404 && answer.json["error"] == absent.json["error"],
        };
        if !is_right {
            wrong.push(format!("{}: {}", route.operation, answer.status));
        }
    }
    wrong
}

#[actix_web::test]
async fn site_tokens_open_the_routes_for_visitors_and_no_others() {
    let app = TestApp::start().await;
    let fixture = fixture(&app).await;
    let (_, site) = published(&app, &fixture).await;
    let visitor = visitor(&app, &site).await;
    // The content of the fixture shows no specification.
    let opens = |route: &Route| route.for_visitors && !route.path.contains("{specSlug}");
    assert_eq!(wrong(&fixture, &visitor, opens).await, [""; 0]);
    assert!(guarded().filter(opens).count() > 15);
}

#[actix_web::test]
async fn hidden_parts_of_a_site_are_absent_for_site_tokens() {
    let app = TestApp::start().await;
    let fixture = fixture(&app).await;
    let (admin, site) = published(&app, &fixture).await;
    let visitor = visitor(&app, &site).await;
    let of_site =
        |route: &Route| is_of_no_site(route) || (route.for_visitors && route.path.contains("{siteId}"));
    let sections = admin.get(&format!("{site}/sections")).await.expect(200);
    for section in sections.at("/items").as_array().unwrap() {
        let section = format!("{site}/sections/{}", section["id"].as_str().unwrap());
        admin.patch(&section, json!({"condition": "false"})).await.expect(200);
    }
    assert_eq!(wrong(&fixture, &visitor, of_site).await, [""; 0]);
    for visibility in ["share-link", "visitor-auth"] {
        admin.patch(&site, json!({ "visibility": visibility })).await.expect(200);
        assert_eq!(wrong(&fixture, &visitor, |_| false).await, [""; 0], "{visibility}");
    }
    admin.patch(&site, json!({"visibility": "public"})).await.expect(200);
    admin.post_empty(&format!("{site}/unpublish")).await.expect(200);
    assert_eq!(wrong(&fixture, &visitor, |_| false).await, [""; 0], "unpublished");
}

#[actix_web::test]
async fn site_tokens_of_other_sites_open_nothing() {
    let app = TestApp::start().await;
    let fixture = fixture(&app).await;
    let (admin, _) = published(&app, &fixture).await;
    let (space, owner) = app.space().await;
    let sites = format!("/v1/orgs/{}/sites", app.organization);
    let body = json!({"title": "Other", "spaces": [space]});
    let other = owner.post(&sites, body).await.expect(201).text("/id");
    let other = format!("{sites}/{other}");
    admin.post_empty(&format!("{other}/publish")).await.expect(200);
    let visitor = visitor(&app, &other).await;
    visitor.get(&format!("/v1/spaces/{space}/content")).await.expect(200);
    assert_eq!(wrong(&fixture, &visitor, is_of_no_site).await, [""; 0]);
}
