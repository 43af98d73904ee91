//! Spaces that change their place: within an organization, or to another one.

use diesel::prelude::*;
use diesel::sql_types::{Array, Uuid as SqlUuid};
use quire_domain::ids::{OrganizationId, SpaceId};
use uuid::Uuid;

use super::ListedSpace;
use crate::lookup::{Authorized, OrganizationRecord, SpaceRecord};
use crate::placement::{Beside, Place, Standing};
use crate::schema::spaces;
use crate::sites::{PublicationRow, visibility_event};
use crate::statement::{Sql, statements, val};
use crate::transaction::Tx;
use crate::{Error, Result};

statements! {
    LockToTransfer = "SELECT 1 FROM spaces WHERE id = $1 AND deleted_at IS NULL FOR UPDATE";
    DropSpaceGrants = "DELETE FROM content_grants WHERE organization_id = $1 AND space_id = ANY ($2)";
    DropSpaceInvites = "DELETE FROM organization_invites WHERE organization_id = $1 AND space_id = ANY ($2)";
    DropSpaceValues = "DELETE FROM custom_field_values WHERE organization_id = $1 AND space_id = ANY ($2)";
    DropSpaceInstallations = "DELETE FROM integration_space_installations WHERE organization_id = $1 AND space_id = ANY ($2)";
}

impl Tx<'_> {
    /// Moves a space, whose tree is locked, to a place of its organization.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it was deleted meanwhile; 409 when the place is gone.
    pub fn move_space(
        &mut self,
        space: &Authorized<SpaceRecord>,
        to: Place<'_>,
        beside: &Beside,
    ) -> Result<ListedSpace> {
        let standing = self.lock_standing(to)?;
        self.place_space(space.id, &standing, beside)?;
        self.moved(space)
    }

    /// A space that came to another place: webhooks are told if others can see it there.
    fn moved(&mut self, before: &SpaceRecord) -> Result<ListedSpace> {
        let after = self.listed_space(before.id)?;
        let event = visibility_event(before.id, before.visibility(), after.space.visibility());
        self.emit_all(after.space.organization, event.into_iter().collect())?;
        Ok(after)
    }

    /// Writes where an active space stands.
    pub(super) fn place_space(&mut self, id: SpaceId, standing: &Standing, beside: &Beside) -> Result<()> {
        let position = self.position_at(standing, beside, *id.as_uuid())?;
        let placed = diesel::update(spaces::table.find(id.as_uuid()).filter(spaces::deleted_at.is_null()))
            .set((
                spaces::organization_id.eq(standing.organization.as_uuid()),
                spaces::collection_id.eq(standing.parent().map(|id| *id.as_uuid())),
                spaces::position.eq(position.to_string()),
                spaces::updated_at.eq(time::OffsetDateTime::from(self.now)),
            ))
            .execute(self.connection)?;
        if placed == 1 { Ok(()) } else { Err(Error::NotFound) }
    }

    /// Gives a space, whose tree is locked together with the new one, to another organization: to the end of its root, without its
    /// grants.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it was deleted meanwhile.
    pub fn transfer_space(
        &mut self,
        space: &Authorized<SpaceRecord>,
        to: &Authorized<OrganizationRecord>,
    ) -> Result<ListedSpace> {
        // Before the grants go, so that none is written between.
        if LockToTransfer::bind((val::<SqlUuid, _>(*space.id.as_uuid()),)).execute(self.connection)? == 0 {
            return Err(Error::NotFound);
        }
        self.concern([to.id]);
        self.leave_organization(space.organization, &[*space.id.as_uuid()])?;
        self.place_space(space.id, &Standing::root(to.id), &Beside::default())?;
        self.moved(space)
    }

    /// Drops what ties locked spaces to their organization. Whatever else names a space together with its organization goes here,
    /// too: `every_tie_to_an_organization_is_cut_by_a_transfer` finds what was forgotten. Answers those that were published.
    pub(crate) fn leave_organization(
        &mut self,
        organization: OrganizationId,
        spaces: &[Uuid],
    ) -> Result<Vec<PublicationRow>> {
        let key = || (val::<SqlUuid, _>(*organization.as_uuid()), val::<Array<SqlUuid>, _>(spaces));
        DropSpaceGrants::bind(key()).execute(self.connection)?;
        DropSpaceInvites::bind(key()).execute(self.connection)?;
        DropSpaceValues::bind(key()).execute(self.connection)?;
        DropSpaceInstallations::bind(key()).execute(self.connection)?;
        self.take_off_sites(organization, spaces)
    }
}
