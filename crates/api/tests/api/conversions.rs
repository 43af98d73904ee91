//! Conversion of content between Markdown and documents, without a write.

use quire_domain::Role;
use quire_test_support::TestApp;
use serde_json::json;

#[actix_web::test]
async fn content_is_converted_in_both_directions_and_not_stored() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let space_url = format!("/v1/spaces/{space}");
    let insert = |title: &str, text: &str| json!({"operation": "insert_page", "title": title, "document": {"markdown": text}});
    let changes = json!({"changes": [insert("Guide", "Ferry sends a folder."), insert("Install", "Wait.")]});
    let _ = admin.post(&format!("{space_url}/content"), changes).await.expect(200);
    let pages = admin.get(&format!("{space_url}/content/pages")).await.expect(200);
    let (guide, install) = (pages.text("/pages/0/id"), pages.text("/pages/1/id"));
    let made = admin.post(&format!("{space_url}/change-requests"), json!({})).await.expect(201);
    let request = format!("{space_url}/change-requests/{}", made.text("/id"));
    let convert = format!("{request}/content/page/{guide}/convert");

    // The Markdown is returned unchanged, with its links as on the page.
    let typed = "## Start\n\n*  [First](install.md), then wait.\n";
    let body = json!({"document": {"markdown": typed}});
    let read = admin.post(&convert, body.clone()).await.expect(200);
    assert_eq!(read.text("/markdown"), typed);
    assert_eq!(read.at("/document/nodes/0/type"), &json!("heading-1"));
    let link = "/document/nodes/1/nodes/0/nodes/0/nodes/0";
    assert_eq!(read.at(&format!("{link}/data/ref")), &json!({"kind": "page", "page": install}));

    // The document is converted to Markdown that yields the same document.
    let document = read.at("/document").clone();
    let printed = admin.post(&convert, json!({"document": {"document": document}})).await.expect(200);
    assert_eq!(printed.text("/markdown"), format!("## Start\n\n* [First](/pages/{install}), then wait.\n"));
    assert_eq!(printed.at("/document"), &document);

    let stored = admin.get(&format!("{request}/content/page/{guide}?format=markdown")).await.expect(200);
    assert_eq!(stored.text("/markdown").trim(), "# Guide\n\nFerry sends a folder.");
    assert_eq!(admin.get(&request).await.expect(200).text("/revision"), made.text("/revision"));

    // Converting requires permission to edit.
    assert_eq!(app.stranger().post(&convert, body.clone()).await.status, 404);
    let reader = app.on_space(&space, Some(Role::Read));
    assert_eq!(reader.post(&convert, body.clone()).await.status, 403);
    let unknown = format!("{request}/content/page/{space}/convert");
    assert_eq!(admin.post(&unknown, body).await.status, 404);
}

#[actix_web::test]
async fn what_cannot_be_converted_is_named() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let insert = json!({"operation": "insert_page", "title": "Guide", "document": {"markdown": "Text."}});
    let content = format!("/v1/spaces/{space}/content");
    let _ = admin.post(&content, json!({"changes": [insert]})).await.expect(200);
    let page = admin.get(&format!("{content}/pages")).await.expect(200).text("/pages/0/id");
    let made = admin.post(&format!("/v1/spaces/{space}/change-requests"), json!({})).await.expect(201);
    let number = made.at("/number").clone();
    let convert = format!("/v1/spaces/{space}/change-requests/{number}/content/page/{page}/convert");
    let unknown_block =
        json!({"object": "document", "data": {}, "nodes": [{"object": "block", "type": "riddle"}]});
    for (body, field) in [
        (json!({"document": {"document": unknown_block}}), "document.document.nodes[0]"),
        (json!({"document": {"markdown": "{% if visitor. %}\nText.\n{% endif %}"}}), "document.markdown"),
        (json!({"document": {"markdown": "a\0"}}), "document"),
        (json!({"document": {"markdown": "[a](b) ".repeat(20_001)}}), "document.markdown"),
        (json!({}), "document"),
    ] {
        let refused = admin.post(&convert, body).await.expect(400);
        let named = refused.text("/error/details/0/field");
        assert!(named.starts_with(field), "{field}: {}", refused.json);
    }
}
