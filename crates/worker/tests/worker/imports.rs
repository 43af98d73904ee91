//! `import-content` through the queue: one revision or one error, despite concurrent changes and lost workers.

use std::time::Duration;

use futures_util::future::{FutureExt as _, join};
use futures_util::stream;
use quire_domain::error::Reason;
use quire_domain::ids::{ImportId, RevisionId, SpaceId};
use quire_domain::imports::{ImportSource, ImportState};
use quire_domain::policy::Action;
use quire_domain::{IdGenerator as _, Role};
use quire_storage::Error;
use quire_storage::content::files::StoredUpload;
use quire_storage::content::imports::{ImportOrigin, ImportRecord};
use quire_storage::content::store::ContentSelector;
use quire_storage::lookup::Credentials;
use quire_test_support::{Caller, ContentEditor, TestApp, TestIds, zipped};
use quire_worker::{Outcome, Services, run_next};

const MAIN: ContentSelector = ContentSelector::Space;
/// Time that exceeds the lease of a job.
const LEASE: Duration = Duration::from_secs(61);

struct Imports {
    app: TestApp,
    admin: Caller,
    space: SpaceId,
}

impl Imports {
    async fn new() -> Self {
        let app = TestApp::start().await;
        let admin = app.as_role(Role::Admin);
        let space = app.create_space(&admin, "Guide");
        Self { app, admin, space }
    }

    /// Stores an upload and writes its import, as a request does.
    async fn begin(&self, files: &[(&str, &str)], expected: Option<Vec<RevisionId>>) -> ImportId {
        let archive = zipped(files);
        let id = ImportId::from_uuid(TestIds.uuid());
        let size = u64::try_from(archive.len()).unwrap();
        let upload = StoredUpload { space: self.space, import: id };
        let bytes = stream::iter([Ok(bytes::Bytes::from(archive))]);
        self.app.system.files().keep_upload(upload, bytes).await.unwrap();
        let origin = ImportOrigin::Upload { file_name: Some("guide.zip".to_owned()), size };
        let begun = self.app.store.storage().transact(&self.credentials(), |tx| {
            let content = tx.content(self.space, MAIN)?.authorize(Action::EditContent)?;
            tx.create_import(&content, id, (ImportSource::Zip, origin), None, expected, None).map(drop)
        });
        begun.map_err(|error: Error| error).unwrap();
        id
    }

    fn credentials(&self) -> Credentials {
        self.admin.credentials()
    }

    fn import(&self, id: ImportId) -> ImportRecord {
        let found = self.app.store.storage().read(&self.credentials(), |reader| {
            let space = reader.space(self.space)?.authorize(Action::ViewImports)?;
            reader.import(&space, id)
        });
        found.map_err(|error: Error| error).unwrap()
    }

    fn edit<T>(&self, edit: impl FnOnce(&mut ContentEditor) -> T) -> RevisionId {
        self.app.edit(&self.admin, self.space, MAIN, edit).0
    }

    fn titles(&self) -> Vec<String> {
        let tree = self.app.store.tree(&self.credentials(), self.space, MAIN);
        tree.pages_in_order().map(|page| page.title.clone()).collect()
    }

    fn head(&self) -> RevisionId {
        let head = self.app.store.storage().read(&self.credentials(), |reader| {
            Ok(reader.content(self.space, MAIN)?.authorize(Action::ViewSpace)?.revision.id)
        });
        head.map_err(|error: Error| error).unwrap()
    }

    /// Returns the statement that makes a revision the head.
    fn move_to(&self, head: RevisionId) -> String {
        format!("UPDATE spaces SET head_revision = '{head}' WHERE id = '{}'", self.space)
    }
}

#[actix_web::test]
async fn an_import_whose_head_moves_before_it_is_stored_keeps_the_work_of_others() {
    let imports = Imports::new().await;
    let id = imports.begin(&[("a.md", "# A\n\n[b](b.md)\n"), ("b.md", "# B\n")], None).await;
    let before = imports.head();
    let after = imports.edit(|draft| draft.page(None, "Other", "Text."));
    imports.app.store.execute(&imports.move_to(before));
    let services = imports.app.services();
    let outcome = imports.app.while_locked(&imports.move_to(after), 1, run_next(&services)).await;
    assert_eq!(outcome.unwrap(), Outcome::Done);
    assert_eq!(imports.titles(), ["Other", "A", "B"]);
    let import = imports.import(id);
    assert_eq!(import.state, ImportState::Succeeded);
    assert_eq!(import.result.unwrap().revision, imports.head());
}

#[actix_web::test]
async fn a_condition_is_checked_against_the_head_under_the_lock() {
    let imports = Imports::new().await;
    let before = imports.head();
    let id = imports.begin(&[("a.md", "# A\n")], Some(vec![before])).await;
    let after = imports.edit(|draft| draft.page(None, "Other", ""));
    imports.app.store.execute(&imports.move_to(before));
    let services = imports.app.services();
    let outcome = imports.app.while_locked(&imports.move_to(after), 1, run_next(&services)).await;
    assert_eq!(outcome.unwrap(), Outcome::Done);
    let import = imports.import(id);
    assert_eq!((import.state, imports.titles()), (ImportState::Failed, vec!["Other".to_owned()]));
    assert_eq!(import.error.unwrap().reason, Reason::PreconditionFailed.as_str());
}

#[actix_web::test]
async fn of_two_workers_with_the_same_import_only_the_later_stores_it() {
    let imports = Imports::new().await;
    let id = imports.begin(&[("a.md", "# A\n")], None).await;
    let revisions = imports.app.count("revisions");
    let services = imports.app.services();
    let of_another_node = Services { storage: imports.app.store.another_node(), ..imports.app.services() };
    let later = async {
        // The first attempt waits for the lock of the head, without heartbeats, until its lease has expired.
        imports.app.store.until_waiting(1).await;
        imports.app.clock.advance(LEASE);
        run_next(&of_another_node).boxed_local().await
    };
    // Boxed: two unboxed imports in one future overflow the stack of a debug build.
    let both = join(run_next(&services).boxed_local(), later).boxed_local();
    let lock = imports.move_to(imports.head());
    let (lost, done) = imports.app.while_locked(&lock, 2, both).await;
    assert_eq!((lost.unwrap(), done.unwrap()), (Outcome::Lost, Outcome::Done));
    assert_eq!(imports.app.count("revisions"), revisions + 1);
    assert_eq!((imports.import(id).state, imports.titles()), (ImportState::Succeeded, vec!["A".to_owned()]));
}

#[actix_web::test]
async fn an_import_that_is_cancelled_before_its_turn_leaves_nothing() {
    let imports = Imports::new().await;
    let id = imports.begin(&[("a.md", "# A\n")], None).await;
    let head = imports.head();
    let cancelled = imports.app.store.storage().transact(&imports.credentials(), |tx| {
        let space = tx.space(imports.space)?.authorize(Action::EditContent)?;
        tx.cancel_import(&space, id).map(drop)
    });
    cancelled.map_err(|error: Error| error).unwrap();
    imports.app.run_jobs().await;
    assert_eq!((imports.import(id).state, imports.head()), (ImportState::Cancelled, head));
    let upload = StoredUpload { space: imports.space, import: id };
    let kept = imports.app.system.files().upload_part(upload, 0..1).await.unwrap();
    assert!(kept.is_none(), "the upload is still kept");
}

#[actix_web::test]
async fn an_import_that_can_not_be_read_fails_with_the_reason() {
    let imports = Imports::new().await;
    let (id, head) = (imports.begin(&[], None).await, imports.head());
    imports.app.run_jobs().await;
    let import = imports.import(id);
    assert_eq!((import.state, imports.head()), (ImportState::Failed, head));
    assert_eq!(import.error.unwrap().code, 400);
}
