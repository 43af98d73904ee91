//! Default levels, and the creators of spaces, collections and sites.

use diesel::connection::SimpleConnection as _;
use quire_domain::Role;
use quire_test_support::{Answer, Caller};
use serde_json::{Value, json};

use super::fixture::Fixture;

/// Returns the strongest permission in a response.
fn strongest(answer: &Answer) -> &'static str {
    let ladder = ["admin", "review", "edit", "comment", "view"];
    let may = |name: &&&str| answer.json["permissions"][**name] == json!(true);
    ladder.iter().find(may).copied().unwrap_or("none")
}

#[actix_web::test]
async fn members_have_the_stronger_of_their_role_and_the_level() {
    let fixture = Fixture::new().await;
    let space = fixture.space("Guide", None).await;
    let path = format!("/v1/spaces/{space}");
    let [reader, editor, creator] =
        [Role::Read, Role::Edit, Role::Create].map(|role| fixture.app.as_role(role));
    let guest = fixture.app.member_of(fixture.app.organization, None);
    for (level, of_reader, of_editor, of_creator) in [
        ("read", "view", "edit", "review"),
        ("comment", "comment", "edit", "review"),
        ("review", "review", "review", "review"),
    ] {
        let _ = fixture.admin.patch(&path, json!({"defaultLevel": level})).await.expect(200);
        for (caller, expected) in [(&reader, of_reader), (&editor, of_editor), (&creator, of_creator)] {
            assert_eq!(strongest(&caller.get(&path).await.expect(200)), expected, "{level}");
        }
        guest.get(&path).await.expect(404);
    }
    // Only the grant counts: it can lower a role as well as raise it.
    fixture.app.grant(&creator, &space, Role::Read);
    fixture.app.grant(&guest, &space, Role::Edit);
    assert_eq!(strongest(&creator.get(&path).await.expect(200)), "view");
    assert_eq!(strongest(&guest.get(&path).await.expect(200)), "edit");
    // Without a default level, only grants and administrators have access.
    let closed = fixture.admin.patch(&path, json!({"defaultLevel": null})).await.expect(200);
    assert_eq!((closed.at("/defaultLevel"), strongest(&closed)), (&json!(null), "admin"));
    editor.get(&path).await.expect(404);
    assert_eq!(strongest(&creator.get(&path).await.expect(200)), "view");
}

#[actix_web::test]
async fn a_level_can_be_that_of_the_parent() {
    let fixture = Fixture::new().await;
    let outer = fixture.collection("Outer", None).await;
    let inner = fixture.collection("Inner", Some(&outer)).await;
    let (at_root, in_inner) = (fixture.space("Root", None).await, fixture.space("In", Some(&inner)).await);
    let set = async |path: String, level: Value| {
        let changed = fixture.admin.patch(&path, json!({ "defaultLevel": level })).await.expect(200);
        changed.at("/defaultLevel").clone()
    };
    let (root, space) = (format!("/v1/spaces/{at_root}"), format!("/v1/spaces/{in_inner}"));
    let (outer, inner) = (format!("/v1/collections/{outer}"), format!("/v1/collections/{inner}"));
    // The default role of the organization does not matter at the root.
    let organization = format!("/v1/orgs/{}", fixture.app.organization);
    let _ = fixture.admin.patch(&organization, json!({"defaultRole": "edit"})).await.expect(200);
    for path in [&root, &outer] {
        assert_eq!(set(path.clone(), json!("review")).await, "review");
        assert_eq!(set(path.clone(), json!("inherit")).await, "read");
    }
    assert_eq!(set(outer.clone(), json!("comment")).await, "comment");
    assert_eq!(set(inner.clone(), json!("inherit")).await, "comment");
    assert_eq!(set(space.clone(), json!("inherit")).await, "comment");
    // The level is inherited at the time of the request. Access by grant only can be inherited, too.
    assert_eq!(set(inner.clone(), json!(null)).await, json!(null));
    assert_eq!(fixture.admin.get(&space).await.expect(200).at("/defaultLevel"), "comment");
    assert_eq!(set(space.clone(), json!("inherit")).await, json!(null));
    let wrong = fixture.admin.patch(&space, json!({"defaultLevel": "owner"})).await.expect(400);
    assert_eq!(wrong.fields(), ["defaultLevel"]);
}

#[actix_web::test]
async fn what_is_made_at_the_root_has_the_default_role_or_is_for_reading() {
    let fixture = Fixture::new().await;
    let organization = format!("/v1/orgs/{}", fixture.app.organization);
    for (role, level) in [(json!("review"), "review"), (json!(null), "read")] {
        let _ = fixture.admin.patch(&organization, json!({ "defaultRole": role })).await.expect(200);
        for things in [&fixture.spaces, &fixture.collections] {
            assert_eq!(fixture.admin.post_empty(things).await.expect(201).text("/defaultLevel"), level);
        }
    }
}

/// Returns whether the caller has an `admin` grant on this space or collection itself.
async fn has_grant(fixture: &Fixture, path: &str, caller: &Caller) -> bool {
    let users = fixture.admin.get(&format!("{path}/permissions/users")).await.expect(200);
    let items = users.at("/items").as_array().unwrap();
    let own = |item: &&Value| item["user"]["id"] == json!(caller.user());
    items.iter().filter(own).any(|item| item["permission"] == "admin")
}

#[actix_web::test]
async fn makers_administer_what_they_make() {
    let fixture = Fixture::new().await;
    let creator = fixture.app.as_role(Role::Create);
    let collection = creator.post_empty(&fixture.collections).await.expect(201);
    let inner = json!({"parent": collection.text("/id")});
    let original = fixture.space("Original", None).await;
    let sites = format!("/v1/orgs/{}/sites", fixture.app.organization);
    let mut spaces = vec![
        creator.post_empty(&fixture.spaces).await.expect(201),
        creator.post(&fixture.spaces, inner.clone()).await.expect(201),
        creator.post_empty(&format!("/v1/spaces/{original}/duplicate")).await.expect(201),
    ];
    for kind in ["empty", "sample"] {
        let site = creator.post(&sites, json!({"title": kind, "spaces": kind})).await.expect(201).text("/id");
        let placed = creator.get(&format!("{sites}/{site}/site-spaces")).await.expect(200);
        let space = format!("/v1/spaces/{}", placed.text("/items/0/space/id"));
        spaces.push(creator.get(&space).await.expect(200));
    }
    let mut made = vec![(format!("/v1/collections/{}", collection.text("/id")), collection), {
        let inner = creator.post(&fixture.collections, inner).await.expect(201);
        (format!("/v1/collections/{}", inner.text("/id")), inner)
    }];
    made.extend(spaces.into_iter().map(|space| (format!("/v1/spaces/{}", space.text("/id")), space)));
    for (path, answer) in &made {
        assert_eq!(answer.at("/permissions/admin"), &json!(true), "{path}");
        assert!(has_grant(&fixture, path, &creator).await, "{path}");
    }
    // The creator keeps the grant after a demotion, and others get no access by it.
    let lower = format!("UPDATE organization_members SET role = 1 WHERE user_id = '{}'", creator.user());
    fixture.app.connection().batch_execute(&lower).unwrap();
    let reader = fixture.app.as_role(Role::Read);
    for (path, _) in &made {
        let _ = creator.patch(path, json!({"title": "Mine"})).await.expect(200);
        reader.patch(path, json!({"title": "Mine"})).await.expect(403);
    }
}

#[actix_web::test]
async fn administrators_of_the_organization_need_no_grant_on_what_they_make() {
    let fixture = Fixture::new().await;
    let space = format!("/v1/spaces/{}", fixture.space("Guide", None).await);
    let collection = format!("/v1/collections/{}", fixture.collection("Guides", None).await);
    let copy = fixture.admin.post_empty(&format!("{space}/duplicate")).await.expect(201).text("/id");
    for path in [space, collection, format!("/v1/spaces/{copy}")] {
        assert!(!has_grant(&fixture, &path, &fixture.admin).await, "{path}");
    }
}

#[actix_web::test]
async fn the_maker_of_a_site_administers_it() {
    let fixture = Fixture::new().await;
    let creator = fixture.app.as_role(Role::Create);
    let sites = format!("/v1/orgs/{}/sites", fixture.app.organization);
    let made = creator.post(&sites, json!({"title": "Docs", "spaces": "empty"})).await.expect(201);
    let site = format!("{sites}/{}", made.text("/id"));
    let _ = creator.patch(&site, json!({"title": "Manual"})).await.expect(200);
    let _ = creator.post_empty(&format!("{site}/publish")).await.expect(200);
    let _ = creator.post(&format!("{site}/share-links"), json!({})).await.expect(201);
    let _ = creator.delete(&site).await.expect(204);
}
