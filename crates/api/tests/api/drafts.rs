//! Writes that were drafted against a head that has moved by the time they are committed.
//!
//! In debug builds the storage panics when a document is analyzed inside a transaction, so each of these tests also
//! shows that none is.

use std::collections::HashMap;

use actix_web::test::TestRequest;
use diesel::connection::SimpleConnection as _;
use futures_util::future::{join, join_all};
use quire_domain::ids::{PageId, SpaceId};
use quire_storage::lookup::{ChangeRequestKey, ContentSelector};
use quire_test_support::{Answer, Caller, ContentEditor, TestApp};
use serde_json::{Value, json};

struct Fixture {
    app: TestApp,
    admin: Caller,
    space: SpaceId,
    path: String,
}

impl Fixture {
    async fn new() -> Self {
        let app = TestApp::start().await;
        let (space, admin) = app.space().await;
        let path = format!("/v1/spaces/{space}");
        Self { app, admin, space: space.parse().unwrap(), path }
    }

    async fn head(&self) -> String {
        self.admin.get(&self.path).await.expect(200).text("/revision")
    }

    /// Makes a request that reads the present head, and has the head moved by `edit` before the request gets the lock.
    async fn meeting<T, F: Future>(
        &self,
        edit: impl FnOnce(&mut ContentEditor) -> T,
        request: F,
    ) -> F::Output {
        let before = self.head().await;
        let (after, _) = self.app.edit(&self.admin, self.space, ContentSelector::Space, edit);
        let move_to =
            |head: &str| format!("UPDATE spaces SET head_revision = '{head}' WHERE id = '{}'", self.space);
        self.app.connection().batch_execute(&move_to(&before)).unwrap();
        self.app.while_locked(&move_to(&after.to_string()), 1, request).await
    }

    async fn write(&self, changes: Value) -> Answer {
        self.admin.post(&format!("{}/content", self.path), json!({ "changes": changes })).await
    }

    async fn text(&self, path: &str) -> String {
        let page = self.admin.get(&format!("{}/content/path/{path}?format=markdown", self.path)).await;
        page.expect(200).text("/markdown")
    }

    fn titles(&self) -> Vec<String> {
        let tree = self.app.content(&self.space.to_string(), &self.admin);
        tree.pages_in_order().map(|page| page.title.clone()).collect()
    }

    /// A page with three paragraphs, and a change request that changes the first.
    async fn proposal(&self) -> (PageId, String) {
        let add = |draft: &mut ContentEditor| draft.page(None, "Page", "One.\n\nTwo.\n\nThree.");
        let (_, page) = self.app.edit(&self.admin, self.space, ContentSelector::Space, add);
        let id = self.app.create_change_request(&self.admin, self.space);
        let content = ContentSelector::ChangeRequest(ChangeRequestKey::Id(id));
        let edit = |draft: &mut ContentEditor| draft.write(page, "ONE.\n\nTwo.\n\nThree.");
        self.app.edit(&self.admin, self.space, content, edit);
        (page, format!("{}/change-requests/{id}", self.path))
    }
}

fn page(title: &str, markdown: &str) -> Value {
    json!({"operation": "insert_page", "title": title, "document": {"markdown": markdown}})
}

#[actix_web::test]
async fn an_edit_is_replayed_on_the_new_head() {
    let f = Fixture::new().await;
    let other = |draft: &mut ContentEditor| draft.page(None, "Other", "Text.");
    let written = f.meeting(other, f.write(json!([page("Mine", "Some text.")]))).await.expect(200);
    assert_eq!(f.titles(), ["Other", "Mine"]);
    assert_eq!(f.head().await, written.text("/id"));
}

#[actix_web::test]
async fn an_edit_is_drafted_again_when_its_links_lead_elsewhere() {
    let f = Fixture::new().await;
    let target = |draft: &mut ContentEditor| draft.page(None, "Target", "Text.");
    f.meeting(target, f.write(json!([page("Mine", "[to it](target)")]))).await.expect(200);
    let id = f.app.content(&f.space.to_string(), &f.admin).page_by_path("target").unwrap().id;
    assert!(f.text("mine").await.contains(&id.to_string()));
}

#[actix_web::test]
async fn an_edit_of_a_page_whose_text_changed_keeps_that_text() {
    let f = Fixture::new().await;
    let (id, _) = f.proposal().await;
    let write = |draft: &mut ContentEditor| draft.write(id, "Zebra.");
    f.meeting(write, f.write(json!([{"operation": "update_page", "page": id, "title": "Renamed"}])))
        .await
        .expect(200);
    assert_eq!(f.titles(), ["Renamed"]);
    let found = f.admin.get(&format!("{}/search?query=zebra", f.path)).await.expect(200);
    assert_eq!(found.at("/count"), &json!(1));
}

#[actix_web::test]
async fn conditions_are_checked_against_the_head_under_the_lock() {
    let f = Fixture::new().await;
    let path = format!("{}/content", f.path);
    let other = |draft: &mut ContentEditor| draft.page(None, "Other", "");
    let tag = f.admin.get(&path).await.expect(200).header("etag").to_owned();
    let request = TestRequest::post().uri(&path).insert_header(("If-Match", tag));
    let request = f.admin.send(request.set_json(json!({"changes": [page("Mine", "")]})));
    assert_eq!(f.meeting(other, request).await.expect(412).reason(), "precondition-failed");
    let body = json!({"base": f.head().await, "changes": [page("Mine", "")]});
    assert_eq!(f.meeting(other, f.admin.post(&path, body)).await.expect(409).reason(), "stale-revision");
    let lock = format!("UPDATE spaces SET edit_mode = 'locked' WHERE id = '{}'", f.space);
    let refused = f.app.while_locked(&lock, 1, f.write(json!([page("Mine", "")]))).await;
    assert_eq!(refused.expect(409).reason(), "space-locked");
    assert_eq!(f.titles(), ["Other", "Other"]);
}

#[actix_web::test]
async fn changes_that_no_longer_fit_are_refused() {
    let f = Fixture::new().await;
    let (id, _) = f.proposal().await;
    let remove = |draft: &mut ContentEditor| draft.remove(id);
    let update = json!([{"operation": "update_page", "page": id, "document": {"markdown": "New."}}]);
    let refused = f.meeting(remove, f.write(update)).await.expect(400);
    assert_eq!(refused.text("/error/details/0/field"), "changes[0].page");
}

async fn import(f: &Fixture, files: &[(&str, &str)]) -> Answer {
    let file = super::imports::zipped(files);
    super::imports::upload(&f.admin, &format!("{}/content/import", f.path), "zip", &file).await
}

#[actix_web::test]
async fn an_import_is_replayed_or_drafted_again() {
    let f = Fixture::new().await;
    let files = [("a.md", "# A\n\n[b](b.md)\n"), ("b.md", "# B\n\nText.\n")];
    let other = |draft: &mut ContentEditor| draft.page(None, "Other", "Text.");
    f.meeting(other, import(&f, &files)).await.expect(201);
    assert_eq!(f.titles(), ["Other", "A", "B"]);
    // The slug of a page that the import links to is taken, so the page has another id.
    let files = [("c.md", "# C\n\n[d](d.md)\n"), ("d.md", "# D\n\nText.\n")];
    let taken = |draft: &mut ContentEditor| draft.page(None, "D", "Text.");
    f.meeting(taken, import(&f, &files)).await.expect(201);
    assert_eq!(f.titles(), ["Other", "A", "B", "D", "C", "D"]);
    let imported = f.app.content(&f.space.to_string(), &f.admin).page_by_path("d-1").unwrap().id;
    assert!(f.text("c").await.contains(&imported.to_string()));
}

#[actix_web::test]
async fn a_merge_is_repeated_on_the_new_head() {
    let f = Fixture::new().await;
    let (_, proposal) = f.proposal().await;
    let other = |draft: &mut ContentEditor| draft.page(None, "Other", "Text.");
    let merged = f.meeting(other, f.admin.post_empty(&format!("{proposal}/merge"))).await.expect(200);
    assert_eq!(merged.text("/result"), "merge");
    assert_eq!(f.titles(), ["Page", "Other"]);
    assert_eq!(f.text("page").await.trim(), "# Page\n\nONE.\n\nTwo.\n\nThree.");
}

#[actix_web::test]
async fn a_merge_is_prepared_again_when_both_sides_changed_a_document() {
    let f = Fixture::new().await;
    let (page, proposal) = f.proposal().await;
    let write = |draft: &mut ContentEditor| draft.write(page, "One.\n\nTwo.\n\nTHREE.");
    let merged = f.meeting(write, f.admin.post_empty(&format!("{proposal}/merge"))).await.expect(200);
    assert_eq!(merged.text("/result"), "merge");
    assert_eq!(f.text("page").await.trim(), "# Page\n\nONE.\n\nTwo.\n\nTHREE.");
    let found = f.admin.get(&format!("{}/search?query=three", f.path)).await.expect(200);
    assert_eq!(found.at("/count"), &json!(1));
}

#[actix_web::test]
async fn a_merge_that_conflicts_with_the_new_head_changes_nothing() {
    let f = Fixture::new().await;
    let (page, proposal) = f.proposal().await;
    let write = |draft: &mut ContentEditor| draft.write(page, "One, by others.\n\nTwo.\n\nThree.");
    let refused = f.meeting(write, f.admin.post_empty(&format!("{proposal}/merge"))).await.expect(200);
    assert_eq!(
        (refused.text("/result"), refused.text("/conflicts/0/kind")),
        ("conflicts".into(), "document".into())
    );
    assert_eq!(f.text("page").await.trim(), "# Page\n\nOne, by others.\n\nTwo.\n\nThree.");
}

#[actix_web::test]
async fn an_update_is_prepared_again_when_both_sides_changed_a_document() {
    let f = Fixture::new().await;
    let (page, proposal) = f.proposal().await;
    let write = |draft: &mut ContentEditor| draft.write(page, "One.\n\nTwo.\n\nTHREE.");
    let updated = f.meeting(write, f.admin.post(&format!("{proposal}/update"), json!({}))).await.expect(200);
    assert_eq!(updated.text("/result"), "update");
    let page = f.admin.get(&format!("{proposal}/content/page/{page}?format=markdown")).await.expect(200);
    assert_eq!(page.text("/markdown").trim(), "# Page\n\nONE.\n\nTwo.\n\nTHREE.");
    assert_eq!(f.admin.get(&proposal).await.expect(200).text("/revisionMergedAncestor"), f.head().await);
}

/// Each page links to the next one by its path, so that what a write stores depends on the writes before it.
#[actix_web::test]
async fn many_writers_at_once_leave_what_some_serial_order_would() {
    const WRITERS: usize = 12;
    let f = Fixture::new().await;
    let mut proposals = Vec::new();
    for _ in 0..4 {
        proposals.push(f.proposal().await);
    }
    let first = f.head().await;
    let writes = (0..WRITERS).map(|n| {
        let markdown = format!("[next](writer-{})", (n + 1) % WRITERS);
        let change = json!([page(&format!("Writer {n}"), &markdown)]);
        async { f.write(change).await.expect(200).text("/id") }
    });
    let merges = proposals.iter().map(async |(_, proposal)| {
        let merged = f.admin.post_empty(&format!("{proposal}/merge")).await.expect(200);
        assert_eq!(merged.text("/result"), "merge");
        merged.text("/revision")
    });
    let (written, merged) = join(join_all(writes), join_all(merges)).await;

    // Every acknowledged revision is in the history of the head, once.
    let mut history = Vec::new();
    let mut at = f.head().await;
    while at != first {
        let revision = f.admin.get(&format!("{}/revisions/{at}", f.path)).await.expect(200);
        history.push(std::mem::replace(&mut at, revision.text("/parents/0")));
    }
    let mut acknowledged: Vec<&String> = written.iter().chain(&merged).collect();
    let mut stored: Vec<&String> = history.iter().collect();
    acknowledged.sort();
    stored.sort();
    assert_eq!(acknowledged, stored);

    // Each write saw exactly the writes before it.
    let order: HashMap<&String, usize> = history.iter().rev().zip(0..).collect();
    let tree = f.app.content(&f.space.to_string(), &f.admin);
    for n in 0..WRITERS {
        let next = (n + 1) % WRITERS;
        let target = tree.page_by_path(&format!("writer-{next}")).unwrap().id.to_string();
        let came_before = order[&written[next]] < order[&written[n]];
        assert_eq!(f.text(&format!("writer-{n}")).await.contains(&target), came_before, "{n}");
    }
    for (page, _) in &proposals {
        let page = f.admin.get(&format!("{}/content/page/{page}?format=markdown", f.path)).await.expect(200);
        assert_eq!(page.text("/markdown").trim(), "# Page\n\nONE.\n\nTwo.\n\nThree.");
    }
}

/// Counts the statements that prepare the merge outside of the transaction and those inside of it. The number depends
/// neither on the size of the space nor on that of the change.
#[actix_web::test]
async fn a_clean_merge_of_a_page_takes_a_fixed_number_of_statements() {
    let f = Fixture::new().await;
    let (_, proposal) = f.proposal().await;
    let before = f.app.statements();
    let merged = f.admin.post_empty(&format!("{proposal}/merge")).await.expect(200);
    assert_eq!(merged.text("/result"), "merge");
    assert_eq!(f.app.statements() - before, 16);
}
