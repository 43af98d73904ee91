//! Change requests that conflict with their space after another one was merged.

use std::collections::HashSet;

use diesel::prelude::*;
use diesel::sql_types::{Array, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::change_requests::Status;
use quire_domain::ids::{ChangeRequestId, RevisionId, SpaceId, UserId};
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use super::Choice;
use crate::Result;
use crate::content::change_requests::{ChangeRequestRecord, InSpace};
use crate::schema::{change_requests, inbox_entries, spaces, users};
use crate::system::{SystemReader, SystemTx};
use crate::transaction::Tx;

/// Kind of the job that notifies the authors of change requests that conflict with their space.
pub const CONFLICTS_JOB: &str = "find-conflicts";
/// Maximum number of change requests that are compared after a merge: the most recently changed ones.
const MOST: i64 = 50;

/// Input of the job: a space into which a change request was merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergedSpace {
    /// Space.
    pub space: SpaceId,
    /// User who merged.
    pub actor: UserId,
}

/// Change request that conflicts with its space, and the merge base of the two.
pub type Conflicting = (ChangeRequestId, RevisionId);

sql_files! {
    AddConflicts(SqlUuid, Array<SqlUuid>, SqlUuid, Timestamptz, Array<SqlUuid>, Array<SqlUuid>)
        = "add_conflicts.sql";
}

impl Tx<'_> {
    /// Schedules a comparison of the other change requests of a space with it after a merge. Takes one statement, or
    /// none if there are no others.
    pub(super) fn schedule_conflict_checks(
        &mut self,
        merged: &InSpace<ChangeRequestRecord>,
        actor: UserId,
    ) -> Result<()> {
        let space = &merged.space;
        let unmerged = space.change_requests_open.saturating_add(space.change_requests_draft);
        if unmerged < 2 {
            return Ok(());
        }
        let payload = json!(MergedSpace { space: space.id, actor });
        self.enqueue(CONFLICTS_JOB, payload, None, self.now())?;
        Ok(())
    }
}

impl SystemReader<'_> {
    /// Returns the unmerged change requests of a space that conflict with it, except those whose authors were already
    /// notified. Takes three statements, and those that read the content of each change request.
    pub fn conflicting(&mut self, space: SpaceId) -> Result<Vec<Conflicting>> {
        let head: Option<Uuid> = spaces::table
            .find(space)
            .filter(spaces::deleted_at.is_null())
            .select(spaces::head_revision)
            .get_result(self.connection)
            .optional()?;
        let Some(head) = head.map(RevisionId::from_uuid) else { return Ok(Vec::new()) };
        let unmerged: Vec<ChangeRequestRecord> = change_requests::table
            .left_join(users::table)
            .filter(change_requests::space_id.eq(space))
            .filter(change_requests::status.eq_any([Status::Open.as_str(), Status::Draft.as_str()]))
            .order((change_requests::updated_at.desc(), change_requests::id.desc()))
            .limit(MOST)
            .select(ChangeRequestRecord::as_select())
            .load(self.connection)?;
        let ids = unmerged.iter().map(|request| request.id);
        let notified: Vec<(Option<ChangeRequestId>, Option<RevisionId>)> = inbox_entries::table
            .filter(inbox_entries::space_id.eq(space))
            .filter(inbox_entries::change_request_id.eq_any(ids.collect::<Vec<_>>()))
            .filter(inbox_entries::revision_id.is_not_null())
            .select((inbox_entries::change_request_id, inbox_entries::revision_id))
            .load(self.connection)?;
        let notified: HashSet<_> = notified.into_iter().collect();
        let mut conflicting = Vec::new();
        for request in unmerged {
            let base = request.merge_base();
            let is_notified = notified.contains(&(Some(request.id), Some(base)));
            if is_notified || !request.is_outdated(head) {
                continue;
            }
            if self.conflicts_with(space, head, &request)? {
                conflicting.push((request.id, base));
            }
        }
        Ok(conflicting)
    }

    fn conflicts_with(
        &mut self,
        space: SpaceId,
        head: RevisionId,
        request: &ChangeRequestRecord,
    ) -> Result<bool> {
        let (_, prepared) = self.prepare(space, head, request, Choice::default())?;
        Ok(prepared.has_conflicts())
    }
}

impl SystemTx<'_> {
    /// Notifies the authors of change requests that conflict with their space. Takes one statement.
    pub fn notify_of_conflicts(
        &mut self,
        MergedSpace { space, actor }: MergedSpace,
        conflicting: &[Conflicting],
    ) -> Result<()> {
        if conflicting.is_empty() {
            return Ok(());
        }
        let events: Vec<Uuid> = conflicting.iter().map(|_| self.storage.ids().uuid()).collect();
        let (ids, bases): (Vec<ChangeRequestId>, Vec<RevisionId>) = conflicting.iter().copied().unzip();
        let now = self.now;
        AddConflicts::bind((space, events, actor, now, ids, bases)).execute(self.connection)?;
        Ok(())
    }
}
