//! Transfers of spaces and collections to another organization.

use diesel::connection::SimpleConnection as _;
use quire_domain::Role;
use quire_domain::ids::OrganizationId;
use quire_test_support::Caller;
use serde_json::json;

use super::fixture::{Fixture, walk};

/// Creates another organization, with an administrator of both.
async fn elsewhere(fixture: &Fixture) -> (OrganizationId, Caller) {
    let elsewhere = fixture.app.create_organization("Elsewhere");
    let both = fixture.app.as_role(Role::Admin);
    let joined = fixture.app.system.transact(|tx| tx.put_member(elsewhere, both.user(), Some(Role::Admin)));
    joined.unwrap();
    (elsewhere, both)
}

#[actix_web::test]
async fn a_space_goes_with_its_content_and_without_its_grants() {
    let fixture = Fixture::new().await;
    let (elsewhere, both) = elsewhere(&fixture).await;
    let outer = fixture.collection("Outer", None).await;
    let space = fixture.space("Guide", Some(&outer)).await;
    let path = format!("/v1/spaces/{space}");
    let page = json!({"changes": [{"operation": "insert_page", "title": "Home", "document": {"markdown": "# Running\n\nZebras."}}]});
    fixture.admin.post(&format!("{path}/content"), page).await.expect(200);
    fixture.admin.patch(&path, json!({"defaultLevel": "edit"})).await.expect(200);
    let granted = fixture.app.on_space(&space, Some(Role::Admin));
    let there = format!("/v1/orgs/{elsewhere}/spaces");
    both.post(&there, json!({"title": "Present"})).await.expect(201);
    let language = format!("UPDATE organizations SET search_language = 'english' WHERE id = '{elsewhere}'");
    fixture.app.connection().batch_execute(&language).unwrap();

    let answer = both
        .post(&format!("{path}/transfer"), json!({"organization": elsewhere.to_string()}))
        .await
        .expect(200);
    assert_eq!(answer.text("/organization"), elsewhere.to_string());
    assert_eq!((answer.json.get("parent"), answer.text("/visibility")), (None, "private".to_owned()));
    assert_eq!(
        (answer.text("/defaultLevel"), answer.text("/title")),
        ("edit".to_owned(), "Guide".to_owned())
    );
    assert_eq!(walk(&both, &there).await, ["Present", "Guide"]);
    assert_eq!(walk(&fixture.admin, &fixture.spaces).await, [""; 0]);
    for left_behind in [&granted, &fixture.admin] {
        left_behind.get(&path).await.expect(404);
    }
    let member = fixture.app.member_of(elsewhere, Some(Role::Read));
    assert_eq!(member.get(&path).await.expect(200).at("/permissions/edit"), &json!(true));
    // The search language of the new owner applies.
    let found = member.get(&format!("{path}/search?query=zebra%20run")).await.expect(200);
    assert_eq!(found.at("/count"), &json!(1));
    let more = json!({"changes": [{"operation": "insert_page", "title": "More", "document": {}}]});
    member.post(&format!("{path}/content"), more).await.expect(200);
    fixture.admin.delete(&format!("/v1/collections/{outer}")).await.expect(204);
    fixture.assert_sound();
}

#[actix_web::test]
async fn a_collection_takes_all_below_it_to_the_other_organization() {
    let fixture = Fixture::new().await;
    let (elsewhere, both) = elsewhere(&fixture).await;
    let above = fixture.collection("Above", None).await;
    let outer = fixture.collection("Outer", Some(&above)).await;
    let inner = fixture.collection("Inner", Some(&outer)).await;
    let (a, b) = (fixture.space("A", Some(&outer)).await, fixture.space("B", Some(&inner)).await);
    let deleted = fixture.space("Deleted", Some(&inner)).await;
    let neighbor = fixture.space("Neighbor", Some(&above)).await;
    fixture.admin.delete(&format!("/v1/spaces/{deleted}")).await.expect(204);
    let granted = fixture.app.as_role(Role::Read);
    for id in [&above, &outer, &inner, &a, &b] {
        fixture.app.grant(&granted, id, Role::Edit);
    }
    let path = format!("/v1/collections/{outer}");
    let answer = both
        .post(&format!("{path}/transfer"), json!({"organization": elsewhere.to_string()}))
        .await
        .expect(200);
    assert_eq!((answer.text("/organization"), answer.json.get("parent")), (elsewhere.to_string(), None));
    assert_eq!(walk(&both, &format!("/v1/orgs/{elsewhere}/collections")).await, ["Outer", "Inner"]);
    assert_eq!(walk(&both, &format!("/v1/orgs/{elsewhere}/spaces")).await.len(), 2);
    assert_eq!(both.get(&format!("/v1/spaces/{b}")).await.expect(200).text("/parent"), inner);
    let restored = both.post_empty(&format!("/v1/spaces/{deleted}/restore")).await.expect(200);
    assert_eq!(
        (restored.text("/organization"), restored.text("/parent")),
        (elsewhere.to_string(), inner.clone())
    );
    // Siblings and the grant on the former parent are unchanged.
    assert_eq!(walk(&fixture.admin, &fixture.collections).await, ["Above"]);
    assert_eq!(
        granted.get(&format!("/v1/spaces/{neighbor}")).await.expect(200).at("/permissions/edit"),
        &json!(true)
    );
    for gone in [format!("/v1/spaces/{a}"), format!("/v1/spaces/{b}"), path] {
        granted.get(&gone).await.expect(404);
        fixture.admin.get(&gone).await.expect(404);
    }
    assert_eq!(fixture.count(&format!("content_grants WHERE organization_id = '{elsewhere}'")), 0);
    assert_eq!(fixture.count("content_grants"), 1);
    fixture.assert_sound();
}

#[actix_web::test]
async fn who_gives_away_must_be_admin_here_and_may_create_there() {
    let fixture = Fixture::new().await;
    let (elsewhere, both) = elsewhere(&fixture).await;
    let hidden = fixture.app.create_organization("Hidden");
    let collection = fixture.collection("Outer", None).await;
    let space = fixture.space("Guide", None).await;
    for path in [format!("/v1/spaces/{space}/transfer"), format!("/v1/collections/{collection}/transfer")] {
        let to = |organization: OrganizationId| json!({"organization": organization.to_string()});
        assert_eq!(both.post(&path, to(fixture.app.organization)).await.expect(409).reason(), "conflict");
        assert_eq!(both.post(&path, to(hidden)).await.expect(400).fields(), ["organization"]);
        assert_eq!(both.post(&path, json!({})).await.expect(400).fields(), ["organization"]);
        let reader_there = fixture.app.as_role(Role::Admin);
        let join = |role| {
            let system = &fixture.app.system;
            let joined = system.transact(|tx| tx.put_member(elsewhere, reader_there.user(), Some(role)));
            joined.unwrap();
        };
        join(Role::Edit);
        reader_there.post(&path, to(elsewhere)).await.expect(403);
        let only_there = fixture.app.member_of(elsewhere, Some(Role::Admin));
        only_there.post(&path, to(elsewhere)).await.expect(404);
        join(Role::Create);
        reader_there.post(&path, to(elsewhere)).await.expect(200);
    }
}
