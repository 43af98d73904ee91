//! Descriptions of change requests.

use quire_domain::Role;
use quire_test_support::TestApp;
use serde_json::json;

#[actix_web::test]
async fn a_description_is_written_in_one_format_and_read_in_both() {
    let app = TestApp::start().await;
    let (space, _) = app.space().await;
    let (editor, reader) = (app.on_space(&space, Some(Role::Edit)), app.on_space(&space, Some(Role::Read)));
    let requests = format!("/v1/spaces/{space}/change-requests");
    let plain = editor.post(&requests, json!({})).await.expect(201);
    assert_eq!(plain.json.pointer("/description"), None);
    let made = editor.post(&requests, json!({"description": {"markdown": "Says why."}})).await.expect(201);
    assert_eq!(made.at("/description"), &json!({"markdown": "Says why."}));
    let path = format!("{requests}/{}", made.text("/id"));
    assert_eq!(
        reader.get(&path).await.expect(200).json.pointer("/description"),
        made.json.pointer("/description")
    );
    let document = reader.get(&format!("{path}?format=document")).await.expect(200);
    let document = document.at("/description/document").clone();
    assert_eq!(document["object"], "document");

    // A document is returned as Markdown, and `null` removes the description.
    let other = format!("{requests}/{}", plain.text("/id"));
    app.clock.advance(std::time::Duration::from_secs(60));
    let changed = editor.patch(&other, json!({"description": {"document": document}})).await.expect(200);
    assert_eq!(changed.at("/description/markdown").as_str().unwrap().trim(), "Says why.");
    assert_ne!(changed.at("/updatedAt"), plain.at("/updatedAt"));
    let kept = editor.patch(&other, json!({"subject": "Kept"})).await.expect(200);
    assert_eq!(kept.at("/description"), changed.at("/description"));
    let removed = editor.patch(&other, json!({"description": null})).await.expect(200);
    assert_eq!(removed.json.pointer("/description"), None);
    let listed = reader.get(&format!("{requests}?status=draft")).await.expect(200);
    assert!(listed.at("/items").as_array().unwrap().iter().all(|item| item.get("description").is_none()));

    for body in
        [json!({"description": {"markdown": ""}}), json!({"description": {"markdown": "x".repeat(50_001)}})]
    {
        assert_eq!(editor.patch(&path, body).await.expect(400).fields(), ["description"]);
    }
    let _ = reader.patch(&path, json!({"description": {"markdown": "No."}})).await.expect(403);
}

#[actix_web::test]
async fn a_rule_asks_for_a_description() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let rules = json!({"type": "rules", "rules": [{"rule": "require_change_request_description"}]});
    let _ = admin.patch(&format!("/v1/spaces/{space}"), json!({"mergeRules": rules})).await.expect(200);
    let made = admin.post(&format!("/v1/spaces/{space}/change-requests"), json!({})).await.expect(201);
    assert_eq!(made.at("/mergeBlockedBy/0/message"), "A description is missing.");
    let path = format!("/v1/spaces/{space}/change-requests/{}", made.text("/id"));
    let described = admin.patch(&path, json!({"description": {"markdown": "Why."}})).await.expect(200);
    assert_eq!(described.at("/permissions/merge"), true);
}
