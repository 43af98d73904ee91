//! Creation of e-mail invites.

use std::collections::{HashMap, HashSet};

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Bool, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::bounds::{EMAIL_INVITE_LIFE, EMAIL_INVITES_MAX};
use quire_domain::error::Reason;
use quire_domain::ids::UserId;
use time::OffsetDateTime;
use uuid::Uuid;

use super::accept_email::secret_hash;
use super::pending::{EmailInviteRecord, PendingRow};
use crate::list::CountRow;
use crate::lookup::{Authorized, OrganizationRecord};
use crate::people::random_secret;
use crate::statement::{Sql, statements, val};
use crate::transaction::Tx;
use crate::{Error, Result};

/// Prefix of every invite secret, which secret scanners can look for.
const SECRET_PREFIX: &str = "qi_";

/// A new e-mail invite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEmailInvite {
    /// The e-mail address.
    pub email: String,
    /// The role of a new member; `None` for a guest.
    pub role: Option<Role>,
}

/// Result of [`Tx::invite_by_email`].
#[derive(Debug, Default)]
pub struct Invited {
    /// Existing members with these addresses, in the order of the addresses.
    pub members: Vec<UserId>,
    /// The new invites in the order of the addresses, each with its secret.
    pub invites: Vec<(EmailInviteRecord, String)>,
}

statements! {
    // An address without a user probes the membership of the nil id, so it costs the same as an address whose user is no member.
    // Addresses are compared by the database, whose `lower` is that of the index.
    FindMembers = "SELECT m.user_id AS id, wanted.email FROM unnest($2) AS wanted (email) \
        LEFT JOIN users u ON lower(u.email) = lower(wanted.email) \
        JOIN organization_members m ON m.organization_id = $1 AND m.user_id = coalesce(u.id, '00000000-0000-0000-0000-000000000000')";
    // An address that occurs twice is invited once. A new invite replaces the pending one, whose secret can't be shown again.
    PutInvites = "INSERT INTO email_invites (organization_id, id, email, role, sso, secret_hash, created_at, expires_at) \
        SELECT DISTINCT ON (lower(invite.email)) $1, invite.id, invite.email, invite.role, $6, invite.secret_hash, $7, $8 \
        FROM unnest($2, $3, $4, $5) WITH ORDINALITY AS invite (id, email, role, secret_hash, place) \
        ORDER BY lower(invite.email), invite.place \
        ON CONFLICT (organization_id, lower(email)) DO UPDATE SET id = excluded.id, email = excluded.email, role = excluded.role, \
          sso = excluded.sso, secret_hash = excluded.secret_hash, created_at = excluded.created_at, expires_at = excluded.expires_at \
        RETURNING id AS invite_id, email, role AS invite_role, sso, created_at, expires_at";
    CountPending = "SELECT count(*) AS total FROM email_invites WHERE organization_id = $1 AND expires_at > $2";
}

#[derive(QueryableByName)]
struct MemberRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    email: String,
}

impl Tx<'_> {
    /// Invites people by their addresses and leaves existing members as they are. Four statements, which are the same for
    /// addresses with and without a user.
    ///
    /// # Errors
    /// 409 when more than [`EMAIL_INVITES_MAX`] invites would be pending.
    pub fn invite_by_email(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        invites: &[NewEmailInvite],
        sso: bool,
    ) -> Result<Invited> {
        // Serializes the count of pending invites.
        self.lock_organization(organization.id)?;
        let members = self.members_with(organization, invites)?;
        let is_new = |invite: &&NewEmailInvite| !members.contains_key(&invite.email);
        let new: Vec<&NewEmailInvite> = invites.iter().filter(is_new).collect();
        let made = self.put_invites(organization, &new, sso)?;
        let mut seen = HashSet::new();
        let in_order = invites.iter().filter_map(|invite| members.get(&invite.email).copied());
        let members = in_order.filter(|user| seen.insert(*user)).collect();
        Ok(Invited { members, invites: made })
    }

    /// Members with one of these addresses, by the address as it was given.
    fn members_with(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        invites: &[NewEmailInvite],
    ) -> Result<HashMap<String, UserId>> {
        let emails: Vec<&str> = invites.iter().map(|invite| invite.email.as_str()).collect();
        let rows: Vec<MemberRow> = FindMembers::bind((
            val::<SqlUuid, _>(*organization.id.as_uuid()),
            val::<Array<Text>, _>(&emails),
        ))
        .load(self.connection)?;
        Ok(rows.into_iter().map(|row| (row.email, UserId::from_uuid(row.id))).collect())
    }

    fn put_invites(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        new: &[&NewEmailInvite],
        sso: bool,
    ) -> Result<Vec<(EmailInviteRecord, String)>> {
        let secrets: Vec<(Uuid, String)> =
            new.iter().map(|_| (self.storage.ids().uuid(), random_secret(SECRET_PREFIX))).collect();
        let ids: Vec<Uuid> = secrets.iter().map(|(id, _)| *id).collect();
        let emails: Vec<&str> = new.iter().map(|invite| invite.email.as_str()).collect();
        let roles: Vec<Option<i16>> = new.iter().map(|invite| invite.role.map(Role::rank)).collect();
        let hashes: Vec<Vec<u8>> = secrets.iter().map(|(_, secret)| secret_hash(secret)).collect();
        let id = *organization.id.as_uuid();
        let rows: Vec<PendingRow> = PutInvites::bind((
            val::<SqlUuid, _>(id),
            val::<Array<SqlUuid>, _>(ids),
            val::<Array<Text>, _>(emails),
            val::<Array<Nullable<SmallInt>>, _>(roles),
            val::<Array<Binary>, _>(hashes),
            val::<Bool, _>(sso),
            self.now_bind(),
            val::<Timestamptz, _>(OffsetDateTime::from(self.now) + EMAIL_INVITE_LIFE),
        ))
        .load(self.connection)?;
        let count: CountRow =
            CountPending::bind((val::<SqlUuid, _>(id), self.now_bind())).get_result(self.connection)?;
        if u64::try_from(count.total).unwrap_or(0) > EMAIL_INVITES_MAX {
            let message =
                format!("At most {EMAIL_INVITES_MAX} e-mail invites can be pending; revoke some first.");
            return Err(Error::refused(Reason::TooMany, message));
        }
        let mut made = HashMap::new();
        for row in rows {
            let record = EmailInviteRecord::try_from(row)?;
            made.insert(*record.id.as_uuid(), record);
        }
        Ok(secrets.into_iter().filter_map(|(id, secret)| Some((made.remove(&id)?, secret))).collect())
    }
}
