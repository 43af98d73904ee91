//! SCIM: requests of identity providers, and their effects on members and teams.

use actix_web::test::TestRequest;
use diesel::connection::SimpleConnection as _;
use quire_domain::Role;
use quire_domain::ids::UserId;
use quire_server::Settings;
use quire_storage::people::tokens::IssuedToken;
use quire_storage::people::user_sessions::{Browser, StartedSession};
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::{Value, json};

const USER: &str = "urn:ietf:params:scim:schemas:core:2.0:User";
const PATCH: &str = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

/// Application whose organization is managed by an identity provider.
struct Deployment {
    app: TestApp,
    admin: Caller,
    provider: Caller,
    base: String,
}

impl Deployment {
    async fn start() -> Self {
        let app = TestApp::start_with(
            Settings { rate_limit: 0, ..Settings::default() },
            quire_importer::fetch::FetchConfig::default(),
        )
        .await;
        let admin = app.as_role(Role::Admin);
        let made = admin.post(&of(&app), json!({"defaultRole": "edit"})).await.expect(201);
        let provider = app.anonymous().with_token(&made.text("/token"));
        let base = format!("/scim/v2/{}", app.organization);
        Self { app, admin, provider, base }
    }

    fn at(&self, path: &str) -> String {
        format!("{}/{path}", self.base)
    }

    async fn create(&self, email: &str) -> Answer {
        let user = json!({
            "schemas": [USER], "userName": email, "externalId": format!("x-{email}"),
            "name": {"givenName": "Grace", "familyName": "Hopper"},
            "emails": [{"value": email, "type": "work", "primary": true}],
        });
        self.provider.post(&self.at("Users"), user).await.expect(201)
    }

    async fn patch(&self, path: &str, operations: Value) -> Answer {
        let body = json!({"schemas": [PATCH], "Operations": operations});
        self.provider.patch(&self.at(path), body).await
    }

    async fn set_active(&self, id: &str, active: bool) -> Answer {
        let operations = json!([{"op": "replace", "path": "active", "value": active}]);
        self.patch(&format!("Users/{id}"), operations).await
    }

    /// Returns a user in a browser, and with an API token.
    fn signed_in(&self, id: &str) -> (Caller, Caller) {
        let user: UserId = id.parse().unwrap();
        let started = self.app.system.transact(|tx| tx.start_session(user, &Browser::default()));
        let issued = self.app.system.transact(|tx| tx.issue_token(user, "script", false, None));
        let (secret, token): (StartedSession, IssuedToken) = (started.unwrap(), issued.unwrap());
        let caller = |secret: &str| self.app.anonymous().with_token(secret);
        (caller(&secret.secret), caller(&token.token))
    }
}

fn of(app: &TestApp) -> String {
    format!("/v1/orgs/{}/scim", app.organization)
}

fn refused(answer: Answer, status: u16, kind: Option<&str>) {
    let answer = answer.expect(status);
    assert_eq!(answer.header("content-type"), "application/scim+json");
    assert_eq!(answer.at("/schemas/0"), "urn:ietf:params:scim:api:messages:2.0:Error");
    assert_eq!(answer.text("/status"), status.to_string());
    assert_eq!(answer.json.get("scimType").and_then(Value::as_str), kind, "{}", answer.json);
}

#[actix_web::test]
async fn administrators_create_and_revoke_the_token() {
    let app = TestApp::start().await;
    let (admin, creator) = (app.as_role(Role::Admin), app.as_role(Role::Create));
    let base = app.state.settings.base_url.clone();
    let before = admin.get(&of(&app)).await.expect(200);
    assert_eq!(
        before.json,
        json!({
            "object": "scim", "enabled": false, "defaultRole": null,
            "urls": {
                "location": format!("{base}{}", of(&app)),
                "service": format!("{base}/scim/v2/{}", app.organization),
            },
        })
    );
    let first = admin.post_empty(&of(&app)).await.expect(201);
    let made = admin.post(&of(&app), json!({"defaultRole": "read"})).await.expect(201);
    assert!(made.text("/token").starts_with("qp_"));
    let seen = admin.get(&of(&app)).await.expect(200);
    assert_eq!((seen.at("/enabled"), seen.at("/defaultRole")), (&json!(true), &json!("read")));
    assert!(seen.json.get("token").is_none());
    let _ = creator.get(&of(&app)).await.expect(403);
    let _ = creator.post(&of(&app), json!({})).await.expect(403);
    let users = format!("/scim/v2/{}/Users", app.organization);
    let provider = app.anonymous().with_token(&made.text("/token"));
    let _ = provider.get(&users).await.expect(200);
    // The replaced token, other kinds of tokens and made-up tokens have no access.
    for token in [first.text("/token"), admin.token().to_owned(), format!("qp_{}", "a".repeat(43))] {
        refused(app.anonymous().with_token(&token).get(&users).await, 401, None);
    }
    refused(app.anonymous().get(&users).await, 401, None);
    refused(app.in_browser(&admin).get(&users).await, 401, None);
    let other = app.create_organization("Other");
    refused(provider.get(&format!("/scim/v2/{other}/Users")).await, 401, None);
    refused(provider.get("/scim/v2/none/Users").await, 401, None);
    let _ = provider.get("/v1/user").await.expect(401);
    let _ = admin.delete(&of(&app)).await.expect(204);
    refused(provider.get(&users).await, 401, None);
    let _ = admin.delete(&of(&app)).await.expect(404);
}

#[actix_web::test]
async fn a_user_is_created_found_changed_and_deleted() {
    let test = Deployment::start().await;
    let made = test.create("Grace@Example.com").await;
    let id = made.text("/id");
    let base = &test.app.state.settings.base_url;
    let location = format!("{base}{}/Users/{id}", test.base);
    assert_eq!(made.header("location"), location);
    assert_eq!(
        made.json,
        json!({
            "schemas": [USER], "id": id, "externalId": "x-Grace@Example.com", "userName": "Grace@Example.com",
            "active": true, "name": {"givenName": "Grace", "familyName": "Hopper"},
            "emails": [{"value": "Grace@Example.com", "type": "work", "primary": true}], "groups": [],
            "meta": {
                "resourceType": "User", "created": made.at("/meta/created"),
                "lastModified": made.at("/meta/lastModified"), "location": location,
            },
        })
    );
    let member =
        test.admin.get(&format!("/v1/orgs/{}/members/{id}", test.app.organization)).await.expect(200);
    assert_eq!(
        (member.text("/role"), member.text("/user/displayName")),
        ("edit".to_owned(), "Grace Hopper".to_owned())
    );
    assert_eq!(member.text("/user/email"), "grace@example.com");
    let path = test.at(&format!("Users/{id}"));
    assert_eq!(test.provider.get(&path).await.expect(200).json, made.json);
    for filter in ["userName eq \"grace@example.com\"", "externalId eq \"x-Grace@Example.com\""] {
        let filter = filter.replace(' ', "%20").replace('"', "%22");
        let found = test.provider.get(&test.at(&format!("Users?filter={filter}"))).await.expect(200);
        assert_eq!((found.at("/totalResults"), found.at("/Resources/0")), (&json!(1), &made.json));
    }
    let none = test.provider.get(&test.at("Users?filter=userName%20eq%20%22b%22")).await.expect(200);
    assert_eq!((none.at("/totalResults"), none.at("/Resources")), (&json!(0), &json!([])));
    let twice = json!({"userName": "GRACE@example.com"});
    refused(test.provider.post(&test.at("Users"), twice).await, 409, Some("uniqueness"));
    let replaced = json!({"id": "7", "userName": "grace", "displayName": "Amazing Grace", "active": true});
    let replaced = test.provider.put(&path, replaced).await.expect(200);
    assert_eq!((replaced.text("/userName"), replaced.json.get("name")), ("grace".to_owned(), None));
    assert_eq!(replaced.text("/id"), id);
    let operations = json!([
        {"op": "Add", "path": "name.familyName", "value": "Hopper"},
        {"op": "Replace", "value": {"displayName": "Grace H.", "active": "True"}},
    ]);
    let patched = test.patch(&format!("Users/{id}"), operations).await.expect(200);
    assert_eq!(
        (patched.text("/name/familyName"), patched.text("/displayName")),
        ("Hopper".to_owned(), "Grace H.".to_owned())
    );
    let member =
        test.admin.get(&format!("/v1/orgs/{}/members/{id}", test.app.organization)).await.expect(200);
    assert_eq!(member.text("/user/displayName"), "Grace H.");
    let _ = test.provider.delete(&path).await.expect(204);
    refused(test.provider.get(&path).await, 404, None);
    refused(test.provider.delete(&path).await, 404, None);
    // The account still exists, and becomes the user again.
    assert_eq!(test.create("grace@example.com").await.text("/id"), id);
}

#[actix_web::test]
async fn members_are_listed_in_parts_and_become_users() {
    let test = Deployment::start().await;
    let guest = test.app.member_of(test.app.organization, None);
    for number in 0..3 {
        let _ = test.create(&format!("user{number}@example.com")).await;
    }
    let all = test.provider.get(&test.at("Users")).await.expect(200);
    assert_eq!(
        (all.at("/totalResults"), all.at("/startIndex"), all.at("/itemsPerPage")),
        (&json!(5), &json!(1), &json!(5))
    );
    let mut seen = Vec::new();
    for start in [1, 3, 5, 7] {
        let page =
            test.provider.get(&test.at(&format!("Users?startIndex={start}&count=2"))).await.expect(200);
        assert_eq!(page.at("/totalResults"), 5);
        seen.extend(page.at("/Resources").as_array().unwrap().clone());
    }
    assert_eq!(&Value::Array(seen), all.at("/Resources"));
    let names = test.provider.get(&test.at("Users?attributes=userName&count=1")).await.expect(200);
    assert_eq!(names.at("/Resources/0").as_object().unwrap().len(), 3);
    assert_eq!(test.provider.get(&test.at("Users?count=0")).await.expect(200).at("/Resources"), &json!([]));
    // A member who was not provisioned has an id, and gets a user name.
    let path = test.at(&format!("Users/{}", guest.user()));
    let found = test.provider.get(&path).await.expect(200);
    let named = test.provider.put(&path, json!({"userName": "guest"})).await.expect(200);
    assert_eq!((named.text("/id"), named.text("/userName")), (found.text("/id"), "guest".to_owned()));
    refused(
        test.provider.put(&path, json!({"userName": "USER0@example.com"})).await,
        409,
        Some("uniqueness"),
    );
}

#[actix_web::test]
async fn deactivation_ends_sessions_and_tokens_at_once_and_reactivation_restores() {
    let test = Deployment::start().await;
    let (space, _) = test.app.space().await;
    let id = test.create("grace@example.com").await.text("/id");
    let (browser, token) = test.signed_in(&id);
    let elsewhere = test.app.on_another_node(&browser).await;
    let path = format!("/v1/spaces/{space}");
    for caller in [&browser, &token, &elsewhere] {
        let _ = caller.get(&path).await.expect(200);
    }
    let after = test.set_active(&id, false).await.expect(200);
    assert_eq!(after.at("/active"), false);
    for caller in [&browser, &token, &elsewhere] {
        let _ = caller.get(&path).await.expect(401);
    }
    let member = format!("/v1/orgs/{}/members/{id}", test.app.organization);
    assert_eq!(test.admin.get(&member).await.expect(200).at("/disabled"), true);
    // A new session of the account has no access to the organization.
    let (again, _) = test.signed_in(&id);
    let _ = again.get(&path).await.expect(404);
    assert_eq!(test.set_active(&id, true).await.expect(200).at("/active"), true);
    let (again, _) = test.signed_in(&id);
    let _ = again.get(&path).await.expect(200);
    assert_eq!(test.admin.get(&member).await.expect(200).text("/role"), "edit");
}

#[actix_web::test]
async fn a_user_without_active_has_access() {
    let test = Deployment::start().await;
    let id = test.create("grace@example.com").await.text("/id");
    let (path, member) = (format!("Users/{id}"), format!("/v1/orgs/{}/members/{id}", test.app.organization));
    let remove = json!([{"op": "remove", "path": "active"}]);
    let _ = test.set_active(&id, false).await.expect(200);
    let removed = test.patch(&path, remove).await.expect(200);
    assert_eq!(removed.json.get("active"), None);
    assert_eq!(test.admin.get(&member).await.expect(200).at("/disabled"), false);
    // Other changes do not restore the attribute.
    let operations = json!([{"op": "replace", "path": "displayName", "value": "Grace"}]);
    let _ = test.patch(&path, operations).await.expect(200);
    assert_eq!(test.provider.get(&test.at(&path)).await.expect(200).json.get("active"), None);
    // A disabled member is not active, even if an administrator disabled the member.
    let disable = format!("UPDATE organization_members SET disabled = true WHERE user_id = '{id}'");
    test.app.connection().batch_execute(&disable).unwrap();
    assert_eq!(test.provider.get(&test.at(&path)).await.expect(200).at("/active"), false);
    let replaced = test.provider.put(&test.at(&path), json!({"userName": "grace"})).await.expect(200);
    assert_eq!(replaced.at("/active"), true);
}

#[actix_web::test]
async fn lists_are_searched_with_a_body() {
    let test = Deployment::start().await;
    let one = test.create("one@example.com").await.text("/id");
    for name in ["a", "b"] {
        let group =
            json!({"displayName": name, "externalId": "x-one@example.com", "members": [{"value": one}]});
        let _ = test.provider.post(&test.at("Groups"), group).await.expect(201);
    }
    let search = async |path: &str, body: Value| test.provider.post(&test.at(path), body).await;
    // The same parameters, in a body and in a query.
    for (kind, body, query) in [
        ("Users", json!({"count": 1, "startIndex": 2}), "count=1&startIndex=2"),
        (
            "Users",
            json!({"filter": "userName eq \"one@example.com\""}),
            "filter=userName%20eq%20%22one@example.com%22",
        ),
        ("Groups", json!({"attributes": ["displayName"]}), "attributes=displayName"),
        ("Groups", json!({"excludedAttributes": ["members"]}), "excludedAttributes=members"),
    ] {
        let found = search(&format!("{kind}/.search"), body).await.expect(200);
        assert_eq!(found.header("content-type"), "application/scim+json");
        let listed = test.provider.get(&test.at(&format!("{kind}?{query}"))).await.expect(200);
        assert_eq!(found.json, listed.json, "{kind} {query}");
    }
    // Users and groups together, page by page.
    let all = search(".search", json!({})).await.expect(200);
    let kinds = |answer: &Answer| -> Vec<String> {
        let items = answer.at("/Resources").as_array().unwrap().iter();
        items.map(|item| item["meta"]["resourceType"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(kinds(&all), ["User", "User", "Group", "Group"]);
    let mut seen = Vec::new();
    for start in [1, 4] {
        let part = search(".search", json!({"startIndex": start, "count": 3})).await.expect(200);
        assert_eq!(part.at("/totalResults"), 4);
        seen.extend(part.at("/Resources").as_array().unwrap().clone());
    }
    assert_eq!(&Value::Array(seen), all.at("/Resources"));
    let found = search(".search", json!({"filter": "externalId eq \"x-one@example.com\""})).await.expect(200);
    assert_eq!(kinds(&found), ["User", "Group", "Group"]);
    let found = search(".search", json!({"filter": "userName eq \"ONE@example.com\""})).await.expect(200);
    assert_eq!(kinds(&found), ["User"]);
    let names =
        search(".search", json!({"attributes": ["userName", "members"], "startIndex": 2, "count": 2})).await;
    let names = names.expect(200);
    assert_eq!(names.at("/Resources/0").as_object().unwrap().len(), 3);
    assert_eq!(names.text("/Resources/1/members/0/value"), one);
    for (path, body, kind) in [
        (".search", json!({"filter": "displayName eq \"a\""}), "invalidFilter"),
        ("Groups/.search", json!({"filter": "userName eq \"a\""}), "invalidFilter"),
        ("Users/.search", json!({"count": "many"}), "invalidValue"),
    ] {
        refused(search(path, body).await, 400, Some(kind));
    }
    refused(test.app.anonymous().post(&test.at(".search"), json!({})).await, 401, None);
}

#[actix_web::test]
async fn accounts_of_other_organizations_keep_what_is_theirs() {
    let test = Deployment::start().await;
    let other = test.app.create_organization("Other");
    // With several organizations, an address that is verified elsewhere does not identify the account.
    let stranger = test.app.member_of(other, Some(Role::Edit));
    let set = test.app.system.transact(|tx| tx.set_email(stranger.user(), "eve@example.com"));
    assert!(set.unwrap());
    let made = test.create("eve@example.com").await.text("/id");
    assert_ne!(made, stranger.user().to_string());
    // A member of both organizations stays signed in for the other one, and keeps the display name.
    let member = test.app.as_role(Role::Edit);
    test.app.join(&member, other, Some(Role::Edit));
    let limited = json!({"label": "here", "organizations": [test.app.organization]});
    let limited = member.post("/v1/user/tokens", limited).await.expect(201).text("/token");
    let name = member.get("/v1/user").await.expect(200).text("/displayName");
    let path = test.at(&format!("Users/{}", member.user()));
    let _ = test
        .provider
        .put(&path, json!({"userName": "m", "displayName": "Other", "active": false}))
        .await
        .expect(200);
    assert_eq!(member.get("/v1/user").await.expect(200).text("/displayName"), name);
    let _ = member.get(&format!("/v1/orgs/{other}")).await.expect(200);
    let _ = member.get(&format!("/v1/orgs/{}", test.app.organization)).await.expect(404);
    let _ = member.with_token(&limited).get("/v1/user").await.expect(401);
}

#[actix_web::test]
async fn the_last_administrator_stays() {
    let test = Deployment::start().await;
    let id = test.admin.user().to_string();
    refused(test.set_active(&id, false).await, 409, None);
    refused(test.provider.delete(&test.at(&format!("Users/{id}"))).await, 409, None);
    let _ = test.admin.get("/v1/user").await.expect(200);
    let second = test.app.as_role(Role::Admin);
    let _ = test.set_active(&id, false).await.expect(200);
    let _ = second.get("/v1/user").await.expect(200);
    let _ = test.admin.get("/v1/user").await.expect(401);
}

#[actix_web::test]
async fn groups_are_teams() {
    let test = Deployment::start().await;
    let (one, two) =
        (test.create("one@example.com").await.text("/id"), test.create("two@example.com").await.text("/id"));
    let group = json!({"displayName": "Writers", "externalId": "w", "members": [{"value": one}]});
    let made = test.provider.post(&test.at("Groups"), group).await.expect(201);
    let id = made.text("/id");
    let path = test.at(&format!("Groups/{id}"));
    assert_eq!(made.text("/members/0/value"), one);
    assert!(made.text("/members/0/$ref").ends_with(&format!("/Users/{one}")));
    let team = format!("/v1/orgs/{}/teams/{id}", test.app.organization);
    assert_eq!(test.admin.get(&team).await.expect(200).text("/title"), "Writers");
    // An owner of the team stays an owner.
    let role = json!({"memberships": {(one.clone()): {"role": "owner"}}});
    let _ = test.admin.put(&format!("{team}/members"), role).await.expect(204);
    let operations = json!([{"op": "add", "path": "members", "value": [{"value": one}, {"value": two}]}]);
    let _ = test.patch(&format!("Groups/{id}"), operations).await.expect(200);
    let members = test.admin.get(&format!("{team}/members")).await.expect(200);
    let roles = |answer: &Answer, of: &str| {
        let items = answer.at("/items").as_array().unwrap().clone();
        let found = items.into_iter().find(|item| item["organization"]["id"] == of);
        found.map(|item| item["team"]["role"].clone())
    };
    assert_eq!((roles(&members, &one), roles(&members, &two)), (Some(json!("owner")), Some(json!("member"))));
    assert_eq!(
        test.provider.get(&test.at(&format!("Users/{two}"))).await.expect(200).text("/groups/0/display"),
        "Writers"
    );
    for filter in ["displayName%20eq%20%22writers%22", "externalId%20eq%20%22w%22"] {
        let found = test
            .provider
            .get(&test.at(&format!("Groups?filter={filter}&excludedAttributes=members")))
            .await
            .expect(200);
        assert_eq!((found.at("/totalResults"), found.text("/Resources/0/id")), (&json!(1), id.clone()));
        assert!(found.at("/Resources/0").get("members").is_none());
    }
    // Clients compare the members with the ones that they sent.
    let read = test.provider.get(&path).await.expect(200);
    let names: Vec<&String> = read.at("/members/0").as_object().unwrap().keys().collect();
    assert_eq!(names, ["$ref", "value"]);
    let operations = json!([{"op": "remove", "path": format!("members[value eq \"{one}\"]")}]);
    let left = test.patch(&format!("Groups/{id}"), operations).await.expect(200);
    assert_eq!(left.at("/members").as_array().unwrap().len(), 1);
    // Without a list, the members are unchanged.
    let renamed = test.provider.put(&path, json!({"displayName": "Editors"})).await.expect(200);
    assert_eq!(
        (renamed.text("/displayName"), renamed.text("/members/0/value")),
        ("Editors".to_owned(), two.clone())
    );
    let stranger = test.app.stranger().user().to_string();
    for members in [json!([{"value": stranger}]), json!([{"value": "7"}])] {
        let body = json!({"displayName": "Lost", "members": members});
        refused(test.provider.put(&path, body.clone()).await, 400, Some("invalidValue"));
        refused(test.provider.post(&test.at("Groups"), body).await, 400, Some("invalidValue"));
    }
    assert_eq!(test.app.count("teams"), 1);
    let _ = test.provider.delete(&path).await.expect(204);
    refused(test.provider.get(&path).await, 404, None);
    let _ = test.admin.get(&team).await.expect(404);
}

#[actix_web::test]
async fn wrong_requests_have_errors_of_scim() {
    let test = Deployment::start().await;
    let users = test.at("Users");
    let raw = |body: &str| TestRequest::post().uri(&users).set_payload(body.to_owned());
    refused(test.provider.send(raw("{")).await, 400, Some("invalidSyntax"));
    refused(test.provider.send(raw("[]")).await, 400, Some("invalidSyntax"));
    refused(test.provider.send(raw("")).await, 400, Some("invalidSyntax"));
    refused(test.provider.send(raw(&"[".repeat(10_000))).await, 400, Some("invalidSyntax"));
    refused(test.provider.send(raw(&format!("\"{}\"", "a".repeat(1 << 20)))).await, 413, None);
    refused(test.provider.post(&users, json!({"userName": "a\u{0}"})).await, 400, Some("invalidValue"));
    refused(test.provider.post(&users, json!({"active": true})).await, 400, Some("invalidValue"));
    refused(test.provider.get(&test.at("Users?filter=a")).await, 400, Some("invalidFilter"));
    refused(
        test.provider.get(&test.at("Users?filter=title%20eq%20%22a%22")).await,
        400,
        Some("invalidFilter"),
    );
    refused(test.provider.get(&test.at("Users?count=a")).await, 400, None);
    let admin = test.admin.user();
    refused(
        test.patch(&format!("Users/{admin}"), json!([{"op": "replace", "path": "id", "value": "7"}])).await,
        400,
        Some("mutability"),
    );
    refused(
        test.provider.patch(&test.at(&format!("Users/{admin}")), json!({})).await,
        400,
        Some("invalidSyntax"),
    );
    for path in ["Users/7", "Groups/7", "Schemas/x", "ResourceTypes/x", "Bulk", "x/y"] {
        refused(test.provider.get(&test.at(path)).await, 404, None);
    }
    // A stranger's body is not read.
    refused(test.app.anonymous().send(raw("{")).await, 401, None);
}

#[actix_web::test]
async fn the_service_describes_itself() {
    let test = Deployment::start().await;
    let configuration = test.provider.get(&test.at("ServiceProviderConfig")).await.expect(200);
    assert_eq!(configuration.at("/patch/supported"), true);
    let types = test.provider.get(&test.at("ResourceTypes")).await.expect(200);
    assert_eq!(types.at("/totalResults"), 2);
    let schemas = test.provider.get(&test.at("Schemas")).await.expect(200);
    for index in 0..2 {
        for (list, path) in [(&types, "ResourceTypes"), (&schemas, "Schemas")] {
            let one = list.at(&format!("/Resources/{index}"));
            let id = one["id"].as_str().unwrap();
            assert_eq!(&test.provider.get(&test.at(&format!("{path}/{id}"))).await.expect(200).json, one);
        }
    }
    refused(test.app.anonymous().get(&test.at("Schemas")).await, 401, None);
}

#[actix_web::test]
async fn changes_are_in_the_audit_log() {
    let test = Deployment::start().await;
    let id = test.create("grace@example.com").await.text("/id");
    let _ = test.set_active(&id, false).await.expect(200);
    refused(
        test.provider.post(&test.at("Users"), json!({"userName": "grace@example.com"})).await,
        409,
        Some("uniqueness"),
    );
    let _ = test.provider.delete(&test.at(&format!("Users/{id}"))).await.expect(204);
    let log = format!("/v1/orgs/{}/audit-log?target={id}", test.app.organization);
    let log = test.admin.get(&log).await.expect(200);
    let operations: Vec<&Value> =
        log.at("/items").as_array().unwrap().iter().map(|entry| &entry["operation"]).collect();
    assert_eq!(operations, ["deleteScimUser", "updateScimUser", "createScimUser"]);
    let entry = log.at("/items/0");
    assert_eq!(entry["actor"], json!({"object": "system", "displayName": "SCIM"}));
    assert_eq!((&entry["method"], entry.get("token")), (&json!("DELETE"), None));
}

#[actix_web::test]
async fn a_list_takes_as_many_statements_for_many_as_for_few() {
    let test = Deployment::start().await;
    let mut counted = Vec::new();
    for round in 0..2 {
        for number in 0..4 {
            let id = test.create(&format!("u{round}-{number}@example.com")).await.text("/id");
            let group = json!({"displayName": format!("g{round}-{number}"), "members": [{"value": id}]});
            let _ = test.provider.post(&test.at("Groups"), group).await.expect(201);
        }
        let before = test.app.statements();
        for path in ["Users", "Groups"] {
            let _ = test.provider.get(&test.at(path)).await.expect(200);
        }
        counted.push(test.app.statements() - before);
    }
    assert_eq!(counted[0], counted[1]);
}
