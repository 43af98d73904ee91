//! Concurrent requests.

use futures_util::future::{join, join_all};
use serde_json::json;

use super::fixture::{Fixture, pointer, walk};

#[actix_web::test]
async fn what_is_made_and_moved_at_once_never_has_one_position() {
    let fixture = Fixture::new().await;
    let outer = fixture.collection("Outer", None).await;
    let first = fixture.space("First", Some(&outer)).await;
    let spaces = join_all((0..8).map(async |n| fixture.space(&format!("S{n}"), None).await)).await;
    let collections = join_all((0..4).map(async |n| fixture.collection(&format!("C{n}"), None).await)).await;
    fixture.assert_sound();
    let behind_the_first = json!({"parent": outer, "position": {"after": pointer("space", &first)}});
    let moved_spaces = join_all(spaces.iter().map(|id| fixture.move_space(id, behind_the_first.clone())));
    let moved_collections =
        join_all(collections.iter().map(|id| fixture.move_collection(id, behind_the_first.clone())));
    let made = join_all((0..8).map(async |n| fixture.space(&format!("New{n}"), Some(&outer)).await));
    let duplicate = format!("/v1/spaces/{first}/duplicate");
    let copied = join_all((0..4).map(|_| fixture.admin.post_empty(&duplicate)));
    let ((moved, others), (_, copied)) =
        join(join(moved_spaces, moved_collections), join(made, copied)).await;
    for answer in moved.into_iter().chain(others) {
        answer.expect(200);
    }
    for answer in copied {
        answer.expect(201);
    }
    fixture.assert_sound();
    let order = fixture.order(Some(&outer));
    assert_eq!((order.len(), order[0].as_str()), (1 + 8 + 4 + 8 + 4, "First"));
    assert_eq!(walk(&fixture.admin, &fixture.spaces).await.len(), 1 + 8 + 8 + 4);
}

#[actix_web::test]
async fn two_collections_never_get_into_each_other() {
    let fixture = Fixture::new().await;
    for round in 0..10 {
        let (a, b) = (
            fixture.collection(&format!("A{round}"), None).await,
            fixture.collection(&format!("B{round}"), None).await,
        );
        let inner = fixture.collection("Inner", Some(&a)).await;
        let (one, other) = join(
            fixture.move_collection(&a, json!({"parent": b})),
            fixture.move_collection(&b, json!({"parent": inner})),
        )
        .await;
        let mut statuses = [one.status.as_u16(), other.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409]);
        let refused = if one.status.as_u16() == 409 { one } else { other };
        assert_eq!(refused.reason(), "collection-cycle");
        fixture.assert_sound();
    }
    assert_eq!(walk(&fixture.admin, &fixture.collections).await.len(), 30);
}

#[actix_web::test]
async fn nothing_is_put_into_a_collection_that_goes() {
    let fixture = Fixture::new().await;
    for round in 0..10 {
        let outer = fixture.collection(&format!("Outer{round}"), None).await;
        let space = fixture.space("Guide", None).await;
        let collection = format!("/v1/collections/{outer}");
        let made = fixture.admin.post(&fixture.spaces, json!({"parent": outer}));
        let moved = fixture.move_space(&space, json!({"parent": outer}));
        let nested = fixture.admin.post(&fixture.collections, json!({"parent": outer}));
        let ((deleted, made), (moved, nested)) =
            join(join(fixture.admin.delete(&collection), made), join(moved, nested)).await;
        let is_gone = deleted.status.as_u16() == 204;
        assert!(is_gone || deleted.reason() == "collection-not-empty");
        for (answer, done) in [(made, 201), (moved, 200), (nested, 201)] {
            let status = answer.status.as_u16();
            assert!(if is_gone { matches!(status, 400 | 409) } else { status == done }, "{status}");
        }
        fixture.assert_sound();
    }
}

#[actix_web::test]
async fn deleting_and_restoring_at_once_end_in_one_of_the_two() {
    let fixture = Fixture::new().await;
    let outer = fixture.collection("Outer", None).await;
    let space = fixture.space("Guide", Some(&outer)).await;
    let (path, collection) = (format!("/v1/spaces/{space}"), format!("/v1/collections/{outer}"));
    for _ in 0..10 {
        let restore = format!("{path}/restore");
        let changes = join(
            join(fixture.admin.delete(&path), fixture.admin.delete(&path)),
            join(fixture.admin.post_empty(&restore), fixture.move_space(&space, json!({"position": {}}))),
        );
        let emptied = fixture.admin.delete(&collection);
        let (((one, two), (restored, moved)), emptied) = join(changes, emptied).await;
        assert!([&one, &two].iter().any(|deleted| deleted.status.as_u16() == 204));
        for answer in [one, two, restored, moved, emptied] {
            assert!(matches!(answer.status.as_u16(), 200 | 204 | 404 | 409), "{}", answer.status);
        }
        let seen = fixture.admin.get(&path).await.expect(200);
        if seen.json.get("deletedAt").is_some() {
            fixture.admin.post_empty(&restore).await.expect(200);
        }
        fixture.assert_sound();
    }
}

#[actix_web::test]
async fn transfers_in_both_directions_do_not_wait_for_each_other() {
    let fixture = Fixture::new().await;
    let elsewhere = fixture.app.create_organization("Elsewhere");
    let joined = fixture
        .app
        .system
        .transact(|tx| tx.put_member(elsewhere, fixture.admin.user(), Some(quire_domain::Role::Admin)));
    joined.unwrap();
    let homes = [fixture.app.organization.to_string(), elsewhere.to_string()];
    let mut things = Vec::new();
    for home in &homes {
        for n in 0..3 {
            let made = fixture
                .admin
                .post(&format!("/v1/orgs/{home}/collections"), json!({"title": format!("C{n}")}))
                .await;
            let id = made.expect(201).text("/id");
            fixture.admin.post(&format!("/v1/orgs/{home}/spaces"), json!({"parent": id})).await.expect(201);
            let other = homes.iter().find(|other| *other != home).unwrap().clone();
            things.push((format!("/v1/collections/{id}/transfer"), other.clone()));
            let made = fixture
                .admin
                .post(&format!("/v1/orgs/{home}/spaces"), json!({"title": format!("S{n}")}))
                .await;
            things.push((format!("/v1/spaces/{}/transfer", made.expect(201).text("/id")), other));
        }
    }
    let answers =
        join_all(things.iter().map(|(path, to)| fixture.admin.post(path, json!({ "organization": to }))))
            .await;
    for (answer, (_, to)) in answers.into_iter().zip(&things) {
        assert_eq!(&answer.expect(200).text("/organization"), to);
    }
    fixture.assert_sound();
    for home in &homes {
        assert_eq!(walk(&fixture.admin, &format!("/v1/orgs/{home}/spaces")).await.len(), 6);
    }
}
