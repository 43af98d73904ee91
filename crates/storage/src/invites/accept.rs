//! Invites that are accepted.

use diesel::prelude::*;
use diesel::sql_types::{Bool, Nullable, SmallInt, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::error::Reason;
use quire_domain::ids::{InviteId, OrganizationId, UserId};
use quire_domain::policy::Action;
use quire_domain::webhooks::EventKind;

use super::InviteTarget;
use crate::grants::Container;
use crate::lookup::role_from_rank;
use crate::members::member_event;
use crate::statement::{Sql, statements, val};
use crate::transaction::Tx;
use crate::{Error, Result};

statements! {
    HoldInvite = "SELECT 1 FROM organization_invites WHERE organization_id = $1 AND id = $2 FOR KEY SHARE";
    // `greatest` passes over null: a guest gets the role, and nobody loses a stronger one.
    JoinOrganization = "INSERT INTO organization_members (organization_id, user_id, role, joined_at) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (organization_id, user_id) DO UPDATE SET role = greatest(organization_members.role, excluded.role) \
        RETURNING role, xmax = 0 AS is_new";
}

/// What somebody who joined is now, and whether it was nothing before.
#[derive(QueryableByName)]
struct JoinedRow {
    #[diesel(sql_type = Nullable<SmallInt>)]
    role: Option<i16>,
    #[diesel(sql_type = Bool)]
    is_new: bool,
}

impl Tx<'_> {
    /// Lets the actor in by an invite: as a member with its role, or as a guest with its role on the space or collection. Who has
    /// more already keeps it. Answers the organization.
    ///
    /// # Errors
    /// 404 without such an invite; 403 for a token that may only read, for a disabled member, and while the organization is
    /// blocked; 409 while its invite links are disabled.
    pub fn accept_invite(&mut self, invite: InviteId) -> Result<OrganizationId> {
        let found = self.found_invite(None, invite)?;
        if found.actor.read_only || found.member_disabled {
            return Err(Error::Forbidden { action: Action::VisitOrganization });
        }
        if found.organization_is_blocked {
            return Err(refused(Reason::OrganizationBlocked));
        }
        if !found.links_enabled {
            return Err(refused(Reason::InviteLinksDisabled));
        }
        let invite = found.invite;
        if invite.redundant {
            return Ok(invite.organization);
        }
        let held = HoldInvite::bind((
            val::<SqlUuid, _>(*invite.organization.as_uuid()),
            val::<SqlUuid, _>(*invite.id.as_uuid()),
        ))
        .execute(self.connection)?;
        if held == 0 {
            return Err(Error::NotFound);
        }
        let user = found.actor.user;
        match invite.target {
            InviteTarget::Organization => self.join(invite.organization, user, invite.role)?,
            InviteTarget::Space(space) => {
                let place = Container::Space(space.id);
                self.join_for_content(invite.organization, user, place, invite.role)?;
            }
            InviteTarget::Collection(collection) => {
                let place = Container::Collection(collection.id);
                self.join_for_content(invite.organization, user, place, invite.role)?;
            }
        }
        Ok(invite.organization)
    }

    fn join(&mut self, organization: OrganizationId, user: UserId, role: Option<Role>) -> Result<()> {
        let now = self.now_bind();
        let joined: JoinedRow = JoinOrganization::bind((
            val::<SqlUuid, _>(*organization.as_uuid()),
            val::<SqlUuid, _>(*user.as_uuid()),
            val::<Nullable<SmallInt>, _>(role.map(Role::rank)),
            now,
        ))
        .get_result(self.connection)?;
        let kind = match (joined.is_new, role) {
            (true, _) => EventKind::MemberAdded,
            (false, Some(_)) => EventKind::MemberUpdated,
            // A member who gets something on a space is what it was.
            (false, None) => return Ok(()),
        };
        self.emit(organization, member_event(kind, user, role_from_rank(joined.role)?))
    }

    fn join_for_content(
        &mut self,
        organization: OrganizationId,
        user: UserId,
        place: Container,
        level: Option<Role>,
    ) -> Result<()> {
        self.join(organization, user, None)?;
        match level {
            Some(level) => self.raise_grant(organization, place, user, level),
            None => Ok(()),
        }
    }
}

fn refused(reason: Reason) -> Error {
    Error::refused(reason, reason.message())
}
