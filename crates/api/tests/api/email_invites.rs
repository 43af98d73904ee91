//! E-mail invites.

use std::time::Duration;

use diesel::connection::SimpleConnection as _;
use futures_util::future::join_all;
use quire_domain::Role;
use quire_domain::ids::OrganizationId;
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::{Value, json};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Inviting organization and its administrator.
struct Stage {
    app: TestApp,
    admin: Caller,
    organization: String,
    invites: String,
}

impl Stage {
    async fn set() -> Self {
        let app = TestApp::start().await;
        let admin = app.as_role(Role::Admin);
        let organization = format!("/v1/orgs/{}", app.organization);
        let invites = format!("{organization}/invites");
        Self { app, admin, organization, invites }
    }

    /// Invites an e-mail address and returns the invite.
    async fn invite(&self, email: &str, role: Value) -> Invite {
        let body = json!({"emails": [email], "role": role});
        Invite::of(&self.admin.post(&self.invites, body).await.expect(200), 0)
    }

    async fn waiting(&self) -> Vec<String> {
        let list = self.admin.get(&self.invites).await.expect(200);
        let items = list.at("/items").as_array().unwrap();
        assert_eq!(list.at("/count"), &json!(items.len()));
        items.iter().map(|invite| invite["email"].as_str().unwrap().to_owned()).collect()
    }

    async fn members(&self) -> Value {
        let members = self.admin.get(&format!("{}/members", self.organization)).await.expect(200);
        members.at("/count").clone()
    }

    /// Returns a member as the administrator sees it.
    async fn member(&self, user: &str) -> Answer {
        self.admin.get(&format!("{}/members/{user}", self.organization)).await
    }
}

struct Invite {
    id: String,
    secret: String,
}

impl Invite {
    fn of(answer: &Answer, resource: usize) -> Self {
        let part = |name: &str| answer.text(&format!("/invites/{resource}/{name}"));
        Self { id: part("id"), secret: part("secret") }
    }

    async fn accept(&self, caller: &Caller, secret: Option<&str>) -> Answer {
        let path = format!("/v1/invites/{}/accept", self.id);
        match secret {
            Some(secret) => caller.post(&path, json!({ "secret": secret })).await,
            None => caller.post_empty(&path).await,
        }
    }

    async fn register(&self, app: &TestApp, secret: &str) -> Answer {
        let path = format!("/v1/invites/{}/register", self.id);
        app.anonymous().post(&path, json!({ "secret": secret })).await
    }
}

async fn email_of(caller: &Caller) -> String {
    caller.get("/v1/user").await.expect(200).text("/email")
}

/// Returns a response without its variable parts.
fn shape(answer: &Answer, email: &str) -> Value {
    let invite = &answer.json["invites"][0];
    let mut text = answer.json.to_string();
    for part in [&invite["id"], &invite["secret"], &json!(email)] {
        text = text.replace(part.as_str().unwrap(), "-");
    }
    serde_json::from_str(&text).unwrap()
}

#[actix_web::test]
async fn an_invite_reveals_no_accounts_and_makes_no_members() {
    let stage = Stage::set().await;
    let elsewhere = stage.app.create_organization("Elsewhere");
    let ada = stage.app.member_of(elsewhere, Some(Role::Edit));
    let known = email_of(&ada).await;
    let unknown = known.replace('@', "x@");
    let before = stage.members().await;
    let mut answers = Vec::new();
    // The first request prepares data that later requests reuse.
    stage.invite("first@example.org", json!("read")).await;
    for email in [&known, &unknown] {
        let sent = stage.app.statements();
        let answer = stage.admin.post(&stage.invites, json!({"emails": [email]})).await.expect(200);
        answers.push((
            shape(&answer, email),
            answer.bytes.len() - email.len(),
            stage.app.statements() - sent,
        ));
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!((&answers[0].0["users"], &answers[0].0["invited"]), (&json!([]), &json!(1)));
    // Only the response that creates the invite has the link.
    let link = &answers[0].0["invites"][0]["urls"]["app"];
    assert_eq!(link, &json!("http://127.0.0.1:8080/~/invite/-?secret=-"));
    assert_eq!(stage.admin.get(&stage.invites).await.expect(200).json.pointer("/items/0/urls"), None);
    // Lists and other views of the organization do not reveal whether an account exists either.
    assert_eq!(stage.waiting().await, [unknown, known.clone(), "first@example.org".to_owned()]);
    assert_eq!(stage.members().await, before);
    stage.member(&ada.user().to_string()).await.expect(404);
    stage.admin.get(&format!("/v1/users/{}", ada.user())).await.expect(404);
    let search = format!("{}/members?search={}", stage.organization, known.split('@').next().unwrap());
    assert_eq!(stage.admin.get(&search).await.expect(200).at("/count"), &json!(0));
    ada.get(&stage.organization).await.expect(404);
    // The secret gives its bearer the same access, whether or not a user has the address.
    for email in [known, "unknown@example.org".to_owned()] {
        let invite = stage.invite(&email, json!("read")).await;
        let made = invite.register(&stage.app, &invite.secret).await.expect(201);
        assert_eq!(
            made.json.as_object().unwrap().keys().collect::<Vec<_>>(),
            ["organization", "token", "user"]
        );
        assert_ne!(made.text("/user"), ada.user().to_string());
    }
}

#[actix_web::test]
async fn the_verified_address_replaces_the_secret_of_an_invite() {
    let stage = Stage::set().await;
    let ada = stage.app.stranger();
    let invite = stage.invite(&email_of(&ada).await.to_uppercase(), json!("edit")).await;
    let own = ada.get("/v1/user/invites").await.expect(200);
    let seen = own.at("/items/0");
    assert_eq!(
        (own.at("/count"), &seen["id"], &seen["role"]),
        (&json!(1), &json!(invite.id), &json!("edit"))
    );
    assert_eq!(seen["organization"], json!({"id": stage.app.organization, "title": "Acme"}));
    assert_eq!((&seen["object"], seen.get("secret")), (&json!("email-invite"), None));
    // Others get 404.
    let other = stage.app.stranger();
    assert_eq!(other.get("/v1/user/invites").await.expect(200).at("/count"), &json!(0));
    let absent = other.post_empty(&format!("/v1/invites/{}/accept", other.user())).await.expect(404);
    assert_eq!(invite.accept(&other, None).await.expect(404).bytes, absent.bytes);
    assert_eq!(invite.accept(&other, Some("qi_wrong")).await.expect(404).bytes, absent.bytes);

    assert_eq!(invite.accept(&ada, None).await.expect(200).at("/id"), &json!(stage.app.organization));
    assert_eq!(stage.member(&ada.user().to_string()).await.expect(200).text("/role"), "edit");
    assert_eq!(ada.get("/v1/user/invites").await.expect(200).at("/count"), &json!(0));
    assert_eq!(stage.waiting().await, [""; 0]);
    invite.accept(&ada, None).await.expect(404);
    invite.accept(&other, Some(&invite.secret)).await.expect(404);
}

#[actix_web::test]
async fn a_secret_lets_one_account_in_once_and_lowers_no_role() {
    let stage = Stage::set().await;
    for (before, after) in [(None, "comment"), (Some(Role::Read), "comment"), (Some(Role::Review), "review")]
    {
        let invite = stage.invite("guest@example.org", json!("comment")).await;
        let bearer = stage.app.member_of(stage.app.organization, before);
        let _ = invite.accept(&bearer, Some(&invite.secret)).await.expect(200);
        assert_eq!(stage.member(&bearer.user().to_string()).await.expect(200).text("/role"), after);
        invite.accept(&bearer, Some(&invite.secret)).await.expect(404);
    }
    let invite = stage.invite("guest@example.org", json!(null)).await;
    let callers: Vec<Caller> = (0..4).map(|_| stage.app.stranger()).collect();
    let lock = format!("SELECT 1 FROM email_invites WHERE id = '{}' FOR UPDATE", invite.id);
    let accepts = callers.iter().map(|caller| invite.accept(caller, Some(&invite.secret)));
    let answers = stage.app.while_locked(&lock, 3, join_all(accepts)).await;
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 404, 404, 404]);
}

#[actix_web::test]
async fn who_has_no_account_gets_one_with_the_secret() {
    let stage = Stage::set().await;
    let invite = stage.invite("Eve.Smith@acme.example", json!("review")).await;
    let wrong = invite.register(&stage.app, "qi_wrong").await.expect(404);
    assert_eq!(wrong.reason(), "not-found");
    let path = format!("/v1/invites/{}/register", invite.id);
    for (body, field) in
        [(json!({}), "secret"), (json!({"secret": invite.secret, "displayName": ""}), "displayName")]
    {
        assert_eq!(stage.app.anonymous().post(&path, body).await.expect(400).fields(), [field]);
    }
    let made = invite.register(&stage.app, &invite.secret).await.expect(201);
    assert!(made.header("location").ends_with(&format!("/v1/users/{}", made.text("/user"))));
    invite.register(&stage.app, &invite.secret).await.expect(404);
    let eve = stage.app.stranger().with_token(&made.text("/token"));
    let own = eve.get("/v1/user").await.expect(200);
    // The secret does not prove ownership of the address.
    assert_eq!((own.text("/displayName"), own.json.get("email")), ("eve.smith".to_owned(), None));
    assert_eq!(eve.get("/v1/orgs").await.expect(200).text("/items/0/id"), made.text("/organization"));
    assert_eq!(stage.member(&made.text("/user")).await.expect(200).text("/role"), "review");
    // The account therefore gets nothing that is addressed to the owner of the address.
    let elsewhere = stage.app.create_organization("Elsewhere");
    let other = stage.app.member_of(elsewhere, Some(Role::Admin));
    let body = json!({"emails": ["eve.smith@acme.example"]});
    let invited = other.post(&format!("/v1/orgs/{elsewhere}/invites"), body).await.expect(200);
    assert_eq!(eve.get("/v1/user/invites").await.expect(200).at("/count"), &json!(0));
    Invite::of(&invited, 0).accept(&eve, None).await.expect(404);
    let domain = json!({"emailDomains": ["acme.example"]});
    let _ = other.patch(&format!("/v1/orgs/{elsewhere}"), domain).await.expect(200);
    let found = eve.get("/v1/email-domains/acme.example/orgs").await.expect(200);
    assert_eq!(found.at("/organizations"), &json!([]));

    let entries = format!("{}/audit-log?operation=registerWithInvite", stage.organization);
    let entries = stage.admin.get(&entries).await.expect(200);
    assert_eq!(entries.at("/items/0/actor/id"), &json!(made.text("/user")));
    assert_eq!(entries.at("/items/0/target"), &json!({"type": "user", "id": made.text("/user")}));
    assert!(!entries.json.to_string().contains(&invite.secret));
}

#[actix_web::test]
async fn invitations_are_revoked_replaced_and_over_after_two_weeks() {
    let stage = Stage::set().await;
    let first = stage.invite("eve@example.org", json!("admin")).await;
    // Only the latest secret and role are valid.
    let second = stage.invite("EVE@example.org", json!("read")).await;
    let bearer = stage.app.stranger();
    first.accept(&bearer, Some(&first.secret)).await.expect(404);
    second.accept(&bearer, Some(&first.secret)).await.expect(404);
    assert_eq!(stage.waiting().await, ["eve@example.org"]);
    let path = format!("{}/{}", stage.invites, second.id);
    stage.app.as_role(Role::Create).delete(&path).await.expect(403);
    let _ = stage.admin.delete(&path).await.expect(204);
    stage.admin.delete(&path).await.expect(404);
    second.accept(&bearer, Some(&second.secret)).await.expect(404);

    let late = stage.invite("eve@example.org", json!("read")).await;
    stage.app.clock.advance(DAY * 14 - Duration::from_secs(1));
    let listed = stage.admin.get(&stage.invites).await.expect(200);
    assert_eq!(listed.text("/items/0/id"), late.id);
    stage.app.clock.advance(Duration::from_secs(1));
    assert_eq!(stage.waiting().await, [""; 0]);
    late.accept(&bearer, Some(&late.secret)).await.expect(404);
    late.register(&stage.app, &late.secret).await.expect(404);
    stage.admin.delete(&format!("{}/{}", stage.invites, late.id)).await.expect(404);
    // An expired invite does not block a new one, and is removed.
    stage.app.schedule_jobs();
    stage.invite("eve@example.org", json!("read")).await;
    stage.invite("bob@example.org", json!("read")).await;
    assert_eq!(stage.waiting().await, ["bob@example.org", "eve@example.org"]);
    stage.app.clock.advance(DAY * 15);
    stage.app.run_jobs().await;
    let left = stage.app.count("email_invites");
    assert_eq!(left, 0);
}

#[actix_web::test]
async fn members_are_named_and_not_invited_again() {
    let stage = Stage::set().await;
    let member = stage.app.as_role(Role::Review);
    let email = email_of(&member).await;
    let body = json!({"emails": [
        "New@Example.org", {"email": "guest@example.org", "role": null}, "new@example.ORG", email.to_uppercase(),
        {"email": "writer@example.org", "role": "edit"}, email
    ]});
    let invited = stage.admin.post(&stage.invites, body).await.expect(200);
    assert_eq!((invited.at("/invited"), invited.at("/users")), (&json!(3), &json!([member.user()])));
    let made: Vec<(&str, &Value)> = invited
        .at("/invites")
        .as_array()
        .unwrap()
        .iter()
        .map(|invite| (invite["email"].as_str().unwrap(), &invite["role"]))
        .collect();
    let expected = [
        ("new@example.org", &json!("read")),
        ("guest@example.org", &json!(null)),
        ("writer@example.org", &json!("edit")),
    ];
    assert_eq!(made, expected);
    assert_eq!(invited.json.get("failedSSOEmails"), None);
    assert_eq!(stage.member(&member.user().to_string()).await.expect(200).text("/role"), "review");

    for (body, field) in [
        (json!({}), "emails"),
        (json!({"emails": []}), "emails"),
        (json!({"emails": ["a@b.example", "nonsense"]}), "emails[1]"),
        (json!({"emails": ["a\u{200b}@b.example"]}), "emails[0]"),
        (json!({"emails": ["a@ｂ.example"]}), "emails[0]"),
        (json!({"emails": ["a@b"]}), "emails[0]"),
        (json!({"emails": [{"email": "x", "role": "read"}]}), "emails[0].email"),
        (json!({"emails": [{"email": "x@b.example"}]}), "emails[0].role"),
        (json!({"emails": [1]}), "emails[0]"),
    ] {
        assert_eq!(
            stage.admin.post(&stage.invites, body.clone()).await.expect(400).fields(),
            [field],
            "{body}"
        );
    }
}

#[actix_web::test]
async fn single_sign_on_is_for_the_owner_of_the_address() {
    let stage = Stage::set().await;
    let _ =
        stage.admin.patch(&stage.organization, json!({"emailDomains": ["example.com"]})).await.expect(200);
    let owner = stage.app.stranger();
    let body = json!({"emails": [email_of(&owner).await, "b@other.example", "c@Example.com"], "role": "create", "sso": true});
    let invited = stage.admin.post(&stage.invites, body).await.expect(200);
    assert_eq!(invited.at("/failedSSOEmails"), &json!(["b@other.example"]));
    assert_eq!((invited.at("/invited"), invited.at("/invites/1/sso")), (&json!(2), &json!(true)));
    let bearer = stage.app.stranger();
    let (to_owner, to_other) = (Invite::of(&invited, 0), Invite::of(&invited, 1));
    let _ = to_owner.accept(&owner, None).await.expect(200);
    let _ = to_other.accept(&bearer, Some(&to_other.secret)).await.expect(200);
    for (caller, sso) in [(&owner, true), (&bearer, false)] {
        let member = stage.member(&caller.user().to_string()).await.expect(200);
        assert_eq!((member.text("/role"), member.at("/sso")), ("create".to_owned(), &json!(sso)));
    }
}

#[actix_web::test]
async fn who_may_not_join_does_not() {
    let stage = Stage::set().await;
    let invite = stage.invite("eve@example.org", json!("read")).await;
    let secret = Some(invite.secret.as_str());
    let newcomer = stage.app.stranger();
    invite.accept(&stage.app.anonymous(), secret).await.expect(401);
    invite.accept(&stage.app.read_only(&newcomer), secret).await.expect(403);
    let own = newcomer.post("/v1/orgs", json!({"title": "Own"})).await.expect(201).text("/id");
    let limited = json!({"label": "x", "organizations": [own]});
    let limited = newcomer.post("/v1/user/tokens", limited).await.expect(201).text("/token");
    invite.accept(&newcomer.with_token(&limited), secret).await.expect(404);
    let disabled = stage.app.member_of(stage.app.organization, None);
    let disable =
        format!("UPDATE organization_members SET disabled = true WHERE user_id = '{}'", disabled.user());
    stage.app.connection().batch_execute(&disable).unwrap();
    invite.accept(&disabled, secret).await.expect(403);
    // E-mail invites work although links are disabled.
    let _ = stage.admin.patch(&stage.organization, json!({"inviteLinks": false})).await.expect(200);
    block(&stage.app, stage.app.organization, Some("security"));
    assert_eq!(invite.accept(&newcomer, secret).await.expect(403).reason(), "organization-blocked");
    let refused = invite.register(&stage.app, &invite.secret).await.expect(403);
    assert_eq!(refused.reason(), "organization-blocked");
    assert_eq!(stage.app.count("users WHERE email IS NULL"), 0);
    block(&stage.app, stage.app.organization, None);
    let _ = invite.accept(&newcomer, secret).await.expect(200);
}

fn block(app: &TestApp, organization: OrganizationId, reason: Option<&str>) {
    let reason = reason.map_or("NULL".to_owned(), |reason| format!("'{reason}'"));
    let block = format!("UPDATE organizations SET blocked_reason = {reason} WHERE id = '{organization}'");
    app.connection().batch_execute(&block).unwrap();
}

#[actix_web::test]
async fn so_many_invitations_wait_and_no_more() {
    let stage = Stage::set().await;
    let many = format!(
        "INSERT INTO email_invites (organization_id, id, email, role, sso, secret_hash, created_at, expires_at) \
         SELECT '{}', gen_random_uuid(), n || '@example.org', NULL, false, sha256(n::text::bytea), now(), now() + interval '1 day' \
         FROM generate_series(1, 4999) n",
        stage.app.organization
    );
    stage.app.connection().batch_execute(&many).unwrap();
    let invite = async |emails: &[&str]| stage.admin.post(&stage.invites, json!({ "emails": emails })).await;
    let refused = invite(&["a@example.com", "b@example.com"]).await.expect(409);
    assert_eq!(refused.reason(), "too-many");
    assert_eq!(stage.app.count("email_invites"), 4999);
    let _ = invite(&["a@example.com"]).await.expect(200);
    // A replaced invite does not count twice.
    let _ = invite(&["1@example.org"]).await.expect(200);
    let _ = invite(&["b@example.com"]).await.expect(409);
}
