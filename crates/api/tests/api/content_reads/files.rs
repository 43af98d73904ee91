//! Files and reusable contents.

use quire_domain::Role;
use quire_domain::ids::FileId;
use quire_revision::{Dimensions, GitBlob};
use quire_storage::content::store::ContentSelector;
use quire_test_support::{Caller, TestApp};
use serde_json::json;

#[actix_web::test]
async fn a_file_and_a_reusable_content_are_read_with_all_they_have() {
    let app = TestApp::start().await;
    let writer = app.as_role(Role::Admin);
    let space = app.create_space(&writer, "Guide");
    let git = Some(GitBlob { oid: "0a".to_owned(), path: "a.png".to_owned() });
    let (_, (file, reusable, document)) = app.edit(&writer, space, ContentSelector::Space, |edit| {
        let id = edit.file("a.png", "image/png", b"abc");
        let mut file = edit.tree.file(id).unwrap().clone();
        file.dimensions = Some(Dimensions { width: 3, height: 4 });
        file.git = git.clone();
        edit.tree.update_file(file).unwrap();
        let note = edit.reusable_content("Note", "Mind.");
        let mut content = edit.tree.reusable_content(note).unwrap().clone();
        content.git = git.clone();
        let document = content.document.unwrap();
        edit.tree.update_reusable_content(content).unwrap();
        (id, note, document)
    });
    let base = format!("/v1/spaces/{space}/content");
    let read = writer.get(&format!("{base}/files/{file}")).await.expect(200);
    let url = read.text("/downloadURL");
    assert!(url.starts_with(&format!("http://127.0.0.1:8080/v1/spaces/{space}/")), "{url}");
    let mut expected = json!({
        "id": file, "name": "a.png", "contentType": "image/png", "downloadURL": url, "size": 3,
        "dimensions": {"width": 3, "height": 4}, "git": {"oid": "0a", "path": "a.png"},
    });
    assert_eq!(read.json, expected);
    expected.as_object_mut().unwrap().remove("git");
    let plain = writer.get(&format!("{base}/files/{file}?metadata=false")).await.expect(200);
    assert_eq!(plain.json, expected);
    let list = writer.get(&format!("{base}/files?metadata=false")).await.expect(200);
    assert_eq!(list.json, json!({"count": 1, "items": [expected]}));
    let read = writer.get(&format!("{base}/reusable-contents/{reusable}")).await.expect(200);
    let mut expected = json!({
        "id": reusable, "title": "Note", "document": document, "git": {"oid": "0a", "path": "a.png"},
    });
    assert_eq!(read.json, expected);
    expected.as_object_mut().unwrap().remove("git");
    let plain = writer.get(&format!("{base}/reusable-contents/{reusable}?metadata=false")).await.expect(200);
    assert_eq!(plain.json, expected);
}

/// Reads a list page by page. `between` runs after each page.
async fn walk(caller: &Caller, path: &str, limit: usize, between: impl Fn()) -> Vec<FileId> {
    let mut found = Vec::new();
    let mut query = format!("limit={limit}");
    loop {
        let page = caller.get(&format!("{path}?{query}")).await.expect(200);
        let items = page.at("/items").as_array().unwrap();
        assert!(items.len() <= limit);
        found.extend(items.iter().map(|item| serde_json::from_value::<FileId>(item["id"].clone()).unwrap()));
        let Some(next) = page.json.pointer("/next/page").and_then(|next| next.as_str()) else { break };
        query = format!("limit={limit}&page={next}");
        between();
    }
    found
}

#[actix_web::test]
async fn files_are_walked_newest_first_and_edits_on_the_way_neither_repeat_nor_skip() {
    let app = TestApp::start().await;
    let writer = app.as_role(Role::Admin);
    let space = app.create_space(&writer, "Guide");
    let (revision, mut files) = app.edit(&writer, space, ContentSelector::Space, |edit| {
        (0..7).map(|number| edit.file(&format!("{number}.png"), "image/png", b"a")).collect::<Vec<_>>()
    });
    files.reverse();
    let path = format!("/v1/spaces/{space}/content/files");
    for limit in [1, 3, 7, 8] {
        assert_eq!(walk(&writer, &path, limit, || ()).await, files, "{limit}");
    }
    let edited = || {
        let _ = app.edit(&writer, space, ContentSelector::Space, |edit| {
            edit.file("new.png", "image/png", b"b");
            let _ = edit.tree.remove_file(files[0]);
        });
    };
    assert_eq!(walk(&writer, &path, 2, edited).await, files);
    let read = writer.get(&format!("{path}?limit=1")).await.expect(200);
    assert_eq!(read.at("/count"), &json!(9));
    let old = format!("/v1/spaces/{space}/revisions/{revision}/files");
    assert_eq!(walk(&writer, &old, 1, || ()).await, files);
    let cursor = read.text("/next/page");
    for (path, cursor) in [(&old, cursor.as_str()), (&path, "nonsense"), (&path, "%00")] {
        let refused = writer.get(&format!("{path}?page={cursor}")).await.expect(400);
        assert!(refused.fields().is_empty() || refused.fields() == ["page"], "{}", refused.json);
    }
}

#[actix_web::test]
async fn a_list_of_files_costs_the_same_for_any_length() {
    let app = TestApp::start().await;
    let writer = app.as_role(Role::Admin);
    let space = app.create_space(&writer, "Guide");
    for files in [1, 100] {
        let _ = app.edit(&writer, space, ContentSelector::Space, |edit| {
            for _ in 0..files {
                edit.file("a.png", "image/png", b"a");
            }
        });
        let before = app.statements();
        let _ = writer.get(&format!("/v1/spaces/{space}/content/files?limit=1000")).await.expect(200);
        assert_eq!(app.statements() - before, 1);
    }
}
