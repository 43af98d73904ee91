//! Visitors of published sites, and the parts that they may see.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use quire_domain::Role;
use quire_domain::sites::PublishedSite;
use quire_test_support::TestApp;
use serde_json::{Value, json};
use sha2::Sha256;

use super::{Stage, each};

#[actix_web::test]
async fn members_see_a_site_at_any_time_and_others_once_it_is_published() {
    let stage = Stage::set().await;
    stage.resource("Guide").await;
    let path = format!("{}/published", stage.site);
    let (stranger, guest) = (stage.app.stranger(), stage.app.member_of(stage.app.organization, None));
    let seen = stage.app.as_role(Role::Read).get(&path).await.expect(200);
    assert_eq!(seen.text("/object"), "published-content-site");
    let _: PublishedSite = serde_json::from_value(seen.json).unwrap();
    stranger.get(&path).await.expect(404);
    guest.get(&path).await.expect(404);
    stage.publish().await;
    for caller in [&stranger, &guest] {
        let seen = caller.get(&path).await.expect(200);
        assert_eq!(seen.text("/structure/structure/0/title"), "Guide");
        assert_eq!(seen.at("/structure/structure/0/space/permissions/view"), &json!(false));
        assert_eq!(seen.text("/customizations/site/styling/theme"), "clean");
        assert_eq!(seen.at("/customizations/siteSpaces"), &json!({}));
    }
    stage.app.anonymous().get(&path).await.expect(401);
    stage.app.anonymous().get(&format!("{path}?shareKey=nonsense")).await.expect(404);
    let absent = format!("{}/0190a5d2-7c1e-7000-8000-000000000001/published", stage.sites);
    assert_eq!(stranger.get(&absent).await.expect(404).reason(), "not-found");
}

#[actix_web::test]
async fn a_share_link_opens_a_site_until_it_is_revoked() {
    let stage = Stage::set().await;
    stage.resource("Guide").await;
    stage.manager.patch(&stage.site, json!({"visibility": "share-link"})).await.expect(200);
    let links = format!("{}/share-links", stage.site);
    let link = stage.manager.post(&links, json!({"name": "Press"})).await.expect(201);
    assert_eq!(
        (link.text("/object"), link.text("/name"), link.at("/active")),
        ("share-link".to_owned(), "Press".to_owned(), &json!(true))
    );
    let key = link.text("/key");
    let anonymous = stage.app.anonymous();
    let path = format!("{}/published", stage.site);
    anonymous.get(&format!("{path}?shareKey={key}")).await.expect(404);
    stage.publish().await;
    let seen = anonymous.get(&format!("{path}?shareKey={key}")).await.expect(200);
    assert!(seen.text("/site/urls/published").ends_with(&format!("/{key}")));
    stage.app.stranger().get(&path).await.expect(404);
    let space = format!("/v1/spaces/{}", seen.text("/structure/structure/0/space/id"));
    let shared = anonymous.get(&format!("{space}?shareKey={key}")).await.expect(200);
    assert_eq!(shared.text("/visibility"), "share-link");
    assert!(shared.text("/urls/published").ends_with(&format!("/{key}")));
    stage.app.stranger().get(&space).await.expect(404);
    for list in ["sections", "site-spaces"] {
        let list = format!("{}/{list}", stage.site);
        anonymous.get(&format!("{list}?shareKey={key}")).await.expect(200);
        anonymous.get(&format!("{list}?shareKey=nonsense")).await.expect(404);
        stage.app.stranger().get(&list).await.expect(404);
    }
    let one = format!("{links}/{}", link.text("/id"));
    stage.manager.patch(&one, json!({"active": false})).await.expect(200);
    anonymous.get(&format!("{path}?shareKey={key}")).await.expect(404);
    stage.manager.patch(&one, json!({"active": true, "name": "All"})).await.expect(200);
    anonymous.get(&format!("{path}?shareKey={key}")).await.expect(200);
    assert_eq!(stage.manager.get(&one).await.expect(200).text("/name"), "All");
    assert_eq!(each(&stage.manager.get(&links).await.expect(200), "/name"), ["All"]);
    stage.manager.delete(&one).await.expect(204);
    stage.manager.delete(&one).await.expect(404);
    anonymous.get(&format!("{path}?shareKey={key}")).await.expect(404);
    stage.app.as_role(Role::Read).get(&links).await.expect(403);
}

#[actix_web::test]
async fn conditions_decide_what_visitors_see() {
    let stage = Stage::set().await;
    let open = stage.section("Open").await;
    let beta = stage.section("Beta").await.text("/id");
    let condition = json!({"condition": "visitor.claims.unsigned.beta == true"});
    stage.manager.patch(&format!("{}/sections/{beta}", stage.site), condition).await.expect(200);
    stage.publish().await;
    let titles = async |caller: &quire_test_support::Caller, query: &str| {
        let seen = caller.get(&format!("{}/published{query}", stage.site)).await.expect(200);
        let items = seen.at("/structure/structure").as_array().unwrap().clone();
        items.iter().map(|item| item["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    let stranger = stage.app.stranger();
    let claims = "?claims=%7B%22beta%22%3Atrue%7D";
    assert_eq!(titles(&stranger, "").await, "Open");
    assert_eq!(titles(&stranger, claims).await, "Open");
    stage.manager.patch(&stage.site, json!({"adaptiveContent": {"enabled": true}})).await.expect(200);
    assert_eq!(titles(&stranger, claims).await, "Open Beta");
    assert_eq!(titles(&stage.manager, "").await, "Open Beta");
    assert_eq!(titles(&stage.manager, "?claims=%7B%7D").await, "Open");
    let refused = stranger.get(&format!("{}/published?claims=7", stage.site)).await.expect(400);
    assert_eq!(refused.fields(), ["claims"]);
    let space = format!("{}/site-spaces/{}", stage.site, open.text("/siteSpaces/0/id"));
    stage.manager.patch(&space, json!({"condition": "false"})).await.expect(200);
    let seen = stranger.get(&format!("{}/structure", stage.site)).await.expect(200);
    assert_eq!(
        seen.at("/structure"),
        &json!([]),
        "a section without a space that the visitor sees is hidden"
    );
}

/// Returns the key with which the organization's own services sign.
pub(super) fn visitor_key(app: &TestApp) -> [u8; 32] {
    app.system.transact(|tx| tx.visitor_key(app.organization)).unwrap()
}

/// Returns a visitor token, as those services sign it.
pub(super) fn signed(key: &[u8], claims: &Value) -> String {
    let header = URL_SAFE_NO_PAD.encode(json!({"alg": "HS256", "typ": "JWT"}).to_string());
    let signed = format!("{header}.{}", URL_SAFE_NO_PAD.encode(claims.to_string()));
    let mac = Hmac::<Sha256>::new_from_slice(key).unwrap().chain_update(&signed).finalize();
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(mac.into_bytes()))
}

/// Returns the claims, valid for one minute.
pub(super) fn for_a_minute(app: &TestApp, claims: Value) -> Value {
    let mut claims = claims;
    claims["exp"] = json!(app.state.storage.clock().now().millis() / 1_000 + 60);
    claims
}

#[actix_web::test]
async fn a_visitor_token_opens_a_site_to_those_whom_the_organization_vouches_for() {
    let stage = Stage::set().await;
    stage.resource("Guide").await;
    let (app, anonymous, path) = (&stage.app, stage.app.anonymous(), format!("{}/published", stage.site));
    let token = signed(&visitor_key(app), &for_a_minute(app, json!({"sub": "eve"})));
    // Before publication, the response is the same as for a site that does not exist.
    let hidden = anonymous.get(&format!("{path}?jwtToken={token}")).await.expect(404);
    let absent = format!("{}/0190a5d2-7c1e-7000-8000-000000000001/published?jwtToken={token}", stage.sites);
    assert_eq!(hidden.json["error"], anonymous.get(&absent).await.expect(404).json["error"]);
    stage.publish().await;
    for visibility in ["visitor-auth", "public", "unlisted"] {
        stage.manager.patch(&stage.site, json!({"visibility": visibility})).await.expect(200);
        anonymous.get(&path).await.expect(401);
        let seen = anonymous.get(&format!("{path}?jwtToken={token}")).await.expect(200);
        assert_eq!(seen.text("/structure/structure/0/title"), "Guide");
        for rest in ["structure", "sections", "site-spaces"] {
            anonymous.get(&format!("{}/{rest}?jwtToken={token}", stage.site)).await.expect(200);
        }
    }
    stage.manager.patch(&stage.site, json!({"visibility": "share-link"})).await.expect(200);
    anonymous.get(&format!("{path}?jwtToken={token}")).await.expect(404);
    // The secret is the text of the key, as in other JWT libraries.
    let auth = json!({"backend": "custom"});
    let auth =
        app.as_role(Role::Admin).patch(&format!("{}/publishing/auth", stage.site), auth).await.expect(200);
    let over_text = signed(auth.text("/privateKey").as_bytes(), &for_a_minute(app, json!({"sub": "eve"})));
    anonymous.get(&format!("{path}?jwtToken={over_text}")).await.expect(404);
    stage.manager.patch(&stage.site, json!({"visibility": "public"})).await.expect(200);
    anonymous.get(&format!("{path}?jwtToken={over_text}")).await.expect(200);
    // The claims that `ping` returns are a visitor token.
    stage.manager.patch(&stage.site, json!({"visibility": "visitor-auth"})).await.expect(200);
    let ping =
        app.as_role(Role::Read).post_empty(&format!("/v1/orgs/{}/ping", app.organization)).await.expect(200);
    anonymous.get(&format!("{path}?jwtToken={}", ping.text("/serviceVisitorClaims"))).await.expect(200);
    // A visitor token gives no access to the space itself.
    let seen = anonymous.get(&format!("{path}?jwtToken={token}")).await.expect(200);
    assert_eq!(seen.at("/structure/structure/0/space/visitorAuth"), &json!({"backend": "custom"}));
    anonymous
        .get(&format!("/v1/spaces/{}?jwtToken={token}", seen.text("/structure/structure/0/space/id")))
        .await
        .expect(401);
    app.clock.advance(std::time::Duration::from_secs(61));
    let late = anonymous.get(&format!("{path}?jwtToken={token}")).await.expect(401);
    assert_eq!(late.reason(), "invalid-visitor-token");
    assert!(late.text("/error/message").contains("has expired"), "{}", late.json);
}

#[actix_web::test]
async fn a_visitor_token_that_is_not_the_organizations_is_refused_whatever_it_is_shown_to() {
    let stage = Stage::set().await;
    stage.publish().await;
    let (app, path) = (&stage.app, format!("{}/published", stage.site));
    let key = visitor_key(app);
    let holds = for_a_minute(app, json!({"sub": "eve"}));
    let absent = format!("{}/0190a5d2-7c1e-7000-8000-000000000001/published", stage.sites);
    let nowhere =
        "/v1/orgs/0190a5d2-7c1e-7000-8000-000000000001/sites/0190a5d2-7c1e-7000-8000-000000000001/published";
    let mut early = holds.clone();
    early["nbf"] = holds["exp"].clone();
    for (token, why) in [
        (signed(&[1; 32], &holds), "visitor key"),
        (signed(&key, &json!({"sub": "eve"})), "`exp`"),
        (signed(&key, &early), "is not valid yet (`nbf`)"),
        ("nonsense".to_owned(), "not a JSON Web Token"),
    ] {
        for path in [&path, &absent] {
            for caller in [app.anonymous(), app.stranger(), app.as_role(Role::Read)] {
                let refused = caller.get(&format!("{path}?jwtToken={token}")).await.expect(401);
                assert_eq!(refused.reason(), "invalid-visitor-token");
                assert!(refused.text("/error/message").contains(why), "{}", refused.json);
                assert_eq!(refused.header("www-authenticate"), "Bearer");
            }
        }
    }
    let token = signed(&key, &holds);
    app.anonymous().get(&format!("{nowhere}?jwtToken={token}")).await.expect(401);
    let long = app.anonymous().get(&format!("{path}?jwtToken={}", "x".repeat(4097))).await.expect(400);
    assert_eq!(long.fields(), ["jwtToken"]);
    // A new key invalidates all tokens.
    app.anonymous().get(&format!("{path}?jwtToken={token}")).await.expect(200);
    app.system.transact(|tx| tx.rotate_visitor_key(app.organization)).unwrap();
    app.anonymous().get(&format!("{path}?jwtToken={token}")).await.expect(401);
}

#[actix_web::test]
async fn claims_count_as_far_as_the_schema_describes_them() {
    let stage = Stage::set().await;
    let app = &stage.app;
    for (title, condition) in [
        ("Pro", "visitor.claims.plan == 'pro'"),
        ("Beta", "visitor.claims.unsigned.beta"),
        ("Forged", "visitor.claims.unsigned.plan == 'pro'"),
        ("Other", "visitor.claims.other == 1"),
    ] {
        let section = stage.section(title).await.text("/id");
        let body = json!({ "condition": condition });
        stage.manager.patch(&format!("{}/sections/{section}", stage.site), body).await.expect(200);
    }
    stage.manager.patch(&stage.site, json!({"visibility": "visitor-auth"})).await.expect(200);
    stage.publish().await;
    let key = visitor_key(app);
    let ask = async |claims: Value, unsigned: &str| {
        let token = signed(&key, &for_a_minute(app, claims));
        app.anonymous().get(&format!("{}/published?jwtToken={token}&claims={unsigned}", stage.site)).await
    };
    let titles = async |claims: Value, unsigned: &str| {
        let seen = ask(claims, unsigned).await.expect(200);
        let items = seen.at("/structure/structure").as_array().unwrap().clone();
        items.iter().map(|item| item["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    let pro = json!({"plan": "pro", "other": 1, "unsigned": {"beta": true}});
    let (nothing, beta) = ("%7B%7D", "%7B%22beta%22%3Atrue%2C%22plan%22%3A%22pro%22%7D");
    assert_eq!(titles(pro.clone(), beta).await, "", "the site has no adaptive content yet");
    stage.manager.patch(&stage.site, json!({"adaptiveContent": {"enabled": true}})).await.expect(200);
    assert_eq!(titles(pro.clone(), nothing).await, "Pro Other");
    assert_eq!(titles(json!({}), beta).await, "Beta Forged");
    let schema = json!({"jsonSchema": {"type": "object", "additionalProperties": false, "properties": {
        "plan": {"type": "string", "description": "What they pay for", "enum": ["free", "pro"]},
        "unsigned": {"type": "object", "description": "Unsigned claims of the site visitor.", "additionalProperties": false,
            "properties": {"beta": {"type": "boolean", "description": "Takes part"}}},
    }}});
    stage.manager.put(&format!("{}/adaptive-schema", stage.site), schema).await.expect(200);
    assert_eq!(titles(pro.clone(), beta).await, "Pro Beta");
    let wrong = ask(json!({"plan": "gold"}), "%7B%22beta%22%3A%22yes%22%7D").await.expect(400);
    let mut fields = wrong.fields();
    fields.sort();
    assert_eq!(fields, ["claims.beta", "jwtToken.plan"]);
    // A member with a visitor token sees what the visitor sees.
    let token = signed(&key, &for_a_minute(app, json!({})));
    let seen = stage.manager.get(&format!("{}/published?jwtToken={token}", stage.site)).await.expect(200);
    assert_eq!(seen.at("/structure/structure"), &json!([]));
}

#[actix_web::test]
async fn events_of_visits_are_checked_and_answered_alike_for_every_site() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let sites = format!("/v1/orgs/{}/sites", app.organization);
    let site = admin.post(&sites, json!({})).await.expect(201).text("/id");
    let event = |kind: &str| json!({"type": kind, "session": {}, "location": {"url": "https://a.example"}});
    let unknown = app.organization;
    for site in [site, unknown.to_string()] {
        let path = format!("{sites}/{site}/insights/events");
        let body = json!({"events": [event("page_view"), event("a_newer_type")]});
        for caller in [&app.anonymous(), &app.stranger(), &admin] {
            let before = app.statements();
            let answer = caller.post(&path, body.clone()).await.expect(204);
            assert_eq!((answer.json, app.statements() - before), (json!(null), 0));
        }
        for (wrong, field) in [
            (json!({}), "events"),
            (json!({"events": {}}), "events"),
            (
                json!({"events": [event("page_view"), {"type": "page_view", "session": {}}]}),
                "events[1].location",
            ),
            (json!({"events": [event("")]}), "events[0].type"),
            (json!({"events": [{"type": "x", "session": [], "location": {}}]}), "events[0].session"),
            (json!({"events": vec![event("x"); 1001]}), "events"),
        ] {
            assert_eq!(app.anonymous().post(&path, wrong).await.expect(400).fields(), [field]);
        }
    }
    app.anonymous().post(&format!("{sites}/x/insights/events"), json!({"events": []})).await.expect(404);
}
