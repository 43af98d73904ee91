//! Merging a change request into its space, and the space into a change request.
//!
//! In both, *ours* is the change request's side and *theirs* the main content's: what a person who works in the change request
//! would say. Conflicts change nothing.

use std::collections::HashMap;

use diesel::prelude::*;
use quire_domain::change_requests::{Event, Status};
use quire_domain::error::Reason;
use quire_domain::ids::{DocumentId, RevisionId, SpaceId};
use quire_domain::revisions::RevisionType;
use quire_revision::{Conflict, MAX_PAGE_DEPTH, Merged, Strategy, Tree, merge};
use serde_json::Value;

use super::transition;
use crate::content::{Commit, LockedHead};
use crate::lookup::{Authorized, ChangeRequestRecord, InSpace, RevisionRecord};
use crate::schema::change_requests;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// What came of a merge or update.
#[derive(Debug)]
pub enum MergeReport {
    /// It was done; the head is now this revision.
    Done(RevisionId),
    /// Nothing was changed.
    Conflicts {
        /// The change request's head.
        head: RevisionId,
        /// What two sides changed differently.
        conflicts: Vec<Conflict>,
    },
}

/// The two heads of a merge, locked in the order of all locks, with their merge base.
struct Sides {
    status: Status,
    main: LockedHead,
    copy: LockedHead,
    base: RevisionRecord,
    base_tree: Tree,
}

impl Reader<'_> {
    /// Extracts the search sections of the pages that a change request changes into the cache, before the merge takes its
    /// locks. The merge itself then analyzes only the documents that both sides changed, which exist only there.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn look_ahead_of_merge(
        &mut self,
        change_request: &Authorized<InSpace<ChangeRequestRecord>>,
    ) -> Result<()> {
        let space = change_request.space.id;
        let mut tree_of = |id| {
            let revision = self.revision_of(space, id)?;
            self.tree_of(space, revision.root)
        };
        let (base, head) = (tree_of(change_request.item.merge_base())?, tree_of(change_request.item.head)?);
        self.find_sections(space, &base, &head)
    }
}

impl Tx<'_> {
    /// Merges a change request into its space: the main content's head moves to a revision with both sides as parents.
    ///
    /// # Errors
    /// 409 when it is archived or merged.
    pub fn merge_change_request(
        &mut self,
        change_request: &Authorized<InSpace<ChangeRequestRecord>>,
    ) -> Result<MergeReport> {
        let sides = self.lock_sides(change_request)?;
        transition(sides.status, Event::Merge)?;
        let merged = self.merge_sides(change_request.space.id, &sides, None)?;
        if !merged.conflicts.is_empty() {
            return Ok(MergeReport::Conflicts { head: sides.copy.revision.id, conflicts: merged.conflicts });
        }
        let documents = self.storage.analyze(merged.documents);
        let revision = self.commit(
            &sides.main,
            &Commit {
                kind: RevisionType::Merge,
                other_parent: Some(sides.copy.revision.id),
                merged_from: Some(change_request.item.id),
                tree: &merged.tree,
                documents: &documents,
            },
        )?;
        self.mark_merged(change_request, sides.status, revision.id)?;
        Ok(MergeReport::Done(revision.id))
    }

    /// Pulls the main content into a change request. With a strategy each conflict is settled to one side.
    ///
    /// # Errors
    /// 409 when it is archived or merged.
    pub fn update_from_space(
        &mut self,
        change_request: &Authorized<InSpace<ChangeRequestRecord>>,
        strategy: Option<Strategy>,
    ) -> Result<MergeReport> {
        let (space, id) = (change_request.space.id, change_request.item.id);
        let sides = self.lock_sides(change_request)?;
        transition(sides.status, Event::Update)?;
        if sides.main.revision.id == sides.base.id {
            return Ok(MergeReport::Done(sides.copy.revision.id));
        }
        let merged = self.merge_sides(space, &sides, strategy)?;
        if !merged.conflicts.is_empty() {
            return Ok(MergeReport::Conflicts { head: sides.copy.revision.id, conflicts: merged.conflicts });
        }
        let documents = self.storage.analyze(merged.documents);
        let revision = self.commit(
            &sides.copy,
            &Commit {
                kind: RevisionType::Update,
                other_parent: Some(sides.main.revision.id),
                merged_from: None,
                tree: &merged.tree,
                documents: &documents,
            },
        )?;
        diesel::update(change_requests::table.find((space.as_uuid(), *id.as_uuid())))
            .set(change_requests::revision_merged_ancestor.eq(sides.main.revision.id.as_uuid()))
            .execute(self.connection)?;
        Ok(MergeReport::Done(revision.id))
    }

    fn lock_sides(&mut self, change_request: &Authorized<InSpace<ChangeRequestRecord>>) -> Result<Sides> {
        let (space, actor) = (change_request.space.id, change_request.actor());
        let (_, main) = self.lock_space_head(space, actor)?;
        let (status, copy) = self.lock_change_request_head(space, change_request.item.id, actor)?;
        let base = self.merge_base_of(change_request)?;
        let base = self.revision_of(space, base)?;
        let base_tree = self.tree_of(space, base.root)?;
        Ok(Sides { status, main, copy, base, base_tree })
    }

    /// Read under the lock: another update may have moved it since the change request was looked up.
    fn merge_base_of(&mut self, change_request: &InSpace<ChangeRequestRecord>) -> Result<RevisionId> {
        let (initial, ancestor): (uuid::Uuid, Option<uuid::Uuid>) = change_requests::table
            .find((change_request.space.id.as_uuid(), change_request.item.id.as_uuid()))
            .select((change_requests::revision_initial, change_requests::revision_merged_ancestor))
            .first(self.connection)?;
        Ok(RevisionId::from_uuid(ancestor.unwrap_or(initial)))
    }

    /// The main content is merged into, so that where both sides made a page of one slug or in one place, the published one
    /// keeps it. The conflicts are named from the other side, the change request's.
    fn merge_sides(&mut self, space: SpaceId, sides: &Sides, strategy: Option<Strategy>) -> Result<Merged> {
        let strategy = strategy.map(|strategy| match strategy {
            Strategy::Ours => Strategy::Theirs,
            Strategy::Theirs => Strategy::Ours,
        });
        let merged =
            merge(&sides.base_tree, &sides.main.tree, &sides.copy.tree, strategy, |ids: &[DocumentId]| {
                let documents = self.documents_of(space, ids)?;
                Ok::<HashMap<DocumentId, Value>, Error>(
                    documents.into_iter().map(|(id, document)| (id, Value::clone(&document))).collect(),
                )
            })?;
        if merged.tree.too_deep_since(&sides.main.tree).is_some() {
            let message = format!("The merge would nest pages deeper than {MAX_PAGE_DEPTH} levels.");
            return Err(Error::refused(Reason::Conflict, message));
        }
        let (ours, theirs) = (&sides.copy.tree, &sides.main.tree);
        let conflicts = merged.conflicts.into_iter().map(|conflict| conflict.swapped(ours, theirs)).collect();
        Ok(Merged { conflicts, ..merged })
    }
}
