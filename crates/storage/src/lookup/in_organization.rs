//! Parts of an organization that a path names beside it: found, with the organization and the token, in one statement.

use diesel::prelude::*;
use quire_domain::Role;
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;

use super::actor::ActorColumns;
use super::organizations::{OrganizationColumns, OrganizationRecord};
use super::{Found, Guarded};
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

/// The text of a lookup: the columns of the part, and the join that finds it beside its organization `o` (`$3`).
macro_rules! find_in_organization {
    ($columns:expr, $join:expr) => {
        concat!(
            "SELECT ",
            $crate::lookup::actor_columns!(),
            ", ",
            $crate::lookup::organization_columns!(),
            ", ",
            $columns,
            " FROM api_tokens t \
              JOIN organizations o ON t.organizations IS NULL OR o.id = ANY (t.organizations) \
              JOIN organization_members m ON m.organization_id = o.id AND m.user_id = t.user_id AND NOT m.disabled ",
            $join,
            " WHERE ",
            $crate::lookup::valid_token!(),
            " AND o.id = $3"
        )
    };
}
pub(crate) use find_in_organization;

impl Reader<'_> {
    /// What a lookup with [`find_in_organization`] found. Of a part that isn't there, only those learn it who could `view` it.
    pub(crate) fn found_in_organization<C, T>(
        &mut self,
        row: QueryResult<(ActorColumns, OrganizationColumns, C)>,
        organization: OrganizationId,
        view: Action,
    ) -> Result<Found<InOrganization<T>>>
    where
        T: TryFrom<C, Error = Error>,
    {
        let Some((actor, columns, item)) = row.optional()? else {
            self.organization(organization)?.authorize(view)?;
            return Err(Error::NotFound);
        };
        let organization = OrganizationRecord::try_from(columns)?;
        self.reach(organization.id, None);
        Ok(Found {
            actor: self.seen(actor)?,
            role: organization.member_role,
            blocked: organization.is_blocked(),
            value: InOrganization { organization, item: item.try_into()? },
        })
    }
}
