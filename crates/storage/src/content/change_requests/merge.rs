//! Merges of a change request into its space, and of the space into a change request.
//!
//! In both cases the change request is merged into the main content, so that a published page keeps its slug and
//! position if both sides chose the same ones. A merge with conflicts changes nothing.

use std::borrow::Cow;

use diesel::prelude::*;
use diesel::sql_types::Uuid as SqlUuid;
use quire_database::optimistic::debug_assert_outside_transaction;
use quire_database::sql_files;
use quire_domain::change_requests::{Event, MergedRevisions, Status};
use quire_domain::documents::DocumentJson;
use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::{DocumentId, RevisionId, SpaceId};
use quire_domain::revisions::RevisionType;
use quire_revision::{
    Conflict, ConflictId, DocumentMerges, MAX_PAGE_DEPTH, Merged, Resolution, Tree, TreeHash,
    WithoutConflict, canonical_json, merge_with,
};
use serde_json::Value;

use super::{count_of, merged_event, transition};
use crate::content::change_requests::{ChangeRequestRecord, InSpace};
use crate::content::store::{
    Amending, AnalyzedDocument, Commit, HeadOf, LockedChangeRequest, LockedHead, RevisionRecord,
};
use crate::lookup::Authorized;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result, Storage};

sql_files! {
    NotePulled(SqlUuid, SqlUuid, SqlUuid) = "note_pulled.sql";
}

/// Operation in the audit log of a merge that bypasses the rules.
const MERGE_WITH_BYPASS: &str = "mergeChangeRequest.bypass-rules";

/// Outcome of a merge or an update.
#[derive(Debug)]
pub enum MergeReport {
    /// The merge was stored. The head is now this revision.
    Done(RevisionId),
    /// The merge has conflicts, and nothing was changed.
    Conflicts {
        /// Heads of the two sides.
        heads: MergedRevisions,
        /// Conflicts of the two sides.
        conflicts: Vec<Conflict>,
    },
}

/// Merge prepared before the transaction that stores it, from the heads read then.
///
/// The transaction locks both heads. If they are unchanged, it stores the prepared result. If one moved, it merges the
/// trees again by comparing hashes, with the documents that were merged here.
#[derive(Debug)]
pub struct PreparedMerge {
    /// Root hashes of the base, the main content and the change request.
    roots: [TreeHash; 3],
    choice: Choice,
    merged: Merged<DocumentId>,
    merges: DocumentMerges,
    documents: Vec<AnalyzedDocument>,
}

/// Resolution of the conflicts of a merge, and options of the merge.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Side or individual choices that resolve the conflicts.
    pub resolution: Resolution,
    /// Heads for which the choices were made; a merge of other heads is refused. `None` without choices.
    pub made_for: Option<MergedRevisions>,
    /// `true` to bypass unmet merge rules, if they permit that to the actor.
    pub bypasses_rules: bool,
}

/// Reason why a choice for a conflict had no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ineffective {
    /// The conflict does not exist.
    Unknown,
    /// The conflict cannot be resolved this way.
    Unsuitable,
}

/// Both heads of a merge with their merge base.
struct Sides {
    base: RevisionRecord,
    base_tree: Tree,
    main: LockedHead,
    copy: LockedHead,
    status: Status,
}

impl Reader<'_> {
    /// Prepares the merge of a change request into its space.
    ///
    /// # Errors
    /// 409 if the change request is archived or merged or does not meet the rules, and for choices made for other
    /// heads.
    pub fn prepare_merge(
        &mut self,
        change_request: &Authorized<InSpace<ChangeRequestRecord>>,
        choice: Choice,
    ) -> Result<PreparedMerge> {
        transition(change_request.item.status, Event::Merge)?;
        self.is_bypassing(change_request, choice.bypasses_rules)?;
        let ([main, _], prepared) = self.prepare_for(change_request, choice)?;
        self.store_merge(change_request, &prepared, &main)?;
        Ok(prepared)
    }

    /// Prepares an update of a change request from its space.
    ///
    /// # Errors
    /// 409 if the change request is archived or merged, and for choices made for other heads.
    pub fn prepare_update(
        &mut self,
        change_request: &Authorized<InSpace<ChangeRequestRecord>>,
        choice: Choice,
    ) -> Result<PreparedMerge> {
        transition(change_request.item.status, Event::Update)?;
        let ([_, copy], prepared) = self.prepare_for(change_request, choice)?;
        self.store_merge(change_request, &prepared, &copy)?;
        Ok(prepared)
    }

    /// Returns the conflicts of a change request with its space, and the number of changes that merge without conflict.
    pub fn conflicts_of(
        &mut self,
        change_request: &Authorized<InSpace<ChangeRequestRecord>>,
    ) -> Result<(Vec<Conflict>, WithoutConflict)> {
        let (_, prepared) = self.prepare_for(change_request, Choice::default())?;
        Ok((prepared.merged.conflicts, prepared.merged.without_conflict))
    }

    /// Stores the tree of a merge without conflicts before its transaction.
    fn store_merge(
        &mut self,
        change_request: &Authorized<InSpace<ChangeRequestRecord>>,
        prepared: &PreparedMerge,
        head: &Tree,
    ) -> Result<()> {
        let PreparedMerge { merged, documents, .. } = prepared;
        if merged.conflicts.is_empty() {
            let documents: Vec<&AnalyzedDocument> = documents.iter().collect();
            self.store_ahead_in(change_request.space.id, &documents, Some((&merged.tree, head)))?;
        }
        Ok(())
    }

    /// Merges the heads of the lookup. Returns the trees of the main content and of the change request with the merge.
    fn prepare_for(
        &mut self,
        InSpace { space, item }: &InSpace<ChangeRequestRecord>,
        choice: Choice,
    ) -> Result<([Tree; 2], PreparedMerge)> {
        self.prepare(space.id, space.head, item, choice)
    }

    /// Merges a change request with a head of its space, like [`Self::prepare_for`].
    pub(super) fn prepare(
        &mut self,
        space: SpaceId,
        head: RevisionId,
        change_request: &ChangeRequestRecord,
        choice: Choice,
    ) -> Result<([Tree; 2], PreparedMerge)> {
        debug_assert_outside_transaction();
        choice.check(MergedRevisions { change_request: change_request.head, space: head })?;
        let resolution = &choice.resolution;
        let revisions = self.revisions_of(space, [change_request.merge_base(), head, change_request.head])?;
        let roots = revisions.each_ref().map(|revision| revision.root);
        let [base, main, copy] = self.trees_at(space, roots)?;
        let mut merges = DocumentMerges::default();
        let slot = &mut merges;
        let merged = merge_with(&base, &main, &copy, resolution, |wanted| {
            let documents = self.documents_of(space, &DocumentMerges::sources(wanted))?;
            let documents = documents.into_iter().map(|(id, document)| Ok((id, parsed(&document)?)));
            *slot = DocumentMerges::new(wanted, &documents.collect::<Result<_>>()?, resolution);
            Ok::<_, Error>(&*slot)
        })?;
        let documents = merges.made().map(|(id, document)| self.storage.merged_document(*id, document));
        let documents: Vec<AnalyzedDocument> = documents.collect::<Result<_>>()?;
        self.storage.remember(&documents);
        Ok(([main, copy], PreparedMerge { roots, choice, merged, merges, documents }))
    }
}

impl Sides {
    fn roots(&self) -> [TreeHash; 3] {
        [&self.base_tree, &self.main.tree, &self.copy.tree].map(Tree::root)
    }

    fn heads(&self) -> MergedRevisions {
        MergedRevisions { change_request: self.copy.revision.id, space: self.main.revision.id }
    }
}

impl Storage {
    /// Analyzes a merged document.
    ///
    /// # Errors
    /// A document that cannot be serialized.
    pub fn merged_document(&self, id: DocumentId, document: &Value) -> Result<AnalyzedDocument> {
        let json = String::from_utf8(canonical_json(document)).map_err(anyhow::Error::from);
        let body = json.and_then(|json| Ok(DocumentJson::new(json)?));
        let body = body.map_err(|error| Error::corrupt("a merged document isn't JSON", error))?;
        let analysis = self.analyzer().analyze(&body);
        Ok(AnalyzedDocument::new(id, body, analysis))
    }
}

fn parsed(document: &DocumentJson) -> Result<Value> {
    document.to_value().map_err(|error| Error::corrupt("a document can't be read", error))
}

impl Choice {
    fn check(&self, heads: MergedRevisions) -> Result<()> {
        match self.made_for {
            Some(made_for) if made_for != heads => {
                let refusal = Refusal::new(Reason::StaleRevision);
                let refusal = refusal.at("revisions.changeRequest", heads.change_request.to_string());
                Err(refusal.at("revisions.space", heads.space.to_string()).into())
            }
            _ => Ok(()),
        }
    }
}

impl PreparedMerge {
    /// Returns whether the two sides conflict.
    pub(super) fn has_conflicts(&self) -> bool {
        !self.merged.conflicts.is_empty()
    }

    /// Returns why the choice for a conflict has no effect.
    #[must_use]
    pub fn ineffective(&self, id: &ConflictId) -> Option<Ineffective> {
        if self.merged.resolved.contains(id) {
            return None;
        }
        let is_there = self
            .merged
            .conflicts
            .iter()
            .any(|conflict| conflict.id == *id || conflict.blocks.iter().any(|blocks| blocks.id == *id));
        Some(if is_there { Ineffective::Unsuitable } else { Ineffective::Unknown })
    }

    /// Returns the merge of the locked heads.
    fn of(&self, sides: &Sides) -> Result<Cow<'_, Merged<DocumentId>>> {
        self.choice.check(sides.heads())?;
        let merged = self.merge(sides)?;
        if merged.tree.too_deep_since(&sides.main.tree).is_some() {
            let message = format!("The merge would nest pages deeper than {MAX_PAGE_DEPTH} levels.");
            return Err(Error::refused(Reason::Conflict, message));
        }
        Ok(merged)
    }

    fn merge(&self, sides: &Sides) -> Result<Cow<'_, Merged<DocumentId>>> {
        if self.roots == sides.roots() {
            return Ok(Cow::Borrowed(&self.merged));
        }
        let (main, copy) = (&sides.main.tree, &sides.copy.tree);
        let merged = merge_with(&sides.base_tree, main, copy, &self.choice.resolution, |wanted| {
            if self.merges.cover(wanted) { Ok(&self.merges) } else { Err(Error::Outdated) }
        });
        merged.map(Cow::Owned)
    }

    /// Returns the root of the tree that was stored before the transaction. Returns `None` if there were conflicts,
    /// which may be resolved since, or if a head moved: the nodes of the outdated tree may be removed.
    fn stored_ahead(&self, sides: &Sides) -> Option<TreeHash> {
        (self.merged.conflicts.is_empty() && self.roots == sides.roots()).then(|| self.merged.tree.root())
    }

    /// Returns the prepared documents that a merge uses.
    fn documents_of(&self, merged: &Merged<DocumentId>) -> Vec<AnalyzedDocument> {
        let used = self.documents.iter().filter(|document| merged.documents.contains(&document.id()));
        used.cloned().collect()
    }
}

impl Tx<'_> {
    /// Merges a change request into its space. The main content's head moves to a revision with both sides as parents.
    ///
    /// # Errors
    /// 409 if the change request is archived or merged, or does not meet the rules; [`Error::Outdated`] if both sides
    /// changed a document since the merge was prepared.
    pub fn merge_change_request(
        &mut self,
        change_request: &Authorized<InSpace<ChangeRequestRecord>>,
        prepared: &PreparedMerge,
    ) -> Result<MergeReport> {
        let sides = self.lock_sides(change_request)?;
        let status = transition(sides.status, Event::Merge)?;
        let is_bypassing = self.is_bypassing(change_request, prepared.choice.bypasses_rules)?;
        let merged = prepared.of(&sides)?;
        if !merged.conflicts.is_empty() {
            let conflicts = merged.into_owned().conflicts;
            return Ok(MergeReport::Conflicts { heads: sides.heads(), conflicts });
        }
        let commit = Commit {
            kind: RevisionType::Merge,
            other_parent: Some(sides.copy.revision.id),
            merged_from: Some(change_request.item.id),
            imported: None,
            tree: &merged.tree,
            amending: Amending::Never,
            documents: &prepared.documents_of(&merged),
            stored_ahead: prepared.stored_ahead(&sides),
        };
        let counts = count_of(sides.status, status);
        let event = |revision| Some(merged_event(change_request, revision));
        let revision = self.commit_with(&sides.main, &commit, counts, event)?;
        self.mark_merged(change_request, revision.id)?;
        self.schedule_conflict_checks(change_request, change_request.actor().user)?;
        if is_bypassing {
            self.record_operation(MERGE_WITH_BYPASS);
        }
        Ok(MergeReport::Done(revision.id))
    }

    /// Merges the main content into a change request, with the resolution of the prepared update.
    ///
    /// # Errors
    /// 409 if the change request is archived or merged; [`Error::Outdated`] if both sides changed a document since the
    /// update was prepared.
    pub fn update_from_space(
        &mut self,
        change_request: &Authorized<InSpace<ChangeRequestRecord>>,
        prepared: &PreparedMerge,
    ) -> Result<MergeReport> {
        let (space, id) = (change_request.space.id, change_request.item.id);
        let sides = self.lock_sides(change_request)?;
        transition(sides.status, Event::Update)?;
        if sides.main.revision.id == sides.base.id {
            return Ok(MergeReport::Done(sides.copy.revision.id));
        }
        let merged = prepared.of(&sides)?;
        if !merged.conflicts.is_empty() {
            let conflicts = merged.into_owned().conflicts;
            return Ok(MergeReport::Conflicts { heads: sides.heads(), conflicts });
        }
        let revision = self.commit(
            &sides.copy,
            &Commit {
                kind: RevisionType::Update,
                other_parent: Some(sides.main.revision.id),
                merged_from: None,
                imported: None,
                tree: &merged.tree,
                amending: Amending::Never,
                documents: &prepared.documents_of(&merged),
                stored_ahead: prepared.stored_ahead(&sides),
            },
        )?;
        let values = (space, id, sides.main.revision.id);
        NotePulled::bind(values).execute(self.connection)?;
        Ok(MergeReport::Done(revision.id))
    }

    /// Locks the space, then the change request, and reads both heads and the merge base under the locks: another
    /// update may have moved the base since the lookup.
    fn lock_sides(&mut self, change_request: &Authorized<InSpace<ChangeRequestRecord>>) -> Result<Sides> {
        let (space, id, actor) = (change_request.space.id, change_request.item.id, change_request.actor());
        let (_, main) = self.lock_space_row(space)?;
        let LockedChangeRequest { status, head, merge_base } = self.lock_change_request_row(space, id)?;
        let [base, main, copy] = self.revisions_of(space, [merge_base, main, head])?;
        let [base_tree, main_tree, copy_tree] = self.trees_at(space, [base.root, main.root, copy.root])?;
        let main = LockedHead::new(space, HeadOf::Space, actor, (main, main_tree));
        let copy = LockedHead::new(space, HeadOf::ChangeRequest(id), actor, (copy, copy_tree));
        Ok(Sides { base, base_tree, main, copy, status })
    }
}
