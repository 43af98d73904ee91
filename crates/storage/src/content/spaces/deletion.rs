//! Deletion of spaces: into the bin, restoration, and permanent removal.

use diesel::prelude::*;
use diesel::sql_types::{Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::Role;
use quire_domain::bounds::DELETION_GRACE;
use quire_domain::clock::Timestamp;
use quire_domain::ids::SpaceId;
use quire_domain::spaces::{Deletion, Event};
use quire_domain::webhooks::EventKind;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use super::ListedSpace;
use crate::content::spaces::SpaceRecord;
use crate::content::spaces::spaces_with_access;
use crate::list::{Slice, fetch_limit};
use crate::lookup::Authorized;
use crate::operations::webhooks;
use crate::people::organizations::OrganizationRecord;
use crate::schema::spaces;
use crate::system::SystemTx;
use crate::transaction::{Reader, Tx};
use crate::views::space_access;
use crate::{Error, Result};

/// Cursor of a list of deleted spaces.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct DeletedKey {
    deleted_at: Option<Timestamp>,
    id: SpaceId,
}

impl DeletedKey {
    /// Returns the cursor of a space.
    #[must_use]
    pub fn of(space: &SpaceRecord) -> Self {
        Self { deleted_at: space.deleted_at, id: space.id }
    }
}

sql_files! {
    PurgeSpace(Timestamptz) -> (SqlUuid,) = "purge.sql";
}

impl Reader<'_> {
    /// Returns the deleted spaces of an organization that the actor may restore, most recently deleted first. Takes two
    /// statements.
    pub fn deleted_spaces(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        after: Option<DeletedKey>,
        limit: u16,
    ) -> Result<Slice<ListedSpace>> {
        let still_restorable = OffsetDateTime::from(self.now) - DELETION_GRACE;
        let restorable = || {
            spaces_with_access()
                .filter(space_access::token_id.eq(organization.actor().token))
                .filter(space_access::organization_id.eq(organization.id))
                .filter(space_access::deleted_at.ge(still_restorable))
                .filter(space_access::role.eq(Role::Admin.rank()))
                .into_boxed()
        };
        let mut page = restorable();
        if let Some(DeletedKey { deleted_at: Some(at), id }) = after {
            let is_older = space_access::deleted_at.lt(at).or(space_access::id.lt(id));
            page = page.filter(space_access::deleted_at.le(at)).filter(is_older);
        }
        let rows: Vec<SpaceRecord> = page
            .order((space_access::deleted_at.desc(), space_access::id.desc()))
            .limit(fetch_limit(limit))
            .select(SpaceRecord::as_select())
            .load(self.connection)?;
        let total = restorable().count().get_result(self.connection)?;
        let listed = rows.into_iter().map(|space| ListedSpace { space, role: Some(Role::Admin) });
        Ok(Slice::cut(listed.collect(), limit, total))
    }
}

impl Tx<'_> {
    /// Moves a space to the bin. It keeps its position for a restoration.
    ///
    /// # Errors
    /// 409 if it is already in the bin.
    pub fn delete_space(&mut self, space: Authorized<SpaceRecord>) -> Result<()> {
        let space = self.lock_space_even_deleted(space)?;
        self.change_life(&space, Event::Delete)
    }

    /// Restores a space from the bin. Its tree must be locked.
    ///
    /// # Errors
    /// 409 if it is not in the bin, or has been there for too long.
    pub fn restore_space(&mut self, space: Authorized<SpaceRecord>) -> Result<ListedSpace> {
        let space = self.lock_space_even_deleted(space)?;
        self.change_life(&space, Event::Restore)?;
        self.listed_space(space.id)
    }

    fn change_life(&mut self, space: &SpaceRecord, event: Event) -> Result<()> {
        let after = Deletion::from_deleted_at(space.deleted_at).apply(event, self.now).map_err(|error| {
            let reason = error.reason();
            Error::refused(reason, reason.message())
        })?;
        let deleted_at = after.and_then(Deletion::deleted_at);
        diesel::update(spaces::table.find(space.id))
            .set(spaces::deleted_at.eq(deleted_at))
            .execute(self.connection)?;
        self.purge_space_and_sites(space.organization, space.id);
        self.note_structures_with(space.organization, space.id);
        let kind = if deleted_at.is_some() { EventKind::SpaceDeleted } else { EventKind::SpaceRestored };
        self.emit(space.organization, webhooks::Event::in_space(kind, space.id))
    }
}

impl SystemTx<'_> {
    /// Permanently removes the space that has been in the bin the longest, with all its data, if it can no longer be
    /// restored. The sweep removes its file bytes later. Each transaction removes one space, which bounds its work.
    /// Concurrent transactions remove different spaces.
    pub fn purge_space(&mut self) -> Result<Option<SpaceId>> {
        // The removal of a large space takes long.
        self.disable_statement_timeout()?;
        let moment = OffsetDateTime::from(self.now) - DELETION_GRACE;
        let purged: Option<(Uuid,)> = PurgeSpace::bind((moment,)).get_result(self.connection).optional()?;
        Ok(purged.map(|(id,)| SpaceId::from_uuid(id)))
    }
}
