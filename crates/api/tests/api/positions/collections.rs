//! Collections.

use quire_domain::Role;
use serde_json::json;

use super::fixture::{Fixture, walk};

const BASE: &str = "http://127.0.0.1:8080";

#[actix_web::test]
async fn a_collection_is_made_with_everything_that_is_said_of_it() {
    let fixture = Fixture::new().await;
    let made = fixture.admin.post(&fixture.collections, json!({"title": "Products"})).await.expect(201);
    let id = made.text("/id");
    let location = format!("{BASE}/v1/collections/{id}");
    assert_eq!(made.header("location"), location);
    let whole = json!({
        "object": "collection", "id": id, "title": "Products", "organization": fixture.app.organization.to_string(),
        "defaultLevel": "read", "urls": {"location": location, "app": format!("{BASE}/c/{id}")},
        "permissions": {"view": true, "admin": true, "viewInviteLinks": true, "create": true},
    });
    assert_eq!(made.json, whole);
    let read = fixture.admin.get(&format!("/v1/collections/{id}")).await.expect(200);
    assert_eq!(read.json, whole);
    assert_eq!(read.header("etag"), made.header("etag"));
    let nothing_said = fixture.admin.post_empty(&fixture.collections).await.expect(201);
    assert_eq!(nothing_said.text("/title"), "Untitled");
    let inner = fixture.admin.post(&fixture.collections, json!({"parent": id})).await.expect(201);
    assert_eq!(inner.text("/parent"), id);
    fixture.assert_sound();
}

#[actix_web::test]
async fn a_level_is_inherited_when_something_is_made() {
    let fixture = Fixture::new().await;
    let outer = fixture.collection("Outer", None).await;
    let path = format!("/v1/collections/{outer}");
    fixture.admin.patch(&path, json!({"defaultLevel": "comment"})).await.expect(200);
    let inner = fixture.admin.post(&fixture.collections, json!({"parent": outer})).await.expect(201);
    let space = fixture.admin.post(&fixture.spaces, json!({"parent": inner.text("/id")})).await.expect(201);
    assert_eq!(
        (inner.text("/defaultLevel"), space.text("/defaultLevel")),
        ("comment".into(), "comment".into())
    );
    assert_eq!(
        (space.text("/visibility"), space.text("/parent")),
        ("in-collection".into(), inner.text("/id"))
    );
    fixture.admin.patch(&path, json!({"defaultLevel": null})).await.expect(200);
    let closed = fixture.admin.post(&fixture.spaces, json!({"parent": outer})).await.expect(201);
    assert_eq!(closed.at("/defaultLevel"), &json!(null));
    let reader = fixture.app.as_role(Role::Read);
    reader.get(&format!("/v1/spaces/{}", closed.text("/id"))).await.expect(404);
    let comments = reader.get(&format!("/v1/spaces/{}", space.text("/id"))).await.expect(200);
    assert_eq!(comments.at("/permissions/comment"), &json!(true));
}

#[actix_web::test]
async fn a_collection_is_changed_key_by_key() {
    let fixture = Fixture::new().await;
    let id = fixture.collection("Products", None).await;
    let path = format!("/v1/collections/{id}");
    let changed =
        fixture.admin.patch(&path, json!({"description": "All of them.", "title": "Ours"})).await.expect(200);
    assert_eq!(
        (changed.text("/title"), changed.text("/description")),
        ("Ours".into(), "All of them.".into())
    );
    let kept = fixture.admin.patch(&path, json!({"defaultLevel": "edit"})).await.expect(200);
    assert_eq!(
        (kept.text("/description"), kept.text("/defaultLevel")),
        ("All of them.".into(), "edit".into())
    );
    for nothing in [json!(null), json!("")] {
        fixture.admin.patch(&path, json!({"description": "Some."})).await.expect(200);
        let cleared = fixture.admin.patch(&path, json!({ "description": nothing })).await.expect(200);
        assert_eq!(cleared.json.get("description"), None);
    }
    let long = fixture
        .admin
        .patch(&path, json!({"description": "ä".repeat(101), "title": "ä".repeat(51)}))
        .await
        .expect(400);
    assert_eq!(long.fields(), ["description", "title"]);
    let tag = fixture.admin.get(&path).await.header("etag").to_owned();
    let conditional = |tag: &str| {
        let request = actix_web::test::TestRequest::patch().uri(&path).insert_header(("If-Match", tag));
        fixture.admin.send(request.set_json(json!({"title": "Theirs"})))
    };
    conditional(&tag).await.expect(200);
    assert_eq!(conditional(&tag).await.expect(412).reason(), "precondition-failed");
}

#[actix_web::test]
async fn only_what_somebody_may_see_is_listed() {
    let fixture = Fixture::new().await;
    let open = fixture.collection("Open", None).await;
    let closed = fixture.collection("Closed", None).await;
    let inner = fixture.collection("Inner", Some(&closed)).await;
    fixture.collection("Other", Some(&open)).await;
    for id in [&closed, &inner] {
        fixture
            .admin
            .patch(&format!("/v1/collections/{id}"), json!({"defaultLevel": null}))
            .await
            .expect(200);
    }
    let all = &fixture.collections;
    assert_eq!(walk(&fixture.admin, all).await, ["Open", "Closed", "Other", "Inner"]);
    assert_eq!(walk(&fixture.admin, &format!("{all}?nested=false")).await, ["Open", "Closed"]);
    assert_eq!(walk(&fixture.admin, &format!("{all}?nested=true")).await.len(), 4);
    let reader = fixture.app.as_role(Role::Read);
    assert_eq!(walk(&reader, all).await, ["Open", "Other"]);
    fixture.app.grant(&reader, &closed, Role::Comment);
    assert_eq!(walk(&reader, all).await, ["Open", "Closed", "Other", "Inner"]);
    let guest = fixture.app.member_of(fixture.app.organization, None);
    assert_eq!(walk(&guest, all).await, [""; 0]);
    fixture.app.grant(&guest, &inner, Role::Read);
    assert_eq!(walk(&guest, all).await, ["Inner"]);
    let cursor = fixture.admin.get(&format!("{all}?limit=1")).await.text("/next/page");
    let other_list = fixture.admin.get(&format!("{all}?nested=false&page={cursor}")).await.expect(400);
    assert_eq!(other_list.reason(), "invalid-cursor");
}

#[actix_web::test]
async fn the_spaces_of_a_collection_are_its_own_in_their_order() {
    let fixture = Fixture::new().await;
    let outer = fixture.collection("Outer", None).await;
    let inner = fixture.collection("Inner", Some(&outer)).await;
    let root = fixture.space("Root", None).await;
    for title in ["A", "B", "C"] {
        fixture.space(title, Some(&outer)).await;
    }
    fixture.space("Deep", Some(&inner)).await;
    let spaces = format!("/v1/collections/{outer}/spaces");
    assert_eq!(walk(&fixture.admin, &spaces).await, ["A", "B", "C"]);
    fixture.move_space(&root, json!({"parent": outer})).await.expect(200);
    assert_eq!(walk(&fixture.admin, &spaces).await, ["A", "B", "C", "Root"]);
    assert_eq!(walk(&fixture.admin, &format!("/v1/collections/{inner}/spaces")).await, ["Deep"]);
    let guest = fixture.app.member_of(fixture.app.organization, None);
    guest.get(&spaces).await.expect(404);
}

#[actix_web::test]
async fn lists_cost_the_same_for_one_and_for_many() {
    let fixture = Fixture::new().await;
    let outer = fixture.collection("Outer", None).await;
    fixture.space("A", Some(&outer)).await;
    let lists =
        [fixture.collections.clone(), fixture.spaces.clone(), format!("/v1/collections/{outer}/spaces")];
    let costs = async || {
        let mut costs = Vec::new();
        for list in &lists {
            let before = fixture.app.statements();
            fixture.admin.get(&format!("{list}?limit=1000")).await.expect(200);
            costs.push(fixture.app.statements() - before);
        }
        costs
    };
    let _ = costs().await;
    let before = fixture.app.statements();
    fixture.admin.get(&format!("/v1/collections/{outer}")).await.expect(200);
    assert_eq!(fixture.app.statements() - before, 1);
    let few = costs().await;
    for number in 0..40 {
        fixture.collection(&format!("C{number}"), Some(&outer)).await;
        fixture.space(&format!("S{number}"), Some(&outer)).await;
    }
    assert_eq!(costs().await, few);
    assert_eq!(few, [3, 2, 3]);
}

#[actix_web::test]
async fn only_an_empty_collection_is_deleted() {
    let fixture = Fixture::new().await;
    let outer = fixture.collection("Outer", None).await;
    let inner = fixture.collection("Inner", Some(&outer)).await;
    let space = fixture.space("Guide", Some(&inner)).await;
    let (outer, inner) = (format!("/v1/collections/{outer}"), format!("/v1/collections/{inner}"));
    for full in [&outer, &inner] {
        assert_eq!(fixture.admin.delete(full).await.expect(409).reason(), "collection-not-empty");
    }
    fixture.admin.delete(&format!("/v1/spaces/{space}")).await.expect(204);
    for empty in [&inner, &outer] {
        fixture.admin.delete(empty).await.expect(204);
        fixture.admin.delete(empty).await.expect(404);
        fixture.admin.get(empty).await.expect(404);
    }
}

#[actix_web::test]
async fn collections_nest_no_deeper_than_their_bound() {
    let fixture = Fixture::new().await;
    let mut path = vec![fixture.collection("1", None).await];
    for depth in 2..=32 {
        path.push(fixture.collection(&depth.to_string(), path.last().map(String::as_str)).await);
    }
    let deepest = &path[31];
    let refused = fixture.admin.post(&fixture.collections, json!({"parent": deepest})).await.expect(400);
    assert_eq!(refused.fields(), ["parent"]);
    let (single, pair) = (fixture.collection("Single", None).await, fixture.collection("Pair", None).await);
    fixture.collection("Inner", Some(&pair)).await;
    let refused = fixture.move_collection(&pair, json!({"parent": path[30]})).await.expect(400);
    assert_eq!(refused.fields(), ["parent"]);
    fixture.move_collection(&pair, json!({"parent": path[29]})).await.expect(200);
    fixture.move_collection(&single, json!({"parent": path[30]})).await.expect(200);
    // Spaces do not count as a level of nesting.
    fixture.space("Guide", Some(deepest)).await;
    fixture.assert_sound();
}

#[actix_web::test]
async fn a_parent_must_be_there_and_allow_it() {
    let fixture = Fixture::new().await;
    let creator = fixture.app.as_role(Role::Create);
    let elsewhere = fixture.app.create_organization("Elsewhere");
    let owner = fixture.app.member_of(elsewhere, Some(Role::Admin));
    let foreign =
        owner.post_empty(&format!("/v1/orgs/{elsewhere}/collections")).await.expect(201).text("/id");
    let unknown = "0197f1d0-0000-7000-8000-0000000000ff";
    for (list, parent) in [
        (&fixture.collections, unknown),
        (&fixture.spaces, unknown),
        (&fixture.collections, &foreign),
        (&fixture.spaces, &foreign),
    ] {
        let refused = fixture.admin.post(list, json!({ "parent": parent })).await.expect(400);
        assert_eq!(refused.fields(), ["parent"]);
    }
    // `create` in the organization applies to its collections, unless a grant there lowers the role.
    let outer = fixture.collection("Outer", None).await;
    creator.post(&fixture.collections, json!({"parent": outer})).await.expect(201);
    fixture.app.grant(&creator, &outer, Role::Review);
    creator.post(&fixture.collections, json!({"parent": outer})).await.expect(403);
    let granted = fixture.app.as_role(Role::Read);
    fixture.app.grant(&granted, &outer, Role::Create);
    granted.post(&fixture.spaces, json!({"parent": outer})).await.expect(201);
    granted.post(&fixture.spaces, json!({})).await.expect(403);
}
