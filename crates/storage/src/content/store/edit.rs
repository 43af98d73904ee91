//! Edits of the main content of a space. One transaction can make several.
//!
//! Each edit applies to the content after the previous edit, and has its own revision. The rows are collected and
//! written together when the transaction ends.

use quire_domain::ids::RevisionId;
use quire_domain::revisions::RevisionType;
use quire_domain::webhooks::EventKind;
use quire_revision::Tree;

use super::commit::{HeadOf, LockedHead, require_open};
use crate::Result;
use crate::content::store::{ContentAt, RevisionRecord};
use crate::end_of_transaction::{NotedEdit, PendingHead};
use crate::lookup::Authorized;
use crate::operations::webhooks;
use crate::sites::purges::Purge;
use crate::transaction::Tx;

impl Tx<'_> {
    /// Returns the locked main content of a space, including the pending edits of this transaction, for an edit by the
    /// actor of the lookup.
    ///
    /// # Errors
    /// 409 if the space does not permit direct edits; [`Error::NotFound`](crate::Error::NotFound) if it was deleted.
    pub fn head_for_edit(&mut self, content: &Authorized<ContentAt>) -> Result<LockedHead> {
        let space = content.space.id;
        let held = match self.held.take().filter(|held| held.space == space) {
            Some(held) => held,
            None => {
                let (mode, head) = self.lock_space_row(space)?;
                let revision = match content.revision.id == head {
                    true => content.revision.clone(),
                    false => self.known_revision(space, head)?,
                };
                let tree = self.tree_of(space, revision.root)?;
                PendingHead { space, mode, revision, tree }
            }
        };
        let head = (held.revision.clone(), held.tree.clone());
        let open = require_open(held.mode);
        self.held = Some(held);
        open?;
        let head = LockedHead::new(space, HeadOf::Space, content.actor(), head);
        Ok(LockedHead { specs: Some(content.specs()), ..head })
    }

    /// Adds an edit of a head returned by [`Tx::head_for_edit`]: a revision with this tree, whose documents must be
    /// stored. The revision is written and the head moved when the transaction ends.
    ///
    /// # Errors
    /// [`Error::UnknownSpec`](crate::Error::UnknownSpec) if the edit would show a specification that its author may not
    /// read.
    pub fn commit_edit(&mut self, head: &LockedHead, tree: &Tree) -> Result<RevisionRecord> {
        if let Some(specs) = head.specs {
            self.require_readable_specs((head.space, specs), &head.tree, tree)?;
        }
        let from = head.revision.id;
        let revision = RevisionRecord {
            id: RevisionId::from_uuid(self.storage.ids().uuid()),
            kind: RevisionType::Edits,
            parents: vec![from],
            root: tree.root(),
            merged_from: None,
            author: Some(head.actor.user),
            created_at: self.now,
            begun_at: None,
        };
        let nodes = tree.nodes_missing_in(&head.tree);
        self.remember_tree(head.space, tree);
        self.storage.caches().heads.insert((head.space, revision.id), revision.clone());
        if let Some(held) = &mut self.held {
            (held.revision, held.tree) = (revision.clone(), tree.clone());
        }
        self.after.moved_heads.push(head.space);
        self.closing.edits.push(NotedEdit { space: head.space, from, revision: revision.clone(), nodes });
        let updated = webhooks::Event::in_space(EventKind::SpaceContentUpdated, head.space);
        self.emit_in_space(updated.with("revisionId", revision.id))?;
        self.note_changed_pages(head, tree)?;
        self.purge_in_space(head.space, Purge::space(head.space))?;
        Ok(revision)
    }

    /// Returns a revision that must exist. Takes no statement if this process has recently created it.
    fn known_revision(
        &mut self,
        space: quire_domain::ids::SpaceId,
        id: RevisionId,
    ) -> Result<RevisionRecord> {
        match self.storage.caches().heads.get(&(space, id)) {
            Some(revision) => Ok(revision),
            None => self.revision_of(space, id),
        }
    }
}
