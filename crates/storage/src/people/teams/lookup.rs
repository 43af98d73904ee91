//! Lookups of teams.

use diesel::pg::Pg;
use diesel::prelude::*;
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{OrganizationId, TeamId, UserId};
use quire_domain::policy::{Action, Membership, Relation};

use crate::Result;
use crate::lookup::{ActorRow, Found, Guarded, OfOrganization, role_from_rank};
use crate::transaction::Reader;
use crate::views::{Access, team_access};

/// Stored team, with facts that depend on the actor.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = team_access, check_for_backend(Pg))]
pub struct TeamRecord {
    /// Id.
    pub id: TeamId,
    /// Organization of the team.
    #[diesel(column_name = organization_id)]
    pub organization: OrganizationId,
    /// Title.
    pub title: String,
    /// Time of its creation.
    pub created_at: Timestamp,
    /// `true` if the actor owns the team.
    pub is_owner: bool,
}

impl OfOrganization for TeamRecord {
    fn organization(&self) -> OrganizationId {
        self.organization
    }
}

impl Guarded for TeamRecord {
    const VIEW: Action = Action::ViewOrganization;

    /// The role is the actor's role in the organization.
    fn allows(&self, role: Option<Role>, action: Action) -> bool {
        Membership::active(role).allows(action)
    }

    /// Of the team's owners, the record only has `is_owner`, which refers to the actor.
    fn is_related(&self, _actor: UserId, relation: Relation) -> bool {
        relation == Relation::TeamOwner && self.is_owner
    }
}

impl Reader<'_> {
    /// Returns a team to a member of its organization. Takes one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`](crate::Error), or [`Error::NotFound`](crate::Error) if the team does not exist or the
    /// actor is not a member of its organization.
    pub fn team(&mut self, organization: OrganizationId, team: TeamId) -> Result<Found<TeamRecord>> {
        let row: Option<(ActorRow, Option<i16>, bool, TeamRecord)> = team_access::table
            .filter(self.token_is_valid::<team_access::table>())
            .filter(team_access::organization_id.eq(organization))
            .filter(team_access::id.eq(team))
            .select((
                team_access::table::actor(),
                team_access::member_role,
                team_access::organization_is_blocked,
                TeamRecord::as_select(),
            ))
            .get_result(self.connection)
            .optional()?;
        let Some((actor, role, blocked, value)) = row else { return self.not_found() };
        self.record_tenant(organization, None);
        Ok(Found { actor: self.record_actor(actor)?, role: role_from_rank(role)?, blocked, value })
    }
}
