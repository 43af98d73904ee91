//! Spaces and their content for tests, created through the storage.

use quire_domain::change_requests::DEFAULT_SUBJECT;
use quire_domain::ids::{ChangeRequestId, OrganizationId, RevisionId, SpaceId};
use quire_domain::policy::Action;
use quire_domain::revisions::RevisionType;
use quire_domain::spaces::SpaceCreate;
use quire_domain::texts::SpaceTitle;
use quire_revision::Tree;
use quire_storage::content::change_requests::{ChangeRequestChanges, ChangeRequestKey, Choice, MergeReport};
use quire_storage::content::spaces::Parent;
use quire_storage::content::store::{Amending, Commit, ContentSelector};
use quire_storage::lookup::Credentials;

use crate::{ContentEditor, TestStore};

impl TestStore {
    /// Creates an empty space at the root of the organization.
    ///
    /// # Panics
    /// If `creator` lacks permission.
    #[must_use]
    pub fn create_space(&self, creator: &Credentials, title: &str) -> SpaceId {
        self.create_space_in(creator, self.organization, title)
    }

    /// Creates an empty space at the root of an organization.
    ///
    /// # Panics
    /// If `creator` lacks permission.
    #[must_use]
    pub fn create_space_in(
        &self,
        creator: &Credentials,
        organization: OrganizationId,
        title: &str,
    ) -> SpaceId {
        let create = SpaceCreate { title: Some(SpaceTitle::unchecked(title)), ..SpaceCreate::default() };
        let made = self.storage().transact(creator, |tx| {
            let organization = tx.organization(organization)?.authorize(Action::CreateContent)?;
            tx.create_space(Parent::Root(&organization), create.clone())
        });
        made.unwrap_or_else(|error: quire_storage::Error| panic!("no space can be made: {error:?}"))
    }

    /// Creates a draft change request of a space.
    ///
    /// # Panics
    /// If `author` lacks permission.
    #[must_use]
    pub fn create_change_request(&self, author: &Credentials, space: SpaceId) -> ChangeRequestId {
        let made = self.storage().transact(author, |tx| {
            let space = tx.space(space)?.authorize(Action::EditContent)?;
            Ok(tx.create_change_request(&space, DEFAULT_SUBJECT, None)?.item.id)
        });
        made.unwrap_or_else(|error: quire_storage::Error| panic!("no change request can be made: {error:?}"))
    }

    /// Changes the subject of a change request.
    ///
    /// # Panics
    /// If `editor` lacks permission.
    pub fn rename_change_request(
        &self,
        editor: &Credentials,
        space: SpaceId,
        id: ChangeRequestId,
        subject: &str,
    ) {
        let renamed = self.storage().transact(editor, |tx| {
            let found = tx.change_request(space, ChangeRequestKey::Id(id))?.authorize(Action::EditContent)?;
            let update =
                ChangeRequestChanges { subject: Some(subject.to_owned()), ..ChangeRequestChanges::default() };
            tx.update_change_request(found, update).map(drop)
        });
        renamed.unwrap_or_else(|error: quire_storage::Error| panic!("it can't be renamed: {error:?}"));
    }

    /// Merges a change request into its space.
    ///
    /// # Panics
    /// If `reviewer` lacks permission, or there are conflicts.
    pub fn merge(&self, reviewer: &Credentials, space: SpaceId, id: ChangeRequestId) -> RevisionId {
        let storage = self.storage();
        let key = ChangeRequestKey::Id(id);
        let prepared = storage.read(reviewer, |reader| {
            let found = reader.change_request(space, key)?.authorize(Action::MergeChangeRequest)?;
            reader.prepare_merge(&found, Choice::default())
        });
        done(prepared.and_then(|prepared| {
            storage.transact(reviewer, |tx| {
                let found = tx.change_request(space, key)?.authorize(Action::MergeChangeRequest)?;
                tx.merge_change_request(&found, &prepared)
            })
        }))
    }

    /// Pulls the main content into a change request.
    ///
    /// # Panics
    /// If `editor` lacks permission, or there are conflicts.
    pub fn update(&self, editor: &Credentials, space: SpaceId, id: ChangeRequestId) -> RevisionId {
        let storage = self.storage();
        let key = ChangeRequestKey::Id(id);
        let prepared = storage.read(editor, |reader| {
            let found = reader.change_request(space, key)?.authorize(Action::EditContent)?;
            reader.prepare_update(&found, Choice::default())
        });
        done(prepared.and_then(|prepared| {
            storage.transact(editor, |tx| {
                let found = tx.change_request(space, key)?.authorize(Action::EditContent)?;
                tx.update_from_space(&found, &prepared)
            })
        }))
    }

    /// Edits content as one revision, and returns its id with the result of `edit`.
    ///
    /// # Panics
    /// If `editor` lacks permission.
    pub fn edit<T>(
        &self,
        editor: &Credentials,
        space: SpaceId,
        content: ContentSelector,
        edit: impl FnOnce(&mut ContentEditor) -> T,
    ) -> (RevisionId, T) {
        let done = self.try_edit(editor, space, content, edit);
        done.unwrap_or_else(|error| panic!("the content can't be edited: {error:?}"))
    }

    /// Edits content as one revision, and returns the error if that fails.
    ///
    /// # Errors
    /// The error of the storage.
    pub fn try_edit<T>(
        &self,
        editor: &Credentials,
        space: SpaceId,
        content: ContentSelector,
        edit: impl FnOnce(&mut ContentEditor) -> T,
    ) -> Result<(RevisionId, T), quire_storage::Error> {
        let storage = self.storage();
        let before = storage.read(editor, |reader| {
            let content = reader.content(space, content)?.authorize(Action::EditContent)?;
            reader.tree(&content)
        })?;
        let mut draft = ContentEditor::new(before.clone());
        let said = edit(&mut draft);
        let ContentEditor { tree, documents } = draft;
        storage.transact(editor, |tx| {
            let content = tx.content(space, content)?.authorize(Action::EditContent)?;
            let head = tx.lock_for_edit(&content)?;
            if head.tree != before {
                return Err(quire_storage::Error::Outdated);
            }
            let commit = Commit {
                kind: RevisionType::Edits,
                other_parent: None,
                merged_from: None,
                imported: None,
                tree: &tree,
                amending: Amending::Never,
                documents: &documents,
                stored_ahead: None,
            };
            Ok((tx.commit(&head, &commit)?.id, said))
        })
    }

    /// Returns the main content of a space, or the content of a change request.
    ///
    /// # Panics
    /// If `reader` cannot see the space.
    #[must_use]
    pub fn tree(&self, reader: &Credentials, space: SpaceId, content: ContentSelector) -> Tree {
        let tree = self.storage().read(reader, |reader| {
            let content = reader.content(space, content)?.authorize(Action::ViewSpace)?;
            reader.tree(&content)
        });
        tree.unwrap_or_else(|error: quire_storage::Error| panic!("the content can't be read: {error:?}"))
    }
}

fn done(report: Result<MergeReport, quire_storage::Error>) -> RevisionId {
    match report {
        Ok(MergeReport::Done(revision)) => revision,
        other => panic!("it can't be merged: {other:?}"),
    }
}
