//! Single pages, by id and by path.

use quire_domain::Role;
use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::store::ContentSelector;
use quire_test_support::TestApp;
use serde_json::{Value, json};

/// Returns the complete layout with these parts.
pub fn layout(parts: Value) -> Value {
    let mut layout = json!({
        "width": "default", "cover": true, "coverSize": "hero", "coverMask": "none", "title": true, "description": true,
        "tableOfContents": true, "outline": true, "pagination": true, "metadata": true,
        "tags": true, "actions": true, "anchors": true,
    });
    layout.as_object_mut().unwrap().extend(parts.as_object().unwrap().clone());
    layout
}

#[actix_web::test]
async fn a_page_is_read_with_what_is_below_it_and_in_the_format_asked_for() {
    let app = TestApp::start().await;
    let writer = app.as_role(Role::Admin);
    let space = app.create_space(&writer, "Guide");
    let (_, (start, below, empty, group)) = app.edit(&writer, space, ContentSelector::Space, |edit| {
        let start = edit.page(None, "Start", "Hello *you*.");
        let below = edit.page(Some(start), "Below", "");
        let deeper = edit.page(Some(below), "Deeper", "Deep.");
        let _ = edit.page(Some(deeper), "Deepest", "Deepest.");
        let _ = edit.page(None, "Other", "Other.");
        (start, below, edit.page(None, "Empty", ""), edit.group("Group"))
    });
    let base = format!("/v1/spaces/{space}/content");
    let plain = writer.get(&format!("{base}/page/{start}")).await.expect(200);
    assert_eq!(plain.text("/pages/0/path"), "start/below");
    assert_eq!(plain.text("/pages/0/pages/0/pages/0/path"), "start/below/deeper/deepest");
    let document = writer.get(&format!("{base}/page/{start}?format=document")).await.expect(200);
    let id = document.text("/documentId");
    let stored = writer.get(&format!("/v1/spaces/{space}/documents/{id}")).await.expect(200);
    assert_eq!(document.at("/document"), &stored.json);
    assert_eq!(plain.json, document.json, "without a format");
    assert_eq!(stored.at("/object"), &json!("document"));
    assert_eq!(stored.at("/data/schemaVersion"), &json!(1));
    let markdown = writer.get(&format!("{base}/page/{start}?format=markdown")).await.expect(200);
    assert_eq!(markdown.json.get("document"), None);
    assert_eq!(markdown.text("/markdown"), "# Start\n\nHello _you_.\n");
    let bottom = writer.get(&format!("{base}/page/{below}")).await.expect(200);
    assert_eq!(bottom.text("/path"), "start/below");
    assert_eq!(bottom.text("/pages/0/pages/0/path"), "start/below/deeper/deepest");
    let nothing = writer.get(&format!("{base}/page/{empty}?format=markdown")).await.expect(200);
    assert_eq!(nothing.text("/markdown"), "# Empty\n\n");
    assert_eq!(nothing.json.get("documentId"), None);
    let nothing = writer.get(&format!("{base}/page/{empty}?format=document")).await.expect(200);
    assert_eq!(nothing.at("/document/nodes"), &json!([]));
    let group = writer.get(&format!("{base}/page/{group}?format=markdown")).await.expect(200);
    assert_eq!((group.text("/type"), group.json.get("markdown")), ("group".to_owned(), None));
}

#[actix_web::test]
async fn a_page_is_found_by_its_path_however_the_path_is_written() {
    let app = TestApp::start().await;
    let writer = app.as_role(Role::Admin);
    let space = app.create_space(&writer, "Guide");
    let (_, pages) = app.edit(&writer, space, ContentSelector::Space, |edit| {
        let group = edit.group("Group");
        let below_group = edit.page(Some(group), "In group", "");
        let first = edit.page(None, "Start", "");
        let below = edit.page(Some(first), "Install", "Go.");
        edit.link(None, "Link", json!({"kind": "url", "url": "https://example.com"}));
        let odd = edit.page(None, "Odd", "");
        edit.change_page(odd, |page| page.slug = "ö + 50%".to_owned());
        [group, below_group, first, below, odd]
    });
    let [group, below_group, first, below, odd] = pages;
    let base = format!("/v1/spaces/{space}/content/path");
    for (path, page) in [
        ("group", group),
        ("group/in-group", below_group),
        ("", first),
        ("start", first),
        ("start/", first),
        ("start/install", below),
        ("start%2Finstall", below),
        ("start%2finstall/", below),
        ("st%61rt/install?format=markdown", below),
        ("%C3%B6%20%2B%2050%25", odd),
    ] {
        let found = writer.get(&format!("{base}/{path}")).await.expect(200);
        assert_eq!(found.text("/id"), page.to_string(), "{path}");
    }
    for path in [
        "install",
        "start/nothing",
        "start//install",
        "/start",
        "start/..",
        "../content/path/start",
        "Start",
        "start%00",
        "%FF",
        "link",
        "start/install/more",
        "%252F",
        ".",
    ] {
        let _ = writer.get(&format!("{base}/{path}")).await.expect(404);
    }
}

#[actix_web::test]
async fn the_empty_path_of_a_space_without_documents_is_not_found() {
    let app = TestApp::start().await;
    let writer = app.as_role(Role::Admin);
    let space = app.create_space(&writer, "Guide");
    let _ = app.edit(&writer, space, ContentSelector::Space, |edit| edit.group("Group"));
    let _ = writer.get(&format!("/v1/spaces/{space}/content/path/")).await.expect(404);
}

#[actix_web::test]
async fn a_page_costs_two_statements_and_one_once_its_document_was_read() {
    let app = TestApp::start().await;
    let writer = app.as_role(Role::Admin);
    let space = app.create_space(&writer, "Guide");
    let id = app.create_change_request(&writer, space);
    let copy = ContentSelector::ChangeRequest(ChangeRequestKey::Id(id));
    let (_, page) = app.edit(&writer, space, copy, |edit| edit.page(None, "Start", "Hello."));
    let cost = async |path: &str| {
        let before = app.statements();
        let path = format!("/v1/spaces/{space}/change-requests/{id}/content{path}");
        let _ = writer.get(&path).await.expect(200);
        app.statements() - before
    };
    assert_eq!(cost(&format!("/page/{page}?format=markdown")).await, 2);
    assert_eq!(cost(&format!("/page/{page}?format=markdown")).await, 1);
    assert_eq!(cost("/path/start?format=document").await, 1);
    assert_eq!(cost("/path/start").await, 1);
    assert_eq!(cost("").await, 3, "the tags and the commits of an import are a statement each");
    assert_eq!(cost("").await, 1);
}

#[actix_web::test]
async fn documents_belong_to_their_space() {
    let app = TestApp::start().await;
    let writer = app.as_role(Role::Admin);
    let (space, other) = (app.create_space(&writer, "Guide"), app.create_space(&writer, "Other"));
    let (_, document) = app.edit(&writer, space, ContentSelector::Space, |edit| {
        let page = edit.page(None, "Start", "Hello.");
        edit.tree.page(page).and_then(|page| page.document).unwrap()
    });
    let _ = app.edit(&writer, space, ContentSelector::Space, |edit| {
        let page = edit.tree.page_by_path("start").unwrap().id;
        edit.remove(page);
    });
    for schema in ["", "?schema=current", "?schema=next"] {
        let _ = writer.get(&format!("/v1/spaces/{space}/documents/{document}{schema}")).await.expect(200);
    }
    let _ = writer.get(&format!("/v1/spaces/{other}/documents/{document}")).await.expect(404);
    for id in ["AAAA", "a", &"A".repeat(43), &"_".repeat(44), "%C3%B6"] {
        let _ = writer.get(&format!("/v1/spaces/{space}/documents/{id}")).await.expect(404);
    }
}
