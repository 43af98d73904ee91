//! Concurrent writers of one head: merges and updates whose head moves between preparation and transaction, and the
//! effect of waiting writers on other requests. `crates/content/tests` covers content writes whose head moves, and
//! `crates/storage/tests` the merge itself.
//!
//! In debug builds the storage panics when a document is analyzed inside a transaction, so these tests also show that
//! this does not happen.

use diesel::connection::SimpleConnection as _;
use futures_util::future::{join, join_all};
use quire_domain::ids::{PageId, SpaceId};
use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::store::ContentSelector;
use quire_test_support::{Caller, ContentEditor, TestApp};
use serde_json::json;

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

    /// Sends a request that reads the current head, and moves the head with `edit` before the request gets the lock.
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

    async fn text(&self, path: &str) -> String {
        let page = self.admin.get(&format!("{}/content/path/{path}?format=markdown", self.path)).await;
        page.expect(200).text("/markdown")
    }

    /// Creates a page with three paragraphs, and a change request that changes the first one.
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

#[actix_web::test]
async fn writers_that_wait_for_a_space_leave_the_connections_to_others() {
    let f = Fixture::new().await;
    let (other, reader) = f.app.space().await;
    let mut holder = f.app.connection();
    let lock = format!("BEGIN; SELECT FROM spaces WHERE id = '{}' FOR NO KEY UPDATE", f.space);
    holder.batch_execute(&lock).unwrap();
    let path = format!("{}/content", f.path);
    let insert =
        json!({"changes": [{"operation": "insert_page", "title": "A", "document": {"markdown": "Text."}}]});
    let writes = join_all((0..12).map(|_| f.admin.post(&path, insert.clone())));
    let others = async {
        f.app.store.until_waiting(1).await;
        // There are four connections, and waiting writers use only one of them.
        let read = reader.get(&format!("/v1/spaces/{other}")).await;
        holder.batch_execute("COMMIT").unwrap();
        read
    };
    let (written, read) = join(writes, others).await;
    let _ = read.expect(200);
    for written in written {
        let _ = written.expect(200);
    }
    let tree = f.admin.get(&path).await.expect(200);
    assert_eq!(tree.at("/pages").as_array().unwrap().len(), 12);
}

/// Counts the statements that prepare the merge before the transaction, and the statements inside. The number does not
/// depend on the size of the space or of the change.
#[actix_web::test]
async fn a_clean_merge_of_a_page_takes_a_fixed_number_of_statements() {
    let f = Fixture::new().await;
    let (_, proposal) = f.proposal().await;
    let before = f.app.statements();
    let merged = f.admin.post_empty(&format!("{proposal}/merge")).await.expect(200);
    assert_eq!(merged.text("/result"), "merge");
    assert_eq!(f.app.statements() - before, 14);
}
