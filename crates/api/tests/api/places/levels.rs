//! Default levels.

use quire_domain::Role;
use quire_test_support::Answer;
use serde_json::{Value, json};

use super::fixture::Fixture;

/// The strongest of some permissions of an answer.
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
    // A grant counts alone: it lowers as well as raises.
    fixture.app.grant(&creator, &space, Role::Read);
    fixture.app.grant(&guest, &space, Role::Edit);
    assert_eq!(strongest(&creator.get(&path).await.expect(200)), "view");
    assert_eq!(strongest(&guest.get(&path).await.expect(200)), "edit");
    // Without a level, roles below that of an administrator don't count.
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
    // At the root, whatever the organization's default role is.
    let organization = format!("/v1/orgs/{}", fixture.app.organization);
    let _ = fixture.admin.patch(&organization, json!({"defaultRole": "edit"})).await.expect(200);
    for path in [&root, &outer] {
        assert_eq!(set(path.clone(), json!("review")).await, "review");
        assert_eq!(set(path.clone(), json!("inherit")).await, "read");
    }
    assert_eq!(set(outer.clone(), json!("comment")).await, "comment");
    assert_eq!(set(inner.clone(), json!("inherit")).await, "comment");
    assert_eq!(set(space.clone(), json!("inherit")).await, "comment");
    // It is that of the moment, and one by grant only is inherited, too.
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
