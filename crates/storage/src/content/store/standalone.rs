//! Revisions that no head ever pointed to: imports that leave the main content as it is.

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
    /// Writes a standalone revision that follows a content, whose tree and documents were stored ahead. No head moves,
    /// and lists of revisions leave it out: it is found by its id alone.
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
        self.write_revision(space, None, &revision)?;
        diesel::update(revisions::table.find((space, id)))
            .set(revisions::standalone.eq(true))
            .execute(self.connection)?;
        Ok(())
    }

    /// Deletes standalone revisions. Their documents stay, as those of writes that were refused do.
    pub(crate) fn delete_standalone(&mut self, space: SpaceId, ids: &[RevisionId]) -> Result<()> {
        let found = revisions::table
            .filter(revisions::space_id.eq(space))
            .filter(revisions::id.eq_any(ids))
            .filter(revisions::standalone);
        diesel::delete(found).execute(self.connection)?;
        Ok(())
    }
}
