//! Lookups of parts of an organization together with the organization and the token, in one statement.

use diesel::prelude::*;
use quire_domain::Role;
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;

use super::actor::ActorRow;
use super::{Found, Guarded};
use crate::people::organizations::OrganizationRecord;
use crate::transaction::Reader;
use crate::{Error, Result};

/// Part of an organization, with the organization.
#[derive(Clone, Debug)]
pub struct InOrganization<T> {
    /// Organization.
    pub organization: OrganizationRecord,
    /// Part.
    pub item: T,
}

/// Members see the parts of their organization; their membership decides which actions are allowed.
impl<T> Guarded for InOrganization<T> {
    const VIEW: Action = Action::ViewOrganization;

    fn allows(&self, role: Option<Role>, action: Action) -> bool {
        self.organization.allows(role, action)
    }
}

impl Reader<'_> {
    /// Converts the row of an organization and one of its parts, read through
    /// [`organization_access`](crate::views::organization_access). A missing part is reported as not found only to
    /// actors who may `view` such parts.
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
