//! Holders of site tokens: routes for visitors give access to the content of their site.

use quire_api::route::{Access, Route};
use quire_domain::Role;
use quire_test_support::{Caller, TestApp};
use serde_json::json;

use super::call;
use crate::routes::{Fixture, fixture};

/// Publishes the site of the fixture and returns an administrator with the path of the site.
async fn published(app: &TestApp, fixture: &Fixture) -> (Caller, String) {
    let admin = app.as_role(Role::Admin);
    let route = quire_api::routes().into_iter().find(|route| route.operation == "getSiteById").unwrap();
    let site = fixture.path(&route);
    admin.post_empty(&format!("{site}/publish")).await.expect(200);
    (admin, site)
}

/// Returns a caller with a site token of a site.
async fn visitor(app: &TestApp, site: &str) -> Caller {
    let id = site.rsplit('/').next().unwrap();
    let url = format!("http://127.0.0.1:8080/sites/{}/{id}", app.organization);
    let found = app.anonymous().post("/v1/urls/published", json!({ "url": url })).await.expect(200);
    app.anonymous().with_token(&found.text("/apiToken"))
}

/// Returns whether a route is about a specification. The content of the fixture uses none.
fn is_of_spec(route: &Route) -> bool {
    route.path.contains("{specSlug}") || route.path.contains("/computed/")
}

/// Returns whether a route is about a change request, which only previews show.
fn is_of_preview(route: &Route) -> bool {
    route.path.contains("{changeRequestId}")
}

/// Returns whether a route admits visitors of the fixture's site.
fn is_for_visitors(route: &Route) -> bool {
    route.for_visitors && !is_of_spec(route) && !is_of_preview(route)
}

fn guarded() -> impl Iterator<Item = Route> {
    quire_api::routes().into_iter().filter(|route| route.access != Access::Public)
}

/// Returns the routes with an unexpected response. The response must be a success for admitted callers, otherwise equal
/// to the response for a missing resource.
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
    assert_eq!(wrong(&fixture, &visitor, is_for_visitors).await, [""; 0]);
    assert!(guarded().filter(is_for_visitors).count() > 15);
}

#[actix_web::test]
async fn a_preview_opens_its_change_request_as_well() {
    let app = TestApp::start().await;
    let fixture = fixture(&app).await;
    let (admin, site) = published(&app, &fixture).await;
    let route = quire_api::routes().into_iter().find(|route| route.operation == "getChangeRequestById");
    let id = fixture.parameter(&route.unwrap(), "changeRequestId");
    let opens = |route: &Route| route.for_visitors && !is_of_spec(route);
    for path in ["publish", "unpublish"] {
        admin.post_empty(&format!("{site}/{path}")).await.expect(200);
        let preview = admin.get(&format!("{site}/publishing/preview?changeRequest={id}")).await.expect(200);
        let body = json!({"url": preview.text("/url")});
        let found = app.anonymous().post("/v1/urls/published", body).await.expect(200);
        let holder = app.anonymous().with_token(&found.text("/apiToken"));
        assert_eq!(wrong(&fixture, &holder, opens).await, [""; 0], "{path}");
    }
}

/// Returns a path with one more parameter.
fn with_query(path: &str, parameter: &str) -> String {
    let separator = if path.contains('?') { '&' } else { '?' };
    format!("{path}{separator}{parameter}")
}

/// Returns whether a route is independent of the site, so that it admits visitors of any site.
fn is_of_no_site(route: &Route) -> bool {
    route.operation == "getEmbedByUrl"
}

/// Operations that a share link key or visitor token in the query permits without an API token.
const WITH_KEYS: [&str; 5] =
    ["getPublishedContentSite", "getSiteStructure", "getSpaceById", "listSiteSections", "listSiteSpaces"];

#[actix_web::test]
async fn share_keys_and_visitor_tokens_open_few_routes_without_a_token() {
    let app = TestApp::start().await;
    let fixture = fixture(&app).await;
    let (admin, site) = published(&app, &fixture).await;
    let key = admin.get(&format!("{site}/share-links")).await.expect(200).text("/items/0/key");
    let token = admin.post_empty(&format!("/v1/orgs/{}/ping", app.organization)).await.expect(200);
    let token = token.text("/serviceVisitorClaims");
    let anonymous = app.anonymous();
    for (visibility, query) in
        [("share-link", format!("shareKey={key}")), ("visitor-auth", format!("jwtToken={token}"))]
    {
        admin.patch(&site, json!({ "visibility": visibility })).await.expect(200);
        let mut opened = Vec::new();
        for route in guarded() {
            let path = with_query(&fixture.path(&route), &query);
            let answer = anonymous.send(fixture.request(&route, &path)).await;
            match answer.status.as_u16() {
                200 => opened.push(route.operation),
                status => assert!(status == 401 || status == 404, "{}: {status}", route.operation),
            }
        }
        opened.sort_unstable();
        let expected: Vec<&str> = match visibility {
            // A space has no single site whose visitor tokens it could accept.
            "visitor-auth" => {
                WITH_KEYS.into_iter().filter(|operation| *operation != "getSpaceById").collect()
            }
            _ => WITH_KEYS.to_vec(),
        };
        assert_eq!(opened, expected, "{visibility}");
        // The key of another site and a token that the organization did not sign have no effect.
        for wrong in ["shareKey=0123456789012345678901234567890123456789", "jwtToken=a.b.c"] {
            for route in guarded() {
                let path = with_query(&fixture.path(&route), wrong);
                let status = anonymous.send(fixture.request(&route, &path)).await.status.as_u16();
                assert!(status == 401 || status == 404, "{} with {wrong}: {status}", route.operation);
            }
        }
    }
}

#[actix_web::test]
async fn any_token_opens_what_visitors_of_an_open_site_read_and_no_more() {
    let app = TestApp::start().await;
    let fixture = fixture(&app).await;
    let (admin, site) = published(&app, &fixture).await;
    let stranger = app.stranger();
    let of_content = |route: &Route| route.path.contains("{spaceId}") || route.path.contains("{siteId}");
    let opens = is_for_visitors;
    let check = async |opens: &dyn Fn(&Route) -> bool, state: &str| {
        for route in guarded().filter(of_content) {
            let status = call(&fixture, &route, &stranger).await.status.as_u16();
            match opens(&route) {
                true => assert_eq!(status, 200, "{} of a site that is {state}", route.operation),
                false => assert_eq!(status, 404, "{} of a site that is {state}", route.operation),
            }
        }
    };
    for visibility in ["public", "unlisted"] {
        admin.patch(&site, json!({ "visibility": visibility })).await.expect(200);
        check(&opens, visibility).await;
    }
    admin.patch(&site, json!({"visibility": "share-link"})).await.expect(200);
    check(&|_| false, "share-link").await;
    // The structure is visible, but no content.
    admin.patch(&site, json!({"visibility": "visitor-auth"})).await.expect(200);
    let of_structure = ["getPublishedContentSite", "getSiteStructure", "listSiteSections", "listSiteSpaces"];
    let structure = |route: &Route| of_structure.contains(&route.operation);
    check(&structure, "visitor-auth").await;
    admin.patch(&site, json!({"visibility": "public"})).await.expect(200);
    admin.post_empty(&format!("{site}/unpublish")).await.expect(200);
    check(&|_| false, "not published").await;
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
