//! Acceptance of link invites, and joining an organization.

use diesel::prelude::*;
use diesel::sql_types::{Bool, Nullable, SmallInt, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::Role;
use quire_domain::error::Reason;
use quire_domain::ids::{InviteId, OrganizationId, UserId};
use quire_domain::policy::{Action, OwnAction};
use quire_domain::webhooks::EventKind;
use uuid::Uuid;

use super::queries::FoundInvite;
use super::{InviteTarget, stored_id};
use crate::lookup::role_from_rank;
use crate::people::members::member_event;
use crate::people::permissions::Container;
use crate::schema::organization_invites;
use crate::transaction::Tx;
use crate::{Error, Result};

sql_files! {
    JoinOrganization(SqlUuid, SqlUuid, Nullable<SmallInt>, Timestamptz, Bool) -> (Nullable<SmallInt>, Bool)
        = "join.sql";
}

impl Tx<'_> {
    /// Accepts a link or an e-mail invite for the actor, who becomes a member with the invite's role, or a guest with
    /// its role on the space or collection. A member keeps a stronger role. Returns the organization.
    ///
    /// # Errors
    /// 404 if there is no such invite; 403 for a read-only token, for a disabled member, and while the organization is
    /// blocked; 409 for a link while the organization's invite links are disabled.
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
        // The lock keeps the invite unchanged until the transaction ends.
        let held: Option<Uuid> = organization_invites::table
            .find((invite.organization, stored_id(invite.id)))
            .for_key_share()
            .select(organization_invites::id)
            .get_result(self.connection)
            .optional()?;
        if held.is_none() {
            return Err(Error::NotFound);
        }
        let user = found.actor.user;
        match invite.target {
            InviteTarget::Organization => self.join(invite.organization, user, invite.role, false)?,
            InviteTarget::Space(space) => {
                let container = Container::Space(space.id);
                self.join_for_content(invite.organization, user, container, invite.role)?;
            }
            InviteTarget::Collection(collection) => {
                let container = Container::Collection(collection.id);
                self.join_for_content(invite.organization, user, container, invite.role)?;
            }
        }
        Ok(invite.organization)
    }

    /// Adds a member with this role, or raises the role of an existing member to it.
    pub(crate) fn join(
        &mut self,
        organization: OrganizationId,
        user: UserId,
        role: Option<Role>,
        sso: bool,
    ) -> Result<()> {
        let (stored_role, is_new): (Option<i16>, bool) =
            JoinOrganization::bind((organization, user, role.map(Role::rank), self.now, sso))
                .get_result(self.connection)?;
        let kind = match (is_new, role) {
            (true, _) => EventKind::MemberAdded,
            (false, Some(_)) => EventKind::MemberUpdated,
            // A role on a space or collection changes no role in the organization.
            (false, None) => return Ok(()),
        };
        self.emit(organization, member_event(kind, user, role_from_rank(stored_role)?))
    }

    fn join_for_content(
        &mut self,
        organization: OrganizationId,
        user: UserId,
        container: Container,
        level: Option<Role>,
    ) -> Result<()> {
        self.join(organization, user, None, false)?;
        match level {
            Some(level) => self.raise_grant(organization, container, user, level),
            None => Ok(()),
        }
    }
}

pub(super) fn refused(reason: Reason) -> Error {
    Error::refused(reason, reason.message())
}
