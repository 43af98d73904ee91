//! Parts of an organization, looked up together with the organization and the token in one statement.

use diesel::prelude::*;
use quire_domain::Role;
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;

use super::actor::ActorRow;
use super::{Found, Guarded};
use crate::people::organizations::OrganizationRecord;
use crate::transaction::Reader;
use crate::{Error, Result};

/// A part of an organization, with the organization.
#[derive(Clone, Debug)]
pub struct InOrganization<T> {
    /// The organization.
    pub organization: OrganizationRecord,
    /// The part.
    pub item: T,
}

/// Members find the parts of their organization; what they may do with them follows from their membership.
impl<T> Guarded for InOrganization<T> {
    const VIEW: Action = Action::ViewOrganization;

    fn allows(&self, role: Option<Role>, action: Action) -> bool {
        self.organization.allows(role, action)
    }
}

impl Reader<'_> {
    /// Converts the row of an organization and one of its parts, read through
    /// [`organization_access`](crate::views::organization_access). A missing part is reported as missing only to actors
    /// who may `view` such parts.
    pub(crate) fn found_in_organization<T>(
        &mut self,
        row: QueryResult<(ActorRow, OrganizationRecord, T)>,
        organization: OrganizationId,
        view: Action,
    ) -> Result<Found<InOrganization<T>>> {
        let Some((actor, found, item)) = row.optional()? else {
            self.organization(organization)?.authorize(view)?;
            return Err(Error::NotFound);
        };
        let found = self.found_organization(actor, found)?;
        Ok(found.map(|organization| InOrganization { organization, item }))
    }
}
