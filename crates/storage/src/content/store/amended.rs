//! Saves that amend the previous save's revision, and the removal of replaced revisions.
//!
//! An editor saves every few seconds. Each save creates a revision, so that no other code needs a special case. A
//! revision that amends the head replaces it: it gets the same parent, and the replaced revision is removed after an
//! hour.
//!
//! Documents and nodes are shared by all revisions with the same content. Rows stored by an amending save belong to its
//! change request (`amended_by`) until another writer stores the same content. Only amended revisions of the change
//! request refer to such a row: other commits store everything that they have beyond the head, and the head's revision
//! stays as their parent. So the sweep only compares the trees of these few revisions.

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

/// Time after the first save of a revision during which later saves amend it.
const AMENDED_FOR: Duration = Duration::from_secs(10 * 60);
/// Time for which a replaced revision is kept.
const REPLACED_FOR: Duration = Duration::from_secs(60 * 60);
/// Interval in which the saves of one revision share an entry in the audit log.
const AUDITED_EACH: Duration = Duration::from_secs(30);

/// Amended revision with the facts for the sweep.
#[derive(Queryable)]
struct AmendedRevision {
    id: RevisionId,
    /// Root of its tree.
    root: TreeHash,
    /// Root of the parent's tree.
    before: TreeHash,
    begun_at: OffsetDateTime,
    saved_at: OffsetDateTime,
    replaced_at: Option<OffsetDateTime>,
    /// `true` if comments, reviews or PDFs refer to the revision.
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
    /// Replaced revisions to delete, with the rows that no other revision has.
    expired: HashSet<RevisionId>,
    dead: Rows,
    /// Revisions to keep permanently, with their rows.
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
    /// Returns how a save affects a head. It replaces an edit by the same user in the same change request that was
    /// begun at most ten minutes ago and to which no comment or review refers. Takes at most one statement.
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

    /// Records a save that amends: schedules the sweep of its replaced revisions, and limits the audit log to one entry
    /// in 30 seconds.
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

    /// Adds the rows that a revision has beyond its parent.
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
    /// Plans the sweep of a change request's amended revisions: replaced revisions are deleted after an hour, and
    /// revisions that can no longer be amended are kept. Loads the trees of all of them, one at a time.
    ///
    /// # Errors
    /// A damaged tree.
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
    /// Executes a sweep. Content of revisions that were created or referenced since the plan is kept. Returns whether
    /// amended revisions remain.
    ///
    /// # Errors
    /// A damaged tree.
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
