//! Saves that amend the revision of the save before, and the end of the revisions that they replace.
//!
//! An editor saves every few seconds. Each save makes a revision, so that everything else works as with any other, but
//! one that amends takes the place of the head: it follows the same revision, and the replaced one is removed after an
//! hour.
//!
//! Documents and nodes are shared by whatever has the same content. Those that an amending save stores belong to its
//! change request (`amended_by`) until somebody else stores the same. Nothing but the change request's amended
//! revisions refers to such a row: other commits store what they refer to beyond the head, and the head's revision
//! stays as their parent. The sweep therefore compares the trees of these few revisions only.

use std::collections::HashSet;
use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Bool, Nullable, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{ChangeRequestId, DocumentId, RevisionId, SpaceId};
use quire_domain::revisions::RevisionType;
use quire_revision::{Tree, TreeHash, raw_diff};
use serde_json::json;
use time::OffsetDateTime;

use super::amending::{Amending, begun_at};
use super::commit::{HeadOf, LockedHead};
use crate::system::{SystemReader, SystemTx};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// Kind of the job that removes the replaced revisions of a change request.
pub const SWEEP_AMENDED: &str = "sweep-amended";

/// Time from the first save of a revision in which others amend it.
const AMENDED_FOR: Duration = Duration::from_secs(10 * 60);
/// Time for which a replaced revision stays.
const REPLACED_FOR: Duration = Duration::from_secs(60 * 60);
/// Time for which saves of one revision have one entry in the audit log.
const AUDITED_EACH: Duration = Duration::from_secs(30);

/// An amended revision as the sweep sees it.
#[derive(Queryable)]
struct AmendedRevision {
    id: RevisionId,
    /// The root of its tree.
    root: TreeHash,
    /// The root of the tree of the revision before it.
    before: TreeHash,
    begun_at: OffsetDateTime,
    saved_at: OffsetDateTime,
    replaced_at: Option<OffsetDateTime>,
    /// Comments, reviews or PDFs refer to it.
    is_referenced: bool,
}

/// Documents and nodes of trees.
#[derive(Debug, Default)]
struct Rows {
    documents: HashSet<DocumentId>,
    nodes: HashSet<TreeHash>,
}

/// Plan of a sweep of the amended revisions of a change request.
#[derive(Debug, Default)]
pub struct AmendedSweep {
    seen: HashSet<RevisionId>,
    /// Replaced revisions to delete, with the rows that no other one has.
    expired: HashSet<RevisionId>,
    dead: Rows,
    /// Revisions to keep for good, with their rows.
    kept: HashSet<RevisionId>,
    kept_rows: Rows,
}

sql_files! {
    MayBeReplaced(SqlUuid, SqlUuid, SqlUuid) -> Bool = "may_be_replaced.sql";
    AmendedRevisions(SqlUuid, SqlUuid)
        -> (SqlUuid, Binary, Binary, Timestamptz, Timestamptz, Nullable<Timestamptz>, Bool)
        = "amended_revisions.sql";
    KeepAmended(SqlUuid, SqlUuid, Array<Binary>, Array<Binary>, Array<SqlUuid>) = "keep_amended.sql";
    DeleteReplaced(SqlUuid, SqlUuid, Array<Binary>, Array<Binary>, Array<SqlUuid>)
        = "delete_replaced.sql";
}

impl Tx<'_> {
    /// Returns the effect of a save on a head: it replaces an edit by the same user in the same change request that
    /// began at most ten minutes ago, and that no comment or review refers to. At most one statement.
    pub fn amending(&mut self, head: &LockedHead) -> Result<Amending> {
        let HeadOf::ChangeRequest(id) = head.of else { return Ok(Amending::Never) };
        let LockedHead { space, revision, actor, .. } = head;
        let is_recent = self.now.since(begun_at(revision)) < AMENDED_FOR;
        if revision.kind != RevisionType::Edits || revision.author != Some(actor.user) || !is_recent {
            return Ok(Amending::Begins);
        }
        let values = (space, id, revision.id);
        let may: bool = MayBeReplaced::bind(values).get_result(self.connection)?;
        Ok(if may { Amending::Replaces } else { Amending::Begins })
    }

    /// Notes a save that amends: its replaced revisions have an end, and the audit log has one entry in 30 seconds.
    pub(super) fn note_amended(&mut self, head: &LockedHead, amending: Amending) -> Result<()> {
        let HeadOf::ChangeRequest(id) = head.of else { return Ok(()) };
        if amending == Amending::Replaces {
            let begun = begun_at(&head.revision);
            let period = |at: Timestamp| at.since(begun).whole_milliseconds() / millis(AUDITED_EACH);
            self.closing.is_audited = period(self.now) == period(head.revision.created_at);
        }
        if amending == Amending::Begins || head.revision.begun_at.is_none() {
            let (payload, key) =
                (json!({"space": head.space, "changeRequest": id}), format!("{SWEEP_AMENDED}/{id}"));
            let wait = i64::try_from(REPLACED_FOR.as_millis()).unwrap_or(i64::MAX);
            let run_at = Timestamp::from_millis(self.now.millis().saturating_add(wait)).unwrap_or(self.now);
            self.enqueue(SWEEP_AMENDED, payload, Some(&key), run_at)?;
        }
        Ok(())
    }
}

fn millis(duration: Duration) -> i128 {
    i128::try_from(duration.as_millis()).unwrap_or(i128::MAX)
}

impl Reader<'_> {
    fn amended_revisions(&mut self, space: SpaceId, id: ChangeRequestId) -> Result<Vec<AmendedRevision>> {
        Ok(AmendedRevisions::bind((space, id)).load(self.connection)?)
    }

    /// Adds what a revision has beyond the one before it.
    fn add_rows(&mut self, rows: &mut Rows, space: SpaceId, revision: &AmendedRevision) -> Result<()> {
        let [tree, before] = self.trees_at(space, [revision.root, revision.before])?;
        rows.add(&tree, &before);
        Ok(())
    }
}

impl Rows {
    fn add(&mut self, tree: &Tree, before: &Tree) {
        let documents = raw_diff(before, tree).into_iter().filter_map(|(_, after)| after?.document());
        self.documents.extend(documents);
        self.nodes.extend(tree.nodes_missing_in(before).into_iter().map(|(hash, _)| hash));
    }

    fn remove(&mut self, others: &Self) {
        self.documents.retain(|id| !others.documents.contains(id));
        self.nodes.retain(|hash| !others.nodes.contains(hash));
    }

    /// Returns the ids of the documents and the hashes of the nodes.
    fn arrays(&self) -> (Vec<&[u8]>, Vec<&[u8]>) {
        let documents = self.documents.iter().map(|id| id.as_bytes().as_slice());
        (documents.collect(), self.nodes.iter().map(|hash| hash.as_bytes().as_slice()).collect())
    }
}

impl SystemReader<'_> {
    /// Returns what a sweep does to the amended revisions of a change request: replaced ones are deleted after an hour,
    /// and what can't be amended any more is kept. Loads the trees of all of them, one after the other.
    ///
    /// # Errors
    /// When a tree is damaged.
    pub fn amended_sweep(&mut self, space: SpaceId, id: ChangeRequestId) -> Result<AmendedSweep> {
        let now = OffsetDateTime::from(self.now());
        let is_over = |at: OffsetDateTime, limit: Duration| now - at >= limit;
        let (mut sweep, mut live) = (AmendedSweep::default(), Rows::default());
        for revision in self.amended_revisions(space, id)? {
            sweep.seen.insert(revision.id);
            let rows = match revision.replaced_at {
                Some(at) if is_over(at, REPLACED_FOR) && !revision.is_referenced => {
                    sweep.expired.insert(revision.id);
                    &mut sweep.dead
                }
                None if is_over(revision.begun_at, AMENDED_FOR)
                    && is_over(revision.saved_at, AMENDED_FOR) =>
                {
                    sweep.kept.insert(revision.id);
                    &mut sweep.kept_rows
                }
                _ => &mut live,
            };
            self.add_rows(rows, space, &revision)?;
        }
        sweep.dead.remove(&live);
        sweep.dead.remove(&sweep.kept_rows);
        Ok(sweep)
    }
}

impl SystemTx<'_> {
    /// Carries out a sweep. Content of revisions that were made or referred to since it was planned stays. Returns
    /// whether amended revisions are left.
    ///
    /// # Errors
    /// When a tree is damaged.
    pub fn sweep_amended(
        &mut self,
        space: SpaceId,
        id: ChangeRequestId,
        mut sweep: AmendedSweep,
    ) -> Result<bool> {
        match self.lock_change_request_row(space, id) {
            Err(Error::NotFound) => return Ok(false),
            Err(error) => return Err(error),
            Ok(_) => {}
        }
        let mut live = Rows::default();
        let mut is_left = false;
        for revision in self.amended_revisions(space, id)? {
            if revision.is_referenced {
                sweep.expired.remove(&revision.id);
            }
            let is_expired = sweep.expired.contains(&revision.id);
            is_left |= !is_expired && !sweep.kept.contains(&revision.id);
            if !sweep.seen.contains(&revision.id)
                || (revision.is_referenced && revision.replaced_at.is_some())
            {
                self.add_rows(&mut live, space, &revision)?;
            }
        }
        sweep.dead.remove(&live);
        let uuids = |ids: &HashSet<RevisionId>| ids.iter().copied().collect::<Vec<_>>();
        let (documents, nodes) = sweep.kept_rows.arrays();
        let kept = (space, id, documents, nodes, uuids(&sweep.kept));
        KeepAmended::bind(kept).execute(self.connection)?;
        let (documents, nodes) = sweep.dead.arrays();
        let expired = (space, id, documents, nodes, uuids(&sweep.expired));
        DeleteReplaced::bind(expired).execute(self.connection)?;
        Ok(is_left)
    }
}
