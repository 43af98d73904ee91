//! Lists of the revisions of a space.

use std::time::Duration;

use quire_domain::Role;
use quire_test_support::{Caller, TestApp};
use serde_json::{Value, json};

/// Inserts a page and returns the id of the new revision.
async fn insert(app: &TestApp, caller: &Caller, content: &str, title: &str) -> String {
    app.clock.advance(Duration::from_secs(1));
    let change = json!({"operation": "insert_page", "title": title, "document": {"markdown": title}});
    caller.post(&format!("{content}/content"), json!({"changes": [change]})).await.expect(200);
    caller.get(&format!("{content}/content")).await.expect(200).text("/id")
}

/// Returns the ids in a list, read page by page.
async fn ids(caller: &Caller, list: &str) -> Vec<String> {
    let mut next = list.to_owned();
    let mut ids = Vec::new();
    loop {
        let page = caller.get(&next).await.expect(200);
        let items = page.at("/items").as_array().unwrap();
        ids.extend(items.iter().map(|item| item["id"].as_str().unwrap().to_owned()));
        match page.json.pointer("/next/page") {
            Some(cursor) => next = format!("{list}&page={}", cursor.as_str().unwrap()),
            None => {
                assert_eq!(page.at("/count"), &json!(ids.len()));
                return ids;
            }
        }
    }
}

#[actix_web::test]
async fn the_history_of_a_space_has_its_own_revisions_newest_first() {
    let app = TestApp::start().await;
    let (space, _) = app.space().await;
    let first = app.on_space(&space, Some(Role::Review));
    let second = app.on_space(&space, Some(Role::Review));
    let space = format!("/v1/spaces/{space}");
    let list = format!("{space}/revisions?limit=1");
    let start = ids(&first, &list).await;
    let one = insert(&app, &first, &space, "One").await;
    let two = insert(&app, &second, &space, "Two").await;

    // Revisions of a change request are not in the list of the space; their merge is.
    let request = first.post(&format!("{space}/change-requests"), json!({})).await.expect(201).text("/id");
    let request = format!("{space}/change-requests/{request}");
    insert(&app, &first, &request, "Three").await;
    let newest_first = |newest: &[&String]| {
        newest.iter().map(|id| (*id).clone()).chain(start.iter().cloned()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&first, &list).await, newest_first(&[&two, &one]));
    app.clock.advance(Duration::from_secs(1));
    first.post_empty(&format!("{request}/merge")).await.expect(200);
    let merged = first.get(&format!("{space}/content")).await.expect(200).text("/id");
    assert_eq!(ids(&first, &list).await, newest_first(&[&merged, &two, &one]));

    let by_second = format!("{list}&author={}", second.user());
    assert_eq!(ids(&first, &by_second).await, std::slice::from_ref(&two));
    assert_eq!(ids(&first, &format!("{list}&type=merge")).await, [merged]);
    let all = first.get(&format!("{space}/revisions")).await.expect(200);
    let shown = all.at("/items/1");
    let summary = json!([shown["object"], shown["type"], shown["parents"], shown["author"]["id"]]);
    assert_eq!(summary, json!(["revision", "edits", [one], second.user()]));
}

#[actix_web::test]
async fn the_history_of_a_space_is_for_those_who_see_it() {
    let app = TestApp::start().await;
    let (space, _) = app.space().await;
    let list = format!("/v1/spaces/{space}/revisions");
    app.stranger().get(&list).await.expect(404);
    app.anonymous().get(&list).await.expect(401);
    app.as_role(Role::Read).get(&list).await.expect(200);
    app.as_role(Role::Read).get(&format!("{list}?type=other")).await.expect(400);
    app.as_role(Role::Read).get(&format!("{list}?author=unknown")).await.expect(200);
}

#[actix_web::test]
async fn the_history_of_a_page_has_the_revisions_that_changed_it() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let space = format!("/v1/spaces/{space}");
    let content = format!("{space}/content");
    let inserted = insert(&app, &admin, &space, "One").await;
    let page = admin.get(&format!("{content}/pages")).await.expect(200).text("/pages/0/id");
    insert(&app, &admin, &space, "Two").await;
    let write = async |change: Value| {
        app.clock.advance(Duration::from_secs(1));
        admin.post(&content, json!({"changes": [change]})).await.expect(200).text("/id")
    };
    let update = |markdown: &str| json!({"operation": "update_page", "page": page, "document": {"markdown": markdown}});
    let edited = write(update("Some other words.")).await;
    insert(&app, &admin, &space, "Three").await;
    let moved = write(json!({"operation": "update_page", "page": page, "at": 2})).await;
    let deleted = write(json!({"operation": "delete_page", "page": page})).await;
    insert(&app, &admin, &space, "Four").await;

    let of_page = format!("{space}/revisions?limit=1&changedPage={page}");
    let all = [deleted, moved, edited.clone(), inserted];
    assert_eq!(ids(&admin, &of_page).await, all);
    assert_eq!(ids(&admin, &format!("{of_page}&author={}", admin.user())).await, all);
    assert!(ids(&admin, &format!("{of_page}&type=merge")).await.is_empty());
    assert!(ids(&admin, &format!("{space}/revisions?changedPage=unknown")).await.is_empty());

    let listed = admin.get(&format!("{space}/revisions?changedPage={page}&summary=true")).await.expect(200);
    let counts = |index: usize| {
        let summary = &listed.at(&format!("/items/{index}/summary"));
        [
            "pagesCreated",
            "pagesEdited",
            "pagesMoved",
            "pagesDeleted",
            "wordsAdded",
            "wordsRemoved",
            "blocksEdited",
        ]
        .map(|name| summary[name].as_u64().unwrap())
    };
    assert_eq!(counts(0), [0, 0, 0, 1, 0, 3, 0], "{}", listed.json);
    assert_eq!(counts(1), [0, 0, 1, 0, 0, 0, 0]);
    assert_eq!(counts(2), [0, 1, 0, 0, 3, 1, 0]);
    assert_eq!(counts(3), [1, 0, 0, 0, 1, 0, 0]);
    // The first revision of a space has no parent.
    let whole = admin.get(&format!("{space}/revisions?summary=true")).await.expect(200);
    let first = whole.at("/items").as_array().unwrap().last().unwrap();
    assert_eq!((&first["parents"], &first["summary"]["pagesCreated"]), (&json!([]), &json!(0)));
    assert!(
        admin.get(&format!("{space}/revisions")).await.expect(200).json.pointer("/items/0/summary").is_none()
    );
    admin.get(&format!("{space}/revisions?summary=true&limit=51")).await.expect(400);
    admin.get(&format!("{space}/revisions?summary=maybe")).await.expect(400);
}
