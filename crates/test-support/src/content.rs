//! Content for tests, put into the store without the API's writes.

use quire_content::new_document;
use quire_domain::change_requests::DEFAULT_SUBJECT;
use quire_domain::ids::{
    ChangeRequestId, DocumentId, FileId, OrganizationId, PageId, ReusableContentId, RevisionId, SpaceId,
};
use quire_domain::policy::Action;
use quire_domain::revisions::RevisionType;
use quire_markup::StableRefs;
use quire_revision::{BlobHash, FileNode, PageKind, PageNode, ReusableContentNode, Tree};
use quire_storage::change_requests::{ChangeRequestChanges, MergeReport};
use quire_storage::content::{Commit, NewDocument};
use quire_storage::lookup::{ChangeRequestKey, ContentSelector, Credentials};
use quire_storage::spaces::Place;
use serde_json::Value;
use uuid::Uuid;

use crate::{Caller, TestApp};

/// An edit of content: the tree as it was, and what is changed of it.
#[derive(Clone, Debug)]
pub struct ContentEditor {
    /// The content, for edits that have no method of their own here.
    pub tree: Tree,
    documents: Vec<NewDocument>,
}

impl ContentEditor {
    /// An edit of this content.
    #[must_use]
    pub fn new(tree: Tree) -> Self {
        Self { tree, documents: Vec::new() }
    }

    /// Adds a page with this Markdown at the end of its siblings; without any, an empty page.
    ///
    /// # Panics
    /// When the parent can't have pages below it.
    pub fn page(&mut self, parent: Option<PageId>, title: &str, markdown: &str) -> PageId {
        let document = self.document(markdown);
        let slug = self.tree.free_slug(parent, &quire_markup::slugify(title));
        self.insert(parent, PageKind::Document, title, &slug, document)
    }

    /// Adds many pages at the end of the top, `page-0`, `page-1`…; `markdown` says from a page's number and the pages that were
    /// added before it what stands on it.
    ///
    /// # Panics
    /// When one of the slugs is taken.
    pub fn pages(&mut self, count: usize, markdown: impl Fn(usize, &[PageId]) -> String) -> Vec<PageId> {
        let mut ids = Vec::with_capacity(count);
        for number in 0..count {
            let document = self.document(&markdown(number, &ids));
            let title = format!("Page {number}");
            ids.push(self.insert(None, PageKind::Document, &title, &format!("page-{number}"), document));
        }
        ids
    }

    /// Adds a group.
    ///
    /// # Panics
    /// Never: a group can stand beside any others.
    pub fn group(&mut self, title: &str) -> PageId {
        let slug = self.tree.free_slug(None, &quire_markup::slugify(title));
        self.insert(None, PageKind::Group, title, &slug, None)
    }

    /// Adds a link to what this content reference names.
    ///
    /// # Panics
    /// When the parent can't have pages below it.
    pub fn link(&mut self, parent: Option<PageId>, title: &str, target: Value) -> PageId {
        self.insert(parent, PageKind::Link { target }, title, "", None)
    }

    /// Changes what is said of a page.
    ///
    /// # Panics
    /// When there is no such page, or it can't be so.
    pub fn change_page(&mut self, id: PageId, change: impl FnOnce(&mut PageNode)) {
        let mut page = self.tree.page(id).expect("the page is there").clone();
        change(&mut page);
        self.tree.update_page(page).expect("the page can be so");
    }

    /// Gives a page another text.
    ///
    /// # Panics
    /// When there is no such page.
    pub fn write(&mut self, id: PageId, markdown: &str) {
        let document = self.document(markdown);
        self.change_page(id, |page| page.document = document);
    }

    /// Removes a page with all below it.
    ///
    /// # Panics
    /// When there is no such page.
    pub fn remove(&mut self, id: PageId) {
        let _ = self.tree.remove_page(id).expect("the page is there");
    }

    /// Adds a file. Its bytes are not stored: only their hash and number are.
    ///
    /// # Panics
    /// Never: its id is new.
    pub fn file(&mut self, name: &str, content_type: &str, bytes: &[u8]) -> FileId {
        let file = FileNode {
            id: FileId::from_uuid(new_id()),
            name: name.to_owned(),
            content_type: content_type.to_owned(),
            size: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
            dimensions: None,
            blob: BlobHash::of(bytes),
            created_at: None,
            git: None,
        };
        let id = file.id;
        self.tree.insert_file(file).expect("the id is new");
        id
    }

    /// Adds a reusable content with this Markdown.
    ///
    /// # Panics
    /// Never: its id is new.
    pub fn reusable_content(&mut self, title: &str, markdown: &str) -> ReusableContentId {
        let content = ReusableContentNode {
            id: ReusableContentId::from_uuid(new_id()),
            title: title.to_owned(),
            document: self.document(markdown),
            created_at: None,
            updated_at: None,
            git: None,
        };
        let id = content.id;
        self.tree.insert_reusable_content(content).expect("the id is new");
        id
    }

    /// The document of this Markdown, to be stored with the edit; none for no Markdown.
    pub fn document(&mut self, markdown: &str) -> Option<DocumentId> {
        if markdown.is_empty() {
            return None;
        }
        let document = new_document(&quire_markup::parse(markdown, &StableRefs));
        let id = document.id();
        self.documents.push(document);
        Some(id)
    }

    /// Adds a page of any kind at the end of its siblings.
    ///
    /// # Panics
    /// When it can't stand there.
    pub fn insert(
        &mut self,
        parent: Option<PageId>,
        kind: PageKind,
        title: &str,
        slug: &str,
        document: Option<DocumentId>,
    ) -> PageId {
        let id = PageId::from_uuid(new_id());
        let position = self.tree.position_at(parent, None, None);
        let page = PageNode { document, ..PageNode::new(id, parent, position, kind, title, slug) };
        self.tree.insert_page(page).expect("the page can stand here");
        id
    }
}

impl TestApp {
    /// A new, empty space of the organization, at its root.
    ///
    /// # Panics
    /// When `creator` may not.
    #[must_use]
    pub fn create_space(&self, creator: &Caller, title: &str) -> SpaceId {
        self.create_space_in(creator, self.organization, title)
    }

    /// A new, empty space of an organization, at its root.
    ///
    /// # Panics
    /// When `creator` may not.
    #[must_use]
    pub fn create_space_in(&self, creator: &Caller, organization: OrganizationId, title: &str) -> SpaceId {
        let made = self.state.storage.transact(&credentials(creator), |tx| {
            let organization = tx.organization(organization)?.authorize(Action::CreateContent)?;
            tx.create_space(Place::Root(&organization), title, "📄")
        });
        made.unwrap_or_else(|error: quire_storage::Error| panic!("no space can be made: {error:?}"))
    }

    /// A new change request of a space, in draft.
    ///
    /// # Panics
    /// When `author` may not.
    #[must_use]
    pub fn create_change_request(&self, author: &Caller, space: SpaceId) -> ChangeRequestId {
        let made = self.state.storage.transact(&credentials(author), |tx| {
            let space = tx.space(space)?.authorize(Action::EditContent)?;
            Ok(tx.create_change_request(&space, DEFAULT_SUBJECT)?.item.id)
        });
        made.unwrap_or_else(|error: quire_storage::Error| panic!("no change request can be made: {error:?}"))
    }

    /// Changes the subject of a change request.
    ///
    /// # Panics
    /// When `editor` may not.
    pub fn rename_change_request(&self, editor: &Caller, space: SpaceId, id: ChangeRequestId, subject: &str) {
        let renamed = self.state.storage.transact(&credentials(editor), |tx| {
            let found = tx.change_request(space, ChangeRequestKey::Id(id))?.authorize(Action::EditContent)?;
            let changes = ChangeRequestChanges { subject: Some(subject.to_owned()), status: None };
            tx.update_change_request(found, changes).map(drop)
        });
        renamed.unwrap_or_else(|error: quire_storage::Error| panic!("it can't be renamed: {error:?}"));
    }

    /// Merges a change request into its space.
    ///
    /// # Panics
    /// When `reviewer` may not, or there are conflicts.
    pub fn merge(&self, reviewer: &Caller, space: SpaceId, id: ChangeRequestId) -> RevisionId {
        let (storage, credentials) = (&self.state.storage, credentials(reviewer));
        let key = ChangeRequestKey::Id(id);
        let prepared = storage.read(&credentials, |reader| {
            let found = reader.change_request(space, key)?.authorize(Action::MergeChangeRequest)?;
            reader.prepare_merge(&found)
        });
        done(prepared.and_then(|prepared| {
            storage.transact(&credentials, |tx| {
                let found = tx.change_request(space, key)?.authorize(Action::MergeChangeRequest)?;
                tx.merge_change_request(&found, &prepared)
            })
        }))
    }

    /// Pulls the main content into a change request.
    ///
    /// # Panics
    /// When `editor` may not, or there are conflicts.
    pub fn update(&self, editor: &Caller, space: SpaceId, id: ChangeRequestId) -> RevisionId {
        let (storage, credentials) = (&self.state.storage, credentials(editor));
        let key = ChangeRequestKey::Id(id);
        let prepared = storage.read(&credentials, |reader| {
            let found = reader.change_request(space, key)?.authorize(Action::EditContent)?;
            reader.prepare_update(&found, None)
        });
        done(prepared.and_then(|prepared| {
            storage.transact(&credentials, |tx| {
                let found = tx.change_request(space, key)?.authorize(Action::EditContent)?;
                tx.update_from_space(&found, &prepared)
            })
        }))
    }

    /// Edits content as one revision, and answers its id with what `edit` says.
    ///
    /// # Panics
    /// When `editor` may not.
    pub fn edit<T>(
        &self,
        editor: &Caller,
        space: SpaceId,
        content: ContentSelector,
        edit: impl FnOnce(&mut ContentEditor) -> T,
    ) -> (RevisionId, T) {
        let done = self.try_edit(editor, space, content, edit);
        done.unwrap_or_else(|error| panic!("the content can't be edited: {error:?}"))
    }

    /// Edits content as one revision, if that is possible.
    ///
    /// # Errors
    /// What the store has against it.
    pub fn try_edit<T>(
        &self,
        editor: &Caller,
        space: SpaceId,
        content: ContentSelector,
        edit: impl FnOnce(&mut ContentEditor) -> T,
    ) -> Result<(RevisionId, T), quire_storage::Error> {
        let (storage, credentials) = (&self.state.storage, credentials(editor));
        let before = storage.read(&credentials, |reader| {
            let content = reader.content(space, content)?.authorize(Action::EditContent)?;
            reader.tree(&content)
        })?;
        let mut editor = ContentEditor::new(before.clone());
        let said = edit(&mut editor);
        let ContentEditor { tree, documents } = editor;
        let sections = storage.read(&credentials, |reader| {
            let content = reader.content(space, content)?.authorize(Action::EditContent)?;
            reader.sections(&content, &before, &tree, &documents)
        })?;
        storage.transact(&credentials, |tx| {
            let content = tx.content(space, content)?.authorize(Action::EditContent)?;
            let head = tx.lock_for_edit(&content)?;
            if head.tree != before {
                return Err(quire_storage::Error::Outdated);
            }
            let commit = Commit {
                kind: RevisionType::Edits,
                other_parent: None,
                merged_from: None,
                tree: &tree,
                documents: &documents,
                sections: &sections,
            };
            Ok((tx.commit(&head, &commit)?.id, said))
        })
    }
}

fn done(report: Result<MergeReport, quire_storage::Error>) -> RevisionId {
    match report {
        Ok(MergeReport::Done(revision)) => revision,
        other => panic!("it can't be merged: {other:?}"),
    }
}

fn credentials(caller: &Caller) -> Credentials {
    Credentials::from_token(caller.token()).expect("callers have well-formed tokens")
}

#[expect(clippy::disallowed_methods, reason = "tests hand out ids as the service does")]
fn new_id() -> Uuid {
    Uuid::now_v7()
}
