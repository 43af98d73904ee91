//! Edits of the main content of a space, several in one transaction.
//!
//! Each is made to the content that the one before it left, and has a revision of its own. Their rows are noted and
//! written together when the transaction ends.

use quire_domain::ids::RevisionId;
use quire_domain::revisions::RevisionType;
use quire_domain::webhooks::EventKind;
use quire_revision::Tree;

use super::commit::{HeadOf, LockedHead, require_open};
use crate::Result;
use crate::content::store::{ContentAt, RevisionRecord};
use crate::end_of_transaction::{HeldHead, NotedEdit};
use crate::lookup::Authorized;
use crate::operations::webhooks;
use crate::sites::purges::Purge;
use crate::transaction::Tx;

impl Tx<'_> {
    /// Returns the main content of a space for an edit by the actor who looked it up: locked, and after the edits that
    /// this transaction has noted.
    ///
    /// # Errors
    /// 409 when the space is locked for direct edits; [`Error::NotFound`](crate::Error::NotFound) when it is deleted.
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
                HeldHead { space, mode, revision, tree }
            }
        };
        let head = (held.revision.clone(), held.tree.clone());
        let open = require_open(held.mode);
        self.held = Some(held);
        open?;
        let head = LockedHead::new(space, HeadOf::Space, content.actor(), head);
        Ok(LockedHead { specs: Some(content.specs()), ..head })
    }

    /// Notes an edit of a head of [`Tx::head_for_edit`]: a revision with this tree, whose documents are stored. It is
    /// written, and the head moved to it, when the transaction ends.
    ///
    /// # Errors
    /// [`Error::UnknownSpec`](crate::Error::UnknownSpec) when the edit would show a specification that its author may
    /// not read.
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

    /// A revision that must be there: no statement if this process made it not long ago.
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
