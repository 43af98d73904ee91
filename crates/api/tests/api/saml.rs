//! Sign-ins with SAML: visits of browsers, and invalid responses. `crates/auth/tests/saml` covers the validation of
//! responses.

use std::time::Duration;

use actix_web::test::TestRequest;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quire_domain::Role;
use quire_domain::clock::Clock as _;
use quire_domain::error::Reason;
use quire_domain::sign_in::SignInProblem;
use quire_storage::lookup::Credentials;
use quire_storage::people::user_sessions::Browser;
use quire_test_support::{Answer, Caller, SamlPerson, SamlProvider, SamlRequest, TestApp};
use serde_json::{Value, json};

/// Application with a provider of its organization.
pub(crate) struct Deployment {
    pub(crate) app: TestApp,
    pub(crate) admin: Caller,
    pub(crate) id: String,
}

/// Browser with its cookies.
#[derive(Default)]
pub(crate) struct Visitor {
    cookies: Vec<(String, String)>,
}

impl Visitor {
    fn signed_in(app: &TestApp, caller: &Caller) -> Self {
        Self { cookies: vec![("quire".to_owned(), app.in_browser(caller).token().to_owned())] }
    }

    fn cookie(&self) -> String {
        let pairs = self.cookies.iter().map(|(name, value)| format!("{name}={value}"));
        pairs.collect::<Vec<_>>().join("; ")
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

impl Deployment {
    pub(crate) async fn start() -> Self {
        let app = TestApp::start().await;
        let admin = app.as_role(Role::Admin);
        let made = admin.post(&of(&app), body()).await.expect(201);
        Self { app, admin, id: made.text("/id") }
    }

    fn path(&self, part: &str) -> String {
        format!("/saml/{}/{part}", self.id)
    }

    async fn get(&self, visitor: &mut Visitor, path: &str) -> Answer {
        let request = TestRequest::get().uri(path).insert_header(("Cookie", visitor.cookie()));
        let answer = self.app.anonymous().send(request).await;
        visitor.keep(&answer);
        answer
    }

    /// Starts a visit and returns the request that the browser takes to the provider.
    async fn visit(&self, visitor: &mut Visitor, query: &str) -> SamlRequest {
        let started = self.get(visitor, &format!("{}{query}", self.path("login"))).await.expect(303);
        SamlProvider::request(started.header("location"))
    }

    fn response(&self, request: &SamlRequest, person: &SamlPerson) -> String {
        SamlProvider::response(request, person, self.app.clock.now())
    }

    /// Posts a response from a page of the provider, without cookies.
    async fn post(&self, state: &str, response: &str) -> Answer {
        let fields = [("SAMLResponse", response), ("RelayState", state)];
        let request = TestRequest::post().uri(&self.path("acs")).set_form(fields);
        let request = request.insert_header(("Origin", "https://id.example.com"));
        self.app.anonymous().send(request.insert_header(("Sec-Fetch-Site", "cross-site"))).await
    }

    /// Posts a response, and completes the visit in the visitor's browser.
    async fn finish(&self, visitor: &mut Visitor, request: &SamlRequest, person: &SamlPerson) -> Answer {
        let posted = self.post(&request.relay_state, &self.response(request, person)).await.expect(303);
        let callback = posted.header("location").strip_prefix(&*self.app.state.settings.base_url).unwrap();
        assert!(callback.starts_with(&self.path("callback")), "{callback}");
        self.get(visitor, callback).await.expect(303)
    }

    pub(crate) async fn sign_in(&self, visitor: &mut Visitor, person: &SamlPerson) -> Answer {
        let request = self.visit(visitor, "").await;
        self.finish(visitor, &request, person).await
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

fn of(app: &TestApp) -> String {
    format!("/v1/orgs/{}/saml", app.organization)
}

fn body() -> Value {
    json!({
        "label": "Acme", "ssoURL": SamlProvider::SSO_URL, "entityID": SamlProvider::ENTITY_ID,
        "certificate": SamlProvider::CERTIFICATE, "defaultRole": "edit",
    })
}

fn grace() -> SamlPerson {
    SamlPerson {
        name_id: "grace".to_owned(),
        format: "persistent",
        attributes: vec![
            ("email", "grace@example.com".to_owned()),
            ("displayName", "Grace Hopper".to_owned()),
        ],
    }
}

fn with_email(name_id: &str, email: &str) -> SamlPerson {
    SamlPerson { name_id: name_id.to_owned(), attributes: vec![("email", email.to_owned())], ..grace() }
}

#[actix_web::test]
async fn the_first_sign_in_makes_an_account_with_the_defaults_of_the_provider() {
    let deployment = Deployment::start().await;
    let Deployment { app, admin, .. } = &deployment;
    let teams = format!("/v1/orgs/{}/teams", app.organization);
    let team = admin.put(&teams, json!({"title": "Staff"})).await.expect(201).text("/id");
    let path = format!("{}/{}", of(app), deployment.id);
    let _ = admin.patch(&path, json!({"defaultTeam": team})).await.expect(200);
    let mut visitor = Visitor::default();
    let request = deployment.visit(&mut visitor, "?next=/s/1%3Fa=b").await;
    assert_eq!(visitor.cookies[0].0, "quire-saml");
    assert!(!request.xml.contains("RequestedAuthnContext"), "{}", request.xml);
    let base = &app.state.settings.base_url;
    assert_eq!(request.acs_url, format!("{base}{}", deployment.path("acs")));
    assert_eq!(request.service, format!("{base}{}", deployment.path("metadata")));
    let signed_in = deployment.finish(&mut visitor, &request, &grace()).await;
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
    let entries = entries.at("/items").as_array().unwrap();
    let entry = entries.iter().find(|entry| entry["operation"] == "signInWithSaml").unwrap();
    assert!(!entry.to_string().contains(&request.relay_state), "{entry}");

    // The subject identifies the user, whatever e-mail address the provider sends.
    let mut elsewhere = Visitor::default();
    let _ = deployment.sign_in(&mut elsewhere, &with_email("grace", "hopper@example.com")).await;
    assert_eq!(deployment.user(&mut elsewhere).await["id"], user["id"]);
    // A new entity id disconnects all users.
    let other = json!({"entityID": "https://other.example.com"});
    let _ = admin.patch(&path, other).await.expect(200);
    let _ = admin.patch(&path, json!({"entityID": SamlProvider::ENTITY_ID})).await.expect(200);
    let mut elsewhere = Visitor::default();
    let _ = deployment.sign_in(&mut elsewhere, &with_email("grace", "hopper@example.com")).await;
    assert_ne!(deployment.user(&mut elsewhere).await["id"], user["id"]);
}

#[actix_web::test]
async fn a_response_counts_once_and_in_the_browser_that_asked() {
    let deployment = Deployment::start().await;
    let app = &deployment.app;
    let mut visitor = Visitor::default();
    let request = deployment.visit(&mut visitor, "").await;
    let response = deployment.response(&request, &grace());
    let posted = deployment.post(&request.relay_state, &response).await.expect(303);
    let callback = posted.header("location").strip_prefix(&*app.state.settings.base_url).unwrap().to_owned();
    // Another browser is not signed in, so that no user can be signed in as another one.
    for mut other in [Visitor::default(), Visitor::signed_in(app, &deployment.admin)] {
        let _ = deployment.visit(&mut other, "").await;
        deployment.failed(&deployment.get(&mut other, &callback).await, SignInProblem::State);
    }
    let replayed = deployment.post(&request.relay_state, &response).await.expect(303);
    deployment.failed(&replayed, SignInProblem::State);
    let kept = visitor.cookies.clone();
    assert_eq!(deployment.get(&mut visitor, &callback).await.expect(303).header("location"), "/");
    // The request has ended, and its response is not valid for another request.
    let mut again = Visitor { cookies: kept };
    deployment.failed(&deployment.get(&mut again, &callback).await, SignInProblem::State);
    let replayed = deployment.post(&request.relay_state, &response).await.expect(303);
    deployment.failed(&replayed, SignInProblem::State);
    let next = deployment.visit(&mut Visitor::default(), "").await;
    let replayed = deployment.post(&next.relay_state, &response).await.expect(303);
    deployment.failed(&replayed, SignInProblem::Nonce);
}

#[actix_web::test]
async fn a_message_is_remembered_on_all_nodes() {
    let deployment = Deployment::start().await;
    let app = &deployment.app;
    let mut visitor = Visitor::default();
    let request = deployment.visit(&mut visitor, "").await;
    let response = deployment.response(&request, &grace());
    let _ = deployment.post(&request.relay_state, &response).await.expect(303);
    // Even for a request that is still open, a used message is refused.
    app.store.execute("UPDATE saml_sign_ins SET person = NULL");
    let replayed = deployment.post(&request.relay_state, &response).await.expect(303);
    deployment.failed(&replayed, SignInProblem::Replay);
    // The next sign-in removes expired rows.
    app.clock.advance(Duration::from_secs(11 * 60));
    let fresh = deployment.visit(&mut visitor, "").await;
    let _ = deployment.finish(&mut visitor, &fresh, &grace()).await;
    let count = |table: &str| app.store.count(table);
    assert_eq!((count("saml_sign_ins"), count("saml_messages")), (0, 2));
}

#[actix_web::test]
async fn a_sign_in_takes_ten_minutes_at_most() {
    let deployment = Deployment::start().await;
    let mut visitor = Visitor::default();
    let request = deployment.visit(&mut visitor, "").await;
    deployment.app.clock.advance(Duration::from_secs(10 * 60 + 1));
    let late = deployment.post(&request.relay_state, &deployment.response(&request, &grace())).await;
    deployment.failed(&late.expect(303), SignInProblem::State);
    // The daily sweep removes expired rows without another sign-in.
    assert_eq!(deployment.app.system.transact(|tx| tx.sweep_saml()).unwrap(), 1);
}

#[actix_web::test]
async fn responses_that_are_not_right_say_why() {
    let deployment = Deployment::start().await;
    let mut visitor = Visitor::default();
    let request = deployment.visit(&mut visitor, "").await;
    let state = &request.relay_state;
    let right = deployment.response(&request, &grace());
    let xml = String::from_utf8(STANDARD.decode(&right).unwrap()).unwrap();
    let changed = |from: &str, to: &str| {
        assert!(xml.contains(from), "{from}");
        STANDARD.encode(xml.replace(from, to))
    };
    let unsolicited = changed(&format!("InResponseTo=\"{}\"", request.id), "");
    let unsigned = {
        let (head, rest) = xml.split_once("<ds:Signature").unwrap();
        STANDARD.encode(format!("{head}{}", rest.split_once("</ds:Signature>").unwrap().1))
    };
    for (state, response, problem) in [
        (state.as_str(), unsolicited.as_str(), SignInProblem::Unsolicited),
        ("", &unsolicited, SignInProblem::Unsolicited),
        ("https://docs.example.com/", &unsolicited, SignInProblem::Unsolicited),
        ("", &right, SignInProblem::State),
        ("guess", &right, SignInProblem::State),
        (state, "", SignInProblem::Token),
        (state, "%", SignInProblem::Token),
        (state, &changed(">grace<", ">admin<"), SignInProblem::Signature),
        (state, &unsigned, SignInProblem::Unsigned),
        (state, &changed("rsa-sha256", "hmac-sha256"), SignInProblem::Shape),
        (state, &changed(">grace<", ">gr<!-- -->ace<"), SignInProblem::Shape),
        (state, &STANDARD.encode(xml.replace("<Assertion ", "<EncryptedAssertion ")), SignInProblem::Token),
        (
            state,
            &STANDARD.encode(
                xml.replace("<Assertion ", "<EncryptedAssertion ")
                    .replace("</Assertion>", "</EncryptedAssertion>"),
            ),
            SignInProblem::Encrypted,
        ),
        (
            state,
            &deployment.response(&request, &SamlPerson { format: "transient", ..grace() }),
            SignInProblem::Transient,
        ),
        (
            state,
            &deployment.response(
                &SamlRequest { service: "https://other.example.com".to_owned(), ..request.clone() },
                &grace(),
            ),
            SignInProblem::Audience,
        ),
        (
            state,
            &deployment.response(
                &SamlRequest { acs_url: "https://other.example.com".to_owned(), ..request.clone() },
                &grace(),
            ),
            SignInProblem::Recipient,
        ),
        (
            state,
            &deployment.response(&SamlRequest { id: "_other".to_owned(), ..request.clone() }, &grace()),
            SignInProblem::Nonce,
        ),
        (
            state,
            &deployment.response(&request, &SamlPerson { name_id: "x".repeat(513), ..grace() }),
            SignInProblem::Token,
        ),
    ] {
        let answer = deployment.post(state, response).await.expect(303);
        deployment.failed(&answer, problem);
    }
    let large = "A".repeat(600 << 10);
    let _ = deployment.post(state, &large).await.expect(413);
    // After these refusals, the valid response is still accepted.
    let _ = deployment.finish(&mut visitor, &request, &grace()).await;
    let _ = deployment.user(&mut visitor).await;
}

#[actix_web::test]
async fn a_provider_opens_no_account_of_other_organizations_by_its_word() {
    let deployment = Deployment::start().await;
    let app = &deployment.app;
    let member = app.as_role(Role::Read);
    let email = member.get("/v1/user").await.expect(200).text("/email");
    let mut visitor = Visitor::default();
    let _ = deployment.sign_in(&mut visitor, &with_email("member", &email.to_uppercase())).await;
    assert_eq!(deployment.user(&mut visitor).await["id"], json!(member.user()));
    let none = SamlPerson { attributes: Vec::new(), ..grace() };
    deployment.failed(&deployment.sign_in(&mut Visitor::default(), &none).await, SignInProblem::Email);
    let named = SamlPerson { name_id: "ada@example.com".to_owned(), format: "emailAddress", ..none };
    let mut visitor = Visitor::default();
    let _ = deployment.sign_in(&mut visitor, &named).await;
    assert_eq!(deployment.user(&mut visitor).await["email"], json!("ada@example.com"));

    let elsewhere = app.create_organization("Elsewhere");
    let stranger = app.member_of(elsewhere, Some(Role::Admin));
    let email = stranger.get("/v1/user").await.expect(200).text("/email");
    // The provider does not learn whether there is such an account: a new account without the address is created.
    let mut visitor = Visitor::default();
    let _ = deployment.sign_in(&mut visitor, &with_email("eve", &email)).await;
    let user = deployment.user(&mut visitor).await;
    assert_ne!(user["id"], json!(stranger.user()));
    assert_eq!(user["email"], Value::Null);
    let both = app.as_role(Role::Read);
    let email = both.get("/v1/user").await.expect(200).text("/email");
    app.join(&both, elsewhere, Some(Role::Read));
    let person = with_email("both", &email);
    deployment.failed(&deployment.sign_in(&mut Visitor::default(), &person).await, SignInProblem::Account);

    // It is opened once the member has connected the identity.
    let mut browser = Visitor::signed_in(app, &both);
    let listed = deployment.get(&mut browser, "/v1/user/identities").await.expect(200);
    assert_eq!(
        (listed.text("/items/0/protocol"), listed.at("/items/0/connected")),
        ("saml".to_owned(), &json!(false))
    );
    let url = listed.text("/items/0/connectURL");
    let (path, query) = url.split_once('?').unwrap();
    assert!(path.ends_with(&deployment.path("login")), "{url}");
    // The URL must be signed for the session, so that other pages cannot connect an identity.
    let unsigned =
        deployment.get(&mut browser, &format!("{}?purpose=connect", deployment.path("login"))).await;
    deployment.failed(&unsigned, SignInProblem::Session);
    let request = deployment.visit(&mut browser, &format!("?{query}")).await;
    let connected = deployment.finish(&mut browser, &request, &person).await;
    assert_eq!(connected.header("location"), "/");
    let mut visitor = Visitor::default();
    let _ = deployment.sign_in(&mut visitor, &person).await;
    assert_eq!(deployment.user(&mut visitor).await["id"], json!(both.user()));
    // A connected identity cannot be connected to another user.
    let mut browser = Visitor::signed_in(app, &app.as_role(Role::Read));
    let url =
        deployment.get(&mut browser, "/v1/user/identities").await.expect(200).text("/items/0/connectURL");
    let request = deployment.visit(&mut browser, &format!("?{}", url.split_once('?').unwrap().1)).await;
    let taken = deployment.finish(&mut browser, &request, &person).await;
    deployment.failed(&taken, SignInProblem::Taken);
    let path = format!("/v1/user/saml-identities/{}", deployment.id);
    let _ = both.delete(&path).await.expect(204);
    let _ = both.delete(&path).await.expect(204);
    let _ = stranger.delete(&path).await.expect(404);
    deployment.failed(&deployment.sign_in(&mut Visitor::default(), &person).await, SignInProblem::Account);
}

#[actix_web::test]
async fn a_disabled_member_is_not_signed_in() {
    let deployment = Deployment::start().await;
    let app = &deployment.app;
    let mut visitor = Visitor::default();
    let _ = deployment.sign_in(&mut visitor, &grace()).await;
    let user = deployment.user(&mut visitor).await["id"].as_str().unwrap().parse().unwrap();
    let disable = |tx: &mut quire_storage::SystemTx<'_>| tx.disable_member(app.organization, user, true);
    assert!(app.system.transact(disable).unwrap());
    deployment.failed(&deployment.sign_in(&mut Visitor::default(), &grace()).await, SignInProblem::Disabled);
}

#[actix_web::test]
async fn an_encrypted_assertion_signs_in() {
    let deployment = Deployment::start().await;
    let app = &deployment.app;
    let mut visitor = Visitor::default();
    let request = deployment.visit(&mut visitor, "").await;
    let now = app.clock.now();
    // A provider without the certificate of this service encrypts for another service.
    let other = SamlProvider::encrypted_response(&request, &grace(), now, SamlProvider::CERTIFICATE);
    let refused = deployment.post(&request.relay_state, &other).await.expect(303);
    deployment.failed(&refused, SignInProblem::Encrypted);
    let file = deployment.get(&mut visitor, &deployment.path("certificate")).await.expect(200);
    assert_eq!(file.header("content-type"), "application/pem-certificate-chain");
    let certificate = String::from_utf8(file.bytes.to_vec()).unwrap();
    let metadata = deployment.get(&mut visitor, &deployment.path("metadata")).await.expect(200);
    let digits: String = certificate.lines().filter(|line| !line.starts_with("-----")).collect();
    let described = format!("<ds:X509Certificate>{digits}</ds:X509Certificate>");
    assert!(String::from_utf8(metadata.bytes.to_vec()).unwrap().contains(&described), "{certificate}");
    let again = deployment.get(&mut visitor, &deployment.path("certificate")).await.expect(200);
    assert_eq!(again.bytes, file.bytes);
    // A response that is encrypted for another service is still refused.
    let refused = deployment.post(&request.relay_state, &other).await.expect(303);
    deployment.failed(&refused, SignInProblem::Encrypted);
    let right = SamlProvider::encrypted_response(&request, &grace(), now, &certificate);
    let posted = deployment.post(&request.relay_state, &right).await.expect(303);
    let callback = posted.header("location").strip_prefix(&*app.state.settings.base_url).unwrap();
    assert_eq!(deployment.get(&mut visitor, callback).await.expect(303).header("location"), "/");
    assert_eq!(deployment.user(&mut visitor).await["email"], json!("grace@example.com"));
    // The key is stored encrypted, and belongs to the provider.
    assert_eq!(app.store.count("saml_providers WHERE position('PRIVATE'::bytea IN encryption_key) = 0"), 1);
    let _ = deployment.admin.delete(&format!("{}/{}", of(app), deployment.id)).await.expect(204);
    let _ = deployment.get(&mut visitor, &deployment.path("certificate")).await.expect(404);
}

#[actix_web::test]
async fn the_metadata_is_there_before_the_provider_is_complete() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let made = admin.post(&of(&app), json!({"label": "Acme", "defaultRole": null})).await.expect(201);
    let deployment = Deployment { id: made.text("/id"), admin, app };
    let mut visitor = Visitor::default();
    let metadata = deployment.get(&mut visitor, &deployment.path("metadata")).await.expect(200);
    assert_eq!(metadata.header("content-type"), "application/samlmetadata+xml");
    let xml = String::from_utf8(metadata.bytes.to_vec()).unwrap();
    for value in [made.text("/service/entityID"), made.text("/service/acsURL")] {
        assert!(xml.contains(&format!("\"{value}\"")), "{xml}");
    }
    let started = deployment.get(&mut visitor, &deployment.path("login")).await.expect(303);
    deployment.failed(&started, SignInProblem::Provider);
    deployment.failed(&deployment.post("guess", "AAAA").await.expect(303), SignInProblem::Provider);
    for part in ["login", "metadata", "certificate", "callback?state=a"] {
        let path = format!("/saml/0190a5d2-7c1e-7000-8000-000000000001/{part}");
        let _ = deployment.get(&mut visitor, &path).await.expect(404);
    }
}

#[actix_web::test]
async fn a_test_shows_the_attributes_and_leaves_the_session() {
    let deployment = Deployment::start().await;
    let Deployment { app, admin, id, .. } = &deployment;
    for mut other in [Visitor::default(), Visitor::signed_in(app, &app.as_role(Role::Create))] {
        let refused = deployment.get(&mut other, &format!("{}?purpose=test", deployment.path("login"))).await;
        deployment.failed(&refused, SignInProblem::Session);
    }
    let mut browser = Visitor::signed_in(app, admin);
    let session = browser.cookies.clone();
    let request = deployment.visit(&mut browser, "?purpose=test").await;
    let tested = deployment.finish(&mut browser, &request, &grace()).await;
    let base = &app.state.settings.base_url;
    assert_eq!(tested.header("location"), format!("{base}/o/{}/sign-in/saml/{id}", app.organization));
    assert_eq!(browser.cookies, session);
    let provider = admin.get(&format!("{}/{id}", of(app))).await.expect(200);
    assert_eq!(
        provider.at("/lastTest/claims"),
        &json!({
            "NameID": "grace", "NameID Format": "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
            "email": "grace@example.com", "displayName": "Grace Hopper",
        })
    );
}

#[actix_web::test]
async fn enforced_single_sign_on_leaves_administrators_and_operators_a_way() {
    const PASSWORD: &str = "ferry lantern quilt";
    let deployment = Deployment::start().await;
    let Deployment { app, admin, .. } = &deployment;
    let member = app.as_role(Role::Read);
    let hash = app.state.hash_password(PASSWORD.to_owned()).await.unwrap();
    let enter = async |caller: &Caller| {
        app.system.transact(|tx| tx.set_password(caller.user(), &hash)).unwrap();
        let email = caller.get("/v1/user").await.expect(200).text("/email");
        app.anonymous().post("/v1/auth/password", json!({"email": email, "password": PASSWORD})).await
    };
    let organization = format!("/v1/orgs/{}", app.organization);
    let _ = admin.patch(&organization, json!({"sso": true})).await.expect(200);
    // Single sign-on is not enforced before a successful test, because the provider might not work.
    let _ = enter(&member).await.expect(200);
    let mut browser = Visitor::signed_in(app, admin);
    let request = deployment.visit(&mut browser, "?purpose=test").await;
    let _ = deployment.finish(&mut browser, &request, &grace()).await;
    for caller in [&member, admin] {
        assert_eq!(enter(caller).await.expect(401).reason(), "single-sign-on-required");
    }
    let log = format!("{organization}/audit-log?operation=signInWithPassword");
    let log = admin.get(&log).await.expect(200);
    let outcomes = [0, 1, 2].map(|at| log.text(&format!("/items/{at}/outcome")));
    assert_eq!(outcomes, ["refused", "refused", "done"]);
    // An invite cannot create an account with a password, and stays valid.
    let body = json!({"emails": ["hopper@example.com"], "role": "read"});
    let invited = admin.post(&format!("{organization}/invites"), body).await.expect(200);
    let (invite, secret) = (invited.text("/invites/0/id"), invited.text("/invites/0/secret"));
    let (invite, password_hash) = (invite.parse().unwrap(), hash.clone());
    let joined = app.state.transact(Credentials::ANONYMOUS, move |tx| {
        let browser = Browser::default();
        Ok(tx.join_with_password((invite, &secret), "Grace", &password_hash, &browser).map(drop)?)
    });
    assert_eq!(joined.await.unwrap_err().reason(), Reason::SingleSignOnRequired);
    // It cannot create an account with an API token either, because the token would bypass single sign-on.
    let users = app.store.count("users");
    let register = format!("/v1/invites/{invite}/register");
    let body = json!({"secret": invited.text("/invites/0/secret"), "displayName": "Grace"});
    let refused = app.anonymous().post(&register, body.clone()).await.expect(401);
    assert_eq!(refused.reason(), "single-sign-on-required");
    assert_eq!(app.store.count("users"), users);
    // The audit log of the organization has one entry, of a removed user without a token.
    let _ = app.anonymous().post(&register, body.clone()).await.expect(401);
    let log = admin.get(&format!("{organization}/audit-log?operation=registerWithInvite")).await.expect(200);
    assert_eq!((log.at("/count"), log.text("/items/0/outcome")), (&json!(1), "refused".to_owned()));
    assert_eq!(log.at("/items/0/target"), &json!({"type": "invite", "id": invite.to_string()}));
    assert_eq!(log.text("/items/0/actor/id"), "00000000-0000-0000-0000-000000000000");
    assert_eq!(log.json.pointer("/items/0/token"), None);
    // A wrong secret leaves no entry.
    let wrong = json!({"secret": "wrong", "displayName": "Grace"});
    let _ = app.anonymous().post(&register, wrong).await.expect(404);
    let log = admin.get(&format!("{organization}/audit-log?operation=registerWithInvite")).await.expect(200);
    assert_eq!(log.at("/count"), &json!(1));
    let wrong = json!({"email": "unknown@example.com", "password": PASSWORD});
    assert_eq!(app.anonymous().post("/v1/auth/password", wrong).await.expect(401).reason(), "wrong-password");
    // An administrator with a second factor can still sign in with it.
    let factor = "INSERT INTO totp_secrets (user_id, secret, created_at, confirmed_at) \
                  SELECT id, '\\x00', now(), now() FROM users WHERE id = ";
    app.store.execute(&format!("{factor}'{}'; {factor}'{}'", admin.user(), member.user()));
    assert_eq!(enter(admin).await.expect(401).reason(), "second-factor-required");
    assert_eq!(enter(&member).await.expect(401).reason(), "single-sign-on-required");
    app.store.execute("DELETE FROM totp_secrets");
    let use_link = |secret: String| {
        let browser = Browser::default();
        app.state.transact(Credentials::ANONYMOUS, move |tx| {
            let factor = tx.sign_in_with_link(&secret, &browser)?.unwrap();
            Ok(matches!(factor, quire_storage::people::second_factors::FirstFactor::SignedIn(_)))
        })
    };
    let mailed = app.system.transact(|tx| tx.create_sign_in_link(member.user())).unwrap();
    assert!(!use_link(mailed).await.unwrap());
    let of_operator = app.system.transact(|tx| tx.create_operator_link(member.user())).unwrap();
    assert!(use_link(of_operator).await.unwrap());
    // The provider still signs the member in. Without enforcement, the password suffices again.
    let email = member.get("/v1/user").await.expect(200).text("/email");
    let mut visitor = Visitor::default();
    let _ = deployment.sign_in(&mut visitor, &with_email("member", &email)).await;
    assert_eq!(deployment.user(&mut visitor).await["id"], json!(member.user()));
    let _ = admin.patch(&organization, json!({"sso": false})).await.expect(200);
    let _ = enter(&member).await.expect(200);
    let _ = app.anonymous().post(&register, body).await.expect(201);
}

#[actix_web::test]
async fn the_cookie_of_a_session_does_not_refuse_a_response() {
    let deployment = Deployment::start().await;
    let app = &deployment.app;
    let mut visitor = Visitor::signed_in(app, &deployment.admin);
    let request = deployment.visit(&mut visitor, "").await;
    // The provider has a host of the same domain, so browsers add the cookie.
    let response = deployment.response(&request, &grace());
    let fields = [("SAMLResponse", response.as_str()), ("RelayState", &request.relay_state)];
    let sent = TestRequest::post().uri(&deployment.path("acs")).set_form(fields);
    let sent =
        sent.insert_header(("Sec-Fetch-Site", "same-site")).insert_header(("Cookie", visitor.cookie()));
    let posted = app.anonymous().send(sent).await.expect(303);
    assert!(posted.header("location").contains("/callback?state="), "{}", posted.header("location"));
}
