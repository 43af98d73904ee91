//! Documents in the form for readers.

use quire_domain::Role;
use quire_storage::content::store::ContentSelector;
use quire_test_support::TestApp;
use serde_json::{Value, json};

/// Collects the values of a key in all objects of a document, in document order.
fn all<'v>(value: &'v Value, key: &str, found: &mut Vec<&'v Value>) {
    match value {
        Value::Object(entries) => {
            found.extend(entries.get(key));
            entries.values().for_each(|entry| all(entry, key, found));
        }
        Value::Array(items) => items.iter().for_each(|item| all(item, key, found)),
        _ => {}
    }
}

fn texts(value: &Value) -> String {
    let mut found = Vec::new();
    all(value, "text", &mut found);
    found.iter().filter_map(|text| text.as_str()).collect::<Vec<_>>().join("|")
}

#[actix_web::test]
async fn documents_are_read_with_keys_anchors_included_content_and_without_conditions() {
    let app = TestApp::start().await;
    let writer = app.as_role(Role::Admin);
    let space = app.create_space(&writer, "Guide");
    let (_, (page, note, group)) = app.edit(&writer, space, ContentSelector::Space, |edit| {
        let note = edit.reusable_content("Note", "## Mind\n\nthe gap");
        let include = format!("{{% include \"/reusable-contents/{note}\" %}}");
        let markdown = format!(
            "## Mind\n\n{include}\n\n{{% if visitor.claims.beta %}}\nbeta\n{{% endif %}}\n\n\
             {{% if 1 < 2 %}}\n<code class=\"expression\">1 + 2</code>\n{{% endif %}}"
        );
        (edit.page(None, "Start", &markdown), note, edit.group("Group"))
    });
    let content = writer.get(&format!("/v1/spaces/{space}/content?metadata=false")).await.expect(200);
    let base = format!("/v1/spaces/{space}/revisions/{}", content.text("/id"));
    let read =
        async |query: &str| writer.get(&format!("{base}/page/{page}/document{query}")).await.expect(200).json;

    let plain = read("").await;
    assert_eq!(texts(&plain), "Mind|beta");
    assert_eq!((&plain["object"], &plain["nodes"][0]["key"]), (&json!("document"), &json!("0")));
    assert_eq!(plain["nodes"][0]["meta"], json!({"id": "mind"}));
    assert_eq!(plain["nodes"][1]["type"], "reusable-content");

    let included = read("?dereferenced=reusable-contents&evaluated=deterministic-only").await;
    assert_eq!(texts(&included), "Mind|Mind|the gap");
    assert_eq!(included["nodes"][1]["key"], "1.0");
    assert_eq!(included["nodes"][1]["meta"], json!({"id": "mind-1"}));
    let mut types = Vec::new();
    all(&included, "type", &mut types);
    assert!(types.contains(&&json!("expression")), "{types:?}");

    let evaluated = read("?dereferenced=true&evaluated=true").await;
    assert_eq!(texts(&evaluated), "Mind|Mind|the gap|3");

    let url = format!("{base}/reusable-contents/{note}/document");
    let included = writer.get(&url).await.expect(200);
    assert_eq!(
        (texts(&included.json).as_str(), included.at("/nodes/0/meta/id")),
        ("Mind|the gap", &json!("mind"))
    );

    let url = format!("{base}/page/{page}?format=markdown&dereferenced=true&evaluated=true");
    let markdown = writer.get(&url).await.expect(200).text("/markdown");
    assert_eq!(markdown, "# Start\n\n## Mind\n\n## Mind\n\nthe gap\n\n3\n");

    for (path, status) in [
        (format!("page/{group}/document"), 404),
        (format!("page/{note}/document"), 404),
        (format!("page/{page}/document?evaluated=yes"), 400),
        (format!("reusable-contents/{page}/document"), 404),
    ] {
        writer.get(&format!("{base}/{path}")).await.expect(status);
    }
}
