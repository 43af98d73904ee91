//! Lookups by URL, and the site tokens that they return.

use actix_web::http::Method;
use quire_domain::Role;
use quire_domain::ids::SpaceId;
use quire_storage::content::store::ContentSelector;
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::{Value, json};

use super::Stage;
use super::visitors::{for_a_minute, signed, visitor_key};

pub(super) const LOOKUP: &str = "/v1/urls/published";
pub(super) const BASE: &str = "http://127.0.0.1:8080";

impl Stage {
    /// Creates a site with one published space that has a page. Returns the ids of the space and the page.
    pub(super) async fn with_page(markdown: &str) -> (Self, String, String) {
        let stage = Self::set().await;
        let space = stage.space("Guide").await;
        let path = format!("{}/site-spaces", stage.site);
        stage.manager.post(&path, json!({ "spaceId": space })).await.expect(201);
        let page = stage.write(&space, "Home", markdown);
        stage.publish().await;
        (stage, space, page)
    }

    /// Adds a page to a space and returns its id.
    pub(super) fn write(&self, space: &str, title: &str, markdown: &str) -> String {
        let id: SpaceId = space.parse().unwrap();
        let page = |content: &mut quire_test_support::ContentEditor| content.page(None, title, markdown);
        let (_, page) = self.app.edit(&self.manager, id, ContentSelector::Space, page);
        page.to_string()
    }

    fn organization(&self) -> String {
        self.app.organization.to_string()
    }

    /// Returns the path of the site at the deployment.
    pub(super) fn root(&self) -> String {
        "/sites/acme/docs".to_owned()
    }

    pub(super) async fn find(&self, path: &str, visitor: Value) -> Answer {
        let body = json!({"url": format!("{BASE}{path}"), "visitor": visitor});
        self.app.anonymous().post(LOOKUP, body).await
    }

    /// Returns a caller with the site token of a visitor.
    pub(super) async fn visitor(&self, visitor: Value) -> Caller {
        let found = self.find(&self.root(), visitor).await.expect(200);
        self.app.anonymous().with_token(&found.text("/apiToken"))
    }
}

#[actix_web::test]
async fn a_url_leads_to_section_space_and_page() {
    let stage = Stage::set().await;
    let guides = stage.section("Guides").await;
    let reference = stage.section("Reference").await;
    stage.publish().await;
    let root = stage.root();
    let found = stage.find(&format!("{root}/reference/a/b"), json!({})).await.expect(200);
    assert_eq!(found.text("/siteSection"), reference.text("/id"));
    assert!(found.text("/siteSection").starts_with('a'), "an id that is a selector");
    assert_eq!(found.text("/siteSpace"), reference.text("/siteSpaces/0/id"));
    assert_eq!(found.text("/space"), reference.text("/siteSpaces/0/space/id"));
    assert_eq!(found.text("/pathname"), "a/b");
    assert_eq!(found.text("/siteBasePath"), format!("{root}/"));
    assert_eq!(found.text("/basePath"), format!("{root}/reference/"));
    assert_eq!(found.text("/canonicalUrl"), format!("{BASE}{root}/reference/a/b"));
    assert_eq!(found.at("/complete"), &json!(true));
    assert_eq!(found.json.pointer("/shareKey"), None);
    assert_eq!(found.json.pointer("/contextId"), None);

    let home = stage.find(&root, json!({})).await.expect(200);
    assert_eq!(home.text("/siteSection"), guides.text("/id"));
    assert_eq!((home.text("/pathname"), home.at("/complete")), (String::new(), &json!(false)));
    let full = stage.find(&format!("{root}/guides/guides"), json!({})).await.expect(200);
    assert_eq!(full.text("/siteSpace"), home.text("/siteSpace"));
    assert_eq!(full.at("/complete"), &json!(true));
    assert_eq!(full.text("/canonicalUrl"), format!("{BASE}{root}"));

    let again = stage.find(&format!("{root}/reference/a/b"), json!({})).await.expect(200);
    assert_eq!(again.bytes, found.bytes);
    stage.app.clock.advance(std::time::Duration::from_secs(6 * 60 * 60));
    let later = stage.find(&format!("{root}/reference/a/b"), json!({})).await.expect(200);
    assert_ne!(later.text("/apiToken"), found.text("/apiToken"));
}

#[actix_web::test]
async fn sites_are_found_at_their_host_name_and_behind_a_proxy() {
    let stage = Stage::set().await;
    stage.resource("Guide").await;
    stage.publish().await;
    let find = async |url: &str| stage.app.anonymous().post(LOOKUP, json!({ "url": url })).await;
    stage.manager.patch(&stage.site, json!({"hostname": "docs.ferry.example"})).await.expect(200);
    let found = find("https://docs.ferry.example/x?y=1").await.expect(200);
    assert_eq!((found.text("/basePath"), found.text("/pathname")), ("/".to_owned(), "x".to_owned()));
    assert_eq!(found.text("/canonicalUrl"), "https://docs.ferry.example/x");
    // Any organization can claim a proxy address on the host of another site.
    let sites = format!("/v1/orgs/{}/sites", stage.organization());
    let rival = stage.manager.post(&sites, json!({"title": "Rival"})).await.expect(201).text("/id");
    let rival = format!("{sites}/{rival}");
    stage.manager.patch(&rival, json!({"proxy": "docs.ferry.example/x"})).await.expect(200);
    stage.manager.post(&format!("{rival}/publish"), json!({})).await.expect(200);
    let found_again = find("https://docs.ferry.example/x?y=1").await.expect(200);
    assert_eq!(found_again.text("/space"), found.text("/space"));
    let proxy = json!({"hostname": null, "proxy": "ferry.example/docs"});
    stage.manager.patch(&stage.site, proxy).await.expect(200);
    let found = find("https://ferry.example/docs/x").await.expect(200);
    assert_eq!((found.text("/basePath"), found.text("/pathname")), ("/docs/".to_owned(), "x".to_owned()));
    find("https://ferry.example/x").await.expect(404);
    find("https://docs.ferry.example/x").await.expect(404);

    let named = json!({"proxy": null, "basename": "manual"});
    stage.manager.patch(&stage.site, named).await.expect(200);
    let moved = stage.find(&format!("{}/x", stage.root()), json!({})).await.expect(200);
    let url = format!("{BASE}/sites/acme/manual/x");
    assert_eq!(moved.json, json!({"target": "content", "redirect": url}));
}

#[actix_web::test]
async fn visitors_without_a_token_are_sent_to_the_service_that_signs_them_in() {
    let stage = Stage::set().await;
    stage.resource("Guide").await;
    let admin = stage.app.as_role(Role::Admin);
    let auth = json!({"backend": "custom", "fallbackURL": "https://id.example/in?from=docs"});
    admin.patch(&format!("{}/publishing/auth", stage.site), auth).await.expect(200);
    let root = stage.root();
    stage.find(&root, json!({})).await.expect(404);
    stage.publish().await;
    let public = stage.find(&root, json!({})).await.expect(200);
    assert_eq!(public.json.get("target"), None, "the site asks for no token");
    stage.manager.patch(&stage.site, json!({"visibility": "visitor-auth"})).await.expect(200);
    let id = stage.site.rsplit('/').next().unwrap();
    for (path, location) in [("", "%2F"), ("/a/b%20c", "%2Fa%2Fb%2520c")] {
        let asked = stage.find(&format!("{root}{path}"), json!({})).await.expect(200);
        let redirect = format!("https://id.example/in?from=docs&location={location}");
        assert_eq!(asked.json, json!({"target": "external", "site": id, "redirect": redirect}));
    }
    stage.manager.patch(&stage.site, json!({"proxy": "ferry.example/docs"})).await.expect(200);
    let body = json!({"url": "https://ferry.example/docs/a"});
    let asked = stage.app.anonymous().post(LOOKUP, body).await.expect(200);
    assert_eq!(asked.text("/redirect"), "https://id.example/in?from=docs&location=%2Fa");
    stage.manager.patch(&stage.site, json!({"proxy": null})).await.expect(200);
    let token = signed(&visitor_key(&stage.app), &for_a_minute(&stage.app, json!({})));
    let found = stage.find(&root, json!({ "jwtToken": token })).await.expect(200);
    assert_eq!(found.text("/site"), id);
    stage.find(&root, json!({"jwtToken": "a.b.c"})).await.expect(404);
    let body = |redirect: bool| {
        let visitor = json!({"jwtToken": "a.b.c"});
        json!({"url": format!("{BASE}{root}"), "redirectOnError": redirect, "visitor": visitor})
    };
    stage.app.anonymous().post(LOOKUP, body(false)).await.expect(404);
    let bad = stage.app.anonymous().post(LOOKUP, body(true)).await.expect(200);
    assert_eq!(bad.text("/target"), "external");
    stage.manager.post_empty(&format!("{}/unpublish", stage.site)).await.expect(200);
    stage.find(&root, json!({})).await.expect(404);
}

#[actix_web::test]
async fn only_the_audience_of_a_published_site_finds_it() {
    let stage = Stage::set().await;
    stage.resource("Guide").await;
    let root = stage.root();
    let absent = format!("/sites/{}/0190a5d2-7c1e-7000-8000-000000000001", stage.organization());
    let absent = stage.find(&absent, json!({})).await.expect(404);
    let same = async |path: &str, visitor: Value| {
        let answer = stage.find(path, visitor).await.expect(404);
        assert_eq!(answer.json["error"], absent.json["error"], "{path}");
    };
    same(&root, json!({})).await;
    stage.publish().await;
    stage.find(&root, json!({})).await.expect(200);
    stage.manager.patch(&stage.site, json!({"visibility": "visitor-auth"})).await.expect(200);
    same(&root, json!({})).await;
    same(&root, json!({"jwtToken": "nonsense"})).await;
    let token = signed(&visitor_key(&stage.app), &for_a_minute(&stage.app, json!({"sub": "eve"})));
    let found = stage.find(&root, json!({"jwtToken": token})).await.expect(200);
    let eve = stage.app.anonymous().with_token(&found.text("/apiToken"));
    eve.get(&format!("{}/published", stage.site)).await.expect(200);
    stage.manager.patch(&stage.site, json!({"visibility": "share-link"})).await.expect(200);
    eve.get(&format!("{}/published", stage.site)).await.expect(404);
    same(&root, json!({"jwtToken": token})).await;
    same(&format!("{root}/{}", "x".repeat(40)), json!({})).await;
    let links = format!("{}/share-links", stage.site);
    let link = stage.manager.post(&links, json!({})).await.expect(201);
    let key = link.text("/key");
    let found = stage.find(&format!("{root}/{key}/x"), json!({})).await.expect(200);
    assert_eq!((found.text("/shareKey"), found.text("/pathname")), (key.clone(), "x".to_owned()));
    assert_eq!(found.text("/siteBasePath"), format!("{root}/{key}/"));
    assert_eq!(found.text("/canonicalUrl"), format!("{BASE}{root}/{key}/x"));
    assert!(!found.text("/apiToken").contains(&key));
    let shared = stage.app.anonymous().with_token(&found.text("/apiToken"));
    shared.get(&format!("{}/structure", stage.site)).await.expect(200);
    let inactive = json!({"active": false});
    stage.manager.patch(&format!("{links}/{}", link.text("/id")), inactive).await.expect(200);
    shared.get(&format!("{}/structure", stage.site)).await.expect(404);
}

#[actix_web::test]
async fn a_lookup_names_the_fields_that_are_wrong() {
    let stage = Stage::set().await;
    let post = async |body: Value| stage.app.anonymous().post(LOOKUP, body).await.expect(400).fields();
    assert_eq!(post(json!({})).await, ["url"]);
    assert_eq!(post(json!({"url": "nonsense"})).await, ["url"]);
    let long =
        json!({"url": "https://docs.example.com", "visitor": {"unsignedClaims": {"a": "x".repeat(4096)}}});
    assert_eq!(post(long).await, ["visitor.unsignedClaims"]);
    let kind = json!({"url": "https://docs.example.com", "visitor": {"type": "robot"}});
    assert_eq!(post(kind).await, ["visitor.type"]);
    let unknown = json!({"url": "https://docs.example.com", "cacheBust": 1});
    stage.app.anonymous().post(LOOKUP, unknown).await.expect(404);
}

/// Returns paths of the content of a space that a site gives access to.
fn content_paths(space: &str, revision: &str, page: &str) -> Vec<String> {
    let space = format!("/v1/spaces/{space}");
    let mut paths = vec![space.clone()];
    for content in [format!("{space}/content"), format!("{space}/revisions/{revision}")] {
        paths.extend(["", "/pages", "/files"].map(|rest| format!("{content}{rest}")));
        paths.push(format!("{content}/page/{page}"));
        paths.push(format!("{content}/path/home"));
    }
    paths.push(format!("{space}/revisions/{revision}/page/{page}/document"));
    paths
}

#[actix_web::test]
async fn a_site_token_opens_the_content_of_its_site_and_nothing_else() {
    let (stage, space, page) = Stage::with_page("Welcome.").await;
    let hidden = stage.space("Hidden").await;
    let hidden_page = stage.write(&hidden, "Home", "Secret.");
    let visitor = stage.visitor(json!({})).await;
    let head = async |space: &str| {
        stage.manager.get(&format!("/v1/spaces/{space}")).await.expect(200).text("/revision")
    };
    let seen = visitor.get(&format!("/v1/spaces/{space}")).await.expect(200);
    assert_eq!(seen.text("/urls/published"), format!("{BASE}{}", stage.root()));
    assert_eq!(seen.at("/permissions/edit"), &json!(false));
    let revision = head(&space).await;
    for path in content_paths(&space, &revision, &page) {
        visitor.get(&path).await.expect(200);
        stage.app.anonymous().get(&path).await.expect(401);
    }
    let absent = "/v1/spaces/0190a5d2-7c1e-7000-8000-000000000001";
    let absent = visitor.get(absent).await.expect(404);
    let change_request = stage.app.create_change_request(&stage.manager, space.parse().unwrap());
    let closed = [
        format!("/v1/spaces/{space}/change-requests"),
        format!("/v1/spaces/{space}/change-requests/{change_request}/content"),
        format!("/v1/spaces/{space}/comments"),
        format!("{}/share-links", stage.site),
        format!("{}/customization", stage.site),
        "/v1/user".to_owned(),
        "/v1/orgs".to_owned(),
    ];
    let of_hidden = content_paths(&hidden, &head(&hidden).await, &hidden_page);
    stage.write(&space, "Next", "More.");
    let past = content_paths(&space, &revision, &page).split_off(6);
    for path in closed.iter().chain(&of_hidden).chain(&past) {
        let answer = visitor.get(path).await.expect(404);
        assert_eq!(answer.json["error"], absent.json["error"], "{path}");
    }
    let edit = visitor.call(Method::DELETE, &format!("/v1/spaces/{space}")).await.expect(404);
    assert_eq!(edit.json["error"], absent.json["error"]);
    stage.manager.post_empty(&format!("{}/unpublish", stage.site)).await.expect(200);
    for path in content_paths(&space, &head(&space).await, &page) {
        visitor.get(&path).await.expect(404);
    }
    stage.app.clock.advance(std::time::Duration::from_secs(7 * 60 * 60));
    visitor.get(&format!("/v1/spaces/{space}")).await.expect(401);
}

#[actix_web::test]
async fn conditions_are_evaluated_with_the_claims_of_the_token() {
    let markdown = "{% if visitor.claims.unsigned.beta %}\nBeta text.\n{% endif %}\n\nFor all.";
    let (stage, space, page) = Stage::with_page(markdown).await;
    let adaptive = json!({"adaptiveContent": {"enabled": true}});
    stage.manager.patch(&stage.site, adaptive).await.expect(200);
    let beta = stage.visitor(json!({"unsignedClaims": {"beta": true}})).await;
    let plain = stage.visitor(json!({})).await;
    let content = format!("/v1/spaces/{space}/content/page/{page}");
    for query in ["", "?format=markdown", "?evaluated=true"] {
        let text = async |caller: &Caller| {
            let answer = caller.get(&format!("{content}{query}")).await.expect(200);
            (String::from_utf8_lossy(&answer.bytes).into_owned(), answer.header("etag").to_owned())
        };
        let ((seen, tag), (hidden, other)) = (text(&beta).await, text(&plain).await);
        assert!(seen.contains("Beta text") && seen.contains("For all"), "{query}: {seen}");
        assert!(!hidden.contains("Beta text") && hidden.contains("For all"), "{query}: {hidden}");
        assert_ne!(tag, other, "{query}");
        // Responses are cached by claims.
        assert_eq!(text(&beta).await, (seen, tag), "{query}");
        assert_eq!(text(&plain).await, (hidden, other), "{query}");
    }
    let found = stage.find(&stage.root(), json!({"unsignedClaims": {"beta": true}})).await.expect(200);
    assert!(!found.text("/contextId").is_empty());

    let variant = stage.space("Variant").await;
    let path = format!("{}/site-spaces", stage.site);
    let placed = stage.manager.post(&path, json!({ "spaceId": variant })).await.expect(201).text("/id");
    let condition = json!({"condition": "visitor.claims.unsigned.beta == true"});
    stage.manager.patch(&format!("{path}/{placed}"), condition).await.expect(200);
    let variant = format!("/v1/spaces/{variant}");
    beta.get(&variant).await.expect(200);
    beta.get(&format!("{variant}/content")).await.expect(200);
    plain.get(&variant).await.expect(404);
    plain.get(&format!("{variant}/content")).await.expect(404);
    stage.app.stranger().get(&format!("{variant}/content")).await.expect(404);
    let structure = format!("{}/structure", stage.site);
    let count = async |caller: &Caller| {
        caller.get(&structure).await.expect(200).at("/structure").as_array().unwrap().len()
    };
    assert_eq!((count(&beta).await, count(&plain).await), (2, 1));
    let off = json!({"adaptiveContent": {"enabled": false}});
    stage.manager.patch(&stage.site, off).await.expect(200);
    beta.get(&variant).await.expect(404);
    let text = beta.get(&content).await.expect(200);
    assert!(!String::from_utf8_lossy(&text.bytes).contains("Beta text"));
}

#[actix_web::test]
async fn a_site_token_opens_one_site() {
    let (stage, space, _) = Stage::with_page("Welcome.").await;
    let site = stage.manager.post(&stage.sites, json!({"title": "Other"})).await.expect(201).text("/id");
    let other = format!("{}/{site}", stage.sites);
    let elsewhere = stage.space("Elsewhere").await;
    stage.manager.post(&format!("{other}/site-spaces"), json!({"spaceId": elsewhere})).await.expect(201);
    stage.manager.post_empty(&format!("{other}/publish")).await.expect(200);
    let visitor = stage.visitor(json!({})).await;
    visitor.get(&format!("{}/published", stage.site)).await.expect(200);
    visitor.get(&format!("{other}/published")).await.expect(404);
    visitor.get(&format!("/v1/spaces/{elsewhere}")).await.expect(404);
    visitor.get(&format!("/v1/spaces/{space}")).await.expect(200);
    let forged = stage.app.anonymous().with_token("a.b.c");
    forged.get(&format!("/v1/spaces/{space}")).await.expect(401);
    forged.get("/v1/orgs").await.expect(401);
}

#[actix_web::test]
async fn any_token_reads_the_content_of_open_sites() {
    let (stage, space, page) = Stage::with_page("{% if true %}\nYes.\n{% endif %}").await;
    let app = &stage.app;
    let elsewhere = app.create_organization("Elsewhere");
    let outsiders = [
        app.stranger(),
        app.member_of(elsewhere, Some(Role::Admin)),
        app.member_of(app.organization, None),
        app.read_only(&app.stranger()),
    ];
    let revision = outsiders[0].get(&format!("/v1/spaces/{space}")).await.expect(200).text("/revision");
    for (visibility, status) in
        [("public", 200), ("unlisted", 200), ("share-link", 404), ("visitor-auth", 404), ("public", 200)]
    {
        stage.manager.patch(&stage.site, json!({ "visibility": visibility })).await.expect(200);
        for outsider in &outsiders {
            for path in content_paths(&space, &revision, &page) {
                outsider.get(&path).await.expect(status);
            }
        }
    }
    let closed = ["comments", "change-requests", "events"];
    for outsider in &outsiders {
        for path in closed {
            outsider.get(&format!("/v1/spaces/{space}/{path}")).await.expect(404);
        }
        outsider.patch(&format!("/v1/spaces/{space}"), json!({"title": "Mine"})).await.expect(404);
    }
    stage.write(&space, "Next", "More.");
    outsiders[0].get(&format!("/v1/spaces/{space}/revisions/{revision}")).await.expect(404);
    stage.manager.get(&format!("/v1/spaces/{space}/revisions/{revision}")).await.expect(200);
    stage.manager.post_empty(&format!("{}/unpublish", stage.site)).await.expect(200);
    outsiders[0].get(&format!("/v1/spaces/{space}")).await.expect(404);
}

#[actix_web::test]
async fn a_site_token_reads_the_specifications_that_its_site_shows() {
    let (stage, space, _) = Stage::with_page("Welcome.").await;
    let app: &TestApp = &stage.app;
    let admin = app.as_role(Role::Admin);
    let specs = format!("/v1/orgs/{}/openapi", app.organization);
    let text = r#"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {}}"#;
    for slug in ["pets", "secret"] {
        admin.post(&specs, json!({"slug": slug, "source": {"text": text}})).await.expect(201);
    }
    app.run_jobs().await;
    let visitor = stage.visitor(json!({})).await;
    let pets = format!("{specs}/pets/versions/latest");
    let of_pets =
        [format!("{pets}/content"), pets.clone(), format!("{specs}/pets"), format!("{specs}/pets/versions")];
    for path in &of_pets {
        visitor.get(path).await.expect(404);
    }
    let computed = async |caller: &Caller, slug: &str| {
        let spec = json!({"kind": "openapi", "spec": slug});
        let source = |props: Value| {
            let dependencies = json!({"spec": {"ref": spec}});
            json!({"type": "builtin:openapi", "dependencies": dependencies, "props": props})
        };
        let mut statuses = Vec::new();
        for (kind, props) in
            [("document", json!({"doc": "info", "page": "info"})), ("revision", json!({"models": true}))]
        {
            let path = format!("/v1/spaces/{space}/content/computed/{kind}");
            let answer = caller.post(&path, json!({"seed": "s", "source": source(props)})).await;
            statuses.push(answer.status.as_u16());
        }
        statuses
    };
    let stranger = app.stranger();
    for caller in [&visitor, &stranger] {
        assert_eq!(computed(caller, "pets").await, [404, 404]);
    }
    assert_eq!(computed(&admin, "pets").await, [200, 200]);
    let shown =
        "{% openapi-schemas spec=\"pets\" schemas=\"Pet\" %}\n[OpenAPI pets](pets)\n{% endopenapi-schemas %}";
    stage.write(&space, "Models", shown);
    for path in &of_pets {
        visitor.get(path).await.expect(200);
    }
    for caller in [&visitor, &stranger] {
        assert_eq!(computed(caller, "pets").await, [200, 200]);
    }
    let secret = shown.replace("pets", "secret");
    stage.write(&space, "Conditional", &format!("{{% if false %}}\n{secret}\n{{% endif %}}"));
    visitor.get(&format!("{specs}/secret/versions/latest/content")).await.expect(404);
    visitor.get(&format!("{specs}/secret")).await.expect(404);
    assert_eq!(computed(&visitor, "secret").await, [404, 404]);
    visitor.get(&specs).await.expect(404);
    stage.write(&space, "Shown", &format!("{{% if true %}}\n{secret}\n{{% endif %}}"));
    visitor.get(&format!("{specs}/secret/versions/latest/content")).await.expect(200);
    assert_eq!(computed(&visitor, "secret").await, [200, 200]);
    let source = json!({"source": {"url": "https://ferry.example/api.json?key=1"}});
    admin.put(&format!("{specs}/pets"), source).await.expect(200);
    let whole = admin.get(&format!("{specs}/pets")).await.expect(200);
    assert_eq!(whole.text("/sourceURL"), "https://ferry.example/api.json?key=1");
    let seen = visitor.get(&format!("{specs}/pets")).await.expect(200);
    assert_eq!(seen.json.get("sourceURL"), None);
    assert_eq!(seen.at("/permissions/edit"), &json!(false));
}

#[actix_web::test]
async fn a_site_token_reads_the_documents_that_its_site_shows() {
    let markdown = "{% if false %}\nLobster.\n{% endif %}\n\nHarbor.";
    let (stage, space, page) = Stage::with_page(markdown).await;
    let (visitor, stranger) = (stage.visitor(json!({})).await, stage.app.stranger());
    let shown = visitor.get(&format!("/v1/spaces/{space}/content/page/{page}")).await.expect(200);
    let document = format!("/v1/spaces/{space}/documents/{}", shown.text("/documentId"));
    let text = async |caller: &Caller| {
        let answer = caller.get(&document).await.expect(200);
        String::from_utf8(answer.bytes.to_vec()).unwrap()
    };
    assert!(text(&stage.manager).await.contains("Lobster."));
    for caller in [&visitor, &stranger] {
        let text = text(caller).await;
        assert!(text.contains("Harbor.") && !text.contains("Lobster."), "{text}");
    }
    stage.app.anonymous().get(&document).await.expect(401);
    let id: SpaceId = space.parse().unwrap();
    let page = page.parse().unwrap();
    let remove = |content: &mut quire_test_support::ContentEditor| content.remove(page);
    stage.app.edit(&stage.manager, id, ContentSelector::Space, remove);
    stage.manager.get(&document).await.expect(200);
    for caller in [&visitor, &stranger] {
        caller.get(&document).await.expect(404);
    }
}

/// Returns the targets and statuses of a list of links, read with `limit=1`, and its counts.
async fn links_of(caller: &Caller, path: &str) -> (Vec<String>, Value) {
    let (mut links, mut next) = (Vec::new(), String::new());
    loop {
        let answer = caller.get(&format!("{path}?limit=1{next}")).await.expect(200);
        for link in answer.at("/items").as_array().unwrap() {
            let target = &link["targetReference"];
            let names = ["/url", "/page/title", "/space/title", "/openAPISpec/slug", "/user/id"];
            let name = names.iter().find_map(|name| target.pointer(name)?.as_str()).unwrap_or("none");
            links.push(format!("{name} {}", link["status"].as_str().unwrap()));
        }
        match answer.json.pointer("/next/page") {
            Some(page) => next = format!("&page={}", page.as_str().unwrap()),
            None => {
                assert_eq!(answer.at("/count"), links.len(), "{path}");
                return (links, answer.at("/stats").clone());
            }
        }
    }
}

#[actix_web::test]
async fn links_are_those_of_the_parts_that_a_visitor_sees() {
    let (stage, space, home) = Stage::with_page("Welcome.").await;
    let (shown, hidden) = (stage.space("Shown").await, stage.space("Hidden").await);
    let path = format!("{}/site-spaces", stage.site);
    stage.manager.post(&path, json!({ "spaceId": shown })).await.expect(201);
    let markdown = format!(
        "[home](/pages/{home})\n\n{{% if visitor.claims.unsigned.beta === true %}}\n\
         [beta](https://beta.example)\n\n{{% if false %}}\n[never](https://never.example)\n{{% endif %}}\n\
         {{% endif %}}\n\n[open](https://open.example)"
    );
    let page = stage.write(&space, "Links", &markdown);
    let user = stage.manager.user();
    stage.app.edit(&stage.manager, space.parse().unwrap(), ContentSelector::Space, |content| {
        for (title, target) in [
            ("Shown", json!({"kind": "space", "space": shown})),
            ("Hidden", json!({"kind": "space", "space": hidden})),
            ("Ada", json!({"kind": "user", "user": user.to_string()})),
        ] {
            content.link(None, title, target);
        }
    });
    let (of_space, of_page) =
        (format!("/v1/spaces/{space}/links"), format!("/v1/spaces/{space}/content/page/{page}/links"));
    let stats = |total: u64, broken: u64| json!({"total": total, "broken": {"total": broken}});
    let (links, all) = links_of(&stage.manager, &of_space).await;
    assert_eq!((links.len(), all), (7, stats(7, 0)));
    let (visitor, stranger) = (stage.visitor(json!({})).await, stage.app.stranger());
    for caller in [&visitor, &stranger] {
        let (mut links, counts) = links_of(caller, &of_space).await;
        links.sort();
        let expected = ["Home ok", "Shown ok", "https://open.example ok", "none broken", "none broken"];
        assert_eq!((links, counts), (expected.map(str::to_owned).to_vec(), stats(5, 2)));
        let (links, counts) = links_of(caller, &of_page).await;
        assert_eq!(links, ["Home ok", "https://open.example ok"]);
        assert_eq!(counts, stats(2, 0));
        let broken = caller.get(&format!("{of_space}?status=broken")).await.expect(200);
        assert_eq!(broken.at("/count"), 2);
        let ok = caller.get(&format!("{of_page}?status=ok")).await.expect(200);
        assert_eq!(ok.at("/count"), 2);
    }
    let answer = visitor.get(&of_page).await.expect(200);
    let location = answer.at("/items/0/locationReferences/0");
    assert_eq!(location["organization"]["title"], "Acme");
    assert_eq!(location["organization"]["emailDomains"], json!([]));
    assert_eq!(location["organization"]["permissions"]["view"], json!(false));
    assert_eq!(location["space"]["changeRequests"], 0);
    stage.manager.patch(&stage.site, json!({"adaptiveContent": {"enabled": true}})).await.expect(200);
    let beta = stage.visitor(json!({"unsignedClaims": {"beta": true}})).await;
    let (links, counts) = links_of(&beta, &of_page).await;
    assert_eq!(links, ["Home ok", "https://beta.example ok", "https://open.example ok"]);
    assert_eq!(counts, stats(3, 0));
    stage.app.anonymous().get(&of_space).await.expect(401);
    stage.manager.post_empty(&format!("{}/unpublish", stage.site)).await.expect(200);
    for caller in [&visitor, &stranger] {
        caller.get(&of_space).await.expect(404);
        caller.get(&of_page).await.expect(404);
    }
}

#[actix_web::test]
async fn a_space_is_searched_as_its_visitor_sees_it() {
    let (stage, space, _) = Stage::with_page("{% if false %}\nLobster.\n{% endif %}\n\nHarbor.").await;
    for number in 1..=3 {
        stage.write(&space, &format!("Pier {number}"), "Harbor and crab.");
    }
    let search = format!("/v1/spaces/{space}/search?query=");
    let (visitor, stranger) = (stage.visitor(json!({})).await, stage.app.stranger());
    let count = async |caller: &Caller, query: &str| {
        caller.get(&format!("{search}{query}")).await.expect(200).at("/count").clone()
    };
    assert_eq!(count(&stage.manager, "lobster").await, json!(1));
    for caller in [&visitor, &stranger] {
        assert_eq!(count(caller, "lobster").await, json!(0));
        assert_eq!(count(caller, "harbor").await, json!(4));
    }
    let all = visitor.get(&format!("{search}harbor")).await.expect(200);
    let (mut listed, mut next) = (Vec::new(), String::new());
    loop {
        let part = visitor.get(&format!("{search}harbor&limit=3{next}")).await.expect(200);
        listed.extend(part.at("/items").as_array().unwrap().clone());
        match part.json.pointer("/next/page") {
            Some(page) => next = format!("&page={}", page.as_str().unwrap()),
            None => break,
        }
    }
    assert_eq!(&json!(listed), all.at("/items"));
    stage.manager.post_empty(&format!("{}/unpublish", stage.site)).await.expect(200);
    visitor.get(&format!("{search}harbor")).await.expect(404);
}

#[actix_web::test]
async fn a_site_is_searched_as_its_reader_sees_it() {
    let (stage, _, _) = Stage::with_page("{% if false %}\nLobster.\n{% endif %}\n\nHarbor.").await;
    let (variant, hidden) = (stage.space("Variant").await, stage.space("Hidden").await);
    let path = format!("{}/site-spaces", stage.site);
    let mut placed = Vec::new();
    for space in [&variant, &hidden] {
        stage.write(space, "Pier", "Harbor and lobster.");
        placed.push(stage.manager.post(&path, json!({ "spaceId": space })).await.expect(201).text("/id"));
    }
    let condition = json!({"condition": "false"});
    stage.manager.patch(&format!("{path}/{}", placed[1]), condition).await.expect(200);
    let search = format!("{}/search", stage.site);
    let (visitor, stranger) = (stage.visitor(json!({})).await, stage.app.stranger());
    let found = async |caller: &Caller, body: Value| {
        let answer = caller.post(&search, body).await.expect(200);
        let items = answer.at("/items").as_array().unwrap().clone();
        let mut spaces: Vec<_> =
            items.iter().map(|item| item["title"].as_str().unwrap().to_owned()).collect();
        spaces.sort();
        spaces.join(" ")
    };
    for caller in [&visitor, &stranger] {
        assert_eq!(found(caller, json!({"query": "harbor", "mode": "all"})).await, "Guide Variant");
        assert_eq!(found(caller, json!({"query": "lobster", "mode": "all"})).await, "Variant");
        let default = json!({"query": "harbor", "scope": {"mode": "default"}});
        assert_eq!(found(caller, default).await, "Guide");
        let both = json!({"query": "harbor", "scope": {"mode": "default", "currentSiteSpace": placed[0]}});
        assert_eq!(found(caller, both).await, "Guide Variant");
        let specific = json!({"query": "harbor", "mode": "specific", "siteSpaceIds": placed});
        assert_eq!(found(caller, specific).await, "Variant");
    }
    let all = json!({"query": "lobster", "scope": {"mode": "all"}});
    assert_eq!(found(&stage.app.as_role(Role::Read), all.clone()).await, "Guide Hidden Variant");
    let hit = visitor.post(&search, json!({"query": "harbor", "mode": "all"})).await.expect(200);
    let page = hit.at("/items/0/pages/0").clone();
    assert_eq!((hit.text("/items/0/type"), page["rank"].clone()), ("space".to_owned(), json!(1)));
    assert!(page["score"].as_f64().unwrap() > 0.0, "{page}");
    assert_eq!(page["ancestors"], json!([]));
    let refused = visitor.post(&search, json!({"query": "harbor"})).await.expect(400);
    assert_eq!(refused.fields(), ["scope"]);
    stage.manager.patch(&stage.site, json!({"visibility": "visitor-auth"})).await.expect(200);
    for caller in [&visitor, &stranger] {
        caller.post(&search, all.clone()).await.expect(404);
    }
}

#[actix_web::test]
async fn a_lookup_and_a_warm_read_cost_one_statement_each() {
    let (stage, space, page) = Stage::with_page("Welcome.").await;
    let (root, visitor) = (stage.root(), stage.visitor(json!({})).await);
    let page = format!("/v1/spaces/{space}/content/page/{page}");
    visitor.get(&page).await.expect(200);
    let before = stage.app.statements();
    stage.find(&root, json!({})).await.expect(200);
    assert_eq!(stage.app.statements() - before, 1, "lookup");
    visitor.get(&page).await.expect(200);
    assert_eq!(stage.app.statements() - before, 2, "page");
    visitor.get("/v1/user").await.expect(404);
    assert_eq!(stage.app.statements() - before, 2, "closed route");
}

#[actix_web::test]
async fn a_new_visitor_key_ends_the_site_tokens_of_the_old_one_at_once() {
    let (stage, space, page) = Stage::with_page("Welcome.").await;
    let admin = stage.app.as_role(Role::Admin);
    let auth = format!("{}/publishing/auth", stage.site);
    admin.patch(&auth, json!({"backend": "custom"})).await.expect(200);
    for visibility in ["visitor-auth", "public"] {
        let body = json!({"visibility": visibility, "adaptiveContent": {"enabled": true}});
        stage.manager.patch(&stage.site, body).await.expect(200);
        let token = signed(&visitor_key(&stage.app), &for_a_minute(&stage.app, json!({"plan": "pro"})));
        let visitor = stage.visitor(json!({"jwtToken": token})).await;
        let paths = [
            format!("/v1/spaces/{space}"),
            format!("/v1/spaces/{space}/content"),
            format!("/v1/spaces/{space}/content/page/{page}"),
            format!("{}/structure", stage.site),
            format!("{}/published", stage.site),
        ];
        let search = format!("{}/search", stage.site);
        let query = json!({"query": "welcome", "mode": "all"});
        for path in &paths {
            visitor.get(path).await.expect(200);
        }
        visitor.post(&search, query.clone()).await.expect(200);
        admin.post_empty(&format!("{auth}/regenerate")).await.expect(200);
        for path in &paths {
            let refused = visitor.get(path).await.expect(401);
            assert_eq!(refused.reason(), "unauthenticated", "{visibility} {path}");
        }
        visitor.post(&search, query).await.expect(401);
    }
    // This visitor has no visitor token, so a new key has no effect.
    let visitor = stage.visitor(json!({})).await;
    admin.post_empty(&format!("{auth}/regenerate")).await.expect(200);
    visitor.get(&format!("/v1/spaces/{space}/content")).await.expect(200);
}
