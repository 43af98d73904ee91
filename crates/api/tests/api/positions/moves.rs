//! Moves: the resulting order, permissions, and refusals.

use quire_domain::Role;
use serde_json::json;

use super::fixture::{Fixture, pointer, walk};

#[actix_web::test]
async fn spaces_and_collections_are_ordered_together() {
    let fixture = Fixture::new().await;
    let a = fixture.space("a", None).await;
    let b = fixture.collection("b", None).await;
    let c = fixture.space("c", None).await;
    let d = fixture.collection("d", None).await;
    assert_eq!(fixture.order(None), ["a", "b", "c", "d"]);
    fixture.move_space(&a, json!({"position": {"after": pointer("collection", &b)}})).await.expect(200);
    assert_eq!(fixture.order(None), ["b", "a", "c", "d"]);
    fixture.move_collection(&d, json!({"position": {"before": pointer("space", &a)}})).await.expect(200);
    assert_eq!(fixture.order(None), ["b", "d", "a", "c"]);
    fixture.move_space(&c, json!({"position": {"before": pointer("collection", &b)}})).await.expect(200);
    assert_eq!(fixture.order(None), ["c", "b", "d", "a"]);
    let between = json!({"position": {"after": pointer("space", &c), "before": pointer("space", &a)}});
    fixture.move_collection(&d, between).await.expect(200);
    assert_eq!(fixture.order(None), ["c", "d", "b", "a"]);
    fixture.move_space(&c, json!({"position": {}})).await.expect(200);
    assert_eq!(fixture.order(None), ["d", "b", "a", "c"]);
    // A move to the current position changes nothing.
    fixture
        .move_space(
            &a,
            json!({"position": {"after": pointer("collection", &b), "before": pointer("space", &c)}}),
        )
        .await
        .expect(200);
    assert_eq!(fixture.order(None), ["d", "b", "a", "c"]);
    assert_eq!(walk(&fixture.admin, &fixture.spaces).await, ["a", "c"]);
    assert_eq!(walk(&fixture.admin, &fixture.collections).await, ["d", "b"]);
    fixture.assert_sound();
}

#[actix_web::test]
async fn a_space_is_moved_into_a_collection_and_out_again() {
    let fixture = Fixture::new().await;
    let outer = fixture.collection("Outer", None).await;
    let first = fixture.space("First", Some(&outer)).await;
    let space = fixture.space("Guide", None).await;
    fixture.app.clock.advance(std::time::Duration::from_secs(60));
    let body = json!({"parent": outer, "position": {"before": pointer("space", &first)}});
    let moved = fixture.move_space(&space, body).await.expect(200);
    assert_eq!(
        (moved.text("/parent"), moved.text("/visibility")),
        (outer.clone(), "in-collection".to_owned())
    );
    assert_ne!(moved.text("/updatedAt"), moved.text("/createdAt"));
    assert_eq!(fixture.order(Some(&outer)), ["Guide", "First"]);
    // Without `parent`, the space stays in its collection.
    fixture.move_space(&space, json!({"position": {"after": pointer("space", &first)}})).await.expect(200);
    assert_eq!(fixture.order(Some(&outer)), ["First", "Guide"]);
    let out = fixture.move_space(&space, json!({"parent": null})).await.expect(200);
    assert_eq!((out.json.get("parent"), out.text("/visibility")), (None, "private".to_owned()));
    assert_eq!(fixture.order(None), ["Outer", "Guide"]);
    assert_eq!(out.json, fixture.admin.get(&format!("/v1/spaces/{space}")).await.json);
    fixture.assert_sound();
}

#[actix_web::test]
async fn a_collection_takes_all_below_it_along() {
    let fixture = Fixture::new().await;
    let (a, b) = (fixture.collection("A", None).await, fixture.collection("B", None).await);
    let inner = fixture.collection("Inner", Some(&a)).await;
    let space = fixture.space("Guide", Some(&inner)).await;
    let guest = fixture.app.member_of(fixture.app.organization, None);
    fixture.app.grant(&guest, &b, Role::Comment);
    let path = format!("/v1/spaces/{space}");
    guest.get(&path).await.expect(404);
    let moved = fixture.move_collection(&a, json!({"parent": b})).await.expect(200);
    assert_eq!(moved.text("/parent"), b);
    fixture.assert_sound();
    // A grant on the new parent collection applies to the space.
    assert_eq!(guest.get(&path).await.expect(200).at("/permissions/comment"), &json!(true));
    for (id, below) in [(&a, &a), (&a, &inner), (&b, &inner), (&b, &a)] {
        let refused = fixture.move_collection(id, json!({"parent": below})).await.expect(409);
        assert_eq!(refused.reason(), "collection-cycle");
    }
    fixture
        .move_collection(&inner, json!({"parent": null, "position": {"before": pointer("collection", &b)}}))
        .await
        .expect(200);
    assert_eq!(fixture.order(None), ["Inner", "B"]);
    guest.get(&path).await.expect(404);
    fixture.assert_sound();
}

#[actix_web::test]
async fn siblings_have_to_stand_at_the_destination() {
    let fixture = Fixture::new().await;
    let outer = fixture.collection("Outer", None).await;
    let inside = fixture.space("Inside", Some(&outer)).await;
    let (a, b, c) =
        (fixture.space("a", None).await, fixture.space("b", None).await, fixture.space("c", None).await);
    let deleted = fixture.space("Deleted", None).await;
    fixture.admin.delete(&format!("/v1/spaces/{deleted}")).await.expect(204);
    let unknown = "0197f1d0-0000-7000-8000-0000000000ff";
    for (position, field) in [
        (json!({"before": pointer("space", &inside)}), "position.before.space"),
        (json!({"after": pointer("space", unknown)}), "position.after.space"),
        (json!({"after": pointer("collection", unknown)}), "position.after.collection"),
        (json!({"before": pointer("collection", &a)}), "position.before.collection"),
        (json!({"after": pointer("space", &deleted)}), "position.after.space"),
        (json!({"after": pointer("space", &c)}), "position.after.space"),
        (json!({"after": pointer("space", &b), "before": pointer("space", &a)}), "position"),
        (json!({"after": pointer("space", &b), "before": pointer("space", &b)}), "position"),
        (json!({"after": {"type": "space"}}), "position.after.space"),
        (json!({"after": {"type": "page", "page": unknown}}), "position.after.type"),
    ] {
        let refused = fixture.move_space(&c, json!({ "position": position })).await.expect(400);
        assert_eq!(refused.fields(), [field], "{position}");
    }
    // The position is searched at the destination, not in the current parent.
    let body = json!({"parent": outer, "position": {"before": pointer("space", &a)}});
    assert_eq!(fixture.move_space(&c, body).await.expect(400).fields(), ["position.before.space"]);
    for (body, field) in [(json!({}), "parent"), (json!({"parent": unknown}), "parent")] {
        assert_eq!(fixture.move_space(&c, body.clone()).await.expect(400).fields(), [field]);
        assert_eq!(fixture.move_collection(&outer, body).await.expect(400).fields(), [field]);
    }
    fixture.admin.post_empty(&format!("/v1/spaces/{c}/move")).await.expect(400);
    assert_eq!(fixture.order(None), ["Outer", "a", "b", "c"]);
}

#[actix_web::test]
async fn who_moves_must_be_its_admin_and_may_create_there() {
    let fixture = Fixture::new().await;
    let outer = fixture.collection("Outer", None).await;
    let hidden = fixture.collection("Hidden", None).await;
    fixture
        .admin
        .patch(&format!("/v1/collections/{hidden}"), json!({"defaultLevel": null}))
        .await
        .expect(200);
    let space = fixture.space("Guide", None).await;
    let path = format!("/v1/spaces/{space}/move");
    let mover = fixture.app.as_role(Role::Read);
    fixture.app.grant(&mover, &space, Role::Create);
    mover.post(&path, json!({"parent": outer})).await.expect(403);
    let admin_of_it = fixture.app.as_role(Role::Read);
    fixture.app.grant(&admin_of_it, &space, Role::Admin);
    admin_of_it.post(&path, json!({"parent": outer})).await.expect(403);
    admin_of_it.post(&path, json!({"position": {}})).await.expect(403);
    assert_eq!(admin_of_it.post(&path, json!({"parent": hidden})).await.expect(400).fields(), ["parent"]);
    fixture.app.grant(&admin_of_it, &outer, Role::Create);
    admin_of_it.post(&path, json!({"parent": outer})).await.expect(200);
    fixture.app.stranger().post(&path, json!({"parent": outer})).await.expect(404);
}

#[actix_web::test]
async fn callers_who_lose_access_by_a_move_see_the_result_once() {
    let fixture = Fixture::new().await;
    let outer = fixture.collection("Outer", None).await;
    let space = fixture.space("Guide", Some(&outer)).await;
    fixture.admin.patch(&format!("/v1/spaces/{space}"), json!({"defaultLevel": null})).await.expect(200);
    let mover = fixture.app.as_role(Role::Create);
    fixture.app.grant(&mover, &outer, Role::Admin);
    let moved = mover.post(&format!("/v1/spaces/{space}/move"), json!({"parent": null})).await.expect(200);
    assert_eq!(moved.at("/permissions/view"), &json!(false));
    mover.get(&format!("/v1/spaces/{space}")).await.expect(404);
}
