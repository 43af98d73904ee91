//! Organizations that require a second factor.

use std::time::{Duration, UNIX_EPOCH};

use quire_domain::Role;
use quire_domain::clock::Clock as _;
use quire_test_support::{Caller, TestApp};
use serde_json::json;

use crate::authenticator::{Authenticator, app};

/// Requires a second factor in the organization. Returns its administrator, in a session with a second factor.
async fn strict(app: &TestApp) -> Caller {
    let admin = app.as_role(Role::Admin);
    let browser = app.in_browser(&admin);
    let organization = format!("/v1/orgs/{}", app.organization);
    let required = json!({"secondFactorRequired": true});
    let refused = browser.patch(&organization, required.clone()).await.expect(409);
    assert_eq!(refused.reason(), "conflict");
    let _ = Authenticator::new(9).register(&browser, "Laptop").await;
    let changed = browser.patch(&organization, required).await.expect(200);
    assert_eq!(changed.at("/secondFactorRequired"), &json!(true));
    browser
}

#[actix_web::test]
async fn a_session_without_a_second_factor_reaches_the_account_only() {
    let app = app().await;
    let (space, _) = app.space().await;
    let member = app.on_space(&space, Some(Role::Edit));
    let browser = app.in_browser(&member);
    let paths = [
        format!("/v1/orgs/{}", app.organization),
        format!("/v1/orgs/{}/spaces", app.organization),
        format!("/v1/spaces/{space}"),
        format!("/v1/spaces/{space}/content"),
        format!("/v1/users/{}", member.user()),
        "/v1/orgs".to_owned(),
        "/v1/user/inbox".to_owned(),
        format!("/v1/orgs/{}/search?query=guide", app.organization),
    ];
    for path in &paths {
        let _ = browser.get(path).await.expect(200);
    }
    let admin = strict(&app).await;
    for path in &paths {
        let refused = browser.get(path).await.expect(403);
        assert_eq!(refused.reason(), "second-factor-missing", "{path}");
        // API tokens are not affected, nor are sessions with a second factor.
        let _ = member.get(path).await.expect(200);
        let _ = admin.get(path).await.expect(200);
    }
    // Missing and hidden records get the same response.
    let nowhere = format!("/v1/spaces/{}", app.organization);
    assert_eq!(browser.get(&nowhere).await.expect(403).reason(), "second-factor-missing");
    let token = browser.post("/v1/user/tokens", json!({"label": "way out"})).await.expect(403);
    assert_eq!(token.reason(), "second-factor-missing");
    for path in ["/v1/user", "/v1/user/sessions", "/v1/user/tokens", "/v1/user/totp", "/v1/user/passkeys"] {
        let _ = browser.get(path).await.expect(200);
    }
    // Strangers are not affected.
    let stranger = app.in_browser(&app.stranger());
    assert_eq!(stranger.get(&paths[2]).await.expect(404).reason(), "not-found");

    let secret = browser.post_empty("/v1/user/totp").await.expect(200).text("/secret");
    let now = UNIX_EPOCH + Duration::from_millis(u64::try_from(app.clock.now().millis()).unwrap());
    let code = json!({"code": quire_server::totp::code(&secret, now).unwrap()});
    let _ = browser.post("/v1/user/totp/confirm", code).await.expect(200);
    for path in &paths {
        let _ = browser.get(path).await.expect(200);
    }
    // Removing the last second factor invalidates its proof.
    let _ = browser.delete("/v1/user/totp").await.expect(204);
    let _ = browser.get(&paths[0]).await.expect(403);
    let off = json!({"secondFactorRequired": false});
    let _ = admin.patch(&paths[0], off).await.expect(200);
    let _ = browser.get(&paths[0]).await.expect(200);
}

#[actix_web::test]
async fn a_code_in_the_running_session_is_enough_and_administrators_see_who_has_none() {
    let app = app().await;
    let member = app.as_role(Role::Read);
    let first = app.in_browser(&member);
    let _ = Authenticator::new(1).register(&first, "Phone").await;
    let admin = strict(&app).await;
    let members = format!("/v1/orgs/{}/members", app.organization);
    // The session that registered the passkey continues; another session does not.
    let _ = first.get(&members).await.expect(200);
    let second = app.in_browser(&member);
    let _ = second.get(&members).await.expect(403);
    // With a password alone, factors can be neither added nor removed.
    let refused = second.post_empty("/v1/user/totp").await.expect(403);
    assert_eq!(refused.reason(), "second-factor-missing");
    let passkeys = second.get("/v1/user/passkeys").await.expect(200);
    let passkey = format!("/v1/user/passkeys/{}", passkeys.text("/items/0/id"));
    assert_eq!(second.delete(&passkey).await.expect(403).reason(), "second-factor-missing");

    let path = format!("{members}/{}", member.user());
    assert_eq!(admin.get(&path).await.expect(200).at("/secondFactor"), &json!(true));
    assert!(first.get(&path).await.expect(200).json.get("secondFactor").is_none());
    let other = app.as_role(Role::Read);
    let path = format!("{members}/{}", other.user());
    assert_eq!(admin.get(&path).await.expect(200).at("/secondFactor"), &json!(false));
    let log = format!("/v1/orgs/{}/audit-log?operation=updateOrganizationById", app.organization);
    assert_eq!(admin.get(&log).await.expect(200).at("/items/0/outcome"), &json!("done"));
}

#[actix_web::test]
async fn a_session_without_a_required_factor_is_refused_for_sites() {
    let app = app().await;
    let admin = app.as_role(Role::Admin);
    let (space, _) = app.space().await;
    let sites = format!("/v1/orgs/{}/sites", app.organization);
    let made = json!({"title": "Ferry", "visibility": "share-link"});
    let site = format!("{sites}/{}", admin.post(&sites, made).await.expect(201).text("/id"));
    let section = json!({"spaceId": space, "title": "Guide"});
    let _ = admin.post(&format!("{site}/sections"), section).await.expect(201);
    let _ = admin.post_empty(&format!("{site}/publish")).await.expect(200);
    let member = app.as_role(Role::Read);
    let browser = app.in_browser(&member);
    let paths = [format!("{site}/published"), format!("{site}/structure")];
    for path in &paths {
        let _ = browser.get(path).await.expect(200);
    }
    let _ = strict(&app).await;
    for path in &paths {
        let refused = browser.get(path).await.expect(403);
        assert_eq!(refused.reason(), "second-factor-missing", "{path}");
        // API tokens are not affected.
        let _ = member.get(path).await.expect(200);
    }
    let _ = Authenticator::new(1).register(&browser, "Phone").await;
    for path in &paths {
        let _ = browser.get(path).await.expect(200);
    }
}

#[actix_web::test]
async fn a_change_of_how_members_sign_in_needs_a_recent_proof() {
    let app = app().await;
    let admin = app.as_role(Role::Admin);
    let browser = app.in_browser(&admin);
    let _ = Authenticator::new(9).register(&browser, "Laptop").await;
    let organization = format!("/v1/orgs/{}", app.organization);
    let _ = browser.patch(&organization, json!({"sso": true})).await.expect(200);
    app.clock.advance(Duration::from_secs(601));
    for body in [json!({"sso": false}), json!({"secondFactorRequired": true})] {
        let refused = browser.patch(&organization, body.clone()).await.expect(403);
        assert_eq!(refused.reason(), "confirmation-required", "{body}");
    }
    // Other settings and unchanged values need no confirmation. API tokens cannot confirm, so they need none.
    let same = json!({"sso": true, "secondFactorRequired": false, "title": "Acme Docs"});
    assert_eq!(browser.patch(&organization, same).await.expect(200).text("/title"), "Acme Docs");
    assert_eq!(admin.patch(&organization, json!({"sso": false})).await.expect(200).at("/sso"), false);
}
