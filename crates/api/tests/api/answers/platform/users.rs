//! Members, users and their tokens.

use quire_domain::Role;
use quire_domain::clock::Clock as _;
use quire_storage::people::user_sessions::Browser;
use quire_test_support::TestApp;
use serde_json::json;

use super::Platform;
use crate::authenticator::Authenticator;

/// Registers passkeys of a user. Returns the user handle that authenticators store.
pub(super) async fn passkeys(app: &TestApp) -> String {
    const PASSKEYS: &str = "/v1/user/passkeys";
    app.journal.open();
    let person = app.as_role(Role::Read);
    let platform = Platform { app, admin: &person };
    platform.name(&person, "Olga");
    let browser = app.in_browser(&person);
    for (seed, name) in [(1, "Phone"), (2, "Laptop")] {
        let mut authenticator = Authenticator::new(seed);
        let id = authenticator.register(&browser, name).await;
        let started = app.anonymous().post_empty("/v1/auth/passkey/start").await.expect(200);
        let credential = authenticator.get(started.at("/publicKey"));
        let body = json!({"challenge": started.at("/id"), "credential": credential});
        let _ = app.anonymous().post("/v1/auth/passkey", body).await.expect(200);
        if seed == 1 {
            let _ =
                browser.patch(&format!("{PASSKEYS}/{id}"), json!({"name": "Old phone"})).await.expect(200);
        }
    }
    platform.list(PASSKEYS, "").await;
    let spare = Authenticator::new(3).register(&browser, "Spare").await;
    let _ = browser.delete(&format!("{PASSKEYS}/{spare}")).await.expect(204);
    let started = browser.post_empty(&format!("{PASSKEYS}/start")).await.expect(200);
    started.text("/publicKey/user/id")
}

impl Platform<'_> {
    /// Creates members: one who was active and is in teams, and one who is disabled.
    pub(super) async fn people(&self) {
        let (reader, disabled) =
            (self.member("Ben", Some(Role::Read)), self.member("Cleo", Some(Role::Read)));
        let _ = reader.post_empty(&self.of("ping")).await.expect(200);
        for (title, role) in [("Writers", "owner"), ("Readers", "member")] {
            let body = json!({"title": title});
            let team = self.put(&self.of("teams"), body).await.text("/id");
            let inside = self.of(&format!("teams/{team}/members/{}", reader.user()));
            self.put(&inside, json!({ "role": role })).await;
            let grant = json!({"teams": [team], "role": "edit"});
            let space = self.space(title).await;
            self.post(&format!("/v1/spaces/{space}/permissions"), grant).await;
        }
        let (organization, user) = (self.app.organization, disabled.user());
        let system = &self.app.system;
        let done = system.transact(|tx| tx.disable_member(organization, user, true));
        assert!(done.unwrap());
        for member in [&disabled, &reader] {
            let path = self.of(&format!("members/{}", member.user()));
            self.post_empty(&format!("{path}/sso")).await;
            self.patch(&path, json!({"role": "comment"})).await;
            self.get(&path).await;
        }
        let path = self.of(&format!("members/{}", reader.user()));
        self.list(&format!("{path}/spaces"), "order=asc").await;
        self.list(&format!("{path}/teams"), "title=er").await;
        let members = self.of("members");
        let query = "order=asc&role=comment&search=acme&sort=joinedAt";
        self.list(&members, query).await;
        self.get(&format!("/v1/users/{}", reader.user())).await;
        let leaving = self.member("Dora", None);
        self.delete(&format!("{members}/{}", leaving.user())).await;
    }

    /// Requests the operations on the caller's own user and tokens.
    pub(super) async fn myself(&self) {
        self.get("/v1/user").await;
        let organization = self.app.organization;
        let expires = "2100-01-01T00:00:00.000Z";
        let body =
            json!({"label": "ci", "readOnly": true, "organizations": [organization], "expiresAt": expires});
        let made = self.post("/v1/user/tokens", body).await;
        let _ = self.admin.with_token(&made.text("/token")).get("/v1/user").await.expect(200);
        self.list("/v1/user/tokens", "").await;
        let browser = Browser {
            user_agent: Some("Firefox".to_owned()),
            address: "192.0.2.7".parse().ok(),
            ..Browser::default()
        };
        for _ in 0..2 {
            let user = self.admin.user();
            let _ = self.app.system.transact(|tx| tx.start_session(user, &browser)).unwrap();
        }
        self.list("/v1/user/sessions", "").await;
        let sessions = self.app.in_browser(self.admin).get("/v1/user/sessions").await.expect(200);
        self.delete(&format!("/v1/user/sessions/{}", sessions.text("/items/0/id"))).await;
        self.post_empty("/v1/auth/sign-out").await;
        let other = self.member("Edda", Some(Role::Read));
        let (old, new) = ("ferry lantern quilt", "quilted harbour seal");
        let hash = self.app.state.hash_password(old.to_owned()).await.unwrap();
        self.app.system.transact(|tx| tx.set_password(other.user(), &hash)).unwrap();
        let email = other.get("/v1/user").await.expect(200).text("/email");
        let photo = "https://acme.example/edda.png";
        let changes =
            json!({"displayName": "Edda", "photoURL": photo, "password": new, "currentPassword": old});
        let _ = other.patch("/v1/user", changes).await.expect(200);
        self.post("/v1/auth/password", json!({"email": email, "password": new})).await;
        for purpose in ["sign-in", "password-reset"] {
            self.post("/v1/auth/link", json!({"email": email, "purpose": purpose})).await;
        }
        let link = || self.app.system.transact(|tx| tx.create_sign_in_link(other.user())).unwrap();
        self.post("/v1/auth/link/verify", json!({"secret": link()})).await;
        self.post("/v1/auth/reset", json!({"secret": link(), "password": old})).await;
        self.delete(&format!("/v1/user/tokens/{}", made.text("/id"))).await;
        let deliveries = json!({
            "reviewRequest": "at-once", "mention": "at-once", "reply": "daily", "conflict": "daily",
            "import": "never",
        });
        self.patch("/v1/user/notifications", deliveries).await;
        self.get("/v1/user/notifications").await;
        self.second_factor().await;
    }

    /// Fills the inbox: a failed import, a review request, and a reply, one of which is marked as read.
    pub(super) async fn inbox(&self) {
        let space = self.space("Inbox").await;
        let other = self.member("Ferdinand", Some(Role::Admin));
        let import = json!({"url": "http://127.0.0.1/x.zip", "source": "zip"});
        let request = actix_web::test::TestRequest::post()
            .uri(&format!("/v1/spaces/{space}/content/import"))
            .insert_header(("Prefer", "respond-async"));
        let _ = self.admin.send(request.set_json(import)).await.expect(202);
        self.app.run_jobs().await;
        let requests = format!("/v1/spaces/{space}/change-requests");
        let made = other.post(&requests, json!({"subject": "Typos"})).await.expect(201).text("/id");
        let asked = json!({"users": [self.admin.user()]});
        let path = format!("{requests}/{made}");
        let _ = other.post(&format!("{path}/requested-reviewers"), asked).await.expect(200);
        let hello = json!({"body": {"markdown": "Hello."}});
        let comments = format!("{path}/comments");
        let comment = self.admin.post(&comments, hello.clone()).await.expect(201).text("/id");
        let _ = other.post(&format!("{comments}/{comment}/replies"), hello).await.expect(201);
        let newest = self.admin.get("/v1/user/inbox").await.expect(200).text("/items/0/id");
        self.post("/v1/user/inbox/read", json!({"entries": [newest]})).await;
        self.list("/v1/user/inbox", "unread=false").await;
    }

    /// Registers an authenticator app of a user, and signs in with it.
    async fn second_factor(&self) {
        let (app, password) = (self.app, "ferry lantern quilt");
        let person = self.member("Ottilie", Some(Role::Read));
        let hash = app.state.hash_password(password.to_owned()).await.unwrap();
        app.system.transact(|tx| tx.set_password(person.user(), &hash)).unwrap();
        let email = person.get("/v1/user").await.expect(200).text("/email");
        let browser = app.in_browser(&person);
        let secret = browser.post_empty("/v1/user/totp").await.expect(200).text("/secret");
        let code = || {
            let millis = u64::try_from(app.clock.now().millis()).unwrap();
            let now = std::time::UNIX_EPOCH + std::time::Duration::from_millis(millis);
            json!({"code": quire_server::totp::code(&secret, now).unwrap()})
        };
        let confirmed = browser.post("/v1/user/totp/confirm", code()).await.expect(200);
        let _ = browser.get("/v1/user/totp").await.expect(200);
        let proof = json!({"password": password});
        let _ = browser.post("/v1/auth/confirm", proof).await.expect(204);
        let proof = json!({"code": confirmed.text("/recoveryCodes/0")});
        let _ = browser.post("/v1/auth/confirm", proof).await.expect(204);
        let first = json!({"email": email, "password": password});
        let first = app.anonymous().post("/v1/auth/password", first).await.expect(401);
        let cookie = first.header("set-cookie").split(';').next().unwrap().to_owned();
        let request =
            actix_web::test::TestRequest::post().uri("/v1/auth/code").insert_header(("Cookie", cookie));
        let proof = json!({"code": confirmed.text("/recoveryCodes/1")});
        let _ = app.anonymous().send(request.set_json(proof)).await.expect(200);
        let _ = browser.delete("/v1/user/totp").await.expect(204);
    }
}
