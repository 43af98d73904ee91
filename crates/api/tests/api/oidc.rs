//! OpenID Connect: providers of organizations, sign-ins, and invalid responses of providers.

use std::time::Duration;

use actix_web::test::TestRequest;
use diesel::connection::SimpleConnection as _;
use quire_domain::Role;
use quire_domain::sign_in::SignInProblem;
use quire_importer::fetch::FetchConfig;
use quire_server::Settings;
use quire_test_support::{Answer, Caller, OidcProvider, TestApp};
use serde_json::{Value, json};

/// Application with a provider of its organization.
pub(crate) struct Deployment {
    pub(crate) app: TestApp,
    pub(crate) admin: Caller,
    pub(crate) provider: OidcProvider,
    pub(crate) id: String,
}

/// Browser with its cookies.
pub(crate) struct Visitor {
    cookies: Vec<(String, String)>,
}

impl Deployment {
    pub(crate) async fn start() -> Self {
        let provider = OidcProvider::start();
        let fetch =
            FetchConfig { allow: vec![provider.address().parse().unwrap()], ..FetchConfig::default() };
        let app = TestApp::start_with(Settings { rate_limit: 0, ..Settings::default() }, fetch).await;
        let admin = app.as_role(Role::Admin);
        let made = admin.post(&of(&app), body(&provider.issuer)).await.expect(201);
        provider.set_claims(
            &json!({"email": "grace@example.com", "email_verified": true, "name": "Grace Hopper"}),
        );
        Self { app, admin, id: made.text("/id"), provider }
    }

    pub(crate) fn path(&self, part: &str) -> String {
        format!("/v1/auth/oidc/{}/{part}", self.id)
    }

    pub(crate) async fn get(&self, visitor: &mut Visitor, path: &str) -> Answer {
        let cookies: Vec<String> =
            visitor.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = TestRequest::get().uri(path).insert_header(("Cookie", cookies.join("; ")));
        let answer = self.app.anonymous().send(request).await;
        visitor.keep(&answer);
        answer
    }

    /// Starts a visit and returns the query with which the provider redirects the browser back.
    pub(crate) async fn visit(&self, visitor: &mut Visitor, query: &str) -> String {
        let started = self.get(visitor, &format!("{}{query}", self.path("start"))).await.expect(303);
        self.provider.visit(started.header("location"))
    }

    pub(crate) async fn sign_in(&self, visitor: &mut Visitor) -> Answer {
        let query = self.visit(visitor, "").await;
        self.get(visitor, &format!("{}?{query}", self.path("callback"))).await.expect(303)
    }

    fn failed(&self, answer: &Answer, problem: SignInProblem) {
        let base = &self.app.state.settings.base_url;
        let expected = format!("{base}/~/sign-in/failed?problem={}&provider={}", problem.as_str(), self.id);
        assert_eq!(answer.header("location"), expected);
    }

    pub(crate) async fn user(&self, visitor: &mut Visitor) -> Value {
        self.get(visitor, "/v1/user").await.expect(200).json
    }
}

impl Visitor {
    pub(crate) fn new() -> Self {
        Self { cookies: Vec::new() }
    }

    /// Returns a browser with the session of a caller.
    pub(crate) fn signed_in(app: &TestApp, caller: &Caller) -> Self {
        Self { cookies: vec![("quire".to_owned(), app.in_browser(caller).token().to_owned())] }
    }

    fn keep(&mut self, answer: &Answer) {
        for cookie in answer.headers.get_all("set-cookie") {
            let (name, rest) = cookie.to_str().unwrap().split_once('=').unwrap();
            let value = rest.split(';').next().unwrap();
            self.cookies.retain(|(found, _)| found != name);
            if !value.is_empty() {
                self.cookies.push((name.to_owned(), value.to_owned()));
            }
        }
    }
}

fn of(app: &TestApp) -> String {
    format!("/v1/orgs/{}/oidc", app.organization)
}

fn body(issuer: &str) -> Value {
    let (id, secret) = (OidcProvider::CLIENT_ID, OidcProvider::CLIENT_SECRET);
    json!({"label": "Acme", "issuer": issuer, "clientID": id, "clientSecret": secret, "defaultRole": "edit"})
}

#[actix_web::test]
async fn a_provider_is_managed_by_administrators_and_its_secret_is_in_no_answer() {
    let app = TestApp::start().await;
    let (admin, creator) = (app.as_role(Role::Admin), app.as_role(Role::Create));
    let made = admin.post(&of(&app), body("https://id.example.com")).await.expect(201);
    let (id, base) = (made.text("/id"), app.state.settings.base_url.clone());
    let path = format!("{}/{id}", of(&app));
    assert_eq!(
        made.json,
        json!({
            "object": "oidc-provider", "id": id, "label": "Acme", "issuer": "https://id.example.com",
            "clientID": "quire", "defaultRole": "edit", "claimRules": [], "createdAt": made.at("/createdAt"),
            "service": {
                "callbackURL": format!("{base}/v1/auth/oidc/{id}/callback"),
                "startURL": format!("{base}/v1/auth/oidc/{id}/start"),
            },
            "urls": {"location": format!("{base}{path}")},
        })
    );
    assert_eq!(admin.get(&path).await.expect(200).json, made.json);
    assert_eq!(admin.get(&of(&app)).await.expect(200).at("/items/0"), &made.json);
    let changed = admin.patch(&path, json!({"label": "Staff", "defaultRole": null})).await.expect(200);
    assert_eq!((changed.text("/label"), changed.at("/defaultRole")), ("Staff".to_owned(), &Value::Null));
    // The secret of the first provider is not sent to another provider.
    let other = json!({"issuer": "https://other.example.com"});
    let refused = admin.patch(&path, other).await.expect(400);
    assert_eq!(refused.at("/error/details/0/field"), "clientSecret");
    let other = json!({"issuer": "https://other.example.com", "clientSecret": "new"});
    let _ = admin.patch(&path, other).await.expect(200);
    for (part, value) in [
        ("issuer", json!("http://id.example.com")),
        ("issuer", json!("https://id.example.com?a=b")),
        ("label", json!("")),
        ("label", json!("x".repeat(31))),
        ("clientID", json!("")),
        ("clientSecret", json!("")),
        ("defaultTeam", json!("0190a5d2-7c1e-7000-8000-000000000001")),
    ] {
        let refused = admin.patch(&path, json!({part: value})).await.expect(400);
        assert_eq!(refused.at("/error/details/0/field"), part, "{value}");
    }
    creator.get(&path).await.expect(403);
    creator.get(&of(&app)).await.expect(403);
    let _ = admin.delete(&path).await.expect(204);
    let _ = admin.get(&path).await.expect(404);
}

#[actix_web::test]
async fn the_first_sign_in_makes_an_account_with_the_defaults_of_the_provider() {
    let deployment = Deployment::start().await;
    let Deployment { app, admin, .. } = &deployment;
    let teams = format!("/v1/orgs/{}/teams", app.organization);
    let team = admin.put(&teams, json!({"title": "Staff"})).await.expect(201).text("/id");
    let path = format!("{}/{}", of(app), deployment.id);
    let _ = admin.patch(&path, json!({"defaultTeam": team})).await.expect(200);
    let mut visitor = Visitor::new();
    let query = deployment.visit(&mut visitor, "?next=/s/1%3Fa=b").await;
    assert_eq!(visitor.cookies[0].0, "quire-oidc");
    let callback = format!("{}?{query}", deployment.path("callback"));
    let signed_in = deployment.get(&mut visitor, &callback).await.expect(303);
    assert_eq!(signed_in.header("location"), "/s/1?a=b");
    assert_eq!(
        visitor.cookies.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
        ["quire", "quire-way"]
    );
    let user = deployment.user(&mut visitor).await;
    assert_eq!((&user["displayName"], &user["email"]), (&json!("Grace Hopper"), &json!("grace@example.com")));
    let member = format!("/v1/orgs/{}/members/{}", app.organization, user["id"].as_str().unwrap());
    let member = admin.get(&member).await.expect(200);
    assert_eq!((member.text("/role"), member.at("/sso")), ("edit".to_owned(), &json!(true)));
    let members = admin.get(&format!("{teams}/{team}/members")).await.expect(200);
    assert_eq!(members.at("/items/0/organization/user/id"), &user["id"]);
    let entries = admin.get(&format!("/v1/orgs/{}/audit-log", app.organization)).await.expect(200);
    let names: Vec<&Value> =
        entries.at("/items").as_array().unwrap().iter().map(|entry| &entry["operation"]).collect();
    assert!(names.contains(&&json!("signInWithOidc")), "{names:?}");

    // The subject identifies the user, whatever e-mail address the provider sends.
    deployment.provider.set_claims(&json!({"email": "hopper@example.com"}));
    let mut elsewhere = Visitor::new();
    let _ = deployment.sign_in(&mut elsewhere).await;
    assert_eq!(deployment.user(&mut elsewhere).await["id"], user["id"]);
}

#[actix_web::test]
async fn a_verified_address_finds_the_account_and_others_find_none() {
    let deployment = Deployment::start().await;
    let Deployment { app, admin, provider, .. } = &deployment;
    let member = app.as_role(Role::Read);
    let email = member.get("/v1/user").await.expect(200).text("/email");
    for claims in [
        json!({"email": email, "email_verified": false}),
        json!({"email": email}),
        json!({"email_verified": true}),
        json!({"email": "not an address", "email_verified": true}),
    ] {
        provider.set_claims(&claims);
        deployment.failed(&deployment.sign_in(&mut Visitor::new()).await, SignInProblem::Email);
    }
    // Some providers send the address only in the user info response.
    provider.set_claims(&json!({}));
    let answer = json!({"sub": "grace", "email": email.to_uppercase(), "email_verified": true});
    provider.set_user_info(&answer);
    let mut visitor = Visitor::new();
    let _ = deployment.sign_in(&mut visitor).await;
    assert_eq!(deployment.user(&mut visitor).await["id"], json!(member.user()));
    let role = admin.get(&format!("/v1/orgs/{}/members/{}", app.organization, member.user())).await;
    assert_eq!(role.expect(200).text("/role"), "read", "a member keeps the role");
    provider.set_user_info(&json!({"sub": "eve", "email": email, "email_verified": true}));
    deployment.failed(&deployment.sign_in(&mut Visitor::new()).await, SignInProblem::Provider);
}

#[actix_web::test]
async fn a_disabled_member_is_not_signed_in() {
    let deployment = Deployment::start().await;
    let app = &deployment.app;
    let mut visitor = Visitor::new();
    let _ = deployment.sign_in(&mut visitor).await;
    let user = deployment.user(&mut visitor).await["id"].as_str().unwrap().parse().unwrap();
    let disable = |tx: &mut quire_storage::SystemTx<'_>| tx.disable_member(app.organization, user, true);
    assert!(app.system.transact(disable).unwrap());
    deployment.failed(&deployment.sign_in(&mut Visitor::new()).await, SignInProblem::Disabled);
}

#[actix_web::test]
async fn a_provider_opens_no_account_of_other_organizations_by_its_word() {
    let deployment = Deployment::start().await;
    let Deployment { app, provider, .. } = &deployment;
    let elsewhere = app.create_organization("Elsewhere");
    let stranger = app.member_of(elsewhere, Some(Role::Admin));
    let email = stranger.get("/v1/user").await.expect(200).text("/email");
    let claims = json!({"email": email, "email_verified": true, "name": "Eve"});
    provider.set_claims(&claims);
    // The provider does not learn whether there is such an account: a new account without the address is created.
    let mut visitor = Visitor::new();
    let _ = deployment.sign_in(&mut visitor).await;
    let user = deployment.user(&mut visitor).await;
    assert_ne!(user["id"], json!(stranger.user()));
    assert_eq!(user["email"], Value::Null);

    // The account of a member of several organizations is not opened by the address either.
    let member = app.as_role(Role::Read);
    let email = member.get("/v1/user").await.expect(200).text("/email");
    app.join(&member, elsewhere, Some(Role::Read));
    provider.set_claims(&json!({"sub": "both", "email": email, "email_verified": true}));
    deployment.failed(&deployment.sign_in(&mut Visitor::new()).await, SignInProblem::Account);
    // It is opened once the member has connected the identity.
    let mut browser = Visitor::signed_in(app, &member);
    let listed = deployment.get(&mut browser, "/v1/user/identities").await.expect(200);
    assert_eq!(listed.at("/items/0/connected"), &json!(false));
    let url = listed.text("/items/0/connectURL");
    let (path, query) = url.split_once('?').unwrap();
    assert!(path.ends_with(&deployment.path("start")));
    let query = deployment.visit(&mut browser, &format!("?{query}")).await;
    let connected =
        deployment.get(&mut browser, &format!("{}?{query}", deployment.path("callback"))).await.expect(303);
    assert_eq!(connected.header("location"), "/");
    let listed = deployment.get(&mut browser, "/v1/user/identities").await.expect(200);
    assert_eq!(listed.at("/items/0/connected"), &json!(true));
    let mut visitor = Visitor::new();
    let _ = deployment.sign_in(&mut visitor).await;
    assert_eq!(deployment.user(&mut visitor).await["id"], json!(member.user()));
    // A connected identity cannot be connected to another user.
    let other = app.as_role(Role::Read);
    let mut browser = Visitor::signed_in(app, &other);
    let url =
        deployment.get(&mut browser, "/v1/user/identities").await.expect(200).text("/items/0/connectURL");
    let query = deployment.visit(&mut browser, &format!("?{}", url.split_once('?').unwrap().1)).await;
    let taken = deployment.get(&mut browser, &format!("{}?{query}", deployment.path("callback"))).await;
    deployment.failed(&taken, SignInProblem::Taken);
    let path = format!("/v1/user/identities/{}", deployment.id);
    // Disconnecting requires a recent proof of identity.
    let session = app.in_browser(&member);
    app.clock.advance(Duration::from_secs(11 * 60));
    assert_eq!(session.delete(&path).await.expect(403).reason(), "confirmation-required");
    let _ = member.delete(&path).await.expect(204);
    let _ = member.delete(&path).await.expect(204);
    deployment.failed(&deployment.sign_in(&mut Visitor::new()).await, SignInProblem::Account);
}

#[actix_web::test]
async fn a_provisioned_user_signs_in_without_a_verified_address() {
    let deployment = Deployment::start().await;
    let app = &deployment.app;
    // With several organizations, the address of the account is not verified for the others.
    let _ = app.create_organization("Other");
    let scim = format!("/v1/orgs/{}/scim", app.organization);
    let token = deployment.admin.post(&scim, json!({"defaultRole": "read"})).await.expect(201).text("/token");
    let provisioning = app.anonymous().with_token(&token);
    let users = format!("/scim/v2/{}/Users", app.organization);
    let user = json!({"userName": "grace", "emails": [{"value": "Grace@example.com"}]});
    let id = provisioning.post(&users, user).await.expect(201).text("/id");
    let mut visitor = Visitor::new();
    let _ = deployment.sign_in(&mut visitor).await;
    let user = deployment.user(&mut visitor).await;
    assert_eq!((&user["id"], user.get("email")), (&json!(id), None));
    let inactive = json!({"userName": "grace", "active": false});
    let _ = provisioning.put(&format!("{users}/{id}"), inactive).await.expect(200);
    let _ = deployment.get(&mut visitor, "/v1/user").await.expect(401);
    deployment.failed(&deployment.sign_in(&mut Visitor::new()).await, SignInProblem::Disabled);
}

#[actix_web::test]
async fn a_connection_needs_the_page_and_the_session_that_asked() {
    let deployment = Deployment::start().await;
    let app = &deployment.app;
    let mut browser = Visitor::signed_in(app, &app.as_role(Role::Read));
    for query in ["?purpose=connect", "?purpose=connect&signature=AAAA", "?purpose=test"] {
        let refused = deployment.get(&mut browser, &format!("{}{query}", deployment.path("start"))).await;
        deployment.failed(&refused, SignInProblem::Session);
    }
    let url =
        deployment.get(&mut browser, "/v1/user/identities").await.expect(200).text("/items/0/connectURL");
    let query = url.split_once('?').unwrap().1;
    // The signature is valid for one session only.
    let mut other = Visitor::signed_in(app, &app.as_role(Role::Read));
    let refused = deployment.get(&mut other, &format!("{}?{query}", deployment.path("start"))).await;
    deployment.failed(&refused, SignInProblem::Session);
    let query = deployment.visit(&mut browser, &format!("?{query}")).await;
    browser.cookies.retain(|(name, _)| name != "quire");
    browser.cookies.extend(other.cookies);
    let refused = deployment.get(&mut browser, &format!("{}?{query}", deployment.path("callback"))).await;
    deployment.failed(&refused, SignInProblem::Session);
}

#[actix_web::test]
async fn a_test_shows_the_claims_to_administrators_and_signs_no_one_in() {
    let deployment = Deployment::start().await;
    let Deployment { app, admin, .. } = &deployment;
    let mut browser = Visitor::signed_in(app, admin);
    let query = deployment.visit(&mut browser, "?purpose=test").await;
    let tested =
        deployment.get(&mut browser, &format!("{}?{query}", deployment.path("callback"))).await.expect(303);
    let page = format!("/o/{}/sign-in/{}", app.organization, deployment.id);
    assert!(tested.header("location").ends_with(&page));
    assert_eq!(deployment.user(&mut browser).await["id"], json!(admin.user()));
    let provider = admin.get(&format!("{}/{}", of(app), deployment.id)).await.expect(200);
    assert_eq!(provider.text("/lastTest/claims/email"), "grace@example.com");
    assert_eq!(provider.text("/lastTest/claims/sub"), "grace");
    let shown = admin.get(&page).await.expect(200);
    let shown = String::from_utf8_lossy(&shown.bytes).into_owned();
    assert!(shown.contains("grace@example.com") && !shown.contains(OidcProvider::CLIENT_SECRET));
}

#[actix_web::test]
async fn answers_that_are_not_right_sign_no_one_in() {
    let deployment = Deployment::start().await;
    let provider = &deployment.provider;
    for (claims, problem) in [
        (json!({"iss": "https://evil.example.com"}), SignInProblem::Issuer),
        (json!({"iss": null}), SignInProblem::Token),
        (json!({"aud": "other"}), SignInProblem::Audience),
        (json!({"aud": ["quire", "other"]}), SignInProblem::Audience),
        (json!({"azp": "other"}), SignInProblem::Audience),
        (json!({"nonce": "other"}), SignInProblem::Nonce),
        (json!({"nonce": null}), SignInProblem::Nonce),
        (json!({"exp": 1_500_000_000}), SignInProblem::Expired),
        (json!({"exp": null}), SignInProblem::Token),
        (json!({"sub": null}), SignInProblem::Token),
        (json!({"sub": "x".repeat(256), "email": "grace@example.com"}), SignInProblem::Token),
    ] {
        provider.set_claims(&claims);
        let mut visitor = Visitor::new();
        deployment.failed(&deployment.sign_in(&mut visitor).await, problem);
        assert!(visitor.cookies.is_empty(), "{claims}");
    }
    provider.set_claims(&json!({"email": "grace@example.com", "email_verified": true}));
    provider.set_signs_wrong(true);
    deployment.failed(&deployment.sign_in(&mut Visitor::new()).await, SignInProblem::Signature);
}

#[actix_web::test]
async fn a_visit_ends_once_in_the_browser_that_started_it() {
    let deployment = Deployment::start().await;
    let Deployment { app, .. } = &deployment;
    let callback = deployment.path("callback");
    let mut visitor = Visitor::new();
    let query = deployment.visit(&mut visitor, "").await;
    // A callback in another browser, with another state, and for another provider.
    let mut other = Visitor::new();
    let refused = deployment.get(&mut other, &format!("{callback}?{query}")).await;
    deployment.failed(&refused, SignInProblem::State);
    let mut tampered = Visitor { cookies: visitor.cookies.clone() };
    let refused = deployment.get(&mut tampered, &format!("{callback}?code=code-0&state=other")).await;
    deployment.failed(&refused, SignInProblem::State);
    let mut tampered = Visitor { cookies: visitor.cookies.clone() };
    tampered.cookies[0].1.insert(4, 'A');
    let refused = deployment.get(&mut tampered, &format!("{callback}?{query}")).await;
    deployment.failed(&refused, SignInProblem::State);
    let mut denied = Visitor { cookies: visitor.cookies.clone() };
    let path = format!("{callback}?error=access_denied&state={}", state_of(&query));
    deployment.failed(&deployment.get(&mut denied, &path).await, SignInProblem::Denied);
    let mut mixed = Visitor { cookies: visitor.cookies.clone() };
    let path = format!("{callback}?{query}&iss=https://evil.example.com");
    deployment.failed(&deployment.get(&mut mixed, &path).await, SignInProblem::Issuer);
    // A code is valid once, even with the cookie of the first request.
    let mut again = Visitor { cookies: visitor.cookies.clone() };
    let _ = deployment.get(&mut visitor, &format!("{callback}?{query}")).await.expect(303);
    let refused = deployment.get(&mut again, &format!("{callback}?{query}")).await;
    deployment.failed(&refused, SignInProblem::Code);
    // A visit expires after ten minutes.
    let mut late = Visitor::new();
    let query = deployment.visit(&mut late, "").await;
    app.clock.advance(Duration::from_secs(601));
    let refused = deployment.get(&mut late, &format!("{callback}?{query}")).await;
    deployment.failed(&refused, SignInProblem::State);
}

fn state_of(query: &str) -> &str {
    query.rsplit("state=").next().unwrap()
}

#[actix_web::test]
async fn a_provider_without_an_answer_is_said_by_a_page() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let provider = OidcProvider::start();
    // The fetch guard refuses requests to this machine.
    let made = admin.post(&of(&app), body(&provider.issuer)).await.expect(201);
    let path = format!("/v1/auth/oidc/{}/start", made.text("/id"));
    let refused = app.anonymous().get(&path).await.expect(303);
    assert!(refused.header("location").contains("problem=provider"));
    let page = refused.header("location").strip_prefix(&app.state.settings.base_url).unwrap();
    let page = app.anonymous().get(page).await.expect(400);
    assert!(String::from_utf8_lossy(&page.bytes).contains(SignInProblem::Provider.sentence()));
    let _ = app.anonymous().get("/v1/auth/oidc/0190a5d2-7c1e-7000-8000-000000000001/start").await.expect(404);
}

#[actix_web::test]
async fn the_providers_of_a_domain_reveal_no_address() {
    let deployment = Deployment::start().await;
    let Deployment { app, admin, id, .. } = &deployment;
    let providers = async |query: &str| {
        let answer = app.anonymous().get(&format!("/v1/auth/providers{query}")).await.expect(200);
        answer.at("/items").as_array().unwrap().len()
    };
    // With a single organization, the providers are listed for everyone.
    assert_eq!(providers("").await, 1);
    let _ = app.create_organization("Elsewhere");
    assert_eq!((providers("").await, providers("?emailDomain=example.com").await), (0, 0));
    let path = format!("/v1/orgs/{}", app.organization);
    let _ = admin.patch(&path, json!({"emailDomains": ["example.com"]})).await.expect(200);
    assert_eq!(providers("?emailDomain=EXAMPLE.com").await, 1);
    let listed = app.anonymous().get("/v1/auth/providers?emailDomain=example.com").await.expect(200);
    let start = format!("{}/v1/auth/oidc/{id}/start", app.state.settings.base_url);
    assert_eq!(
        listed.at("/items/0"),
        &json!({"id": id, "protocol": "oidc", "label": "Acme", "startURL": start})
    );
    let _ = app.anonymous().get("/v1/auth/providers?emailDomain=a").await.expect(400);
}

#[actix_web::test]
async fn a_provider_that_asks_for_a_second_factor_answers_for_its_own_organization() {
    let deployment = Deployment::start().await;
    let app = &deployment.app;
    let elsewhere = app.create_organization("Elsewhere");
    let require = |organization| {
        format!("UPDATE organizations SET second_factor_required = true WHERE id = '{organization}'")
    };
    app.connection().batch_execute(&require(app.organization)).unwrap();
    let (mut visitor, path) = (Visitor::new(), format!("/v1/orgs/{}", app.organization));
    let _ = deployment.sign_in(&mut visitor).await;
    let refused = deployment.get(&mut visitor, &path).await.expect(403);
    assert_eq!(refused.reason(), "second-factor-missing");
    deployment.provider.set_claims(&json!({
        "email": "grace@example.com", "email_verified": true, "name": "Grace Hopper", "amr": ["pwd", "mfa"],
    }));
    let _ = deployment.sign_in(&mut visitor).await;
    let _ = deployment.get(&mut visitor, &path).await.expect(200);

    let user = deployment.user(&mut visitor).await["id"].as_str().unwrap().to_owned();
    app.store.join(user.parse().unwrap(), elsewhere, Some(Role::Read));
    let _ = deployment.get(&mut visitor, &path).await.expect(200);
    app.connection().batch_execute(&require(elsewhere)).unwrap();
    let refused = deployment.get(&mut visitor, &path).await.expect(403);
    assert_eq!(refused.reason(), "second-factor-missing");
}
