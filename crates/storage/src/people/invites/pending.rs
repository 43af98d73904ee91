//! Pending e-mail invites: lists, revocation, and removal after expiry.

use diesel::pg::Pg;
use diesel::prelude::*;
use quire_database::functions::lower;
use quire_domain::ids::{InviteId, OrganizationId};
use quire_domain::invites::EmailInviteFacts;

use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::Authorized;
use crate::people::organizations::OrganizationRecord;
use crate::schema::{email_invites, users};
use crate::system::SystemTx;
use crate::transaction::{Reader, Tx};
use crate::views::organization_access;
use crate::{Error, Result};

/// E-mail invite to the actor's address.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = email_invites, check_for_backend(Pg))]
pub struct AddressedInvite {
    /// Inviting organization.
    #[diesel(column_name = organization_id)]
    pub organization: OrganizationId,
    /// Title of the organization.
    #[diesel(select_expression = organization_access::title)]
    pub organization_title: String,
    /// Invite.
    #[diesel(embed)]
    pub invite: EmailInviteFacts,
}

impl Reader<'_> {
    /// Returns the pending e-mail invites of an organization, newest first. Takes two statements.
    pub fn email_invites_of(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        after: Option<InviteId>,
        limit: u16,
    ) -> Result<Slice<EmailInviteFacts>> {
        let pending = || {
            email_invites::table
                .filter(email_invites::organization_id.eq(organization.id))
                .filter(email_invites::expires_at.gt(self.now))
        };
        let page = pending()
            .filter(email_invites::id.lt(page_end(after)))
            .order(email_invites::id.desc())
            .limit(fetch_limit(limit))
            .select(EmailInviteFacts::as_select());
        let count = pending().count();
        let invites = page.load(self.connection)?;
        Ok(Slice::cut(invites, limit, count.get_result(self.connection)?))
    }

    /// Returns the pending e-mail invites to the actor's address, newest first, except those of blocked organizations,
    /// which cannot be joined. Takes three statements.
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
                .filter(organization_access::token_id.eq(actor.token))
                .filter(organization_access::token_reaches)
                .filter(organization_access::blocked_reason.is_null())
                .filter(email_invites::expires_at.gt(self.now))
        };
        let page = pending()
            .filter(email_invites::id.lt(page_end(after)))
            .order(email_invites::id.desc())
            .limit(fetch_limit(limit))
            .select(AddressedInvite::as_select());
        let count = pending().count();
        let invites = page.load(self.connection)?;
        Ok(Slice::cut(invites, limit, count.get_result(self.connection)?))
    }
}

impl Tx<'_> {
    /// Revokes a pending e-mail invite.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such pending invite.
    pub fn revoke_email_invite(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        invite: InviteId,
    ) -> Result<()> {
        let pending = email_invites::table
            .find((organization.id, invite))
            .filter(email_invites::expires_at.gt(self.now));
        let revoked = diesel::delete(pending).execute(self.connection)?;
        if revoked == 0 { Err(Error::NotFound) } else { Ok(()) }
    }
}

impl SystemTx<'_> {
    /// Deletes the expired e-mail invites and returns their number.
    pub fn sweep_email_invites(&mut self) -> Result<usize> {
        let now = self.now;
        let expired = email_invites::table.filter(email_invites::expires_at.le(now));
        Ok(diesel::delete(expired).execute(self.connection)?)
    }
}
