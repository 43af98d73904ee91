//! Standalone revisions, which were never a head: imports that do not change the main content.

use diesel::prelude::*;
use quire_domain::ids::{RevisionId, SpaceId};
use quire_domain::revisions::RevisionType;
use quire_revision::Tree;

use crate::Result;
use crate::content::store::{ContentAt, RevisionRecord};
use crate::lookup::Authorized;
use crate::schema::revisions;
use crate::transaction::Tx;

impl Tx<'_> {
    /// Writes a standalone revision whose parent is the revision of a content. Its tree and documents must already be
    /// stored. No head moves, and lists of revisions leave it out: it can only be found by its id.
    ///
    /// # Errors
    /// [`Error::UnknownSpec`](crate::Error) if it would show a specification that the actor may not read.
    pub fn write_standalone(
        &mut self,
        content: &Authorized<ContentAt>,
        id: RevisionId,
        tree: &Tree,
    ) -> Result<()> {
        let space = content.space.id;
        let before = self.tree_at(content.point())?;
        self.remember_tree(space, tree);
        self.require_readable_specs((space, content.specs()), &before, tree)?;
        let revision = RevisionRecord {
            id,
            kind: RevisionType::Edits,
            parents: vec![content.revision.id],
            root: tree.root(),
            merged_from: None,
            author: Some(content.actor().user),
            created_at: self.now,
            begun_at: None,
        };
        self.write_revision(space, None, (&revision, None))?;
        diesel::update(revisions::table.find((space, id)))
            .set(revisions::standalone.eq(true))
            .execute(self.connection)?;
        Ok(())
    }

    /// Deletes standalone revisions. Their documents are kept, like those of refused writes.
    pub(crate) fn delete_standalone(&mut self, space: SpaceId, ids: &[RevisionId]) -> Result<()> {
        let found = revisions::table
            .filter(revisions::space_id.eq(space))
            .filter(revisions::id.eq_any(ids))
            .filter(revisions::standalone);
        diesel::delete(found).execute(self.connection)?;
        Ok(())
    }
}
