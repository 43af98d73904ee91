//! Creation of e-mail invites.

use std::collections::{HashMap, HashSet};

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Bool, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::Role;
use quire_domain::bounds::{EMAIL_INVITE_LIFE, EMAIL_INVITES_MAX};
use quire_domain::error::Reason;
use quire_domain::ids::UserId;
use quire_domain::invites::{EmailInvite, EmailInviteFacts};
use time::OffsetDateTime;
use uuid::Uuid;

use super::accept_email::secret_hash;
use crate::lookup::Authorized;
use crate::people::organizations::OrganizationRecord;
use crate::people::users::random_secret;
use crate::schema::email_invites;
use crate::transaction::Tx;
use crate::{Error, Result};

/// Prefix of every invite secret, for secret scanners.
pub(crate) const SECRET_PREFIX: &str = "qi_";

/// Result of [`Tx::invite_by_email`].
#[derive(Debug, Default)]
pub struct Invited {
    /// Existing members with these addresses, in the order of the addresses.
    pub members: Vec<UserId>,
    /// New invites in the order of the addresses, with their secrets.
    pub invites: Vec<EmailInvite>,
}

sql_files! {
    PutEmailInvites(
        SqlUuid, Array<SqlUuid>, Array<Text>, Array<Nullable<SmallInt>>, Array<Binary>, Bool, Timestamptz,
        Timestamptz,
    ) -> dsl::SqlTypeOf<dsl::AsSelect<EmailInviteFacts, Pg>> = "put_email_invites.sql";
}

impl Tx<'_> {
    /// Invites people by their addresses, each with a role (`None` for a guest). Existing members are not changed.
    /// Takes four statements, the same for addresses with and without a user.
    ///
    /// # Errors
    /// 409 if more than [`EMAIL_INVITES_MAX`] invites would be pending.
    pub fn invite_by_email(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        invites: &[(String, Option<Role>)],
        sso: bool,
    ) -> Result<Invited> {
        // The lock serializes the count of pending invites.
        self.lock_organization(organization.id)?;
        let members = self.members_with(organization, invites)?;
        let is_new = |(email, _): &&(String, Option<Role>)| !members.contains_key(email);
        let new: Vec<&(String, Option<Role>)> = invites.iter().filter(is_new).collect();
        let made = self.put_invites(organization, &new, sso)?;
        let mut seen = HashSet::new();
        let in_order = invites.iter().filter_map(|(email, _)| members.get(email).copied());
        let members = in_order.filter(|user| seen.insert(*user)).collect();
        Ok(Invited { members, invites: made })
    }

    /// Returns the members with one of these addresses, by the given form of the address.
    fn members_with(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        invites: &[(String, Option<Role>)],
    ) -> Result<HashMap<String, UserId>> {
        let emails: Vec<&str> = invites.iter().map(|(email, _)| email.as_str()).collect();
        self.members_by_email(organization.id, emails)
    }

    fn put_invites(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        new: &[&(String, Option<Role>)],
        sso: bool,
    ) -> Result<Vec<EmailInvite>> {
        let secrets: Vec<(Uuid, String)> =
            new.iter().map(|_| (self.storage.ids().uuid(), random_secret(SECRET_PREFIX))).collect();
        let ids: Vec<Uuid> = secrets.iter().map(|(id, _)| *id).collect();
        let emails: Vec<&str> = new.iter().map(|(email, _)| email.as_str()).collect();
        let roles: Vec<Option<i16>> = new.iter().map(|(_, role)| role.map(Role::rank)).collect();
        let hashes: Vec<Vec<u8>> = secrets.iter().map(|(_, secret)| secret_hash(secret)).collect();
        let now = OffsetDateTime::from(self.now);
        let expiry = now + EMAIL_INVITE_LIFE;
        let written: Vec<EmailInviteFacts> =
            PutEmailInvites::bind((organization.id, ids, emails, roles, hashes, sso, now, expiry))
                .load(self.connection)?;
        let pending: i64 = email_invites::table
            .filter(email_invites::organization_id.eq(organization.id))
            .filter(email_invites::expires_at.gt(now))
            .count()
            .get_result(self.connection)?;
        if u64::try_from(pending).unwrap_or(0) > EMAIL_INVITES_MAX {
            let message =
                format!("At most {EMAIL_INVITES_MAX} e-mail invites can be pending. Revoke some first.");
            return Err(Error::refused(Reason::TooMany, message));
        }
        let mut written: HashMap<Uuid, EmailInviteFacts> =
            written.into_iter().map(|invite| (invite.id.into(), invite)).collect();
        let made = secrets
            .into_iter()
            .filter_map(|(id, secret)| Some(written.remove(&id)?.with_secret(Some(secret))));
        Ok(made.collect())
    }
}
