//! Teams.

use diesel::prelude::*;
use diesel::sql_types::{Bool, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{OrganizationId, TeamId, UserId};
use quire_domain::policy::{Action, Membership, Relation};
use time::OffsetDateTime;
use uuid::Uuid;

use super::actor::{ActorColumns, actor_columns, valid_token};
use super::{Found, Guarded, role_from_rank};
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;
use crate::{Result, moment};

/// A team as it is stored, with what depends on who looks at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamRecord {
    /// Its id.
    pub id: TeamId,
    /// The organization it belongs to.
    pub organization: OrganizationId,
    /// Its title.
    pub title: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// Whether the actor is one of its owners.
    pub is_owner: bool,
}

impl Guarded for TeamRecord {
    const VIEW: Action = Action::ViewOrganization;

    /// The role is that in the organization.
    fn allows(&self, role: Option<Role>, action: Action) -> bool {
        Membership::active(role).allows(action)
    }

    /// The record knows the owner among the team's members only by `is_owner`, which is the actor's.
    fn is_related(&self, _actor: UserId, relation: Relation) -> bool {
        relation == Relation::TeamOwner && self.is_owner
    }
}

/// The columns of a team `tm`, where `$actor` is the user who looks at it.
macro_rules! team_columns {
    ($actor:literal) => {
        concat!(
            "tm.id AS team_id, tm.organization_id AS team_organization_id, tm.title AS team_title, tm.created_at AS team_created_at, \
             EXISTS (SELECT 1 FROM team_members own WHERE own.organization_id = tm.organization_id AND own.team_id = tm.id \
             AND own.user_id = ",
            $actor,
            " AND own.role = 'owner') AS is_owner"
        )
    };
}
pub(crate) use team_columns;

#[derive(QueryableByName)]
pub(crate) struct TeamColumns {
    #[diesel(sql_type = SqlUuid)]
    pub(crate) team_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    team_organization_id: Uuid,
    #[diesel(sql_type = Text)]
    team_title: String,
    #[diesel(sql_type = Timestamptz)]
    team_created_at: OffsetDateTime,
    #[diesel(sql_type = Bool)]
    is_owner: bool,
}

impl TeamColumns {
    /// The record.
    pub(crate) fn into_record(self) -> Result<TeamRecord> {
        Ok(TeamRecord {
            id: TeamId::from_uuid(self.team_id),
            organization: OrganizationId::from_uuid(self.team_organization_id),
            title: self.team_title,
            created_at: moment(self.team_created_at)?,
            is_owner: self.is_owner,
        })
    }
}

#[derive(QueryableByName)]
struct MembershipColumns {
    #[diesel(sql_type = Nullable<SmallInt>)]
    member_role: Option<i16>,
    #[diesel(sql_type = Bool)]
    organization_is_blocked: bool,
}

statements! {
    FindTeam = concat!(
        "SELECT ", actor_columns!(), ", ", team_columns!("t.user_id"), ", m.role AS member_role, o.blocked_reason IS NOT NULL AS organization_is_blocked \
         FROM api_tokens t \
         JOIN organizations o ON t.organizations IS NULL OR o.id = ANY (t.organizations) \
         JOIN organization_members m ON m.organization_id = o.id AND m.user_id = t.user_id AND NOT m.disabled \
         JOIN teams tm ON tm.organization_id = o.id \
         WHERE ", valid_token!(), " AND o.id = $3 AND tm.id = $4"
    );
}

impl Reader<'_> {
    /// The team with this id, for the members of its organization: one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`](crate::Error), or [`Error::NotFound`](crate::Error) when there is none or the actor isn't a member of its organization.
    pub fn team(&mut self, organization: OrganizationId, team: TeamId) -> Result<Found<TeamRecord>> {
        let row: Option<(ActorColumns, TeamColumns, MembershipColumns)> = FindTeam::bind((
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(*organization.as_uuid()),
            val::<SqlUuid, _>(*team.as_uuid()),
        ))
        .get_result(self.connection)
        .optional()?;
        let Some((actor, team, membership)) = row else { return self.not_found() };
        self.reach(organization, None);
        let value = team.into_record()?;
        Ok(Found {
            actor: self.seen(actor)?,
            role: role_from_rank(membership.member_role)?,
            blocked: membership.organization_is_blocked,
            value,
        })
    }
}
