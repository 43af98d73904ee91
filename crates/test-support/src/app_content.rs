//! Content of a [`TestApp`](crate::TestApp), created by its callers through the storage.

use quire_domain::ids::{ChangeRequestId, OrganizationId, RevisionId, SpaceId};
use quire_storage::content::store::ContentSelector;

use crate::{Caller, ContentEditor, TestApp};

impl TestApp {
    /// Like [`TestStore::create_space`](crate::TestStore::create_space).
    #[must_use]
    pub fn create_space(&self, creator: &Caller, title: &str) -> SpaceId {
        self.store.create_space(&creator.credentials(), title)
    }

    /// Like [`TestStore::create_space_in`](crate::TestStore::create_space_in).
    #[must_use]
    pub fn create_space_in(&self, creator: &Caller, organization: OrganizationId, title: &str) -> SpaceId {
        self.store.create_space_in(&creator.credentials(), organization, title)
    }

    /// Like [`TestStore::create_change_request`](crate::TestStore::create_change_request).
    #[must_use]
    pub fn create_change_request(&self, author: &Caller, space: SpaceId) -> ChangeRequestId {
        self.store.create_change_request(&author.credentials(), space)
    }

    /// Like [`TestStore::rename_change_request`](crate::TestStore::rename_change_request).
    pub fn rename_change_request(&self, editor: &Caller, space: SpaceId, id: ChangeRequestId, subject: &str) {
        self.store.rename_change_request(&editor.credentials(), space, id, subject);
    }

    /// Like [`TestStore::merge`](crate::TestStore::merge).
    pub fn merge(&self, reviewer: &Caller, space: SpaceId, id: ChangeRequestId) -> RevisionId {
        self.store.merge(&reviewer.credentials(), space, id)
    }

    /// Like [`TestStore::update`](crate::TestStore::update).
    pub fn update(&self, editor: &Caller, space: SpaceId, id: ChangeRequestId) -> RevisionId {
        self.store.update(&editor.credentials(), space, id)
    }

    /// Like [`TestStore::edit`](crate::TestStore::edit).
    pub fn edit<T>(
        &self,
        editor: &Caller,
        space: SpaceId,
        content: ContentSelector,
        edit: impl FnOnce(&mut ContentEditor) -> T,
    ) -> (RevisionId, T) {
        self.store.edit(&editor.credentials(), space, content, edit)
    }

    /// Like [`TestStore::try_edit`](crate::TestStore::try_edit).
    ///
    /// # Errors
    /// The error of the storage.
    pub fn try_edit<T>(
        &self,
        editor: &Caller,
        space: SpaceId,
        content: ContentSelector,
        edit: impl FnOnce(&mut ContentEditor) -> T,
    ) -> Result<(RevisionId, T), quire_storage::Error> {
        self.store.try_edit(&editor.credentials(), space, content, edit)
    }
}
