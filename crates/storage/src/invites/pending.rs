//! Pending e-mail invites: lists, revocation and removal after expiry.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{InviteId, OrganizationId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{Authorized, OrganizationRecord, role_from_rank, valid_token};
use crate::statement::{Sql, statements, val};
use crate::system::SystemTx;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result, moment};

/// A stored e-mail invite without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmailInviteRecord {
    /// Its id.
    pub id: InviteId,
    /// The address that is invited.
    pub email: String,
    /// The role of the new member; `None` for a guest.
    pub role: Option<Role>,
    /// Single sign-on: true when the new member may log in with it.
    pub sso: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it can't be accepted any more.
    pub expires_at: Timestamp,
}

/// An e-mail invite to the actor's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnInviteRecord {
    /// The invite.
    pub invite: EmailInviteRecord,
    /// The organization that invites.
    pub organization: OrganizationId,
    /// Its title.
    pub organization_title: String,
}

#[derive(QueryableByName)]
pub(super) struct PendingRow {
    #[diesel(sql_type = SqlUuid)]
    invite_id: Uuid,
    #[diesel(sql_type = Text)]
    email: String,
    #[diesel(sql_type = Nullable<SmallInt>)]
    invite_role: Option<i16>,
    #[diesel(sql_type = Bool)]
    sso: bool,
    #[diesel(sql_type = Timestamptz)]
    created_at: OffsetDateTime,
    #[diesel(sql_type = Timestamptz)]
    expires_at: OffsetDateTime,
}

#[derive(QueryableByName)]
struct InvitingColumns {
    #[diesel(sql_type = SqlUuid)]
    organization_id: Uuid,
    #[diesel(sql_type = Text)]
    title: String,
}

macro_rules! pending_columns {
    () => {
        "i.id AS invite_id, i.email, i.role AS invite_role, i.sso, i.created_at, i.expires_at"
    };
}

/// Invites to the address of a token's user, without those of blocked organizations, which can't be joined.
macro_rules! own_invites {
    () => {
        concat!(
            " FROM api_tokens t JOIN users u ON u.id = t.user_id \
              JOIN email_invites i ON lower(i.email) = lower(u.email) \
                AND (t.organizations IS NULL OR i.organization_id = ANY (t.organizations)) \
              JOIN organizations o ON o.id = i.organization_id AND o.blocked_reason IS NULL \
              WHERE ",
            valid_token!(),
            " AND i.expires_at > $2"
        )
    };
}

statements! {
    ListInvites = concat!(
        "SELECT ", pending_columns!(), " FROM email_invites i WHERE i.organization_id = $1 AND i.expires_at > $2 \
         AND ($3 IS NULL OR i.id < $3) ORDER BY i.id DESC LIMIT $4"
    );
    CountInvites = "SELECT count(*) AS total FROM email_invites WHERE organization_id = $1 AND expires_at > $2";
    RevokeInvite = "DELETE FROM email_invites WHERE organization_id = $1 AND id = $2 AND expires_at > $3";
    ListOwn = concat!(
        "SELECT i.organization_id, o.title, ", pending_columns!(), own_invites!(),
        " AND ($3 IS NULL OR i.id < $3) ORDER BY i.id DESC LIMIT $4"
    );
    CountOwn = concat!("SELECT count(*) AS total", own_invites!());
    SweepInvites = "DELETE FROM email_invites WHERE expires_at <= $1";
}

impl Reader<'_> {
    /// Pending e-mail invites of an organization, newest first: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn email_invites_of(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        after: Option<InviteId>,
        limit: u16,
    ) -> Result<Slice<EmailInviteRecord>> {
        let id = *organization.id.as_uuid();
        let rows: Vec<PendingRow> = ListInvites::bind((
            val::<SqlUuid, _>(id),
            self.now_bind(),
            val::<Nullable<SqlUuid>, _>(after.map(|id| *id.as_uuid())),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow =
            CountInvites::bind((val::<SqlUuid, _>(id), self.now_bind())).get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(TryInto::try_into)
    }

    /// Pending e-mail invites to the actor's address, newest first: three statements.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`].
    pub fn own_invites(&mut self, after: Option<InviteId>, limit: u16) -> Result<Slice<OwnInviteRecord>> {
        self.actor()?;
        let rows: Vec<(InvitingColumns, PendingRow)> = ListOwn::bind((
            self.token_bind(),
            self.now_bind(),
            val::<Nullable<SqlUuid>, _>(after.map(|id| *id.as_uuid())),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow =
            CountOwn::bind((self.token_bind(), self.now_bind())).get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(|(inviting, row)| {
            Ok(OwnInviteRecord {
                invite: row.try_into()?,
                organization: OrganizationId::from_uuid(inviting.organization_id),
                organization_title: inviting.title,
            })
        })
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
        let revoked = RevokeInvite::bind((
            val::<SqlUuid, _>(*organization.id.as_uuid()),
            val::<SqlUuid, _>(*invite.as_uuid()),
            self.now_bind(),
        ))
        .execute(self.connection)?;
        if revoked == 0 { Err(Error::NotFound) } else { Ok(()) }
    }
}

impl SystemTx<'_> {
    /// Deletes the expired e-mail invites and returns their number.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn sweep_email_invites(&mut self) -> Result<usize> {
        Ok(SweepInvites::bind((self.now_bind(),)).execute(self.connection)?)
    }
}

impl TryFrom<PendingRow> for EmailInviteRecord {
    type Error = Error;

    fn try_from(row: PendingRow) -> Result<Self> {
        let PendingRow { invite_id, email, invite_role, sso, created_at, expires_at } = row;
        Ok(Self {
            id: InviteId::from_uuid(invite_id),
            email,
            role: role_from_rank(invite_role)?,
            sso,
            created_at: moment(created_at)?,
            expires_at: moment(expires_at)?,
        })
    }
}
