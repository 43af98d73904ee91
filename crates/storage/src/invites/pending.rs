//! Pending e-mail invites: lists, revocation and removal after expiry.

use diesel::pg::Pg;
use diesel::prelude::*;
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{InviteId, OrganizationId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::functions::lower;
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::{Authorized, OrganizationRecord};
use crate::schema::{email_invites, users};
use crate::stored::Stored;
use crate::system::SystemTx;
use crate::transaction::{Reader, Tx};
use crate::views::organization_access;
use crate::{Error, Result};

/// A stored e-mail invite without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = email_invites, check_for_backend(Pg))]
pub struct EmailInviteRecord {
    /// Its id.
    #[diesel(deserialize_as = Uuid)]
    pub id: InviteId,
    /// The invited address.
    pub email: String,
    /// The role of the new member; `None` for a guest.
    #[diesel(deserialize_as = Stored<Option<i16>>)]
    pub role: Option<Role>,
    /// Single sign-on: true if the new member may log in with it.
    pub sso: bool,
    /// Creation time.
    #[diesel(deserialize_as = OffsetDateTime)]
    pub created_at: Timestamp,
    /// Time after which it can't be accepted.
    #[diesel(deserialize_as = OffsetDateTime)]
    pub expires_at: Timestamp,
}

/// An e-mail invite to the actor's address.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct AddressedInvite {
    /// The organization that invites.
    #[diesel(deserialize_as = Uuid)]
    pub organization: OrganizationId,
    /// Its title.
    pub organization_title: String,
    /// The invite.
    pub invite: EmailInviteRecord,
}

impl Reader<'_> {
    /// Pending e-mail invites of an organization, newest first: two statements.
    pub fn email_invites_of(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        after: Option<InviteId>,
        limit: u16,
    ) -> Result<Slice<EmailInviteRecord>> {
        let pending = || {
            email_invites::table
                .filter(email_invites::organization_id.eq(organization.id.as_uuid()))
                .filter(email_invites::expires_at.gt(OffsetDateTime::from(self.now)))
        };
        let page = pending()
            .filter(email_invites::id.lt(page_end(after)))
            .order(email_invites::id.desc())
            .limit(fetch_limit(limit))
            .select(EmailInviteRecord::as_select());
        let count = pending().count();
        let invites = page.load(self.connection)?;
        Ok(Slice::cut(invites, limit, count.get_result(self.connection)?))
    }

    /// Pending e-mail invites to the actor's address, newest first, without those of blocked organizations, which can't
    /// be joined: three statements.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`].
    pub fn own_invites(&mut self, after: Option<InviteId>, limit: u16) -> Result<Slice<AddressedInvite>> {
        let actor = self.actor()?;
        let of_organization = email_invites::organization_id.eq(organization_access::id);
        let to_address = lower(email_invites::email).eq(lower(users::email.assume_not_null()));
        let pending = || {
            organization_access::table
                .inner_join(users::table.on(users::id.eq(organization_access::actor_id)))
                .inner_join(email_invites::table.on(of_organization.and(to_address)))
                .filter(organization_access::token_id.eq(*actor.token.as_uuid()))
                .filter(organization_access::token_reaches)
                .filter(organization_access::blocked_reason.is_null())
                .filter(email_invites::expires_at.gt(OffsetDateTime::from(self.now)))
        };
        let page = pending()
            .filter(email_invites::id.lt(page_end(after)))
            .order(email_invites::id.desc())
            .limit(fetch_limit(limit))
            .select((organization_access::id, organization_access::title, EmailInviteRecord::as_select()));
        let count = pending().count();
        let invites = page.load(self.connection)?;
        Ok(Slice::cut(invites, limit, count.get_result(self.connection)?))
    }
}

impl Tx<'_> {
    /// Revokes a pending e-mail invite.
    ///
    /// # Errors
    /// [`Error::NotFound`] without such a pending invite.
    pub fn revoke_email_invite(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        invite: InviteId,
    ) -> Result<()> {
        let pending = email_invites::table
            .find((organization.id.as_uuid(), invite.as_uuid()))
            .filter(email_invites::expires_at.gt(OffsetDateTime::from(self.now)));
        let revoked = diesel::delete(pending).execute(self.connection)?;
        if revoked == 0 { Err(Error::NotFound) } else { Ok(()) }
    }
}

impl SystemTx<'_> {
    /// Deletes the expired e-mail invites and returns their number.
    pub fn sweep_email_invites(&mut self) -> Result<usize> {
        let now = OffsetDateTime::from(self.now);
        let expired = email_invites::table.filter(email_invites::expires_at.le(now));
        Ok(diesel::delete(expired).execute(self.connection)?)
    }
}
