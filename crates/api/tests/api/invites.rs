//! Invite links.

use actix_web::test::TestRequest;
use diesel::connection::SimpleConnection as _;
use futures_util::future::join_all;
use quire_domain::Role;
use quire_importer::fetch::FetchConfig;
use quire_server::Settings;
use quire_storage::people::invites::stored_id;
use quire_test_support::{Caller, TestApp};
use serde_json::{Value, json};

fn links(app: &TestApp) -> String {
    format!("/v1/orgs/{}/link-invites", app.organization)
}

fn accept(id: &str) -> String {
    format!("/v1/invites/{id}/accept")
}

async fn role_of(app: &TestApp, admin: &Caller, caller: &Caller) -> Value {
    let path = format!("/v1/orgs/{}/members/{}", app.organization, caller.user());
    admin.get(&path).await.expect(200).at("/role").clone()
}

#[actix_web::test]
async fn an_invite_lets_people_in_raises_a_role_and_lowers_none() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let made = admin.post(&links(&app), json!({"role": "comment"})).await.expect(201);
    let id = made.text("/id");
    let path = format!("{}/{id}", links(&app));
    assert!(made.header("location").ends_with(&path));
    let link = format!("http://127.0.0.1:8080/~/invite/{id}");
    let shown =
        json!({"object": "invite", "id": id, "role": "comment", "redundant": true, "urls": {"app": link}});
    assert_eq!(made.json, shown);
    assert_eq!(admin.get(&links(&app)).await.expect(200).at("/items/0"), &shown);
    let newcomer = app.stranger();
    assert_eq!(newcomer.get(&path).await.expect(200).at("/redundant"), &json!(false));
    let joined = newcomer.post_empty(&accept(&id)).await.expect(200);
    assert_eq!(joined.at("/id"), &json!(app.organization));
    assert_eq!(role_of(&app, &admin, &newcomer).await, json!("comment"));
    assert_eq!(newcomer.get(&path).await.expect(200).at("/redundant"), &json!(true));
    newcomer.post_empty(&accept(&id)).await.expect(200);
    for (before, after) in [(None, "comment"), (Some(Role::Read), "comment"), (Some(Role::Review), "review")]
    {
        let member = app.member_of(app.organization, before);
        member.post_empty(&accept(&id)).await.expect(200);
        assert_eq!(role_of(&app, &admin, &member).await, json!(after));
    }

    let changed = admin.patch(&path, json!({"role": null})).await.expect(200);
    assert_eq!(changed.at("/role"), &json!(null));
    assert_eq!(admin.patch(&path, json!({"level": "read"})).await.expect(400).fields(), ["level"]);
    let guest = app.stranger();
    guest.post_empty(&accept(&id)).await.expect(200);
    assert_eq!(role_of(&app, &admin, &guest).await, json!(null));
    admin.delete(&path).await.expect(204);
    for gone in [admin.delete(&path).await, admin.get(&path).await, guest.post_empty(&accept(&id)).await] {
        gone.expect(404);
    }
}

#[actix_web::test]
async fn an_invite_to_content_grants_on_it_alone() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let collection = app.collection(app.organization);
    let made = admin.post(&links(&app), json!({"level": "edit", "space": space})).await.expect(201);
    assert_eq!((made.text("/level"), made.text("/space/id")), ("edit".to_owned(), space.clone()));
    assert_eq!(made.json.get("role"), None);
    let newcomer = app.stranger();
    let path = format!("{}/{}", links(&app), made.text("/id"));
    let seen = newcomer.get(&path).await.expect(200);
    assert_eq!((seen.at("/redundant"), seen.at("/space/permissions/view")), (&json!(false), &json!(false)));
    newcomer.get(&format!("/v1/spaces/{space}")).await.expect(404);
    newcomer.post_empty(&accept(&made.text("/id"))).await.expect(200);
    assert_eq!(
        newcomer.get(&format!("/v1/spaces/{space}")).await.expect(200).at("/permissions/edit"),
        &json!(true)
    );
    assert_eq!(role_of(&app, &admin, &newcomer).await, json!(null));
    assert_eq!(newcomer.get(&path).await.expect(200).at("/redundant"), &json!(true));
    // A weaker invite does not lower the role.
    let weaker =
        admin.post(&links(&app), json!({"level": "read", "space": space})).await.expect(201).text("/id");
    newcomer.post_empty(&accept(&weaker)).await.expect(200);
    assert_eq!(
        newcomer.get(&format!("/v1/spaces/{space}")).await.expect(200).at("/permissions/edit"),
        &json!(true)
    );
    let stronger = admin.patch(&path, json!({"level": "admin"})).await.expect(200);
    assert_eq!(stronger.text("/level"), "admin");
    assert_eq!(admin.patch(&path, json!({"role": "read"})).await.expect(400).fields(), ["role"]);
    newcomer.post_empty(&accept(&made.text("/id"))).await.expect(200);
    assert_eq!(
        newcomer.get(&format!("/v1/spaces/{space}")).await.expect(200).at("/permissions/admin"),
        &json!(true)
    );

    let made =
        admin.post(&links(&app), json!({"level": "review", "collection": collection})).await.expect(201);
    assert_eq!(
        (made.text("/collection/id"), made.text("/collection/title")),
        (collection.clone(), "Guides".to_owned())
    );
    let other = app.stranger();
    other.post_empty(&accept(&made.text("/id"))).await.expect(200);
    let users = admin.get(&format!("/v1/collections/{collection}/permissions/users")).await.expect(200);
    assert_eq!(
        (users.at("/items/0/user/id"), users.at("/items/0/permission")),
        (&json!(other.user()), &json!("review"))
    );

    let mut kinds = Vec::new();
    let mut page = String::new();
    loop {
        let list = admin.get(&format!("{}?limit=1{page}", links(&app))).await.expect(200);
        assert_eq!(list.at("/count"), &json!(3));
        kinds.push(["collection", "space"].into_iter().find(|kind| list.at("/items/0").get(kind).is_some()));
        let Some(next) = list.json.pointer("/next/page").and_then(Value::as_str) else { break };
        page = format!("&page={next}");
    }
    assert_eq!(kinds, [Some("collection"), Some("space"), Some("space")]);
}

#[actix_web::test]
async fn wrong_invites_are_refused() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let elsewhere = app.create_organization("Elsewhere");
    let foreign = app.collection(elsewhere);
    for body in [
        json!({}),
        json!({"level": "read"}),
        json!({"space": space}),
        json!({"role": "read", "level": "read", "space": space}),
        json!({"level": "read", "space": space, "collection": foreign}),
        json!({"level": "owner", "space": space}),
    ] {
        admin.post(&links(&app), body).await.expect(400);
    }
    let refused = admin.post(&links(&app), json!({"level": "read", "collection": foreign})).await.expect(400);
    assert_eq!(refused.fields(), ["collection"]);
    let absent = json!({"level": "read", "space": "0197f1d0-0000-7000-8000-0000000000ff"});
    assert_eq!(admin.post(&links(&app), absent).await.expect(400).fields(), ["space"]);
    assert_eq!(admin.get(&links(&app)).await.expect(200).at("/count"), &json!(0));
}

#[actix_web::test]
async fn who_may_not_come_in_stays_out() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let organization = format!("/v1/orgs/{}", app.organization);
    let id = admin.post(&links(&app), json!({"role": "read"})).await.expect(201).text("/id");
    let newcomer = app.stranger();
    app.read_only(&newcomer).post_empty(&accept(&id)).await.expect(403);
    app.anonymous().post_empty(&accept(&id)).await.expect(401);
    let disabled = app.member_of(app.organization, None);
    let disable =
        format!("UPDATE organization_members SET disabled = true WHERE user_id = '{}'", disabled.user());
    app.connection().batch_execute(&disable).unwrap();
    disabled.post_empty(&accept(&id)).await.expect(403);
    // A token for another organization cannot use invites of this one.
    let own = newcomer.post("/v1/orgs", json!({"title": "Own"})).await.expect(201).text("/id");
    let limited =
        newcomer.post("/v1/user/tokens", json!({"label": "x", "organizations": [own]})).await.expect(201);
    newcomer.with_token(&limited.text("/token")).post_empty(&accept(&id)).await.expect(404);

    let _ = admin.patch(&organization, json!({"inviteLinks": false})).await.expect(200);
    assert_eq!(newcomer.post_empty(&accept(&id)).await.expect(409).reason(), "invite-links-disabled");
    let refused = admin.post(&links(&app), json!({"role": "read"})).await.expect(409);
    assert_eq!(refused.reason(), "invite-links-disabled");
    // Meanwhile others cannot see the link; its creator still does.
    let link = format!("{}/{id}", links(&app));
    let absent = newcomer.get(&format!("{}/{}", links(&app), newcomer.user())).await.expect(404);
    for closed in [&newcomer, &app.as_role(Role::Create)] {
        assert_eq!(closed.get(&link).await.expect(404).bytes, absent.bytes);
    }
    assert_eq!(admin.get(&link).await.expect(200).text("/id"), id);
    newcomer.get(&organization).await.expect(404);
    let _ = admin.patch(&organization, json!({"inviteLinks": true})).await.expect(200);

    // An invite to a deleted space is deleted with the space.
    let to_space =
        admin.post(&links(&app), json!({"level": "read", "space": space})).await.expect(201).text("/id");
    let delete = format!("UPDATE spaces SET deleted_at = now() WHERE id = '{space}'");
    app.connection().batch_execute(&delete).unwrap();
    newcomer.post_empty(&accept(&to_space)).await.expect(404);
    app.as_role(Role::Create).get(&links(&app)).await.expect(403);
}

#[actix_web::test]
async fn many_who_accept_at_once_all_come_in() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let id = admin.post(&links(&app), json!({"level": "edit", "space": space})).await.expect(201).text("/id");
    let newcomer = app.stranger();
    let path = accept(&id);
    let answers = futures_util::future::join_all((0..6).map(|_| newcomer.post_empty(&path))).await;
    assert!(answers.iter().all(|answer| answer.status == 200));
    let users = admin.get(&format!("/v1/spaces/{space}/permissions/users")).await.expect(200);
    assert_eq!(users.at("/count"), &json!(1));
}

#[actix_web::test]
async fn of_two_who_have_seen_the_same_invite_one_changes_it() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let id = admin.post(&links(&app), json!({"role": "read"})).await.expect(201).text("/id");
    let path = format!("{}/{id}", links(&app));
    let seen = admin.get(&path).await.expect(200);
    let set = |role: &str| {
        let request = TestRequest::patch().uri(&path).insert_header(("If-Match", seen.header("etag")));
        admin.send(request.set_json(json!({"role": role})))
    };
    let stored = stored_id(id.parse().unwrap());
    let lock = format!("SELECT 1 FROM organization_invites WHERE id = '{stored}' FOR UPDATE");
    let answers = app.while_locked(&lock, 2, join_all(["edit", "review"].map(set))).await;
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 412]);
}

#[actix_web::test]
async fn the_audit_log_hides_the_id_in_a_link_below_a_base_path() {
    let settings = Settings { base_url: "https://example.com/quire".to_owned(), ..Settings::default() };
    let app = TestApp::start_with(settings, FetchConfig::default()).await;
    let admin = app.as_role(Role::Admin);
    let made = admin.post(&format!("/quire{}", links(&app)), json!({"role": "read"})).await.expect(201);
    let id = made.text("/id");
    app.stranger().post_empty(&format!("/quire{}", accept(&id))).await.expect(200);
    let log = format!("/quire/v1/orgs/{}/audit-log?operation=joinOrganizationWithInvite", app.organization);
    let entry = admin.get(&log).await.expect(200).at("/items/0").clone();
    let stored = stored_id(id.parse().unwrap()).to_string();
    assert_eq!(entry["path"], json!(format!("/quire{}", accept(&stored))));
    assert_eq!(entry["target"], json!({"type": "invite", "id": stored}));
}
