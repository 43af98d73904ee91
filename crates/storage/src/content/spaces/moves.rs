//! Moves of spaces within an organization, and transfers to another organization.

use diesel::prelude::*;
use quire_domain::ids::{OrganizationId, SpaceId};
use serde_json::Value;
use uuid::Uuid;

use super::ListedSpace;
use crate::content::hierarchy::{LockedParent, Neighbors, Parent};
use crate::content::spaces::SpaceRecord;
use crate::lookup::Authorized;
use crate::people::organizations::OrganizationRecord;
use crate::schema::{
    content_grants, custom_field_values, integration_space_installations, organization_invites, spaces,
};
use crate::sites::{VisibilityChange, visibility_event};
use crate::transaction::Tx;
use crate::{Error, Result};

impl Tx<'_> {
    /// Moves a space to a position in its organization. The tree must be locked.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it was deleted after its lookup; 409 if the parent no longer exists.
    pub fn move_space(
        &mut self,
        space: &Authorized<SpaceRecord>,
        to: Parent<'_>,
        neighbors: &Neighbors,
    ) -> Result<ListedSpace> {
        let parent = self.lock_parent(to)?;
        self.place_space(space.id, &parent, neighbors)?;
        self.moved(space)
    }

    /// Returns a moved space, and emits an event if its visibility changed.
    fn moved(&mut self, before: &SpaceRecord) -> Result<ListedSpace> {
        let after = self.listed_space(before.id)?;
        let event = visibility_event(before.id, before.visibility(), after.space.visibility());
        self.emit_all(after.space.organization, event.into_iter().collect())?;
        Ok(after)
    }

    /// Writes the organization, parent and position of an active space.
    pub(super) fn place_space(
        &mut self,
        id: SpaceId,
        parent: &LockedParent,
        neighbors: &Neighbors,
    ) -> Result<()> {
        let position = self.position_at(parent, neighbors, id)?;
        let placed = diesel::update(spaces::table.find(id).filter(spaces::deleted_at.is_null()))
            .set((
                spaces::organization_id.eq(parent.organization),
                spaces::collection_id.eq(parent.collection()),
                spaces::position.eq(position.to_string()),
                spaces::updated_at.eq(self.now),
            ))
            .execute(self.connection)?;
        if placed == 1 { Ok(()) } else { Err(Error::NotFound) }
    }

    /// Transfers a space to the end of another organization's root, without its grants. Both trees must be locked.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it was deleted after its lookup.
    pub fn transfer_space(
        &mut self,
        space: &Authorized<SpaceRecord>,
        to: &Authorized<OrganizationRecord>,
    ) -> Result<ListedSpace> {
        // The lock precedes the deletion of grants, so that no new grant is written in between.
        let locked =
            spaces::table.find(space.id).filter(spaces::deleted_at.is_null()).select(spaces::id).for_update();
        if locked.get_result::<Uuid>(self.connection).optional()?.is_none() {
            return Err(Error::NotFound);
        }
        self.concern([to.id]);
        self.leave_organization(space.organization, &[space.id])?;
        self.place_space(space.id, &LockedParent::root(to.id), &Neighbors::default())?;
        self.moved(space)
    }

    /// Removes everything that ties locked spaces to their organization. Any new table that refers to a space and its
    /// organization must be handled here; the test `every_tie_to_an_organization_is_cut_by_a_transfer` detects
    /// omissions. Returns the spaces that were published.
    pub(crate) fn leave_organization(
        &mut self,
        organization: OrganizationId,
        spaces: &[SpaceId],
    ) -> Result<Vec<VisibilityChange>> {
        let grants = content_grants::table
            .filter(content_grants::organization_id.eq(organization))
            .filter(content_grants::space_id.eq_any(spaces));
        diesel::delete(grants).execute(self.connection)?;
        let invites = organization_invites::table
            .filter(organization_invites::organization_id.eq(organization))
            .filter(organization_invites::space_id.eq_any(spaces));
        diesel::delete(invites).execute(self.connection)?;
        let values = custom_field_values::table
            .filter(custom_field_values::organization_id.eq(organization))
            .filter(custom_field_values::space_id.eq_any(spaces));
        diesel::delete(values).execute(self.connection)?;
        let installations = integration_space_installations::table
            .filter(integration_space_installations::organization_id.eq(organization))
            .filter(integration_space_installations::space_id.eq_any(spaces));
        diesel::delete(installations).execute(self.connection)?;
        // Merge rules may name members of the organization.
        diesel::update(spaces::table.filter(spaces::id.eq_any(spaces)))
            .set(spaces::merge_rules.eq(None::<Value>))
            .execute(self.connection)?;
        self.remove_from_sites(organization, spaces)
    }
}
