//! Space for tests without HTTP.

use std::time::Duration;

use quire_content::attachments::{Attachments, Intake};
use quire_content::edits::PastNeeds;
use quire_content::imports::{Destination, Import, ImportInput, ImportLimiter, ImportRunner};
use quire_content::page_body::page_text;
use quire_content::{ContentWrite, Door, DraftBase, Error, ExpectedRevisions, Result, Written};
use quire_domain::Role;
use quire_domain::content::ContentChanges;
use quire_domain::error::Refusal;
use quire_domain::ids::{ChangeRequestId, PageId, RevisionId, SpaceId};
use quire_domain::imports::ImportResult;
use quire_domain::policy::Action;
use quire_importer::fetch::{FetchConfig, Fetcher};
use quire_importer::progress::Progress;
use quire_importer::source::GatherLimits;
use quire_markup::StableRefs;
use quire_revision::{Strategy, Tree};
use quire_storage::content::change_requests::{ChangeRequestKey, Choice, MergeReport, PreparedMerge};
use quire_storage::content::store::{ContentSelector, HeadOf};
use quire_storage::door::TypedDoor;
use quire_storage::optimistic::commit_draft;
use quire_storage::{Reader, Storage};
use quire_test_support::{ContentEditor, TestStore, TestUser};
use serde_json::{Value, json};

pub const MAIN: ContentSelector = ContentSelector::Space;

pub struct Workspace {
    pub store: TestStore,
    pub admin: TestUser,
    pub space: SpaceId,
    pub fetcher: Fetcher,
}

impl Workspace {
    pub fn new() -> Self {
        let store = TestStore::new();
        let admin = store.as_role(Role::Admin);
        let space = store.create_space(&admin.credentials, "Guide");
        Self { store, admin, space, fetcher: Fetcher::new(FetchConfig::default()) }
    }

    /// Writes these changes to the main content.
    pub async fn write(&self, changes: Value) -> Result<Written> {
        self.write_body(json!({ "changes": changes }), ExpectedRevisions::default()).await
    }

    /// Writes a body with a base and expected revisions.
    pub async fn write_body(&self, body: Value, expected: ExpectedRevisions) -> Result<Written> {
        self.write_on(self.store.storage(), body, expected).await
    }

    /// Writes a body on the node with this storage.
    pub async fn write_on(
        &self,
        storage: &Storage,
        body: Value,
        expected: ExpectedRevisions,
    ) -> Result<Written> {
        self.write_at(storage, body, expected).await
    }

    /// Writes a body through a door.
    pub async fn write_at(
        &self,
        door: &impl Door,
        body: Value,
        expected: ExpectedRevisions,
    ) -> Result<Written> {
        self.write_content(&self.admin, door, MAIN, body, expected).await
    }

    /// Writes a body to content as a user.
    pub async fn write_as(
        &self,
        user: &TestUser,
        door: &impl Door,
        content: ContentSelector,
        body: Value,
    ) -> Result<Written> {
        self.write_content(user, door, content, body, ExpectedRevisions::default()).await
    }

    async fn write_content(
        &self,
        user: &TestUser,
        door: &impl Door,
        content: ContentSelector,
        body: Value,
        expected: ExpectedRevisions,
    ) -> Result<Written> {
        let (credentials, space) = (user.credentials, self.space);
        let body: ContentChanges = serde_json::from_value(body).unwrap();
        let needs = PastNeeds::of(&body);
        let look = move |reader: &mut Reader<'_>| {
            let content = reader.content(space, content)?.authorize(Action::EditContent)?;
            DraftBase::look(reader, &content, &needs)
        };
        let seen = door.read(credentials, look).await?;
        let intake = Intake { door, fetcher: &self.fetcher, max_bytes: 1 << 20 };
        let attachments = Attachments::collect(&intake, space, &body.changes).await?;
        let wanted = ContentWrite { body, attachments, expected };
        let find = move |reader: &mut Reader<'_>| {
            Ok(reader.content(space, content)?.authorize(Action::EditContent)?)
        };
        wanted.write(door, credentials, seen, find, |_, written| Ok(written)).await
    }

    /// Imports an archive into the main content.
    pub async fn import(&self, import: Import, archive: Vec<u8>) -> Result<ImportResult> {
        let limiter = ImportLimiter::new(1, Duration::ZERO, self.fetcher.threads().clone());
        let runner = ImportRunner { fetcher: self.fetcher.clone(), limiter };
        let input = ImportInput::Upload {
            source: quire_domain::imports::ImportSource::Zip,
            file_name: Some("guide.zip".to_owned()),
            content: archive.into(),
        };
        runner.run(self.store.storage(), import, input, &Progress::default(), |_, _| Ok(())).await
    }

    /// Returns an import into the main content.
    pub fn wanted_import(&self) -> Import {
        Import {
            credentials: self.admin.credentials,
            destination: Destination { space: self.space, selector: MAIN, page: None },
            limits: GatherLimits::default(),
            expected: ExpectedRevisions::default(),
            change: None,
        }
    }

    pub fn edit<T>(&self, edit: impl FnOnce(&mut ContentEditor) -> T) -> (RevisionId, T) {
        self.store.edit(&self.admin.credentials, self.space, MAIN, edit)
    }

    pub fn tree(&self) -> Tree {
        self.store.tree(&self.admin.credentials, self.space, MAIN)
    }

    pub fn titles(&self) -> Vec<String> {
        self.tree().pages_in_order().map(|page| page.title.clone()).collect()
    }

    pub fn page_at(&self, path: &str) -> PageId {
        self.tree().page_by_path(path).unwrap().id
    }

    pub fn head(&self) -> RevisionId {
        let head = self.store.storage().read(&self.admin.credentials, |reader| {
            let content = reader.content(self.space, MAIN)?.authorize(Action::ViewSpace)?;
            Ok::<_, Error>(content.revision.id)
        });
        head.unwrap()
    }

    /// Returns a page as Markdown.
    pub fn text(&self, path: &str) -> String {
        let text = self.store.storage().read(&self.admin.credentials, |reader| {
            let content = reader.content(self.space, MAIN)?.authorize(Action::ViewSpace)?;
            let tree = reader.tree(&content)?;
            let page = tree.page_by_path(path).unwrap();
            let document = page.document.map(|id| reader.document(&content, id)).transpose()?;
            page_text(page, document.as_ref(), &StableRefs, None)
        });
        text.map_err(|error: Error| error).unwrap()
    }

    /// Runs `work`, which reads the head and then waits for its lock. `edit` moves the head in between.
    pub async fn meeting<T, F: Future>(
        &self,
        edit: impl FnOnce(&mut ContentEditor) -> T,
        work: F,
    ) -> F::Output {
        let before = self.head();
        let (after, _) = self.edit(edit);
        let move_to = |head: RevisionId| {
            format!("UPDATE spaces SET head_revision = '{head}' WHERE id = '{}'", self.space)
        };
        self.store.execute(&move_to(before));
        self.store.while_locked(&move_to(after), 1, work).await
    }

    /// Creates a page with two paragraphs, and a change request that edits the first. Returns the path of the page and
    /// the change request.
    pub fn proposal(&self, title: &str) -> (String, ChangeRequestId) {
        let (_, page) = self.edit(|draft| draft.page(None, title, "One.\n\nTwo."));
        let id = self.store.create_change_request(&self.admin.credentials, self.space);
        let content = ContentSelector::ChangeRequest(ChangeRequestKey::Id(id));
        let write = |draft: &mut ContentEditor| draft.write(page, "ONE.\n\nTwo.");
        self.store.edit(&self.admin.credentials, self.space, content, write);
        (self.tree().path_of(page).unwrap(), id)
    }

    /// Updates a change request from its space. Conflicts take the version of the space.
    pub fn update(&self, id: ChangeRequestId) {
        let (storage, credentials, key) =
            (self.store.storage(), self.admin.credentials, ChangeRequestKey::Id(id));
        let choice =
            Choice { resolution: Some(Strategy::Theirs).into(), made_for: None, bypasses_rules: false };
        let prepared = storage.read(&credentials, |reader| {
            let found = reader.change_request(self.space, key)?.authorize(Action::EditContent)?;
            Ok::<_, Error>(reader.prepare_update(&found, choice.clone())?)
        });
        let updated = storage.transact(&credentials, |tx| {
            let found = tx.change_request(self.space, key)?.authorize(Action::EditContent)?;
            Ok::<_, Error>(tx.update_from_space(&found, &prepared.unwrap())?)
        });
        assert!(matches!(updated.unwrap(), MergeReport::Done(_)));
    }

    /// Merges a change request. Prepares the merge again while the head moves.
    pub async fn merge(&self, id: ChangeRequestId) -> Result<MergeReport> {
        self.merge_on(self.store.storage(), id).await
    }

    /// Merges a change request on the node with this storage.
    pub async fn merge_on(&self, storage: &Storage, id: ChangeRequestId) -> Result<MergeReport> {
        let (credentials, space, key) = (self.admin.credentials, self.space, ChangeRequestKey::Id(id));
        let prepare = || {
            TypedDoor::read(storage, credentials, move |reader| {
                let found = reader.change_request(space, key)?.authorize(Action::MergeChangeRequest)?;
                Ok(reader.prepare_merge(&found, Choice::default())?)
            })
        };
        let merge = |prepared: PreparedMerge| {
            let find = move |reader: &mut Reader<'_>| {
                Ok(reader.change_request(space, key)?.authorize(Action::MergeChangeRequest)?)
            };
            async move {
                let turn = TypedDoor::turn(storage, (space, HeadOf::Space)).await?;
                TypedDoor::write(storage, credentials, turn, find, move |tx, found| {
                    Ok(tx.merge_change_request(&found, &prepared)?)
                })
                .await
            }
        };
        commit_draft(prepare, merge).await
    }
}

/// Returns a change that inserts a page.
pub fn page(title: &str, markdown: &str) -> Value {
    json!({"operation": "insert_page", "title": title, "document": {"markdown": markdown}})
}

/// Returns the refusal of work, which must be refused.
pub fn refusal<T: std::fmt::Debug>(result: Result<T>) -> Refusal {
    match result {
        Err(Error::Refused(refusal) | Error::Storage(quire_storage::Error::Refused(refusal))) => refusal,
        other => panic!("{other:?}"),
    }
}

/// Returns the fields in a refusal.
pub fn fields(refusal: &Refusal) -> Vec<String> {
    refusal.details.iter().map(|detail| detail.field.clone()).collect()
}
