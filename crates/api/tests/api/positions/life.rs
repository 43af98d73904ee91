//! Deletion of spaces: hiding, restoring, and purging.

use std::time::Duration;

use quire_domain::Role;
use serde_json::json;

use super::fixture::{Fixture, walk};

const DAY: Duration = Duration::from_secs(24 * 3_600);

#[actix_web::test]
async fn a_deleted_space_is_gone_for_all_but_its_admins() {
    let fixture = Fixture::new().await;
    let outer = fixture.collection("Outer", None).await;
    fixture.space("Before", Some(&outer)).await;
    let space = fixture.space("Guide", Some(&outer)).await;
    fixture.space("After", Some(&outer)).await;
    let path = format!("/v1/spaces/{space}");
    let content = json!({"changes": [{"operation": "insert_page", "title": "Home", "document": {"markdown": "Zebra."}}]});
    fixture.admin.post(&format!("{path}/content"), content).await.expect(200);
    let comment = fixture
        .admin
        .post(&format!("{path}/comments"), json!({"body": {"markdown": "!"}}))
        .await
        .expect(201)
        .text("/id");
    let editor = fixture.app.on_space(&space, Some(Role::Create));
    editor.delete(&path).await.expect(403);
    fixture.app.stranger().delete(&path).await.expect(404);
    fixture.admin.delete(&path).await.expect(204);

    let seen = fixture.admin.get(&path).await.expect(200);
    assert!(!seen.text("/deletedAt").is_empty());
    assert_eq!((seen.at("/permissions/admin"), seen.at("/permissions/edit")), (&json!(true), &json!(false)));
    assert_eq!(fixture.admin.delete(&path).await.expect(409).reason(), "space-deleted");
    for list in [fixture.spaces.clone(), format!("/v1/collections/{outer}/spaces")] {
        assert_eq!(walk(&fixture.admin, &list).await, ["Before", "After"]);
    }
    for below in ["content", "change-requests", "comments", "search?query=zebra", "content/pages"] {
        fixture.admin.get(&format!("{path}/{below}")).await.expect(404);
    }
    fixture.admin.get(&format!("{path}/comments/{comment}")).await.expect(404);
    fixture.admin.patch(&path, json!({"title": "New"})).await.expect(404);
    fixture.admin.post_empty(&format!("{path}/duplicate")).await.expect(404);
    fixture.admin.post(&format!("{path}/move"), json!({"parent": null})).await.expect(404);
    fixture
        .admin
        .post(&format!("{path}/transfer"), json!({"organization": fixture.app.organization.to_string()}))
        .await
        .expect(404);
    fixture.admin.post(&format!("{path}/change-requests"), json!({})).await.expect(404);
    for method in [actix_web::http::Method::GET, actix_web::http::Method::DELETE] {
        editor.call(method, &path).await.expect(404);
    }
    editor.post_empty(&format!("{path}/restore")).await.expect(404);

    let restored = fixture.admin.post_empty(&format!("{path}/restore")).await.expect(200);
    assert_eq!(restored.json.get("deletedAt"), None);
    assert_eq!(restored.at("/comments"), &json!(1));
    assert_eq!(fixture.order(Some(&outer)), ["Before", "Guide", "After"]);
    let found = fixture.admin.get(&format!("{path}/search?query=zebra")).await.expect(200);
    assert_eq!(found.at("/count"), &json!(1));
    assert_eq!(
        fixture.admin.post_empty(&format!("{path}/restore")).await.expect(409).reason(),
        "space-not-deleted"
    );
    editor.post_empty(&format!("{path}/restore")).await.expect(403);
}

#[actix_web::test]
async fn deleted_spaces_are_listed_for_those_who_may_restore_them() {
    let fixture = Fixture::new().await;
    let mut spaces = Vec::new();
    for title in ["First", "Second", "Third", "Kept"] {
        spaces.push(fixture.space(title, None).await);
    }
    let own = fixture.app.on_space(&spaces[1], Some(Role::Admin));
    let creator = fixture.app.as_role(Role::Create);
    for space in &spaces[..3] {
        fixture.admin.delete(&format!("/v1/spaces/{space}")).await.expect(204);
        fixture.app.clock.advance(Duration::from_secs(1));
    }
    let deleted = format!("{}?deleted=true", fixture.spaces);
    assert_eq!(walk(&fixture.admin, &deleted).await, ["Third", "Second", "First"]);
    assert_eq!(walk(&own, &deleted).await, ["Second"]);
    assert!(walk(&creator, &deleted).await.is_empty());
    fixture.app.stranger().get(&deleted).await.expect(404);
    let listed = fixture.admin.get(&deleted).await.expect(200);
    let read = fixture.admin.get(&format!("/v1/spaces/{}", spaces[2])).await.expect(200);
    assert_eq!(listed.at("/items/0"), &read.json);
    assert_eq!(walk(&fixture.admin, &format!("{}?deleted=false", fixture.spaces)).await, ["Kept"]);
    fixture.admin.get(&format!("{}?deleted=1", fixture.spaces)).await.expect(400);
    let cursor = fixture.admin.get(&format!("{deleted}&limit=1")).await.expect(200).text("/next/page");
    fixture.admin.get(&format!("{}?page={cursor}", fixture.spaces)).await.expect(400);

    fixture.admin.post_empty(&format!("/v1/spaces/{}/restore", spaces[1])).await.expect(200);
    assert_eq!(walk(&fixture.admin, &deleted).await, ["Third", "First"]);
    // A space that can no longer be restored is not listed, even before it is purged.
    fixture.app.clock.advance(7 * DAY - Duration::from_secs(2));
    assert_eq!(walk(&fixture.admin, &deleted).await, ["Third"]);
}

#[actix_web::test]
async fn a_space_whose_collection_is_gone_comes_back_to_the_root() {
    let fixture = Fixture::new().await;
    let outer = fixture.collection("Outer", None).await;
    let spaces = [fixture.space("A", Some(&outer)).await, fixture.space("B", Some(&outer)).await];
    fixture.space("Root", None).await;
    for space in &spaces {
        fixture.admin.delete(&format!("/v1/spaces/{space}")).await.expect(204);
    }
    fixture.admin.delete(&format!("/v1/collections/{outer}")).await.expect(204);
    fixture.space("Later", None).await;
    for space in spaces.iter().rev() {
        let restored = fixture.admin.post_empty(&format!("/v1/spaces/{space}/restore")).await.expect(200);
        assert_eq!(restored.json.get("parent"), None);
    }
    assert_eq!(fixture.order(None), ["Root", "A", "B", "Later"]);
    fixture.assert_sound();
}

#[actix_web::test]
async fn the_clock_removes_what_is_over_with_all_that_hangs_from_it() {
    let fixture = Fixture::new().await;
    let (old, recent) = (fixture.space("Old", None).await, fixture.space("Recent", None).await);
    let kept = fixture.space("Kept", None).await;
    for space in [&old, &recent, &kept] {
        let path = format!("/v1/spaces/{space}");
        let page = json!({"changes": [
            {"operation": "insert_page", "title": "Home", "document": {"markdown": "[Zebra](https://a.example)."}},
            {"operation": "insert_files", "files": [{"name": "a.txt", "base64": "YQ==", "contentType": "text/plain"}]},
        ]});
        fixture.admin.post(&format!("{path}/content"), page.clone()).await.expect(200);
        let request =
            fixture.admin.post(&format!("{path}/change-requests"), json!({})).await.expect(201).text("/id");
        fixture.admin.post(&format!("{path}/change-requests/{request}/content"), page).await.expect(200);
        let comments = format!("{path}/change-requests/{request}/comments");
        let comment =
            fixture.admin.post(&comments, json!({"body": {"markdown": "!"}})).await.expect(201).text("/id");
        let reply = fixture
            .admin
            .post(&format!("{comments}/{comment}/replies"), json!({"body": {"markdown": "!"}}))
            .await;
        let reply = reply.expect(201).text("/id");
        fixture
            .admin
            .put(&format!("{comments}/{comment}/replies/{reply}"), json!({"addedReactions": ["👍"]}))
            .await
            .expect(200);
        fixture.admin.post_empty(&format!("{path}/change-requests/{request}/merge")).await.expect(200);
        fixture.app.grant(&fixture.app.as_role(Role::Read), space, Role::Edit);
    }
    fixture.app.schedule_jobs();
    fixture.admin.delete(&format!("/v1/spaces/{old}")).await.expect(204);
    fixture.app.clock.advance(DAY);
    fixture.admin.delete(&format!("/v1/spaces/{recent}")).await.expect(204);
    fixture.app.clock.advance(6 * DAY + Duration::from_secs(3_600));
    let tables = [
        "documents",
        "tree_nodes",
        "revisions",
        "blobs",
        "change_requests",
        "change_request_contributors",
        "comments",
        "comment_replies",
        "comment_reactions",
        "content_grants",
    ];
    let rows =
        |space: &str| tables.map(|table| fixture.count(&format!("{table} WHERE space_id = '{space}'")));
    assert!(rows(&old).iter().all(|count| *count > 0), "{:?}", rows(&old));
    let (before, files) = ((rows(&recent), rows(&kept)), fixture.stored_files().await);
    fixture.app.run_jobs().await;
    assert!(rows(&old).iter().all(|count| *count == 0), "{:?}", rows(&old));
    assert_eq!((rows(&recent), rows(&kept)), before);
    fixture.admin.get(&format!("/v1/spaces/{old}")).await.expect(404);
    fixture.admin.post_empty(&format!("/v1/spaces/{old}/restore")).await.expect(404);
    fixture.admin.post_empty(&format!("/v1/spaces/{recent}/restore")).await.expect(200);
    // The next sweep removes its bytes.
    fixture.app.clock.advance(2 * DAY);
    fixture.app.run_jobs().await;
    let left = fixture.stored_files().await;
    assert!(left.iter().all(|file| !file.contains(&old)) && left.iter().any(|file| file.contains(&kept)));
    assert_eq!(left.len(), files.len() - 1);
}
