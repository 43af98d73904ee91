//! Sign-in and account pages.

use std::time::Duration;

use actix_web::test::TestRequest;
use quire_domain::Role;
use quire_domain::clock::Clock as _;
use quire_storage::Tx;
use quire_test_support::{Answer, Caller, MailSink, SamlProvider, TestApp};
use serde_json::json;

use super::{BASE, body};

const PASSWORD: &str = "ferry lantern quilt";

/// Sends a form as a page of the deployment does.
async fn send(caller: &Caller, path: &str, fields: &[(&str, &str)]) -> Answer {
    caller.send(form(path, fields).insert_header(("Sec-Fetch-Site", "same-origin"))).await
}

fn form(path: &str, fields: &[(&str, &str)]) -> TestRequest {
    TestRequest::post().uri(path).set_form(fields)
}

async fn member(app: &TestApp) -> (Caller, String) {
    let caller = app.as_role(Role::Admin);
    let hash = app.state.hash_password(PASSWORD.to_owned()).await.unwrap();
    app.system.transact(|tx| tx.set_password(caller.user(), &hash)).unwrap();
    let email = caller.get("/v1/user").await.expect(200).text("/email");
    (caller, email)
}

/// Returns the caller in the browser that a response signed in.
fn browser(app: &TestApp, answer: &Answer) -> Caller {
    let cookie = answer.header("set-cookie");
    let secret = cookie.strip_prefix("quire=").and_then(|rest| rest.split(';').next()).unwrap();
    app.stranger().with_token(secret)
}

/// Invites an address, and returns the path of the invite page with its secret.
async fn invite(app: &TestApp, admin: &Caller, email: &str) -> String {
    let path = format!("/v1/orgs/{}/invites", app.organization);
    let made = admin.post(&path, json!({"emails": [email], "role": "read"})).await.expect(200);
    format!("/~/invite/{}?secret={}", made.text("/invites/0/id"), made.text("/invites/0/secret"))
}

#[actix_web::test]
async fn a_form_signs_in_and_leads_to_the_page_that_asked() {
    let app = TestApp::start().await;
    let (_, email) = member(&app).await;
    let anonymous = app.anonymous();
    let page = anonymous.get("/~/sign-in?next=/s/1").await.expect(200);
    assert!(body(&page).contains(r#"name="next" value="/s/1""#));
    assert!(page.header("content-security-policy").contains("form-action 'self'"));
    assert_eq!((page.header("referrer-policy"), page.header("cache-control")), ("same-origin", "no-store"));
    let fields = |password, next| [("email", email.as_str()), ("password", password), ("next", next)];
    let signed_in = send(&anonymous, "/~/sign-in", &fields(PASSWORD, "/s/1?a=b")).await.expect(303);
    assert_eq!(signed_in.header("location"), "/s/1?a=b");
    let browser = browser(&app, &signed_in);
    let _ = browser.get("/v1/user").await.expect(200);
    let again = browser.get("/~/sign-in?next=/~/account").await.expect(303);
    assert_eq!(again.header("location"), "/~/account");
    for next in ["//evil.example", "https://evil.example", "/\\evil.example", ""] {
        let signed_in = send(&anonymous, "/~/sign-in", &fields(PASSWORD, next)).await;
        if signed_in.status == 303 {
            assert_eq!(signed_in.header("location"), "/", "{next}");
        }
    }
}

#[actix_web::test]
async fn a_refused_form_says_why() {
    let app = TestApp::start().await;
    let anonymous = app.anonymous();
    let fields = |email, password| [("email", email), ("password", password)];
    let wrong = send(&anonymous, "/~/sign-in", &fields("eve@example.org", "<b>")).await.expect(401);
    assert!(body(&wrong).contains("The e-mail address or the password is wrong."));
    assert!(body(&wrong).contains(r#"value="eve@example.org""#) && !body(&wrong).contains("<b>"));
    let malformed = send(&anonymous, "/~/sign-in", &fields("eve", "")).await.expect(400);
    assert!(body(&malformed).contains(r#"aria-invalid="true""#));
    for _ in 0..4 {
        let _ = send(&anonymous, "/~/sign-in", &fields("eve@example.org", "x")).await.expect(401);
    }
    let many = send(&anonymous, "/~/sign-in", &fields("eve@example.org", "x")).await.expect(429);
    assert!(many.header("retry-after").parse::<u64>().is_ok() && body(&many).contains("Too many requests."));
}

#[actix_web::test]
async fn forms_of_other_sites_are_refused() {
    let app = TestApp::start().await;
    let (caller, email) = member(&app).await;
    let fields = [("email", email.as_str()), ("password", PASSWORD)];
    let anonymous = app.anonymous();
    for (name, value) in [("Sec-Fetch-Site", "cross-site"), ("Origin", "https://evil.example"), ("X", "none")]
    {
        let request = form("/~/sign-in", &fields).insert_header((name, value));
        let refused = anonymous.send(request).await.expect(403);
        assert_eq!(refused.header("set-cookie"), "", "{name}");
    }
    let own = form("/~/sign-in", &fields).insert_header(("Origin", BASE));
    let _ = anonymous.send(own).await.expect(303);
    let cookie = format!("quire={}", app.in_browser(&caller).token());
    let request = form("/~/account", &[("name", "Eve")]).insert_header(("Cookie", cookie));
    let _ = anonymous.send(request.insert_header(("Origin", "https://evil.example"))).await.expect(403);
    assert_ne!(caller.get("/v1/user").await.expect(200).text("/displayName"), "Eve");
}

#[actix_web::test]
async fn the_first_run_works_once() {
    let app = TestApp::start().await;
    app.store.execute("DELETE FROM organizations");
    let url = quire_web::welcome_url(&app.state);
    let path = url.strip_prefix(BASE).unwrap();
    let anonymous = app.anonymous();
    let _ = anonymous.get(path).await.expect(200);
    let _ = anonymous.get("/~/welcome/guess").await.expect(404);
    let fields = |password| {
        [("organization", "Acme"), ("name", "Ada"), ("email", "ada@example.com"), ("password", password)]
    };
    let weak = send(&anonymous, path, &fields("password123")).await.expect(400);
    assert!(body(&weak).contains("is too easy to guess") && body(&weak).contains(r#"value="Acme""#));
    let _ = send(&anonymous, "/~/welcome/guess", &fields(PASSWORD)).await.expect(404);
    let made = send(&anonymous, path, &fields(PASSWORD)).await.expect(303);
    assert_eq!(made.header("location"), "/");
    let browser = browser(&app, &made);
    assert_eq!(browser.get("/v1/user").await.expect(200).text("/email"), "ada@example.com");
    let organization = browser.get("/v1/orgs").await.expect(200).text("/items/0/id");
    let log = browser.get(&format!("/v1/orgs/{organization}/audit-log")).await.expect(200);
    assert_eq!(log.text("/items/0/operation"), "createOrganization");
    assert!(!log.text("/items/0/path").contains(path), "the log has no secret");
    // Another browser cannot use the link again.
    assert!(body(&anonymous.get(path).await.expect(410)).contains("The link works once."));
    let _ = send(&anonymous, path, &fields(PASSWORD)).await.expect(410);
    assert_eq!(browser.get("/v1/orgs").await.expect(200).at("/count"), &json!(1));
}

#[actix_web::test]
async fn a_link_signs_in_once_within_a_quarter_of_an_hour() {
    let app = TestApp::start().await;
    let caller = app.as_role(Role::Read);
    let link = || {
        let secret = app.system.transact(|tx| tx.create_sign_in_link(caller.user())).unwrap();
        format!("/~/link/{secret}")
    };
    let (anonymous, path) = (app.anonymous(), link());
    // A GET does not consume the link.
    for _ in 0..2 {
        assert!(body(&anonymous.get(&path).await.expect(200)).contains("Sign in"));
    }
    let signed_in = send(&anonymous, &path, &[]).await.expect(303);
    let user = browser(&app, &signed_in).get("/v1/user").await.expect(200);
    assert_eq!(user.at("/id"), &json!(caller.user()));
    let _ = anonymous.get(&path).await.expect(410);
    let _ = send(&anonymous, &path, &[]).await.expect(410);
    let late = link();
    app.clock.advance(Duration::from_secs(15 * 60));
    let _ = anonymous.get(&late).await.expect(410);
    let _ = send(&anonymous, &late, &[]).await.expect(410);
    for unknown in ["/~/link/ql_guess", "/~/link/x"] {
        let _ = anonymous.get(unknown).await.expect(404);
    }
    app.clock.advance(Duration::from_secs(25 * 60 * 60));
    assert_eq!(app.system.transact(|tx| tx.sweep_sign_in_links()).unwrap(), 2);
}

#[actix_web::test]
async fn an_invited_person_joins_with_a_password_and_signs_in_again() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let path = invite(&app, &admin, "Eve@Example.org").await;
    let anonymous = app.anonymous();
    let page = body(&anonymous.get(&path).await.expect(200));
    assert!(page.contains("Eve@example.org") || page.contains("eve@example.org"), "{page}");
    let (form_path, secret) = path.split_once("?secret=").unwrap();
    let register = format!("{form_path}/register");
    let fields = |password| [("secret", secret), ("name", "Eve"), ("password", password)];
    let _ = send(&anonymous, &register, &fields("short")).await.expect(400);
    let _ = send(&anonymous, &register, &[("secret", "qi_x"), ("name", "Eve")]).await.expect(404);
    let joined = send(&anonymous, &register, &fields(PASSWORD)).await.expect(303);
    let eve = browser(&app, &joined);
    let _ = eve.get(&format!("/v1/spaces/{space}")).await.expect(200);
    let _ = eve.patch(&format!("/v1/spaces/{space}"), json!({"title": "No"})).await.expect(403);
    // Accepting the invite does not verify the address.
    assert_eq!(eve.get("/v1/user").await.expect(200).json.get("email"), None);
    let _ = anonymous.get(&path).await.expect(404);
    let fields = [("email", "eve@example.org"), ("password", PASSWORD)];
    let _ = send(&anonymous, "/~/sign-in", &fields).await.expect(303);

    // A second invite to the address belongs to the same account.
    let path = invite(&app, &admin, "eve@example.org").await;
    let (form_path, secret) = path.split_once("?secret=").unwrap();
    let fields = [("secret", secret), ("name", "Eve"), ("password", PASSWORD)];
    let taken = send(&anonymous, &format!("{form_path}/register"), &fields).await.expect(409);
    assert!(body(&taken).contains("Sign in to accept the invitation."));
    assert!(body(&eve.get(&path).await.expect(200)).contains("Accept invitation"));
    let _ = send(&eve, form_path, &[("secret", secret)]).await.expect(303);
    let _ = anonymous.get(&path).await.expect(404);
}

#[actix_web::test]
async fn a_verified_address_precedes_one_that_was_only_invited() {
    let app = TestApp::start().await;
    let (admin, _) = member(&app).await;
    let path = invite(&app, &admin, "victim@example.org").await;
    let (form_path, secret) = path.split_once("?secret=").unwrap();
    let fields = [("secret", secret), ("name", "Squatter"), ("password", PASSWORD)];
    let _ = send(&app.anonymous(), &format!("{form_path}/register"), &fields).await.expect(303);
    let other = "quilted harbour seal";
    let hash = app.state.hash_password(other.to_owned()).await.unwrap();
    let victim = app.system.transact(|tx| {
        let user = tx.find_or_create_user("victim@example.org", "Victim")?;
        tx.set_password(user, &hash)?;
        Ok::<_, quire_storage::Error>(user)
    });
    let sign_in = |password| [("email", "victim@example.org"), ("password", password)];
    let _ = send(&app.anonymous(), "/~/sign-in", &sign_in(PASSWORD)).await.expect(401);
    let signed_in = send(&app.anonymous(), "/~/sign-in", &sign_in(other)).await.expect(303);
    let user = browser(&app, &signed_in).get("/v1/user").await.expect(200);
    assert_eq!(user.at("/id"), &json!(victim.unwrap()));
}

#[actix_web::test]
async fn a_link_invite_is_accepted_by_a_signed_in_user() {
    let app = TestApp::start().await;
    let (_, admin) = app.space().await;
    let links = format!("/v1/orgs/{}/link-invites", app.organization);
    let id = admin.post(&links, json!({"role": "read"})).await.expect(201).text("/id");
    let path = format!("/~/invite/{id}");
    let page = body(&app.anonymous().get(&path).await.expect(200));
    assert!(page.contains("/~/sign-in?next=%2F%7E%2Finvite%2F"), "{page}");
    let stranger = app.in_browser(&app.stranger());
    let _ = send(&stranger, &path, &[]).await.expect(303);
    assert_eq!(stranger.get("/v1/orgs").await.expect(200).at("/count"), &json!(1));
    let _ = send(&stranger, "/~/invite/00000000-0000-7000-8000-000000000000", &[]).await.expect(404);
    let _ = stranger.get("/~/invite/x").await.expect(404);
}

#[actix_web::test]
async fn the_account_page_changes_the_user_and_ends_sessions() {
    let app = TestApp::start().await;
    let (caller, _) = member(&app).await;
    let to_sign_in = app.anonymous().get("/~/account").await.expect(303);
    assert_eq!(to_sign_in.header("location"), "/~/sign-in?next=/~/account");
    let (here, there) = (app.in_browser(&caller), app.in_browser(&caller));
    let page = body(&here.get("/~/account").await.expect(200));
    assert!(page.contains("this browser") && page.matches("Firefox").count() >= 2, "{page}");
    let photo = "https://acme.example/ada.png";
    let _ = send(&here, "/~/account", &[("name", "Ada <b>"), ("photo", photo)]).await.expect(200);
    assert_eq!(caller.get("/v1/user").await.expect(200).text("/photoURL"), photo);
    let people = body(&caller.get(&format!("/o/{}/people", app.organization)).await.expect(200));
    assert!(people.contains(&format!(r#"<img class="av" src="{photo}" alt="""#)), "{people}");
    let _ = send(&here, "/~/account", &[("photo", "data:x")]).await.expect(400);
    let _ = send(&here, "/~/account", &[("photo", "")]).await.expect(200);
    assert_eq!(caller.get("/v1/user").await.expect(200).json.get("photoURL"), None);
    assert_eq!(caller.get("/v1/user").await.expect(200).text("/displayName"), "Ada <b>");
    assert!(!body(&here.get("/~/account").await.expect(200)).contains("<b>"));
    let wrong = [("currentPassword", "x"), ("password", "quilted harbour seal")];
    assert!(body(&send(&here, "/~/account", &wrong).await.expect(400)).contains("is not the password"));

    let made = send(&here, "/~/account/tokens", &[("label", "ci")]).await.expect(200);
    let page = body(&made);
    let token = page.split("<code>").nth(1).and_then(|rest| rest.split('<').next()).unwrap();
    let _ = caller.with_token(token).get("/v1/user").await.expect(200);
    let id = caller.get("/v1/user/tokens").await.expect(200).text("/items/0/id");
    let _ = send(&here, &format!("/~/account/tokens/{id}"), &[]).await.expect(303);
    let _ = caller.with_token(token).get("/v1/user").await.expect(401);
    let _ = send(&here, "/~/account/tokens", &[("label", "")]).await.expect(400);

    let sessions = there.get("/v1/user/sessions").await.expect(200);
    let items = sessions.at("/items").as_array().unwrap();
    let current = items.iter().find(|session| session["current"] == json!(true)).unwrap();
    let path = format!("/~/account/sessions/{}", current["id"].as_str().unwrap());
    let _ = send(&here, &path, &[]).await.expect(303);
    let _ = there.get("/~/account").await.expect(303);
    let right = [("currentPassword", PASSWORD), ("password", "quilted harbour seal")];
    assert!(body(&send(&here, "/~/account", &right).await.expect(200)).contains("Saved."));
    let ended = send(&here, "/~/account/sign-out", &[]).await.expect(303);
    assert!(ended.header("set-cookie").starts_with("quire=; "));
    let _ = here.get("/v1/user").await.expect(401);
}

/// Returns the path of the link in the next mail.
async fn mailed_path(app: &TestApp, sink: &MailSink) -> String {
    app.run_jobs().await;
    sink.next().line("http").strip_prefix(BASE).unwrap().to_owned()
}

#[actix_web::test]
async fn a_mailed_link_signs_in_and_tells_nothing_about_accounts() {
    let sink = MailSink::start();
    let app = TestApp::start_with_mail(&sink).await;
    let (caller, email) = member(&app).await;
    let anonymous = app.anonymous();
    let page = send(&anonymous, "/~/sign-in/ways", &[("email", &email)]).await.expect(200);
    assert!(body(&page).contains("E-mail me a link") && body(&page).contains("/~/reset"));
    let ask = async |email: &str| send(&anonymous, "/~/sign-in/link", &[("email", email)]).await;
    let known = ask(&email).await.expect(200);
    let unknown = ask("eve@example.org").await.expect(200);
    assert_eq!(body(&known), body(&unknown));
    let path = mailed_path(&app, &sink).await;
    assert!(sink.is_empty());
    let signed_in = send(&anonymous, &path, &[]).await.expect(303);
    let user = browser(&app, &signed_in).get("/v1/user").await.expect(200);
    assert_eq!(user.at("/id"), &json!(caller.user()));
    let used = send(&anonymous, &path, &[]).await.expect(410);
    assert!(body(&used).contains("Ask for a new one on the sign-in page."));
    assert!(body(&ask("eve").await.expect(400)).contains(r#"aria-invalid="true""#));
    for _ in 0..4 {
        let _ = ask("eve@example.org").await.expect(200);
    }
    let _ = ask("eve@example.org").await.expect(429);
}

#[actix_web::test]
async fn a_reset_sets_a_password_once_and_ends_other_sessions() {
    let sink = MailSink::start();
    let app = TestApp::start_with_mail(&sink).await;
    let (caller, email) = member(&app).await;
    let anonymous = app.anonymous();
    let other = app.in_browser(&caller);
    assert!(body(&anonymous.get("/~/reset").await.expect(200)).contains("E-mail me a link"));
    let asked = send(&anonymous, "/~/reset", &[("email", &email)]).await.expect(200);
    assert!(body(&asked).contains("Check your mail"));
    let path = mailed_path(&app, &sink).await;
    assert!(path.starts_with("/~/reset/ql_"), "{path}");
    let old = app.system.transact(|tx| tx.create_sign_in_link(caller.user())).unwrap();
    assert!(body(&anonymous.get(&path).await.expect(200)).contains("New password"));
    let weak = send(&anonymous, &path, &[("password", "password123")]).await.expect(400);
    assert!(body(&weak).contains("is too easy to guess"));
    let _ = other.get("/v1/user").await.expect(200);
    let password = "marble tundra whistle";
    let reset = send(&anonymous, &path, &[("password", password)]).await.expect(303);
    let _ = browser(&app, &reset).get("/v1/user").await.expect(200);
    let _ = other.get("/v1/user").await.expect(401);
    // API tokens remain valid.
    let _ = caller.get("/v1/user").await.expect(200);
    let _ = send(&anonymous, &path, &[("password", password)]).await.expect(410);
    let _ = send(&anonymous, &format!("/~/link/{old}"), &[]).await.expect(410);
    let sign_in = |password| [("email", email.as_str()), ("password", password)];
    let _ = send(&anonymous, "/~/sign-in", &sign_in(PASSWORD)).await.expect(401);
    let _ = send(&anonymous, "/~/sign-in", &sign_in(password)).await.expect(303);
    let _ = anonymous.get("/~/reset/ql_guess").await.expect(404);
}

#[actix_web::test]
async fn without_mail_nothing_is_offered_that_needs_it() {
    let app = TestApp::start().await;
    let anonymous = app.anonymous();
    let page = send(&anonymous, "/~/sign-in/ways", &[("email", "eve@example.org")]).await.expect(200);
    assert!(!body(&page).contains("E-mail me a link") && !body(&page).contains("/~/reset"));
    assert!(body(&page).contains("Ask the operator of this server for a sign-in link."));
    let _ = anonymous.get("/~/reset").await.expect(404);
    for path in ["/~/reset", "/~/sign-in/link"] {
        let _ = send(&anonymous, path, &[("email", "eve@example.org")]).await.expect(404);
    }
}

#[actix_web::test]
async fn the_page_offers_the_providers_of_an_address_and_reveals_none() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let anonymous = app.anonymous();
    let plain = anonymous.get("/~/sign-in").await.expect(200);
    assert!(!body(&plain).contains("Continue with") && !body(&plain).contains(r#"type="password""#));
    let path = format!("/v1/orgs/{}", app.organization);
    let provider = json!({"label": "Acme & Co", "issuer": "https://id.example.com", "clientID": "a", "clientSecret": "b"});
    let id = admin.post(&format!("{path}/oidc"), provider).await.expect(201).text("/id");
    // Providers of the only organization are offered at once, and lead back to the requested page.
    let page = anonymous.get("/~/sign-in?next=/s/1").await.expect(200);
    let link = format!("/v1/auth/oidc/{id}/start?next=%2Fs%2F1");
    assert!(
        body(&page).contains(&format!(r#"href="{link}""#))
            && body(&page).contains("Continue with Acme &amp; Co")
    );
    // With several organizations, the domain of the address determines the providers.
    let _ = app.create_organization("Elsewhere");
    let page = anonymous.get("/~/sign-in").await.expect(200);
    assert!(!body(&page).contains("Continue with"));
    let _ = admin.patch(&path, json!({"emailDomains": ["example.com"]})).await.expect(200);
    let ask = async |email| {
        let fields = [("email", email), ("password", ""), ("next", "/s/1")];
        send(&anonymous, "/~/sign-in/ways", &fields).await
    };
    let known = admin.get("/v1/user").await.expect(200).text("/email");
    let known = format!("{}@example.com", known.split('@').next().unwrap());
    for email in [known.as_str(), "unknown@example.com"] {
        let page = ask(email).await.expect(200);
        assert!(body(&page).contains(&format!(r#"href="{link}""#)), "{email}");
    }
    let other = body(&ask("ada@example.org").await.expect(200));
    assert!(!other.contains("Continue with") && other.contains(r#"type="password""#), "{other}");
    assert!(body(&ask("ada").await.expect(400)).contains(r#"aria-invalid="true""#));

    let account = admin.get("/~/account").await.expect(200);
    assert!(body(&account).contains("Not connected"));
    let failed = anonymous.get("/~/sign-in/failed?problem=nonce&provider=%3Cb%3E").await.expect(400);
    assert!(body(&failed).contains("(`nonce`, `InResponseTo`)") && !body(&failed).contains("<b>"));
    let _ = anonymous.get("/~/sign-in/failed?problem=other").await.expect(404);
    let settings = format!("/o/{}/sign-in", app.organization);
    let listed = admin.get(&settings).await.expect(200);
    assert!(body(&listed).contains("Not tested"));
    let one = admin.get(&format!("{settings}/{id}")).await.expect(200);
    assert!(body(&one).contains(&format!("/v1/auth/oidc/{id}/callback")));
    let creator = app.as_role(Role::Create);
    assert!(body(&creator.get(&settings).await.expect(200)).contains("This page needs the role admin"));
    let _ = creator.get(&format!("{settings}/{id}")).await.expect(404);
}

#[actix_web::test]
async fn the_ways_of_an_address_begin_with_the_last_one_of_the_browser() {
    let sink = MailSink::start();
    let app = TestApp::start_with_mail(&sink).await;
    let (admin, email) = member(&app).await;
    let provider =
        json!({"label": "Acme", "issuer": "https://id.example.com", "clientID": "a", "clientSecret": "b"});
    let path = format!("/v1/orgs/{}/oidc", app.organization);
    let id = admin.post(&path, provider).await.expect(201).text("/id");
    let fields = [("email", email.as_str()), ("next", "/s/1")];
    let page = async |way: &str| {
        let request = form("/~/sign-in/ways", &fields).insert_header(("Sec-Fetch-Site", "same-origin"));
        let page = body(&app.anonymous().send(request.insert_header(("Cookie", way))).await.expect(200));
        let mut ways = ["Continue with Acme", r#"type="password""#, "E-mail me a link"]
            .map(|way| (page.find(way).unwrap_or_else(|| panic!("{way} is not in {page}")), way));
        ways.sort_unstable();
        assert_eq!(page.matches("primary").count(), 1, "{page}");
        ways.map(|(_, way)| way)
    };
    let [provider, password, link] = ["Continue with Acme", r#"type="password""#, "E-mail me a link"];
    for way in ["quire-way=", "quire-way=<b>", &format!("quire-way={id}")] {
        assert_eq!(page(way).await, [provider, password, link], "{way}");
    }
    assert_eq!(page("quire-way=password").await, [password, provider, link]);
    assert_eq!(page("quire=x; quire-way=link").await, [link, provider, password]);

    let signed_in = [("email", email.as_str()), ("password", PASSWORD)];
    let signed_in = send(&app.anonymous(), "/~/sign-in", &signed_in).await.expect(303);
    let mut cookies = signed_in.headers.get_all("set-cookie").filter_map(|cookie| cookie.to_str().ok());
    let way = cookies.find(|cookie| cookie.starts_with("quire-way=")).unwrap();
    assert_eq!(way, "quire-way=password; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax");
    let wrong = [("email", email.as_str()), ("password", "not the password")];
    assert_eq!(send(&app.anonymous(), "/~/sign-in", &wrong).await.expect(401).header("set-cookie"), "");
    // If the last used provider is known, it comes first on the page.
    let request = TestRequest::get().uri("/~/sign-in").insert_header(("Cookie", format!("quire-way={id}")));
    let start = body(&app.anonymous().send(request).await.expect(200));
    assert!(start.find("Continue with Acme").unwrap() < start.find("E-mail address").unwrap(), "{start}");
}

#[actix_web::test]
async fn saml_providers_are_offered_set_up_and_connected() {
    let app = TestApp::start().await;
    let (admin, _) = member(&app).await;
    let anonymous = app.anonymous();
    let path = format!("/v1/orgs/{}/saml", app.organization);
    let settings = format!("/o/{}/sign-in", app.organization);
    let form = admin.get(&format!("{settings}/saml")).await.expect(200);
    assert!(body(&form).contains(r#"name="certificate""#) && body(&form).contains("Create provider"));
    let made = admin.post(&path, json!({"label": "Acme & Co", "defaultRole": "read"})).await.expect(201);
    let id = made.text("/id");
    let one = format!("{settings}/saml/{id}");
    // A provider without its settings offers no sign-in.
    assert!(!body(&anonymous.get("/~/sign-in").await.expect(200)).contains("Continue with"));
    assert!(body(&admin.get(&settings).await.expect(200)).contains("Not set up"));
    let page = admin.get(&one).await.expect(200);
    assert!(
        body(&page).contains(&made.text("/service/acsURL")) && !body(&page).contains("Test the provider")
    );
    assert!(!body(&admin.get("/~/account").await.expect(200)).contains("Not connected"));

    let values = json!({
        "entityID": SamlProvider::ENTITY_ID, "ssoURL": SamlProvider::SSO_URL,
        "certificate": SamlProvider::CERTIFICATE,
    });
    let _ = admin.patch(&format!("{path}/{id}"), values).await.expect(200);
    let page = anonymous.get("/~/sign-in?next=/s/1").await.expect(200);
    let link = format!(r#"href="/saml/{id}/login?next=%2Fs%2F1""#);
    assert!(body(&page).contains(&link) && body(&page).contains("Continue with Acme &amp; Co"));
    assert!(body(&admin.get(&settings).await.expect(200)).contains("Not tested"));
    assert!(body(&admin.get(&one).await.expect(200)).contains("?purpose=test"));
    assert!(body(&admin.get("/~/account").await.expect(200)).contains("Not connected"));
    let browser = app.in_browser(&admin);
    let disconnect = format!("/~/account/saml-identities/{id}");
    assert_eq!(send(&browser, &disconnect, &[]).await.expect(303).header("location"), "/~/account");
    let failed = anonymous.get("/~/sign-in/failed?problem=unsolicited").await.expect(400);
    assert!(body(&failed).contains("Start on the sign-in page here"));
    let creator = app.as_role(Role::Create);
    for page in [format!("{settings}/saml"), settings.clone()] {
        assert!(body(&creator.get(&page).await.expect(200)).contains("This page needs the role admin"));
    }
    let _ = creator.get(&one).await.expect(404);
}

#[actix_web::test]
async fn an_app_is_set_up_asked_for_and_removed() {
    let app = TestApp::start().await;
    let (member, email) = member(&app).await;
    let caller = app.in_browser(&member);
    let found = |page: &Answer, before: &str, after: &str| {
        let text = body(page);
        let start = text.find(before).unwrap_or_else(|| panic!("{before} is not in {text}")) + before.len();
        text[start..].split(after).next().unwrap().to_owned()
    };
    let code = |secret: &str| {
        let millis = u64::try_from(app.clock.now().millis()).unwrap();
        let now = std::time::UNIX_EPOCH + Duration::from_millis(millis);
        quire_server::totp::code(secret, now).unwrap()
    };
    let set_up = send(&caller, "/~/account/totp", &[]).await.expect(200);
    let secret = found(&set_up, "<code>", "</code>");
    let confirm = "/~/account/totp/confirm";
    let wrong = send(&caller, confirm, &[("code", "000000"), ("secret", &secret)]).await.expect(400);
    assert!(body(&wrong).contains(&secret) && body(&wrong).contains(r#"aria-invalid="true""#));
    let done = send(&caller, confirm, &[("code", &code(&secret)), ("secret", &secret)]).await.expect(200);
    assert_eq!(body(&done).matches("<li>").count(), 10);
    let recovery = found(&done, "<li><code>", "</code>");

    let fields = [("email", email.as_str()), ("password", PASSWORD), ("next", "/s/1")];
    let asked = send(&app.anonymous(), "/~/sign-in", &fields).await.expect(303);
    assert_eq!(asked.header("location"), "/~/sign-in/code?next=%2Fs%2F1");
    let cookie = asked.header("set-cookie").split(';').next().unwrap().to_owned();
    let form = |fields: &[(&str, &str)]| {
        let form = form("/~/sign-in/code", fields).insert_header(("Sec-Fetch-Site", "same-origin"));
        form.insert_header(("Cookie", cookie.clone()))
    };
    let wrong = app.anonymous().send(form(&[("code", "000000")])).await.expect(401);
    assert!(body(&wrong).contains("The code is wrong, or was already used."));
    let signed_in = app.anonymous().send(form(&[("code", &recovery), ("next", "/s/1")])).await.expect(303);
    assert_eq!(signed_in.header("location"), "/s/1");
    let browser = browser(&app, &signed_in);
    let _ = browser.get("/v1/user").await.expect(200);
    let without = app.anonymous().get("/~/sign-in/code?next=/s/1").await.expect(303);
    assert_eq!(without.header("location"), "/~/sign-in?next=%2Fs%2F1");

    // The confirmation by the sign-in is valid for ten minutes.
    app.clock.advance(Duration::from_secs(601));
    let later = send(&browser, "/~/account/totp/remove", &[]).await.expect(303);
    assert_eq!(later.header("location"), "/~/confirm?next=%2F%7E%2Faccount");
    let ask = browser.get("/~/confirm?next=/~/account").await.expect(200);
    assert!(body(&ask).contains(r#"autocomplete="one-time-code""#));
    let proof = code(&secret);
    let fields = [("code", proof.as_str()), ("next", "/~/account")];
    let proven = send(&browser, "/~/confirm", &fields).await.expect(303);
    assert_eq!(proven.header("location"), "/~/account");
    let removed = send(&browser, "/~/account/totp/remove", &[]).await.expect(303);
    assert_eq!(removed.header("location"), "/~/account");
    assert!(body(&browser.get("/~/account").await.expect(200)).contains("Set up an app"));
}

#[actix_web::test]
async fn pages_that_use_passkeys_run_one_script_and_change_them_by_forms() {
    let app = TestApp::start_at("http://localhost:8080").await;
    let (caller, _) = member(&app).await;
    let browser = app.in_browser(&caller);
    let create = move |tx: &mut Tx<'_>| {
        let account = tx.own_account()?;
        Ok(tx.create_passkey(account.actor, "Phone", (&[1], "{}"))?)
    };
    let id = app.state.transact(browser.credentials(), create).await.unwrap().id;
    let signing_in = app.anonymous().get("/~/sign-in").await.expect(200);
    assert!(
        body(&signing_in).contains(r#"data-passkey="sign-in" data-url="/v1/auth/passkey" data-next="/""#)
    );
    let account = browser.get("/~/account").await.expect(200);
    for page in [&signing_in, &account, &browser.get("/~/confirm").await.expect(200)] {
        let policy = page.header("content-security-policy");
        assert!(policy.contains("script-src 'self'; connect-src 'self'"), "{policy}");
        assert!(body(page).contains("passkeys."), "{}", body(page));
    }
    let invite = app.anonymous().get("/~/invite/00000000-0000-0000-0000-000000000000").await;
    assert!(!invite.header("content-security-policy").contains("script-src 'self'"));

    let path = format!("/~/account/passkeys/{id}");
    let renamed = send(&browser, &path, &[("name", " Old phone ")]).await.expect(303);
    assert_eq!(renamed.header("location"), "/~/account");
    assert!(body(&browser.get("/~/account").await.expect(200)).contains("Old phone"));
    let _ = send(&browser, &path, &[("name", "")]).await.expect(400);
    app.clock.advance(Duration::from_secs(601));
    let asked = send(&browser, &format!("{path}/remove"), &[]).await.expect(303);
    assert_eq!(asked.header("location"), "/~/confirm?next=%2F%7E%2Faccount");
    let proof = [("password", PASSWORD), ("next", "/~/account")];
    let _ = send(&browser, "/~/confirm", &proof).await.expect(303);
    let _ = send(&browser, &format!("{path}/remove"), &[]).await.expect(303);
    assert!(!body(&browser.get("/~/account").await.expect(200)).contains("Old phone"));

    // Passkeys need a host name. Without one, the pages have no scripts.
    let app = TestApp::start().await;
    let page = app.anonymous().get("/~/sign-in").await.expect(200);
    assert!(!body(&page).contains("passkey"));
    assert!(!page.header("content-security-policy").contains("script-src"));
}

#[actix_web::test]
async fn the_account_page_keeps_when_mails_are_sent() {
    let app = TestApp::start().await;
    let caller = app.in_browser(&member(&app).await.0);
    let page = body(&caller.get("/~/account").await.expect(200));
    assert!(page.contains("This server sends no mail.") && page.contains("Requests to review"), "{page}");
    let fields = [("reviewRequest", "daily"), ("mention", "never"), ("reply", "at-once")];
    let saved = body(&send(&caller, "/~/account/notifications", &fields).await.expect(200));
    assert!(saved.contains("Saved.") && saved.contains(r#"<option value="never" selected>"#), "{saved}");
    let settings = caller.get("/v1/user/notifications").await.expect(200);
    assert_eq!((settings.at("/reviewRequest"), settings.at("/mention")), (&json!("daily"), &json!("never")));
    let _ = send(&caller, "/~/account/notifications", &[("mention", "hourly")]).await.expect(400);
    let anonymous = app.anonymous();
    let elsewhere = form("/~/account/notifications", &fields).insert_header(("Sec-Fetch-Site", "cross-site"));
    let _ = anonymous.send(elsewhere).await.expect(403);
    let _ = send(&anonymous, "/~/account/notifications", &fields).await.expect(303);
}
