//! Deleting a space, taking it back, and removing it for good.

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

/// Key of a deleted space in lists.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct DeletedKey {
    deleted_at: Option<Timestamp>,
    id: SpaceId,
}

impl DeletedKey {
    /// Returns the key of a space.
    #[must_use]
    pub fn of(space: &SpaceRecord) -> Self {
        Self { deleted_at: space.deleted_at, id: space.id }
    }
}

sql_files! {
    PurgeSpace(Timestamptz) -> (SqlUuid,) = "purge.sql";
}

impl Reader<'_> {
    /// The deleted spaces of an organization that the actor may restore, last deleted first: two statements.
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
    /// Deletes a space. It keeps its position, which a restoration uses.
    ///
    /// # Errors
    /// 409 when it is there already.
    pub fn delete_space(&mut self, space: Authorized<SpaceRecord>) -> Result<()> {
        let space = self.lock_space_even_deleted(space)?;
        self.change_life(&space, Event::Delete)
    }

    /// Takes a space, whose tree is locked, out of the bin again.
    ///
    /// # Errors
    /// 409 when it isn't there, or has been there for too long.
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
    /// Removes the space that is in the bin the longest, with all that hangs from it, if its time to be restored is
    /// over. Its file bytes are left to the sweep. One space a transaction bounds what a transaction does; two that run
    /// at once remove two.
    pub fn purge_space(&mut self) -> Result<Option<SpaceId>> {
        // The removal of a large space takes long.
        self.disable_statement_timeout()?;
        let moment = OffsetDateTime::from(self.now) - DELETION_GRACE;
        let purged: Option<(Uuid,)> = PurgeSpace::bind((moment,)).get_result(self.connection).optional()?;
        Ok(purged.map(|(id,)| SpaceId::from_uuid(id)))
    }
}
