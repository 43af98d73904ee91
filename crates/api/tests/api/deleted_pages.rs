//! Pages that were deleted from the current content of a space.

use std::time::Duration;

use quire_domain::Role;
use quire_test_support::{Caller, TestApp};
use serde_json::{Value, json};

struct Fixture {
    app: TestApp,
    editor: Caller,
    space: String,
}

impl Fixture {
    async fn new() -> Self {
        let app = TestApp::start().await;
        let (space, _) = app.space().await;
        let editor = app.on_space(&space, Some(Role::Review));
        Self { app, editor, space: format!("/v1/spaces/{space}") }
    }

    /// Inserts pages with these titles and returns their ids.
    async fn pages(&self, titles: &[&str]) -> Vec<String> {
        let insert = |title: &&str| json!({"operation": "insert_page", "title": title, "document": {"markdown": title}});
        self.write(titles.iter().map(insert).collect()).await;
        let listed = self.editor.get(&format!("{}/content/pages", self.space)).await.expect(200);
        let listed = listed.at("/pages").as_array().unwrap().clone();
        let id = |title: &&str| {
            let page = listed.iter().find(|page| page["title"] == json!(title)).unwrap();
            page["id"].as_str().unwrap().to_owned()
        };
        titles.iter().map(id).collect()
    }

    async fn write(&self, changes: Value) {
        let body = json!({"changes": changes});
        self.editor.post(&format!("{}/content", self.space), body).await.expect(200);
        self.app.clock.advance(Duration::from_secs(1));
    }

    async fn delete(&self, page: &str) -> String {
        let before = self.editor.get(&self.space).await.expect(200).text("/revision");
        self.write(json!([{"operation": "delete_page", "page": page}])).await;
        before
    }

    /// Returns the ids of all deleted pages, read page by page of the list.
    async fn deleted(&self) -> Vec<String> {
        let list = format!("{}/deleted-pages?limit=1", self.space);
        let mut next = list.clone();
        let mut ids = Vec::new();
        loop {
            let page = self.editor.get(&next).await.expect(200);
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
}

#[actix_web::test]
async fn a_deleted_page_is_listed_until_its_last_revision_restores_it() {
    let fixture = Fixture::new().await;
    let pages = fixture.pages(&["First", "Second", "Kept"]).await;
    assert!(fixture.deleted().await.is_empty());
    let revision = fixture.delete(&pages[0]).await;
    fixture.delete(&pages[1]).await;
    assert_eq!(fixture.deleted().await, [pages[1].clone(), pages[0].clone()]);
    let list = fixture.editor.get(&format!("{}/deleted-pages", fixture.space)).await.expect(200);
    let shown = list.at("/items/1");
    let summary = json!([shown["object"], shown["title"], shown["revision"], shown["deletedBy"]["id"]]);
    assert_eq!(summary, json!(["deleted-page", "First", revision, fixture.editor.user()]));

    let restored = json!({"operation": "revert_page", "page": pages[0], "revision": shown["revision"]});
    fixture.write(json!([restored])).await;
    assert_eq!(fixture.deleted().await, [pages[1].clone()]);
    let read = fixture.editor.get(&format!("{}/content/page/{}", fixture.space, pages[0])).await.expect(200);
    assert_eq!(read.at("/title"), &json!("First"));
    // A page that is deleted again has only one entry.
    fixture.delete(&pages[0]).await;
    assert_eq!(fixture.deleted().await, [pages[0].clone(), pages[1].clone()]);
}

#[actix_web::test]
async fn pages_that_a_merge_deletes_are_listed_with_those_below_them() {
    let fixture = Fixture::new().await;
    let pages = fixture.pages(&["Parent"]).await;
    let below = json!({"operation": "insert_page", "title": "Child", "into": pages[0], "document": {"markdown": "!"}});
    fixture.write(json!([below])).await;
    let requests = format!("{}/change-requests", fixture.space);
    let request = fixture.editor.post(&requests, json!({})).await.expect(201).text("/id");
    let body = json!({"changes": [{"operation": "delete_page", "page": pages[0]}]});
    fixture.editor.post(&format!("{requests}/{request}/content"), body).await.expect(200);
    assert!(fixture.deleted().await.is_empty());
    fixture.editor.post_empty(&format!("{requests}/{request}/merge")).await.expect(200);
    assert_eq!(fixture.deleted().await.len(), 2);
}

#[actix_web::test]
async fn deleted_pages_are_for_those_who_see_the_space() {
    let fixture = Fixture::new().await;
    let pages = fixture.pages(&["Secret"]).await;
    fixture.delete(&pages[0]).await;
    let list = format!("{}/deleted-pages", fixture.space);
    fixture.app.stranger().get(&list).await.expect(404);
    fixture.app.anonymous().get(&list).await.expect(401);
    fixture.app.member_of(fixture.app.organization, None).get(&list).await.expect(404);
    assert_eq!(fixture.app.as_role(Role::Read).get(&list).await.expect(200).at("/count"), &json!(1));
}
