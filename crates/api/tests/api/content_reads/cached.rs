//! Responses cached in memory, and shared lookups of concurrent requests.

use actix_web::test::TestRequest;
use futures_util::future::join_all;
use quire_domain::Role;
use quire_domain::ids::{FileId, PageId, ReusableContentId, RevisionId, SpaceId};
use quire_storage::content::store::ContentSelector;
use quire_test_support::{Caller, TestApp};

struct Fixture {
    app: TestApp,
    writer: Caller,
    space: SpaceId,
    revision: RevisionId,
    page: PageId,
    file: FileId,
    reusable: ReusableContentId,
}

impl Fixture {
    async fn new() -> Self {
        let app = TestApp::start().await;
        let writer = app.as_role(Role::Admin);
        let space = app.create_space(&writer, "Guide");
        let (revision, (page, file, reusable)) = app.edit(&writer, space, ContentSelector::Space, |edit| {
            let page = edit.page(None, "Start", "Hello, *you*.");
            edit.page(Some(page), "Below", "More.");
            (page, edit.file("a.png", "image/png", b"a"), edit.reusable_content("Note", "Mind."))
        });
        Self { app, writer, space, revision, page, file, reusable }
    }

    /// Returns every read whose response is cached, each with a parameter that has its default value.
    fn reads(&self) -> Vec<(String, &'static str)> {
        let Self { space, revision, page, file, reusable, .. } = self;
        let resources = ["content".to_owned(), format!("revisions/{revision}")];
        let of_place = |resource: String| {
            let base = format!("/v1/spaces/{space}/{resource}");
            [
                (base.clone(), "?computed=true"),
                (format!("{base}/pages"), "?computed=true"),
                (format!("{base}/page/{page}"), "?metadata=true"),
                (format!("{base}/page/{page}?format=markdown"), "&metadata=true"),
                (format!("{base}/path/start"), "?metadata=true"),
                (format!("{base}/files"), "?metadata=true"),
                (format!("{base}/files/{file}"), "?metadata=true"),
                (format!("{base}/reusable-contents/{reusable}"), "?metadata=true"),
            ]
        };
        resources.into_iter().flat_map(of_place).collect()
    }
}

#[actix_web::test]
async fn a_kept_answer_is_the_one_that_is_made() {
    let fixture = Fixture::new().await;
    for (path, default) in fixture.reads() {
        let made = fixture.writer.get(&path).await.expect(200);
        let kept = fixture.writer.get(&path).await.expect(200);
        assert_eq!((kept.header("etag"), &kept.bytes), (made.header("etag"), &made.bytes), "{path}");
        // With another URL the same response is built again.
        let fresh = fixture.writer.get(&format!("{path}{default}")).await.expect(200);
        assert_eq!(fresh.bytes, made.bytes, "{path}");
        assert_ne!(fresh.header("etag"), made.header("etag"));
        assert_eq!(made.header("cache-control"), "private, no-cache");
        assert_eq!(made.header("content-type"), "application/json");
    }
}

#[actix_web::test]
async fn any_answer_that_exists_is_had_by_a_caller_with_any() {
    let fixture = Fixture::new().await;
    for (path, _) in fixture.reads() {
        for _ in 0..2 {
            let any = TestRequest::get().uri(&path).insert_header(("If-None-Match", "*"));
            let _ = fixture.writer.send(any).await.expect(304);
            let _ = fixture.writer.get(&path).await.expect(200);
        }
    }
}

#[actix_web::test]
async fn an_answer_after_an_edit_is_of_the_new_content() {
    let Fixture { app, writer, space, page, .. } = Fixture::new().await;
    let base = format!("/v1/spaces/{space}/content");
    let paths = [format!("{base}/page/{page}?format=markdown"), format!("{base}/pages"), base];
    for round in 0..3 {
        let title = format!("Title {round}");
        let (revision, ()) = app.edit(&writer, space, ContentSelector::Space, |edit| {
            edit.change_page(page, |page| page.title.clone_from(&title));
        });
        for path in &paths {
            for _ in 0..2 {
                let answer = writer.get(path).await.expect(200);
                assert!(answer.header("etag").starts_with(&format!("\"{revision}.")));
                assert!(String::from_utf8_lossy(&answer.bytes).contains(&title), "{path}");
            }
        }
    }
}

#[actix_web::test]
async fn a_kept_answer_is_for_callers_who_may_read_the_content() {
    let fixture = Fixture::new().await;
    let (app, stranger) = (&fixture.app, fixture.app.stranger());
    let absent = stranger.get("/v1/spaces/0190a5d2-7c1e-7000-8000-000000000001/content").await.expect(404);
    let leaving = app.as_role(Role::Read);
    for (path, _) in fixture.reads() {
        let kept = fixture.writer.get(&path).await.expect(200);
        assert_eq!(leaving.get(&path).await.expect(200).bytes, kept.bytes);
        assert_eq!(stranger.get(&path).await.expect(404).bytes, absent.bytes, "{path}");
        let _ = app.anonymous().get(&path).await.expect(401);
        let unknown = stranger.with_token(&format!("qr_{}", "x".repeat(43)));
        let _ = unknown.get(&path).await.expect(401);
    }
    app.store.execute(&format!("DELETE FROM organization_members WHERE user_id = '{}'", leaving.user()));
    for (path, _) in fixture.reads() {
        assert_eq!(leaving.get(&path).await.expect(404).bytes, absent.bytes, "{path}");
    }
}

#[actix_web::test]
async fn a_page_that_is_gone_is_not_found_although_its_answer_is_kept() {
    let Fixture { app, writer, space, page, .. } = Fixture::new().await;
    let path = format!("/v1/spaces/{space}/content/page/{page}");
    let _ = writer.get(&path).await.expect(200);
    let _ = app.edit(&writer, space, ContentSelector::Space, |edit| edit.remove(page));
    let _ = writer.get(&path).await.expect(404);
}

#[actix_web::test]
async fn concurrent_reads_share_a_statement_and_each_gets_its_own_answer() {
    let fixture = Fixture::new().await;
    let (app, space) = (&fixture.app, fixture.space);
    let path = format!("/v1/spaces/{space}/content/pages");
    let readers: Vec<Caller> =
        (0..12).map(|index| if index % 3 == 0 { app.stranger() } else { app.as_role(Role::Read) }).collect();
    for reader in readers.iter().chain([&fixture.writer]) {
        // The first use of a token is recorded, which takes a statement.
        let _ = reader.get(&path).await;
    }
    let before = app.statements();
    let answers = join_all(readers.iter().map(|reader| reader.get(&path))).await;
    let statements = app.statements() - before;
    for (index, answer) in answers.into_iter().enumerate() {
        let _ = answer.expect(if index % 3 == 0 { 404 } else { 200 });
    }
    assert_eq!(statements, 1);
    let space = format!("/v1/spaces/{space}");
    let before = app.statements();
    let answers = join_all(readers.iter().map(|reader| reader.get(&space))).await;
    assert_eq!(app.statements() - before, 1);
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 8);
}
