//! Change requests: creation, lists, changes, merges and updates.

mod changed_page;
mod conflicting;
mod description;
mod list;
mod lookup;
mod merge;
mod rules;
mod sides;
mod viewed;

use diesel::prelude::*;
use diesel::sql_types::{Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::change_requests::{Event, SettableStatus, Status};
use quire_domain::ids::{ChangeRequestId, RevisionId};
use quire_domain::patch::Patch;
use quire_domain::policy::Action;
use quire_domain::webhooks::EventKind;

pub use self::lookup::{ChangeRequestKey, ChangeRequestRecord, InSpace};
pub use conflicting::{CONFLICTS_JOB, Conflicting, MergedSpace};
pub use list::{ChangeRequestFilter, ChangeRequestPosition, ListedChangeRequest};
pub use merge::{Choice, Ineffective, MergeReport, PreparedMerge};
pub use rules::MergeCheck;
pub use sides::{SideEdit, SideEdits};

use crate::content::comments::WrittenBody;
use crate::content::spaces::{Counts, SpaceRecord};
use crate::lookup::Authorized;
use crate::operations::webhooks;
use crate::sites::purges::Purge;
use crate::transaction::Tx;
use crate::{Error, Result};

sql_files! {
    CreateChangeRequest(SqlUuid, SqlUuid, Text, SqlUuid, Timestamptz) = "create.sql";
    ChangeChangeRequest(SqlUuid, SqlUuid, Text, Text, Timestamptz) = "change.sql";
    MarkMerged(SqlUuid, SqlUuid, SqlUuid, Timestamptz) = "mark_merged.sql";
}

/// Changes to a change request. `None` keeps a value.
#[derive(Clone, Debug, Default)]
pub struct ChangeRequestChanges {
    /// Subject.
    pub subject: Option<String>,
    /// Status.
    pub status: Option<SettableStatus>,
    /// Description.
    pub description: Patch<WrittenBody>,
}

/// Returns the next status, or the refusal of the state machine.
pub(crate) fn transition(status: Status, event: Event) -> Result<Status> {
    status.apply(event).map_err(|error| {
        let reason = error.reason();
        Error::refused(reason, reason.message())
    })
}

/// Refuses edits of a change request that is archived or merged.
pub(crate) fn require_editable(status: Status) -> Result<()> {
    transition(status, Event::EditContent).map(|_| ())
}

impl Tx<'_> {
    /// Creates a draft from the head of the space. Its number is the next one of the space: the row of the space is
    /// locked until the transaction ends, so there are no gaps.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the space was deleted after its lookup.
    pub fn create_change_request(
        &mut self,
        space: &Authorized<SpaceRecord>,
        subject: &str,
        description: Option<WrittenBody>,
    ) -> Result<Authorized<InSpace<ChangeRequestRecord>>> {
        let id = ChangeRequestId::from_uuid(self.storage.ids().uuid());
        let (author, now) = (space.actor().user, self.now);
        let values = (space.id, id, subject, author, now);
        if CreateChangeRequest::bind(values).execute(self.connection)? == 0 {
            return Err(Error::NotFound);
        }
        self.record_created("change-request", id);
        let made = self.change_request(space.id, ChangeRequestKey::Id(id))?.authorize(Action::ViewSpace)?;
        self.write_description(&made, description.map_or(Patch::Keep, Patch::Set))?;
        self.emit_change_request_event(EventKind::ChangeRequestCreated, &made)?;
        Ok(made)
    }

    /// Locks a change request until the transaction ends, and its space for the counters there, and reads it again: it
    /// may have changed after its lookup.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the change request no longer exists.
    pub fn lock_change_request(
        &mut self,
        change_request: Authorized<InSpace<ChangeRequestRecord>>,
    ) -> Result<Authorized<InSpace<ChangeRequestRecord>>> {
        let (space, id) = (change_request.space.id, change_request.item.id);
        self.lock_space_row(space)?;
        self.lock_change_request_row(space, id)?;
        self.change_request(space, ChangeRequestKey::Id(id))?.authorize(Action::ViewSpace)
    }

    /// Changes a locked change request and returns the new record. Unchanged values are not written.
    ///
    /// # Errors
    /// 409 if the change request is merged and the status would change.
    pub fn update_change_request(
        &mut self,
        change_request: Authorized<InSpace<ChangeRequestRecord>>,
        changes: ChangeRequestChanges,
    ) -> Result<Authorized<InSpace<ChangeRequestRecord>>> {
        let ChangeRequestChanges { subject, status, description } = changes;
        let mut fresh = change_request.item.clone();
        if let Some(status) = status {
            fresh.status = transition(fresh.status, status.into())?;
        }
        if let Some(subject) = subject {
            fresh.subject = subject;
        }
        if fresh == change_request.item && description.is_keep() {
            return Ok(change_request);
        }
        self.write_description(&change_request, description)?;
        fresh.updated_at = self.now;
        let InSpace { space, item: before } = &*change_request;
        ChangeChangeRequest::bind((
            space.id,
            fresh.id,
            fresh.subject.as_str(),
            fresh.status.as_str(),
            fresh.updated_at,
        ))
        .execute(self.connection)?;
        self.count_status(&change_request, before.status, fresh.status)?;
        let changed = change_request.map(|InSpace { space, .. }| InSpace { space, item: fresh });
        self.emit_change_request_event(EventKind::ChangeRequestUpdated, &changed)?;
        let InSpace { space, item } = &*changed;
        self.purge(space.organization, [Purge::change_request(space.id, item.id)]);
        Ok(changed)
    }

    /// Emits an event of a change request.
    fn emit_change_request_event(
        &mut self,
        kind: EventKind,
        change_request: &InSpace<ChangeRequestRecord>,
    ) -> Result<()> {
        let InSpace { space, item } = change_request;
        let event = webhooks::Event::in_space(kind, space.id)
            .with("changeRequestId", item.id)
            .with_number("number", item.number)
            .with("status", item.status.as_str())
            .with("subject", item.subject.as_str());
        self.emit(space.organization, event)
    }

    /// Moves a change request from one counter of its space to another.
    fn count_status(
        &mut self,
        change_request: &InSpace<ChangeRequestRecord>,
        before: Status,
        after: Status,
    ) -> Result<()> {
        if before == after {
            return Ok(());
        }
        self.count_in_space(change_request.space.id, count_of(before, after))
    }

    /// Records that a change request was merged into `revision`.
    fn mark_merged(
        &mut self,
        change_request: &InSpace<ChangeRequestRecord>,
        revision: RevisionId,
    ) -> Result<()> {
        let InSpace { space, item } = change_request;
        let now = self.now;
        let values = (space.id, item.id, revision, now);
        MarkMerged::bind(values).execute(self.connection)?;
        Ok(())
    }
}

/// Returns the changes to a space's counters when a change request changes its status.
fn count_of(before: Status, after: Status) -> Counts {
    let step = |status: Status| i32::from(after == status) - i32::from(before == status);
    Counts { change_requests_open: step(Status::Open), change_requests_draft: step(Status::Draft) }
}

fn merged_event(change_request: &InSpace<ChangeRequestRecord>, revision: RevisionId) -> webhooks::Event {
    let InSpace { space, item } = change_request;
    webhooks::Event::in_space(EventKind::ChangeRequestMerged, space.id)
        .with("changeRequestId", item.id)
        .with_number("number", item.number)
        .with("revisionId", revision)
}
