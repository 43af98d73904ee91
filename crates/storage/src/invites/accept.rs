//! Acceptance of link invites, and joining an organization.

use diesel::prelude::*;
use diesel::sql_types::{Bool, Nullable, SmallInt, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::error::Reason;
use quire_domain::ids::{InviteId, OrganizationId, UserId};
use quire_domain::policy::{Action, OwnAction};
use quire_domain::webhooks::EventKind;

use super::find::FoundInvite;
use super::{InviteTarget, stored_id};
use crate::grants::Container;
use crate::lookup::role_from_rank;
use crate::members::member_event;
use crate::statement::{Sql, statements, val};
use crate::transaction::Tx;
use crate::{Error, Result};

statements! {
    HoldInvite = "SELECT 1 FROM organization_invites WHERE organization_id = $1 AND id = $2 FOR KEY SHARE";
    // `policy::joined_role`: `greatest` passes over null, the role of a guest.
    JoinOrganization = "INSERT INTO organization_members (organization_id, user_id, role, joined_at, sso) VALUES ($1, $2, $3, $4, $5) \
        ON CONFLICT (organization_id, user_id) DO UPDATE \
        SET role = greatest(organization_members.role, excluded.role), sso = organization_members.sso OR excluded.sso \
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
    /// Accepts a link or an e-mail invite for the actor, who becomes a member with its role, or a guest with its role on the
    /// space or collection. A member keeps a stronger role. Returns the organization.
    ///
    /// # Errors
    /// 404 without such an invite; 403 for a token that may only read, for a disabled member, and while the organization is
    /// blocked; 409 for a link while the organization's links are disabled.
    pub fn accept_invite(&mut self, invite: InviteId, secret: Option<&str>) -> Result<OrganizationId> {
        match self.found_invite(None, invite) {
            Ok(found) => self.accept_link(found),
            Err(Error::NotFound) => self.accept_email_invite(invite, secret),
            Err(error) => Err(error),
        }
    }

    fn accept_link(&mut self, found: FoundInvite) -> Result<OrganizationId> {
        if !found.actor.token_allows_own(OwnAction::AcceptInvite) || !found.membership.may_accept_invites() {
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
            val::<SqlUuid, _>(stored_id(invite.id)),
        ))
        .execute(self.connection)?;
        if held == 0 {
            return Err(Error::NotFound);
        }
        let user = found.actor.user;
        match invite.target {
            InviteTarget::Organization => self.join(invite.organization, user, invite.role, false)?,
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

    /// Adds a member with this role, or raises the role of an existing member to it.
    pub(super) fn join(
        &mut self,
        organization: OrganizationId,
        user: UserId,
        role: Option<Role>,
        sso: bool,
    ) -> Result<()> {
        let now = self.now_bind();
        let joined: JoinedRow = JoinOrganization::bind((
            val::<SqlUuid, _>(*organization.as_uuid()),
            val::<SqlUuid, _>(*user.as_uuid()),
            val::<Nullable<SmallInt>, _>(role.map(Role::rank)),
            now,
            val::<Bool, _>(sso),
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
        self.join(organization, user, None, false)?;
        match level {
            Some(level) => self.raise_grant(organization, place, user, level),
            None => Ok(()),
        }
    }
}

pub(super) fn refused(reason: Reason) -> Error {
    Error::refused(reason, reason.message())
}
