//! Entity tags of content.

use actix_web::test::TestRequest;
use quire_domain::Role;
use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::store::ContentSelector;
use quire_test_support::{Answer, Caller, TestApp};

async fn revalidate(caller: &Caller, path: &str, tag: &str) -> Answer {
    caller.send(TestRequest::get().uri(path).insert_header(("If-None-Match", tag))).await
}

/// An edit caches trees, but only reads cache documents.
#[actix_web::test]
async fn a_page_that_the_caller_has_is_not_loaded() {
    let app = TestApp::start().await;
    let writer = app.as_role(Role::Admin);
    let space = app.create_space(&writer, "Guide");
    let (_, page) =
        app.edit(&writer, space, ContentSelector::Space, |edit| edit.page(None, "Start", "Hello."));
    let path = format!("/v1/spaces/{space}/content/page/{page}");
    let mut costs = Vec::new();
    for tag in ["*", "\"other\"", "\"other\""] {
        let before = app.statements();
        let answer = revalidate(&writer, &path, tag).await;
        costs.push((answer.status.as_u16(), app.statements() - before));
    }
    assert_eq!(costs, [(304, 1), (200, 2), (200, 1)]);
    let missing = format!("/v1/spaces/{space}/content/page/{}", uuid::Uuid::nil());
    let _ = revalidate(&writer, &missing, "*").await.expect(404);
}

#[actix_web::test]
async fn content_that_the_caller_has_is_not_sent_again_until_it_changes() {
    let app = TestApp::start().await;
    let writer = app.as_role(Role::Admin);
    let space = app.create_space(&writer, "Guide");
    let (first, page) =
        app.edit(&writer, space, ContentSelector::Space, |edit| edit.page(None, "Start", "Hello."));
    let base = format!("/v1/spaces/{space}/content");
    let paths = [
        base.clone(),
        format!("{base}/pages"),
        format!("{base}/files"),
        format!("{base}/page/{page}"),
        format!("{base}/page/{page}?format=markdown"),
        format!("{base}/page/{page}?format=document"),
        format!("{base}/path/start"),
    ];
    let mut tags = Vec::new();
    for path in &paths {
        let tag = writer.get(path).await.expect(200).header("etag").to_owned();
        assert!(tag.starts_with(&format!("\"{first}.")), "{tag}");
        let same = revalidate(&writer, path, &format!("\"other\", W/{tag}")).await.expect(304);
        assert!(same.bytes.is_empty());
        assert_eq!(same.header("etag"), tag);
        tags.push(tag);
    }
    let distinct: std::collections::BTreeSet<_> = tags.iter().collect();
    assert_eq!(distinct.len(), tags.len());
    let _ = app.edit(&writer, space, ContentSelector::Space, |edit| edit.write(page, "Bye."));
    for (path, tag) in paths.iter().zip(&tags) {
        let changed = revalidate(&writer, path, tag).await.expect(200);
        assert_ne!(changed.header("etag"), tag);
    }
    let old = format!("/v1/spaces/{space}/revisions/{first}");
    let tag = writer.get(&old).await.expect(200).header("etag").to_owned();
    let _ = revalidate(&writer, &old, &tag).await.expect(304);
}

#[actix_web::test]
async fn a_merge_is_sent_again_when_its_change_request_changes() {
    let app = TestApp::start().await;
    let writer = app.as_role(Role::Admin);
    let space = app.create_space(&writer, "Guide");
    let id = app.create_change_request(&writer, space);
    let selector = ContentSelector::ChangeRequest(ChangeRequestKey::Id(id));
    let _ = app.edit(&writer, space, selector, |edit| edit.page(None, "Next", ""));
    app.merge(&writer, space, id);
    let path = format!("/v1/spaces/{space}/content");
    let read = writer.get(&path).await.expect(200);
    let tag = read.header("etag").to_owned();
    assert!(tag.starts_with(&format!("\"{}.", read.text("/id"))), "{tag}");
    let _ = revalidate(&writer, &path, &tag).await.expect(304);
    app.rename_change_request(&writer, space, id, "Another subject");
    let again = revalidate(&writer, &path, &tag).await.expect(200);
    assert_eq!(again.text("/mergedFrom/subject"), "Another subject");
}
