//! Lists of pages: whole trees, and some levels of them.

use actix_web::test::TestRequest;
use quire_domain::ids::PageId;
use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::store::ContentSelector;
use quire_test_support::{Answer, Caller, ContentEditor, TestApp};
use serde_json::{Value, json};

/// Returns the titles of a list of pages and of their subpages.
fn titles(pages: &Value) -> Value {
    let pages = pages.as_array().into_iter().flatten();
    Value::Array(pages.map(|page| json!([page["title"], titles(&page["pages"])])).collect())
}

struct Fixture {
    app: TestApp,
    space: String,
    admin: Caller,
}

impl Fixture {
    async fn new() -> Self {
        let app = TestApp::start().await;
        let (space, admin) = app.space().await;
        Self { app, space, admin }
    }

    fn edit<T>(&self, edit: impl FnOnce(&mut ContentEditor) -> T) -> T {
        self.app.edit(&self.admin, self.space.parse().unwrap(), ContentSelector::Space, edit).1
    }

    async fn list(&self, query: &str) -> Answer {
        self.admin.get(&format!("/v1/spaces/{}/content/pages{query}", self.space)).await
    }
}

#[actix_web::test]
async fn levels_of_the_tree_are_read_one_at_a_time() {
    let f = Fixture::new().await;
    let [a, ab, link] = f.edit(|draft| {
        let a = draft.page(None, "A", "");
        let ab = draft.page(Some(a), "B", "");
        draft.page(Some(ab), "C", "");
        draft.page(Some(a), "D", "");
        draft.group("E");
        let link = draft.link(None, "F", json!({"kind": "url", "url": "https://example.com"}));
        [a, ab, link]
    });
    let whole = json!([["A", [["B", [["C", []]]], ["D", []]]], ["E", []], ["F", []]]);
    for (query, expected) in [
        (String::new(), whole.clone()),
        ("?depth=3".to_owned(), whole.clone()),
        ("?depth=1000".to_owned(), whole),
        ("?depth=1".to_owned(), json!([["A", []], ["E", []], ["F", []]])),
        ("?depth=2".to_owned(), json!([["A", [["B", []], ["D", []]]], ["E", []], ["F", []]])),
        (format!("?parent={a}"), json!([["B", [["C", []]]], ["D", []]])),
        (format!("?parent={a}&depth=1"), json!([["B", []], ["D", []]])),
        (format!("?parent={ab}&depth=1"), json!([["C", []]])),
        (format!("?parent={link}"), json!([])),
    ] {
        let list = f.list(&query).await.expect(200);
        assert_eq!(titles(list.at("/pages")), expected, "{query}");
    }
    let below = f.list(&format!("?parent={ab}")).await.expect(200);
    assert_eq!(below.text("/pages/0/path"), "a/b/c");
    let first = below.header("ETag").to_owned();
    assert_ne!(f.list(&format!("?parent={a}")).await.header("ETag"), first);
    // Id of no page of this content.
    let unknown = PageId::from_uuid(uuid::Uuid::from_u128(7));
    for (query, field) in [
        ("?depth=0".to_owned(), "depth"),
        ("?depth=1001".to_owned(), "depth"),
        ("?depth=-1".to_owned(), "depth"),
        ("?depth=x".to_owned(), "depth"),
        ("?depth=".to_owned(), "depth"),
        ("?parent=x".to_owned(), "parent"),
        ("?parent=".to_owned(), "parent"),
        (format!("?parent={unknown}"), "parent"),
    ] {
        let refused = f.list(&query).await.expect(400);
        assert_eq!(
            (refused.reason(), refused.fields()),
            ("invalid-query".to_owned(), vec![field.to_owned()]),
            "{query}"
        );
    }
}

#[actix_web::test]
async fn levels_are_those_of_the_change_request_and_of_the_revision() {
    let f = Fixture::new().await;
    let above = f.edit(|draft| draft.page(None, "Above", ""));
    let space = f.space.parse().unwrap();
    let id = f.app.store.create_change_request(&f.admin.credentials(), space);
    let content = ContentSelector::ChangeRequest(ChangeRequestKey::Id(id));
    let (revision, _) = f.app.edit(&f.admin, space, content, |draft| draft.page(Some(above), "Below", ""));
    for (path, expected) in [
        ("content/pages".to_owned(), json!([])),
        (format!("change-requests/{id}/content/pages"), json!([["Below", []]])),
        (format!("revisions/{revision}/pages"), json!([["Below", []]])),
    ] {
        let path = format!("/v1/spaces/{space}/{path}?parent={above}&depth=1");
        assert_eq!(titles(f.admin.get(&path).await.expect(200).at("/pages")), expected, "{path}");
    }
}

/// Lists of 2,000 pages and more are serialized while they are sent.
#[actix_web::test]
async fn a_long_list_is_the_same_tree() {
    let f = Fixture::new().await;
    f.edit(|draft| {
        let mut last = None;
        for number in 0..2_100 {
            let parent = if number % 7 == 0 { None } else { last };
            last = Some(match number % 50 {
                49 => draft.link(
                    parent,
                    &format!("Link {number}"),
                    json!({"kind": "url", "url": "https://example.com"}),
                ),
                _ => draft.page(parent, &format!("Page {number}"), ""),
            });
            if number % 50 == 49 {
                last = None;
            }
        }
        draft.group("End");
    });
    let whole = f.admin.get(&format!("/v1/spaces/{}/content", f.space)).await.expect(200);
    let list = f.list("").await.expect(200);
    assert_eq!(list.at("/pages"), whole.at("/pages"));
    let tag = list.header("ETag").to_owned();
    assert_eq!(f.list("").await.expect(200).header("ETag"), tag);
    let path = format!("/v1/spaces/{}/content/pages", f.space);
    let known = TestRequest::get().uri(&path).insert_header(("If-None-Match", tag));
    let _ = f.admin.send(known).await.expect(304);
    assert_eq!(f.list("?depth=7").await.expect(200).json, list.json);
}

/// Revisions with 2,000 pages and more are serialized while they are sent.
#[actix_web::test]
async fn a_long_revision_is_whole() {
    let f = Fixture::new().await;
    f.edit(|draft| {
        for number in 0..2_000 {
            draft.page(None, &format!("Page {number} \"pages\":["), "");
        }
        draft.file("a.txt", "text/plain", b"a");
    });
    let request = f.app.create_change_request(&f.admin, f.space.parse().unwrap());
    let requests = format!("/v1/spaces/{}/change-requests", f.space);
    let subject = json!({"subject": "The \"pages\":[]"});
    f.admin.patch(&format!("{requests}/{request}"), subject).await.expect(200);
    let content = format!("{requests}/{request}/content");
    let page = json!({"operation": "insert_page", "title": "Last", "document": {"markdown": "Text."}});
    f.admin.post(&content, json!({ "changes": [page] })).await.expect(200);
    f.admin.post(&format!("{requests}/{request}/merge"), json!({})).await.expect(200);
    let path = format!("/v1/spaces/{}/content", f.space);
    let whole = f.admin.get(&path).await.expect(200);
    assert_eq!(whole.text("/mergedFrom/subject"), "The \"pages\":[]");
    assert_eq!(whole.text("/files/0/name"), "a.txt");
    let short = f.list("?depth=1&metadata=false").await.expect(200);
    assert_eq!(titles(whole.at("/pages")), titles(short.at("/pages")));
    assert_eq!(whole.text("/pages/0/title"), "Page 0 \"pages\":[");
    let last = whole.at("/pages").as_array().unwrap().len() - 1;
    assert_eq!(whole.text(&format!("/pages/{last}/title")), "Last");
    assert_eq!(whole.text("/object"), "revision");
    let tag = whole.header("ETag").to_owned();
    let known = TestRequest::get().uri(&path).insert_header(("If-None-Match", tag));
    let _ = f.admin.send(known).await.expect(304);
}
