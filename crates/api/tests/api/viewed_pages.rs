//! Pages of a change request that a user has marked as viewed.

use quire_domain::Role;
use quire_test_support::{Caller, TestApp};
use serde_json::{Value, json};

async fn write(caller: &Caller, path: &str, change: Value) {
    let _ = caller.post(&format!("{path}/content"), json!({"changes": [change]})).await.expect(200);
}

/// Returns the ids of a page and of its document.
async fn page(caller: &Caller, path: &str, title: &str) -> (String, Value) {
    let pages = caller.get(&format!("{path}/content/pages")).await.expect(200);
    let found = pages.at("/pages").as_array().unwrap().iter().find(|page| page["title"] == title).unwrap();
    let id = found["id"].as_str().unwrap().to_owned();
    let document = caller.get(&format!("{path}/diff/{id}")).await.expect(200).at("/after").clone();
    (id, document)
}

#[actix_web::test]
async fn a_mark_ends_when_its_page_is_edited() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let main = format!("/v1/spaces/{space}");
    let insert =
        |title: &str| json!({"operation": "insert_page", "title": title, "document": {"markdown": title}});
    write(&admin, &main, insert("Gone")).await;
    let made = admin.post(&format!("{main}/change-requests"), json!({})).await.expect(201);
    let path = format!("{main}/change-requests/{}", made.text("/id"));
    for title in ["One", "Two"] {
        write(&admin, &path, insert(title)).await;
    }
    let ((one, first), (two, second)) = (page(&admin, &path, "One").await, page(&admin, &path, "Two").await);
    let (gone, _) = page(&admin, &path, "Gone").await;
    write(&admin, &path, json!({"operation": "delete_page", "page": gone})).await;

    let viewed = format!("{path}/viewed");
    let reviewer = app.on_space(&space, Some(Role::Comment));
    assert_eq!(reviewer.get(&viewed).await.expect(200).json, json!({"pages": {}}));
    let marks = json!({"pages": {one.as_str(): first, two.as_str(): second, gone.as_str(): null}});
    assert_eq!(reviewer.put(&viewed, marks.clone()).await.expect(200).json, marks);
    assert_eq!(reviewer.get(&viewed).await.expect(200).json, marks);
    assert_eq!(admin.get(&viewed).await.expect(200).json, json!({"pages": {}}), "marks are of one user");

    let edit = json!({"operation": "update_page", "page": one, "document": {"markdown": "Edited."}});
    write(&admin, &path, edit).await;
    let left = json!({"pages": {two.as_str(): second, gone.as_str(): null}});
    assert_eq!(reviewer.get(&viewed).await.expect(200).json, left);
    // A mark for an earlier document is refused. Marks are replaced as a whole.
    let stale = json!({"pages": {one.as_str(): first}});
    assert_eq!(reviewer.put(&viewed, stale).await.expect(200).json, json!({"pages": {}}));
    assert_eq!(reviewer.get(&viewed).await.expect(200).json, json!({"pages": {}}));
}

#[actix_web::test]
async fn marks_are_for_those_who_may_comment() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let made = admin.post(&format!("/v1/spaces/{space}/change-requests"), json!({})).await.expect(201);
    let viewed = format!("/v1/spaces/{space}/change-requests/{}/viewed", made.text("/id"));
    let reader = app.on_space(&space, Some(Role::Read));
    assert_eq!(reader.get(&viewed).await.expect(200).json, json!({"pages": {}}));
    let _ = reader.put(&viewed, json!({"pages": {}})).await.expect(403);
    let stranger = app.stranger();
    let _ = stranger.get(&viewed).await.expect(404);
    let _ = stranger.put(&viewed, json!({"pages": {}})).await.expect(404);
    let refused = admin.put(&viewed, json!({"pages": {"x": null}})).await.expect(400);
    assert!(refused.fields()[0].starts_with("pages"), "{:?}", refused.fields());
    let many: serde_json::Map<String, Value> =
        (0..1001).map(|number| (format!("0197f1d0-0000-7000-8000-{number:012}"), Value::Null)).collect();
    assert_eq!(admin.put(&viewed, json!({"pages": many})).await.expect(400).fields(), ["pages"]);
}
