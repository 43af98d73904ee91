//! Whole revisions, and the tree of their pages.

use quire_domain::Role;
use quire_domain::ids::PageId;
use quire_revision::{GitBlob, PageKind};
use quire_storage::content::store::ContentSelector;
use quire_test_support::{ContentEditor, TestApp};
use serde_json::{Value, json};

use super::page::layout;

#[actix_web::test]
async fn a_space_starts_with_one_empty_revision() {
    let app = TestApp::start().await;
    let space = app.create_space(&app.as_role(Role::Admin), "Guide");
    let reader = app.as_role(Role::Read);
    let revision = reader.get(&format!("/v1/spaces/{space}/content")).await.expect(200);
    let head = reader.get(&format!("/v1/spaces/{space}")).await.expect(200).text("/revision");
    let expected = json!({
        "object": "revision",
        "id": head,
        "type": "edits",
        "parents": [],
        "pages": [],
        "files": [],
        "reusableContents": [],
        "tags": [],
        "createdAt": revision.text("/createdAt"),
        "urls": {"app": format!("http://127.0.0.1:8080/s/{space}")},
    });
    assert_eq!(revision.json, expected);
}

#[actix_web::test]
async fn a_revision_lists_the_tags_that_the_updates_of_its_documents_name() {
    let app = TestApp::start().await;
    let writer = app.as_role(Role::Admin);
    let space = app.create_space(&writer, "Guide");
    let updates = |tags: &str| {
        format!(
            "{{% updates format=\"full\" %}}\n{{% update date=\"2026-01-02\" tags=\"{tags}\" %}}\nText.\n\
             {{% endupdate %}}\n{{% endupdates %}}\n"
        )
    };
    let (with_new, (page, ..)) = app.edit(&writer, space, ContentSelector::Space, |edit| {
        let page = edit.page(None, "Changes", &updates("new, api"));
        (page, edit.page(None, "Text", "No tags."), edit.reusable_content("Note", &updates("api,beta")))
    });
    let (_, ()) = app.edit(&writer, space, ContentSelector::Space, |edit| {
        edit.write(page, &updates("fixed"));
    });
    let tags = async |path: &str| {
        let revision = writer.get(&format!("/v1/spaces/{space}/{path}")).await.expect(200);
        for page in revision.at("/pages").as_array().unwrap() {
            assert_eq!(page["tags"], json!([]));
        }
        let tags = revision.at("/tags").as_array().unwrap().iter();
        tags.map(|tag| (tag["slug"].clone(), tag["label"].clone(), tag["color"].clone())).collect::<Vec<_>>()
    };
    let named = |names: &[&str]| {
        names.iter().map(|name| (json!(name), json!(name), json!("default"))).collect::<Vec<_>>()
    };
    assert_eq!(tags("content").await, named(&["api", "beta", "fixed"]));
    assert_eq!(tags(&format!("revisions/{with_new}")).await, named(&["api", "beta", "new"]));
    let copy = writer.post(&format!("/v1/spaces/{space}/duplicate"), json!({})).await.expect(201).text("/id");
    let copied = writer.get(&format!("/v1/spaces/{copy}/content")).await.expect(200);
    assert_eq!(copied.at("/tags/2/slug"), "fixed");
}

#[actix_web::test]
async fn a_revision_holds_its_pages_files_and_reusable_contents() {
    let app = TestApp::start().await;
    let writer = app.as_role(Role::Admin);
    let space = app.create_space(&writer, "Guide");
    let first = writer.get(&format!("/v1/spaces/{space}/content")).await.expect(200).text("/id");
    let (revision, (page, file, reusable)) = app.edit(&writer, space, ContentSelector::Space, |edit| {
        (
            edit.page(None, "Start", ""),
            edit.file("a b.png", "image/png", b"abc"),
            edit.reusable_content("Note", ""),
        )
    });
    let read = writer.get(&format!("/v1/spaces/{space}/content")).await.expect(200);
    assert_eq!(read.at("/parents"), &json!([first]));
    assert_eq!(read.text("/id"), revision.to_string());
    assert_eq!(read.at("/reusableContents"), &json!([{"id": reusable, "title": "Note"}]));
    let url = read.text("/files/0/downloadURL");
    let file =
        json!({"id": file, "name": "a b.png", "contentType": "image/png", "downloadURL": url, "size": 3});
    assert_eq!(read.at("/files"), &json!([file]));
    assert_eq!(read.text("/pages/0/id"), page.to_string());
    let by_id = writer.get(&format!("/v1/spaces/{space}/revisions/{revision}")).await.expect(200);
    let app_url = format!("http://127.0.0.1:8080/s/{space}/~/history/{revision}");
    assert_eq!(by_id.text("/urls/app"), app_url);
    assert_eq!(by_id.text("/pages/0/urls/app"), format!("{app_url}/start"));
    assert_eq!(by_id.at("/files"), read.at("/files"));
    let before = writer.get(&format!("/v1/spaces/{space}/revisions/{first}")).await.expect(200);
    assert_eq!(before.at("/pages"), &json!([]));
}

#[actix_web::test]
async fn a_change_request_has_its_own_content() {
    let app = TestApp::start().await;
    let writer = app.as_role(Role::Admin);
    let space = app.create_space(&writer, "Guide");
    let _ = app.edit(&writer, space, ContentSelector::Space, |edit| edit.page(None, "Start", ""));
    let change_request = app.create_change_request(&writer, space);
    let key = quire_storage::content::change_requests::ChangeRequestKey::Id(change_request);
    let (revision, _) =
        app.edit(&writer, space, ContentSelector::ChangeRequest(key), |edit| edit.page(None, "Next", ""));
    for key in [change_request.to_string(), "1".to_owned()] {
        let base = format!("/v1/spaces/{space}/change-requests/{key}/content");
        let read = writer.get(&base).await.expect(200);
        assert_eq!(read.text("/id"), revision.to_string());
        assert_eq!(titles(read.at("/pages")), ["Start", "Next"]);
        let app_url = format!("http://127.0.0.1:8080/s/{space}/~/changes/1");
        assert_eq!(read.text("/urls/app"), app_url);
        assert_eq!(read.text("/pages/1/urls/app"), format!("{app_url}/next"));
        assert_eq!(read.at("/pages"), writer.get(&format!("{base}/pages")).await.expect(200).at("/pages"));
    }
    let main = writer.get(&format!("/v1/spaces/{space}/content/pages")).await.expect(200);
    assert_eq!(titles(main.at("/pages")), ["Start"]);
}

#[actix_web::test]
async fn a_merge_says_what_was_merged() {
    let app = TestApp::start().await;
    let writer = app.as_role(Role::Admin);
    let space = app.create_space(&app.as_role(Role::Admin), "Guide");
    let change_request = app.create_change_request(&writer, space);
    let key = quire_storage::content::change_requests::ChangeRequestKey::Id(change_request);
    let (copy, _) =
        app.edit(&writer, space, ContentSelector::ChangeRequest(key), |edit| edit.page(None, "Next", ""));
    let main = writer.get(&format!("/v1/spaces/{space}/content")).await.expect(200).text("/id");
    app.merge(&writer, space, change_request);
    let read = writer.get(&format!("/v1/spaces/{space}/content")).await.expect(200);
    assert_eq!(read.text("/type"), "merge");
    assert_eq!(read.at("/parents"), &json!([main, copy]));
    assert_eq!(read.text("/mergedFrom/id"), change_request.to_string());
    assert_eq!(read.text("/mergedFrom/status"), "merged");
    assert_eq!(read.text("/mergedFrom/revisionMerged"), read.text("/id"));
    let changes = format!("/v1/spaces/{space}/revisions/{}/changes", read.text("/id"));
    let changes = writer.get(&changes).await.expect(200);
    assert_eq!(changes.at("/mergedFrom"), read.at("/mergedFrom"));
    assert_eq!(changes.at("/changes/0/type"), &json!("page_created"));
}

#[actix_web::test]
async fn pages_of_every_kind_stand_in_their_tree() {
    let app = TestApp::start().await;
    let writer = app.as_role(Role::Admin);
    let space = app.create_space(&writer, "Guide");
    let (_, pages) = app.edit(&writer, space, ContentSelector::Space, every_kind);
    let read = writer.get(&format!("/v1/spaces/{space}/content/pages")).await.expect(200);
    let base = format!("http://127.0.0.1:8080/s/{space}");
    let url = |path: &str| json!({"app": format!("{base}/{path}")});
    let expected = json!({"pages": [
        {
            "id": pages[0], "type": "document", "kind": "sheet", "title": "Start", "slug": "start", "path": "start",
            "emoji": "🚀", "description": "Where to begin", "createdAt": "1970-01-01T00:00:01.000Z",
            "updatedAt": "1970-01-01T00:00:02.500Z", "hidden": true, "noIndex": true, "noRobotsIndex": true,
            "cover": {"ref": {"kind": "url", "url": "https://example.com/a.png"}, "yPos": -12.5},
            "layout": layout(json!({"outline": false})), "tags": [], "git": {"oid": "0a", "path": "README.md"},
            "urls": url("start"), "pages": [
                {
                    "id": pages[1], "type": "document", "kind": "sheet", "title": "Ünder", "slug": "under",
                    "path": "start/under", "icon": "bolt", "layout": layout(json!({})), "tags": [], "urls": url("start/under"),
                    "pages": [],
                },
            ],
        },
        {
            "id": pages[2], "type": "group", "kind": "group", "title": "More", "slug": "more", "path": "more",
            "pages": [
                {
                    "id": pages[3], "type": "link", "kind": "link", "title": "To under",
                    "target": {"kind": "page", "page": pages[1]}, "href": format!("{base}/start/under"),
                },
                {
                    "id": pages[4], "type": "link", "kind": "link", "title": "Nowhere", "hidden": true,
                    "target": {"kind": "page", "page": "0190a5d2-7c1e-7000-8000-000000000001"},
                },
            ],
        },
        {"id": pages[5], "type": "computed", "title": "API", "computed": {"type": "builtin:openapi"}},
    ]});
    assert_eq!(read.json, expected);
    let plain = writer
        .get(&format!("/v1/spaces/{space}/content/pages?metadata=false&computed=false"))
        .await
        .expect(200);
    let mut expected = expected;
    expected.pointer_mut("/pages/0").and_then(Value::as_object_mut).unwrap().remove("git");
    assert_eq!(plain.json, expected);
}

fn every_kind(edit: &mut ContentEditor) -> [PageId; 6] {
    let start = edit.page(None, "Start", "");
    edit.change_page(start, |page| {
        page.emoji = Some("🚀".to_owned());
        page.description = Some("Where to begin".to_owned());
        (page.created_at, page.updated_at) = (Some(1_000), Some(2_500));
        (page.hidden, page.no_index, page.no_robots_index) = (true, true, true);
        let reference = json!({"kind": "url", "url": "https://example.com/a.png"});
        page.cover = Some(Box::new(json!({"ref": reference, "yPos": -12.5})));
        page.layout = Some(Box::new(json!("editorial")));
        page.git = Some(Box::new(GitBlob { oid: "0a".to_owned(), path: "README.md".to_owned() }));
    });
    let under = edit.page(Some(start), "Ünder", "");
    edit.change_page(under, |page| page.icon = Some("bolt".to_owned()));
    let more = edit.group("More");
    let link = edit.link(Some(more), "To under", json!({"kind": "page", "page": under}));
    let absent = json!({"kind": "page", "page": "0190a5d2-7c1e-7000-8000-000000000001"});
    let nowhere = edit.link(Some(more), "Nowhere", absent);
    edit.change_page(nowhere, |page| page.hidden = true);
    let kind = PageKind::Computed { source: json!({"type": "builtin:openapi"}), seed: "s".to_owned() };
    let api = edit.insert(None, kind, "API", "", None);
    [start, under, more, link, nowhere, api]
}

#[actix_web::test]
async fn links_lead_to_what_they_name() {
    let app = TestApp::start().await;
    let writer = app.as_role(Role::Admin);
    let space = app.create_space(&writer, "Guide");
    let other = app.create_space(&writer, "Other");
    let targets = app.edit(&writer, space, ContentSelector::Space, |edit| {
        let page = edit.page(None, "Start", "");
        let file = edit.file("a.png", "image/png", b"a");
        let targets = [
            json!({"kind": "url", "url": "https://example.com"}),
            json!({"kind": "anchor", "page": page, "anchor": "two words"}),
            json!({"kind": "page", "page": page, "space": space}),
            json!({"kind": "page", "page": page, "space": other}),
            json!({"kind": "space", "space": other}),
            json!({"kind": "file", "file": file}),
            json!({"kind": "nonsense"}),
        ];
        targets.map(|target| edit.link(None, "Link", target))
    });
    let base = "http://127.0.0.1:8080/s";
    let read = writer.get(&format!("/v1/spaces/{space}/content")).await.expect(200);
    let hrefs: Vec<Option<&str>> = read.at("/pages").as_array().unwrap()[1..]
        .iter()
        .map(|page| page.get("href").and_then(Value::as_str))
        .collect();
    let (anchor, page) = (format!("{base}/{space}/start#two%20words"), format!("{base}/{space}/start"));
    let (elsewhere, file) = (format!("{base}/{other}"), read.text("/files/0/downloadURL"));
    let expected = [
        Some("https://example.com"),
        Some(anchor.as_str()),
        Some(page.as_str()),
        None,
        Some(elsewhere.as_str()),
        Some(file.as_str()),
        None,
    ];
    assert_eq!(hrefs, expected, "{targets:?}");
}

#[actix_web::test]
async fn ten_thousand_pages_are_one_answer_and_one_statement() {
    let app = TestApp::start().await;
    let writer = app.as_role(Role::Admin);
    let space = app.create_space(&writer, "Guide");
    let (_, chain) = app.edit(&writer, space, ContentSelector::Space, |edit| {
        for chapter in 0..99 {
            let chapter = edit.page(None, &format!("Chapter {chapter}"), "");
            for page in 0..100 {
                edit.page(Some(chapter), &format!("Page {page}"), "");
            }
        }
        let top = edit.page(None, "Top", "");
        edit.page(Some(top), "Below", "")
    });
    let path = format!("/v1/spaces/{space}/content/pages");
    let _ = writer.get(&path).await.expect(200);
    let before = app.statements();
    let read = writer.get(&path).await.expect(200);
    assert_eq!(app.statements() - before, 1);
    let chapters = read.at("/pages").as_array().unwrap();
    assert_eq!(chapters.len(), 100);
    for (number, chapter) in chapters[..99].iter().enumerate() {
        let pages = chapter.get("pages").and_then(Value::as_array).unwrap();
        let paths = pages.iter().map(|page| page.get("path").and_then(Value::as_str).unwrap());
        let expected: Vec<String> = (0..100).map(|page| format!("chapter-{number}/page-{page}")).collect();
        assert!(paths.eq(expected.iter().map(String::as_str)), "{number}");
    }
    assert_eq!(read.text("/pages/99/pages/0/id"), chain.to_string());
}

pub fn titles(pages: &Value) -> Vec<&str> {
    pages.as_array().unwrap().iter().map(|page| page.get("title").and_then(Value::as_str).unwrap()).collect()
}
