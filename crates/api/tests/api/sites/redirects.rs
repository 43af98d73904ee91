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

#[actix_web::test]
async fn several_redirects_are_changed_at_once() {
    let (stage, space, _) = Stage::with_page("Welcome.").await;
    let redirects = format!("{}/redirects", stage.site);
    let external = |name: &str| json!({"kind": "external", "url": format!("https://{name}.example.com/")});
    let put = async |items: serde_json::Value| {
        stage.manager.put(&redirects, json!({ "redirects": items })).await.expect(200)
    };
    let made = put(json!([
        {"source": "/a", "destination": external("a"), "permanent": true},
        {"source": "/b", "intent": "draft", "destination": external("b"), "captureWildcard": true},
        {"source": "/c", "destination": {"kind": "path", "spaceId": space, "path": "home"}},
        {"source": "/d", "destination": {"kind": "path", "spaceId": space, "path": "nothing"}},
        {"source": "/e"},
        {"source": "/f", "destination": null},
        {"source": "/g", "intent": "publish"},
    ]))
    .await;
    let statuses = |results: &quire_test_support::Answer| -> Vec<String> {
        let results = results.at("/results").as_array().unwrap().iter();
        results.map(|result| result["status"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(statuses(&made), ["created", "created", "created", "error", "error", "error", "error"]);
    assert_eq!(made.at("/results/1/draft"), true);
    assert_eq!(made.text("/results/3/error"), "`destination.path` must be on the site");
    assert_eq!(made.json.pointer("/results/3/id"), None);
    assert_eq!(made.json.pointer("/results/0/error"), None);

    let before = stage.app.statements();
    let changed = put(json!([
        {"source": "/a", "permanent": false},
        {"source": "/b", "intent": "publish"},
        {"source": "/c", "destination": null},
        {"source": "/c", "destination": external("again")},
    ]))
    .await;
    let few = stage.app.statements() - before;
    assert_eq!(statuses(&changed), ["updated", "published", "deleted", "created"]);
    let live = stage.manager.get(&format!("{redirects}?orderBy=source")).await.expect(200);
    assert_eq!(each(&live, "/source"), ["/a", "/b", "/c"]);
    assert_eq!(live.at("/items/0/permanent"), false);
    assert_eq!(live.at("/items/0/destination"), &external("a"), "an absent destination stays");
    assert_eq!(live.at("/items/1/captureWildcard"), true);
    assert_eq!(live.at("/items/1/id"), made.at("/results/1/id"));
    assert_eq!(stage.manager.get(&format!("{redirects}?draft=true")).await.expect(200).at("/count"), 0);

    let many: Vec<_> =
        (0..500).map(|n| json!({"source": format!("/many/{n}"), "destination": external("m")})).collect();
    let before = stage.app.statements();
    let created = put(json!(many)).await;
    assert_eq!(created.at("/results/499/status"), "created");
    assert!(stage.app.statements() - before <= few, "the number of statements does not grow");
    for (items, field) in [
        (json!([]), "redirects"),
        (json!([{"source": "a", "destination": external("a")}]), "redirects[0].source"),
        (
            json!([{"source": "/a", "destination": {"kind": "external", "url": "x"}}]),
            "redirects[0].destination.url",
        ),
        (json!([{"source": "/a", "intent": "later"}]), "redirects[0].intent"),
    ] {
        let refused = stage.manager.put(&redirects, json!({ "redirects": items })).await.expect(400);
        assert_eq!(refused.fields(), [field]);
    }
    let body = json!({"redirects": [{"source": "/z", "destination": external("z")}]});
    stage.app.as_role(Role::Read).put(&redirects, body).await.expect(403);
}

#[actix_web::test]
async fn redirects_are_listed_in_several_orders() {
    let (stage, ..) = Stage::with_page("Welcome.").await;
    let redirects = format!("{}/redirects", stage.site);
    let destination = json!({"kind": "external", "url": "https://a.example.com/"});
    let mut first = String::new();
    for source in ["/b", "/c", "/a"] {
        let made =
            stage.manager.post(&redirects, json!({"source": source, "destination": destination})).await;
        let made = made.expect(201);
        if first.is_empty() {
            first = made.text("/id");
        }
        stage.app.clock.advance(std::time::Duration::from_secs(1));
    }
    stage.manager.patch(&format!("{redirects}/{first}"), json!({"permanent": true})).await.expect(200);
    for (order, sources) in
        [("createdAt", ["/a", "/c", "/b"]), ("updatedAt", ["/b", "/a", "/c"]), ("source", ["/a", "/b", "/c"])]
    {
        let list = stage.manager.get(&format!("{redirects}?orderBy={order}")).await.expect(200);
        assert_eq!(each(&list, "/source"), sources, "{order}");
        let mut seen = Vec::new();
        let mut next = String::new();
        loop {
            let page =
                stage.manager.get(&format!("{redirects}?orderBy={order}&limit=1{next}")).await.expect(200);
            seen.extend(each(&page, "/source"));
            match page.json.pointer("/next/page") {
                Some(cursor) => next = format!("&page={}", cursor.as_str().unwrap()),
                None => break,
            }
        }
        assert_eq!(seen, sources, "{order}");
    }
    assert_eq!(
        stage.manager.get(&format!("{redirects}?orderBy=size")).await.expect(400).fields(),
        ["orderBy"]
    );
}
