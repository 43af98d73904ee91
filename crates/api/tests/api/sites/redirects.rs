//! Redirects of sites.

use quire_domain::Role;
use serde_json::json;

use super::{Stage, each};

#[actix_web::test]
async fn redirects_lead_to_parts_of_the_site_and_elsewhere() {
    let (stage, space, page) = Stage::with_page("Welcome.").await;
    let redirects = format!("{}/redirects", stage.site);
    let spaces = stage.manager.get(&format!("{}/site-spaces", stage.site)).await.expect(200);
    let site_space = spaces.text("/items/0/id");
    let make = async |source: &str, destination| {
        let body = json!({"source": source, "destination": destination, "captureWildcard": true});
        stage.manager.post(&redirects, body).await
    };
    make("/space", json!({"kind": "site-space", "siteSpaceId": site_space})).await.expect(201);
    let made = make("/home", json!({"kind": "path", "spaceId": space, "path": "home"})).await.expect(201);
    let expected = json!({"kind": "site-page", "siteSpaceId": site_space, "pageId": page});
    assert_eq!(made.at("/destination"), &expected);
    make("/v1/*", json!({"kind": "external", "url": "https://old.example.com/v1"})).await.expect(201);
    make("/v1/new*", json!({"kind": "external", "url": "https://new.example.com"})).await.expect(201);
    assert_eq!(
        make("/home", json!({"kind": "site-space", "siteSpaceId": site_space})).await.expect(409).reason(),
        "name-taken"
    );
    let foreign = json!({"kind": "site-space", "siteSpaceId": "0190a5d2-7c1e-7000-8000-000000000001"});
    assert_eq!(make("/x", foreign).await.expect(400).fields(), ["destination.siteSpaceId"]);
    assert_eq!(
        make("x", json!({"kind": "external", "url": "https://a.example"})).await.expect(400).fields(),
        ["source"]
    );
    let script = json!({"kind": "external", "url": "javascript:alert(1)"});
    assert_eq!(make("/x", script).await.expect(400).fields(), ["destination.url"]);

    let visitor = stage.visitor(json!({})).await;
    let root = format!("http://127.0.0.1:8080{}", stage.root());
    let target = async |source: &str| {
        let found = visitor.get(&format!("{}/redirect?source={source}", stage.site)).await.expect(200);
        found.text("/target")
    };
    assert_eq!(target("/space").await, root);
    assert_eq!(target("/home").await, format!("{root}/home"));
    assert_eq!(target("/v1/a/b").await, "https://old.example.com/v1/a/b");
    assert_eq!(target("/v1/newer").await, "https://new.example.com/er");
    for caller in [&visitor, &stage.app.stranger()] {
        caller.get(&format!("{}/redirect?source=/nothing", stage.site)).await.expect(404);
    }
    let one = format!("{redirects}/{}", made.text("/id"));
    let changed = stage.manager.patch(&one, json!({"draft": true, "permanent": true})).await.expect(200);
    assert_eq!((changed.at("/draft"), changed.at("/permanent")), (&json!(true), &json!(true)));
    assert!(changed.json.get("updatedAt").is_some() && made.json.get("updatedAt").is_none());
    visitor.get(&format!("{}/redirect?source=/home", stage.site)).await.expect(404);
    let live = stage.manager.get(&redirects).await.expect(200);
    assert_eq!(each(&live, "/source"), ["/v1/new*", "/v1/*", "/space"]);
    let drafts = stage.manager.get(&format!("{redirects}?draft=true")).await.expect(200);
    assert_eq!(each(&drafts, "/source"), ["/home"]);
    stage.app.as_role(Role::Read).delete(&one).await.expect(403);
    stage.manager.delete(&one).await.expect(204);
    stage.manager.get(&one).await.expect(404);
}
