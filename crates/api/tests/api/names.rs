//! Names contain no bidirectional control characters.

use quire_domain::Role;
use quire_test_support::TestApp;
use serde_json::{Value, json};

/// Displayed as `éexe.jpg`.
const TURNED: &str = "é\u{202E}gpj.exe";

#[actix_web::test]
async fn a_name_that_turns_its_text_is_refused_by_its_field() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let (space, org) = (format!("/v1/spaces/{space}"), format!("/v1/orgs/{}", app.organization));
    let site = admin.post(&format!("{org}/sites"), json!({})).await.expect(201).text("/id");
    let site = format!("{org}/sites/{site}");
    let change = |change: Value| json!({ "changes": [change] });
    let text = || json!({"markdown": "x"});
    let content = format!("{space}/content");
    let posts = [
        ("/v1/orgs".to_owned(), json!({ "title": TURNED }), "title"),
        ("/v1/user/tokens".to_owned(), json!({ "label": TURNED }), "label"),
        (format!("{org}/spaces"), json!({ "title": TURNED }), "title"),
        (format!("{org}/collections"), json!({ "title": TURNED }), "title"),
        (format!("{org}/sites"), json!({ "title": TURNED }), "title"),
        (format!("{org}/translations"), json!({ "title": TURNED }), "title"),
        (format!("{org}/saml"), json!({ "label": TURNED }), "label"),
        (format!("{org}/custom-fields"), json!({"name": "a", "type": "text", "title": TURNED}), "title"),
        (
            format!("{org}/custom-fields"),
            json!({"name": "a", "type": "select:single", "options": ["b", TURNED]}),
            "options",
        ),
        (format!("{space}/change-requests"), json!({ "subject": TURNED }), "subject"),
        (format!("{site}/share-links"), json!({ "name": TURNED }), "name"),
        (
            content.clone(),
            change(json!({"operation": "insert_page", "title": TURNED, "document": text()})),
            "changes[0].title",
        ),
        (
            content.clone(),
            change(
                json!({"operation": "insert_page", "title": "a", "slug": "a\u{200F}", "document": text()}),
            ),
            "changes[0].slug",
        ),
        (
            content.clone(),
            change(json!({"operation": "insert_page", "document": {"markdown": format!("# {TURNED}")}})),
            "changes[0].document.markdown",
        ),
        (
            content.clone(),
            change(
                json!({"operation": "insert_page", "document": {"markdown": format!("---\ntitle: {TURNED}\n---\n")}}),
            ),
            "changes[0].document.markdown",
        ),
        (content.clone(), change(json!({"operation": "insert_group", "title": TURNED})), "changes[0].title"),
        (
            content.clone(),
            change(json!({"operation": "insert_reusable_content", "title": TURNED, "document": text()})),
            "changes[0].title",
        ),
        (
            content.clone(),
            change(
                json!({"operation": "insert_files", "files": [{"name": TURNED, "contentType": "image/png", "base64": "eA=="}]}),
            ),
            "changes[0].files[0].name",
        ),
    ];
    for (path, body, field) in posts {
        let refused = admin.post(&path, body.clone()).await.expect(400);
        assert_eq!(refused.fields(), [field], "{path} {body}");
        let message = refused.text("/error/details/0/message");
        assert!(message.contains("change the text direction"), "{path}: {message}");
    }
    let refused = admin.put(&format!("{org}/teams"), json!({ "title": TURNED })).await.expect(400);
    assert_eq!(refused.fields(), ["title"]);
    for (path, body, field) in [
        (space.clone(), json!({ "title": TURNED }), "title"),
        (org.clone(), json!({ "title": TURNED }), "title"),
        (site.clone(), json!({ "title": TURNED }), "title"),
    ] {
        assert_eq!(admin.patch(&path, body).await.expect(400).fields(), [field], "{path}");
    }
    let form = format!(
        "--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{TURNED}\"\r\ncontent-type: image/png\r\n\r\nx\r\n--b--\r\n"
    );
    let upload = actix_web::test::TestRequest::post()
        .uri(&format!("{content}/files"))
        .insert_header(("content-type", "multipart/form-data; boundary=b"))
        .set_payload(form);
    let refused = admin.send(upload).await.expect(400);
    assert_eq!(refused.fields(), ["file"]);
    assert!(
        refused.text("/error/details/0/message").contains("change the text direction"),
        "{}",
        refused.json
    );
}

#[actix_web::test]
async fn a_name_keeps_what_scripts_and_emojis_are_joined_with() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    for title in ["نامه\u{200C}ای", "क्\u{200D}ष", "👩\u{200D}💻 Team", "שלום עולם"] {
        let named = admin.patch(&format!("/v1/spaces/{space}"), json!({ "title": title })).await.expect(200);
        assert_eq!(named.text("/title"), title);
    }
    // A title taken from a heading has the text of the heading without these characters.
    let heading = json!({"object": "block", "type": "heading-1", "isVoid": false, "data": {}, "nodes": [
        {"object": "text", "leaves": [{"object": "leaf", "text": TURNED, "marks": []}]}]});
    let document = json!({"object": "document", "data": {}, "nodes": [heading]});
    let change = json!({"operation": "insert_page", "document": {"document": document}});
    let path = format!("/v1/spaces/{space}/content");
    admin.post(&path, json!({ "changes": [change] })).await.expect(200);
    assert_eq!(admin.get(&format!("{path}/pages")).await.expect(200).text("/pages/0/title"), "égpj.exe");
}

#[actix_web::test]
async fn an_integration_is_named_so_that_a_path_can_hold_it() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let body = json!({"title": "Dots", "description": "", "scopes": [], "script": "x", "organization": app.organization});
    for name in [".", ".."] {
        let refused = admin.post(&format!("/v1/integrations/{name}"), body.clone()).await;
        assert!(matches!(refused.status.as_u16(), 400 | 404), "{name}: {}", refused.json);
    }
    admin.post("/v1/integrations/...", body.clone()).await.expect(201);
}
