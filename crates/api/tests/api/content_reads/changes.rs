//! Changes of revisions and change requests.

use quire_domain::Role;
use quire_revision::{BlobHash, Dimensions};
use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::store::ContentSelector;
use quire_test_support::TestApp;
use serde_json::{Value, json};

use super::page::layout;

#[actix_web::test]
async fn every_kind_of_change_causes_its_event() {
    let app = TestApp::start().await;
    let writer = app.as_role(Role::Admin);
    let space = app.create_space(&writer, "Guide");
    let (_, (a, b, c, link, file, gone_file, note, gone_note)) =
        app.edit(&writer, space, ContentSelector::Space, |edit| {
            let target = json!({"kind": "url", "url": "https://example.com/a"});
            (
                edit.page(None, "A", "One."),
                edit.page(None, "B", ""),
                edit.page(None, "C", ""),
                edit.link(None, "Link", target),
                edit.file("a.png", "image/png", b"a"),
                edit.file("gone.png", "image/png", b"g"),
                edit.reusable_content("Note", "Mind."),
                edit.reusable_content("Gone", ""),
            )
        });
    let (revision, (d, new_file, new_note, documents)) =
        app.edit(&writer, space, ContentSelector::Space, |edit| {
            let before = edit.tree.page(a).unwrap().document.unwrap();
            edit.write(a, "Two.");
            let after = edit.tree.page(a).unwrap().document.unwrap();
            edit.change_page(a, |page| {
                page.title = "A!".to_owned();
                page.emoji = Some("🅰".to_owned());
                page.hidden = true;
                page.layout = Some(Box::new(json!("editorial")));
                page.cover = Some(Box::new(json!({"yPos": 1.0})));
            });
            let position = edit.tree.position_at(Some(a), None, None);
            edit.change_page(b, |page| (page.parent, page.position) = (Some(a), position));
            edit.remove(c);
            edit.change_page(link, |page| {
                page.kind = quire_revision::PageKind::Link { target: json!({"kind": "page", "page": a}) };
            });
            let d = edit.page(None, "D", "");
            let mut changed = edit.tree.file(file).unwrap().clone();
            changed.name = "b.png".to_owned();
            changed.blob = BlobHash::of(b"bb");
            changed.size = 2;
            changed.dimensions = Some(Dimensions { width: 1, height: 2 });
            edit.tree.update_file(changed).unwrap();
            edit.tree.remove_file(gone_file).unwrap();
            let mut changed = edit.tree.reusable_content(note).unwrap().clone();
            changed.title = "Notice".to_owned();
            edit.tree.update_reusable_content(changed).unwrap();
            edit.tree.remove_reusable_content(gone_note).unwrap();
            (d, edit.file("n.png", "image/png", b"n"), edit.reusable_content("New", ""), (before, after))
        });
    let path = format!("/v1/spaces/{space}/revisions/{revision}/changes?limit=1000");
    let read = writer.get(&path).await.expect(200);
    let mut changes = read.at("/changes").as_array().unwrap().clone();
    let mut summaries = 0;
    for change in &mut changes {
        take_addresses(change);
        summaries += usize::from(change.as_object_mut().unwrap().remove("summary").is_some());
    }
    assert!(summaries > 0, "the edited page has one");
    let document =
        |id, title: &str, path: &str| json!({"id": id, "type": "document", "title": title, "path": path});
    let png = |id, name: &str| json!({"id": id, "name": name, "contentType": "image/png"});
    let note_document = read
        .json
        .pointer("/changes")
        .unwrap()
        .as_array()
        .unwrap()
        .iter()
        .find_map(|change| change.pointer("/reusableContent/document"))
        .unwrap()
        .clone();
    let expected = json!([
        {"type": "page_edited", "page": document(a, "A!", "a"), "attributes": {
            "title": {"before": "A", "after": "A!"},
            "document": {"before": documents.0, "after": documents.1},
            "cover": {"after": {"yPos": 1.0}},
            "emoji": {"after": "🅰"},
            "layout": {"after": layout(json!({"outline": false}))},
            "hidden": {"before": false, "after": true},
        }},
        {"type": "page_moved", "page": document(b, "B", "a/b"), "parent": {"after": document(a, "A!", "a")}},
        {"type": "page_deleted", "page": document(c, "C", "c")},
        {"type": "page_edited", "page": {"id": link, "type": "link", "title": "Link"}, "attributes": {
            "target": {
                "before": {"kind": "url", "url": "https://example.com/a"},
                "after": {"kind": "page", "page": a},
            },
        }},
        {"type": "page_created", "page": document(d, "D", "d")},
        {"type": "file_created", "file": png(new_file, "n.png")},
        {"type": "file_deleted", "file": png(gone_file, "gone.png")},
        {"type": "file_edited", "file": png(file, "b.png"), "attributes": {
            "name": {"before": "a.png", "after": "b.png"},
            "downloadURL": {"before": "a.png", "after": "b.png"},
            "size": {"before": 1, "after": 2},
            "dimensions": {"after": {"width": 1, "height": 2}},
        }},
        {"type": "reusable_content_created", "reusableContent": {"id": new_note, "title": "New"}},
        {"type": "reusable_content_deleted", "reusableContent": {"id": gone_note, "title": "Gone"}},
        {"type": "reusable_content_edited",
         "reusableContent": {"id": note, "title": "Notice", "document": note_document},
         "attributes": {"title": {"before": "Note", "after": "Notice"}}},
    ]);
    assert_eq!(Value::Array(changes), expected);
    assert_eq!((read.json.get("more"), read.json.get("mergedFrom")), (None, None));
}

/// Removes the download URLs of files. In changed attributes, replaces them by the name of the bytes.
fn take_addresses(change: &mut Value) {
    if let Some(file) = change.get_mut("file").and_then(Value::as_object_mut) {
        assert!(file.remove("downloadURL").is_some_and(|url| url.is_string()));
    }
    for side in ["before", "after"] {
        if let Some(url) = change.pointer_mut(&format!("/attributes/downloadURL/{side}")) {
            let path = url.as_str().unwrap().split('?').next().unwrap();
            *url = json!(path.rsplit('/').next().unwrap());
        }
    }
}

#[actix_web::test]
async fn changes_beyond_the_limit_are_counted() {
    let app = TestApp::start().await;
    let writer = app.as_role(Role::Admin);
    let space = app.create_space(&writer, "Guide");
    let (revision, _) = app.edit(&writer, space, ContentSelector::Space, |edit| {
        for number in 0..12 {
            edit.page(None, &format!("Page {number}"), "");
        }
    });
    let path = format!("/v1/spaces/{space}/revisions/{revision}/changes");
    for (query, shown, more) in
        [("", 10, Some(2)), ("?limit=1", 1, Some(11)), ("?limit=12", 12, None), ("?limit=1000", 12, None)]
    {
        let read = writer.get(&format!("{path}{query}")).await.expect(200);
        assert_eq!(read.at("/changes").as_array().unwrap().len(), shown);
        assert_eq!(read.json.get("more"), more.map(|more| json!(more)).as_ref());
        assert_eq!(read.text("/changes/0/page/title"), "Page 0");
    }
}

#[actix_web::test]
async fn the_first_revision_is_compared_with_nothing() {
    let app = TestApp::start().await;
    let writer = app.as_role(Role::Admin);
    let space = app.create_space(&writer, "Guide");
    let first = writer.get(&format!("/v1/spaces/{space}")).await.expect(200).text("/revision");
    let read = writer.get(&format!("/v1/spaces/{space}/revisions/{first}/changes")).await.expect(200);
    assert_eq!(read.json, json!({"changes": []}));
}

#[actix_web::test]
async fn a_change_request_changes_what_it_did_since_it_last_had_the_main_content() {
    let app = TestApp::start().await;
    let writer = app.as_role(Role::Admin);
    let space = app.create_space(&writer, "Guide");
    let _ = app.edit(&writer, space, ContentSelector::Space, |edit| edit.page(None, "Start", ""));
    let id = app.create_change_request(&writer, space);
    let copy = ContentSelector::ChangeRequest(ChangeRequestKey::Id(id));
    let path = format!("/v1/spaces/{space}/change-requests/{id}/changes");
    assert_eq!(writer.get(&path).await.expect(200).json, json!({"changes": []}));
    let _ = app.edit(&writer, space, copy, |edit| edit.page(None, "One", ""));
    let _ = app.edit(&writer, space, copy, |edit| edit.page(None, "Two", ""));
    let _ = app.edit(&writer, space, ContentSelector::Space, |edit| edit.page(None, "Main", ""));
    let created = |read: &Value| -> Vec<String> {
        let changes = read.get("changes").and_then(Value::as_array).unwrap().iter();
        let created = changes.filter(|change| change["type"] == json!("page_created"));
        created.map(|change| change["page"]["title"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(created(&writer.get(&path).await.expect(200).json), ["One", "Two"]);
    app.update(&writer, space, id);
    let mut after = created(&writer.get(&path).await.expect(200).json);
    after.sort();
    assert_eq!(after, ["One", "Two"]);
    let before = app.statements();
    let _ = writer.get(&path).await.expect(200);
    assert_eq!(app.statements() - before, 2);
}
