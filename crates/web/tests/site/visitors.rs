//! Visitors, and the content that they may see.

use actix_web::http::header;
use actix_web::test::TestRequest;
use quire_test_support::{Answer, TestApp};
use serde_json::{Value, json};

use super::{BASE, Stage, body, page};

/// Returns a visitor token that is valid for a minute.
fn visitor_token(app: &TestApp, claims: &Value) -> String {
    let key = app.system.transact(|tx| tx.visitor_key(app.organization)).unwrap();
    let mut claims = claims.clone();
    claims["exp"] = json!(app.state.storage.clock().now().millis() / 1_000 + 60);
    quire_server::jwt::sign_for_visitor(&key, &claims).unwrap()
}

/// Returns a visitor token that expires in a number of seconds.
fn visitor_token_until(app: &TestApp, seconds: i64) -> String {
    let key = app.system.transact(|tx| tx.visitor_key(app.organization)).unwrap();
    let now = app.state.storage.clock().now().millis() / 1_000;
    quire_server::jwt::sign_for_visitor(&key, &json!({"exp": now + seconds})).unwrap()
}

#[actix_web::test]
async fn a_hidden_site_answers_as_an_absent_one() {
    let stage = Stage::set().await;
    let browser = stage.app.anonymous();
    let organization = stage.app.organization;
    let absent = browser.get(&format!("/sites/{organization}/0190a5d2-7c1e-7000-8000-000000000001")).await;
    let absent = absent.expect(404);
    let same = |answer: Answer, case: &str| {
        let answer = answer.expect(404);
        assert_eq!(answer.bytes, absent.bytes, "{case}");
        for name in ["content-type", "content-security-policy", "cache-control", "etag"] {
            assert_eq!(answer.header(name), absent.header(name), "{case}");
        }
    };
    same(browser.get("/sites/nonsense/ferry").await, "no organization");
    for visibility in ["share-link", "visitor-auth"] {
        stage.update(json!({ "visibility": visibility })).await;
        for path in ["", "/install", "/nothing", "/sitemap.xml", "/~quire/search?q=harbor", "/install.md"] {
            same(stage.get(path).await, visibility);
        }
        let token = stage.app.stranger();
        same(token.get(&stage.root).await, "a token of another organization");
    }
    stage.update(json!({"visibility": "unlisted"})).await;
    let unlisted = stage.get("").await.expect(200);
    assert!(body(&unlisted).contains("content=\"noindex\""));
    stage.admin.post_empty(&format!("{}/unpublish", stage.site)).await.expect(200);
    same(stage.get("").await, "unpublished");
}

#[actix_web::test]
async fn the_key_of_a_share_link_is_a_segment_of_the_path() {
    let stage = Stage::set().await;
    stage.update(json!({"visibility": "share-link"})).await;
    let links = format!("{}/share-links", stage.site);
    let link = stage.admin.post(&links, json!({"name": "Press"})).await.expect(201);
    let key = link.text("/key");
    let given = link.text("/urls/published");
    let root = format!("{}/{key}", stage.root);
    assert_eq!(given, format!("{BASE}{root}"));
    let redirect = stage.get(&format!("?shareKey={key}")).await.expect(303);
    assert_eq!(redirect.header("location"), root);
    let home = stage.app.anonymous().get(&root).await.expect(200);
    assert!(body(&home).contains(&format!("href=\"{root}/install\"")));
    assert_eq!(home.header("cache-control"), "private, no-cache");
    stage.app.anonymous().get(&format!("{root}/install")).await.expect(200);
    stage.get(&format!("/{}", "x".repeat(40))).await.expect(404);
    let one = format!("{links}/{}", link.text("/id"));
    stage.admin.patch(&one, json!({"active": false})).await.expect(200);
    stage.app.anonymous().get(&root).await.expect(404);
}

#[actix_web::test]
async fn a_visitor_token_becomes_a_cookie_of_the_site() {
    let stage = Stage::set().await;
    stage.update(json!({"visibility": "visitor-auth"})).await;
    let token = visitor_token(&stage.app, &json!({"sub": "eve"}));
    let given = stage.get(&format!("/install?jwt_token={token}")).await.expect(303);
    assert_eq!(given.header("location"), format!("{}/install", stage.root));
    let cookie = given.header("set-cookie");
    assert!(cookie.ends_with(&format!("; Path={}; HttpOnly; SameSite=Lax", stage.root)), "{cookie}");
    let pair = cookie.split(';').next().unwrap();
    let page = stage.get_with("/install", header::COOKIE, pair).await.expect(200);
    assert_eq!(page.header("cache-control"), "private, no-cache");
    // Cookie of a service that shares its domain with the site.
    stage.get_with("/install", header::COOKIE, &format!("gitbook-visitor-token={token}")).await.expect(200);
    for other in ["quire-visitor=nonsense".to_owned(), format!("{pair}x"), format!("other={token}")] {
        stage.get_with("/install", header::COOKIE, &other).await.expect(404);
    }
    stage.get("/install?jwt_token=nonsense").await.expect(404);
    stage.get_with("/install?jwt_token=nonsense", header::COOKIE, pair).await.expect(404);
    // An invalid cookie of the site does not override a valid one of the service.
    let both = format!("quire-visitor=nonsense; gitbook-visitor-token={token}");
    stage.get_with("/install", header::COOKIE, &both).await.expect(200);
    // Claims in the address are stored.
    let claims =
        stage.get(&format!("/install?visitor.beta=true&jwt_token={token}&q=a%20b")).await.expect(303);
    assert_eq!(claims.header("location"), format!("{}/install?visitor.beta=true&q=a%20b", stage.root));
    stage.app.system.transact(|tx| tx.rotate_visitor_key(stage.app.organization)).unwrap();
    stage.get_with("/install", header::COOKIE, pair).await.expect(404);
}

#[actix_web::test]
async fn an_address_with_ids_leads_to_the_one_with_names() {
    let stage = Stage::set().await;
    assert_eq!(stage.root, "/sites/acme/ferry");
    let site = stage.site.rsplit('/').next().unwrap();
    for former in [
        format!("{}/{site}", stage.app.organization),
        format!("acme/{site}"),
        format!("{}/ferry", stage.app.organization),
    ] {
        let browser = stage.app.anonymous();
        for (path, target) in [
            ("", ""),
            ("/install?a=b%20c&visitor.beta=true", "/install?a=b%20c&visitor.beta=true"),
            ("/sitemap.xml", "/sitemap.xml"),
        ] {
            let moved = browser.get(&format!("/sites/{former}{path}")).await.expect(308);
            assert_eq!(moved.header("location"), format!("{}{target}", stage.root), "{former}{path}");
        }
        let message = browser.post(&format!("/sites/{former}/~quire/mcp"), json!({})).await.expect(308);
        assert_eq!(message.header("location"), format!("{}/~quire/mcp", stage.root));
    }
    // A chosen name replaces the name from the title, which continues to work.
    stage.update(json!({"basename": "größe"})).await;
    let named = stage.get("/install").await.expect(308);
    let root = "/sites/acme/gr%C3%B6%C3%9Fe";
    assert_eq!(named.header("location"), format!("{root}/install"));
    stage.app.anonymous().get(&format!("{root}/install")).await.expect(200);
    // A site that the visitor may not see does not redirect to its canonical address.
    stage.update(json!({"visibility": "visitor-auth"})).await;
    stage.app.anonymous().get(&format!("/sites/{}/{site}", stage.app.organization)).await.expect(404);
    let token = visitor_token(&stage.app, &json!({"sub": "eve"}));
    let given = format!("/sites/{}/{site}/install?jwt_token={token}", stage.app.organization);
    let given = stage.app.anonymous().get(&given).await.expect(303);
    assert_eq!(given.header("location"), format!("{root}/install"));
    assert!(
        given.header("set-cookie").contains(&format!("; Path={root};")),
        "{}",
        given.header("set-cookie")
    );
}

#[actix_web::test]
async fn conditions_decide_what_a_visitor_sees() {
    let stage = Stage::set().await;
    let pro = "visitor.claims.plan == 'pro'";
    let text = format!("For all.\n\n{{% if {pro} %}}\nFor professionals.\n{{% endif %}}");
    stage.write(&stage.guide, json!([page("Plans", &text)])).await;
    let sections = stage.admin.get(&format!("{}/sections", stage.site)).await.expect(200);
    let reference = format!("{}/sections/{}", stage.site, sections.text("/items/1/id"));
    stage.admin.patch(&reference, json!({ "condition": pro })).await.expect(200);
    stage.update(json!({"adaptiveContent": {"enabled": true}})).await;
    let plain = body(&stage.get("/plans").await.expect(200));
    assert!(plain.contains("For all.") && !plain.contains("professionals") && !plain.contains("Reference"));
    stage.get("/reference").await.expect(404);
    let found = stage.get("/~quire/search?q=commands").await.expect(200);
    assert_eq!(found.at("/hits"), &json!([]));
    let hidden = stage.get("/~quire/search?q=professionals").await.expect(200);
    assert_eq!(hidden.at("/hits"), &json!([]), "a search finds no conditional text");
    let shown = stage.get("/~quire/search?q=plans").await.expect(200);
    assert_eq!(shown.at("/hits/0/title"), "Plans");
    assert!(!shown.at("/hits/0").to_string().contains("professionals"));
    assert!(!body(&stage.get("/sitemap.xml").await.expect(200)).contains("reference"));
    let token = visitor_token(&stage.app, &json!({"sub": "eve", "plan": "pro"}));
    let cookie = format!("quire-visitor={token}");
    let seen = body(&stage.get_with("/plans", header::COOKIE, &cookie).await.expect(200));
    assert!(seen.contains("For professionals.") && seen.contains("Reference"), "{seen}");
    stage.get_with("/reference", header::COOKIE, &cookie).await.expect(200);
    let search = "/~quire/search?q=professionals";
    let found = stage.get_with(search, header::COOKIE, &cookie).await.expect(200);
    assert_eq!(found.at("/hits/0/title"), "Plans");
    let again = body(&stage.get("/plans").await.expect(200));
    assert_eq!(again, plain, "the page of one visitor is not that of another");
}

#[actix_web::test]
async fn unsigned_claims_come_from_the_address_and_from_cookies() {
    let stage = Stage::set().await;
    let text = "For all.\n\n{% if visitor.claims.unsigned.beta == true %}\nFor testers.\n{% endif %}";
    stage.write(&stage.guide, json!([page("Plans", text)])).await;
    let plain = stage.get("/plans?visitor.beta=true").await.expect(200);
    assert!(!body(&plain).contains("testers"), "the site has no adaptive content");
    assert!(plain.headers.get("set-cookie").is_none());
    stage.update(json!({"adaptiveContent": {"enabled": true}})).await;
    let plain = stage.get("/plans").await.expect(200);
    assert_eq!(plain.header("cache-control"), "public, no-cache");
    let seen = stage.get("/plans?visitor.beta=true").await.expect(200);
    assert!(body(&seen).contains("testers"));
    assert_eq!(seen.header("cache-control"), "private, no-cache");
    assert_ne!(seen.header("etag"), plain.header("etag"));
    let kept = seen.header("set-cookie");
    let kept = kept.split(';').next().unwrap();
    for cookie in
        [kept, "gitbook-visitor-public=%7B%22beta%22%3Atrue%7D", "gitbook-visitor-public-app={\"beta\":true}"]
    {
        let seen = stage.get_with("/plans", header::COOKIE, cookie).await.expect(200);
        assert!(body(&seen).contains("testers"), "{cookie}");
    }
    for cookie in ["gitbook-visitor-public={", "gitbook-visitor-public=[true]", "visitor.beta=true"] {
        let seen = stage.get_with("/plans", header::COOKIE, cookie).await.expect(200);
        assert_eq!(body(&seen), body(&plain), "{cookie}");
    }
    assert_eq!(body(&stage.get("/plans?visitor.beta=false").await.expect(200)), body(&plain));
}

#[actix_web::test]
async fn a_site_answers_at_its_host_name_and_nothing_else_does() {
    let stage = Stage::set().await;
    stage.update(json!({"hostname": "docs.ferry.example"})).await;
    let at = async |host: &str, path: &str| {
        let request = TestRequest::with_uri(path).insert_header((header::HOST, host));
        stage.app.anonymous().send(request).await
    };
    let home = at("docs.ferry.example", "/").await.expect(200);
    assert!(body(&home).contains("href=\"/install\"") && body(&home).contains("https://docs.ferry.example"));
    at("Docs.Ferry.Example:8443", "/install").await.expect(200);
    // The host name of a site serves neither the API nor other sites.
    for path in ["/v1/", "/docs/", &stage.root, "/healthz"] {
        at("docs.ferry.example", path).await.expect(404);
    }
    // An unknown host name leads to the deployment.
    at("other.example", "/v1/").await.expect(200);
    assert_eq!(at("other.example", "/").await.expect(303).header("location"), "/~/sign-in?next=/");
}

#[actix_web::test]
async fn visitors_without_a_token_are_sent_to_sign_in() {
    let stage = Stage::set().await;
    stage.update(json!({"visibility": "visitor-auth"})).await;
    stage.get("/install").await.expect(404);
    let auth = format!("{}/publishing/auth", stage.site);
    let urls = json!({"backend": "custom", "fallbackURL": "https://id.ferry.example/in?from=docs",
        "logoutURL": "https://id.ferry.example/out"});
    stage.admin.patch(&auth, urls).await.expect(200);
    let sent = stage.get("/install").await.expect(303);
    assert_eq!(sent.header("location"), "https://id.ferry.example/in?from=docs&location=%2Finstall");
    assert_eq!(sent.header("cache-control"), "no-store");
    let home = stage.get("").await.expect(303);
    assert_eq!(home.header("location"), "https://id.ferry.example/in?from=docs&location=%2F");
    stage.get("/~quire/search?q=x").await.expect(404);
    // An invalid token is deleted and does not redirect to the service, which would send it again.
    for (token, problem) in [
        ("nonsense".to_owned(), "is not a JSON Web Token"),
        (visitor_token_until(&stage.app, -1), "has expired"),
        (visitor_token_until(&stage.app, 7 * 86_400), "must expire within 24 hours"),
        ("x".repeat(8_193), "is too long"),
    ] {
        let bad = stage.get(&format!("/install?jwt_token={token}")).await.expect(403);
        assert!(body(&bad).contains(&format!("The visitor token {problem}.")), "{}", body(&bad));
        assert!(
            body(&bad).contains("href=\"https://id.ferry.example/in?from=docs&amp;location=%2Finstall\"")
        );
        assert!(bad.header("set-cookie").starts_with("quire-visitor=; "));
        assert!(bad.header("set-cookie").contains("Max-Age=0"));
        let cookie = format!("gitbook-visitor-token={token}");
        stage.get_with("/install", header::COOKIE, &cookie).await.expect(403);
        // The site's own cookie may have expired meanwhile, so it redirects.
        let cookie = format!("quire-visitor={token}");
        stage.get_with("/install", header::COOKIE, &cookie).await.expect(303);
    }

    let token = visitor_token(&stage.app, &json!({"sub": "eve"}));
    let cookie = format!("quire-visitor={token}");
    let page = stage.get_with("/install", header::COOKIE, &cookie).await.expect(200);
    let out = format!("{}/~quire/logout", stage.root);
    assert!(body(&page).contains(&format!("href=\"{out}\"")));
    let left = stage.get_with("/~quire/logout", header::COOKIE, &cookie).await.expect(303);
    assert_eq!(left.header("location"), "https://id.ferry.example/out");
    assert!(left.header("set-cookie").contains("Max-Age=0"));
    // An unpublished site does not redirect to the service.
    stage.admin.post_empty(&format!("{}/unpublish", stage.site)).await.expect(200);
    stage.get("/install").await.expect(404);
}
