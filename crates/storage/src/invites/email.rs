//! People who are invited by their e-mail addresses.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, Bool, Nullable, SmallInt, Text, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::ids::UserId;
use quire_domain::webhooks::EventKind;
use uuid::Uuid;

use crate::lookup::{Authorized, OrganizationRecord};
use crate::members::{IdRow, member_event};
use crate::statement::{Sql, statements, val};
use crate::transaction::Tx;
use crate::{Error, Result};

/// Somebody who is invited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmailInvite {
    /// The e-mail address.
    pub email: String,
    /// The role of a new member; `None` for a guest.
    pub role: Option<Role>,
}

/// What came of invites.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invited {
    /// The members with these addresses, new or not, in the order of the addresses.
    pub users: Vec<UserId>,
    /// How many of them are new.
    pub new: usize,
}

// Rows are made in one order, so that two calls that make the same don't wait for each other.
statements! {
    MakeUsers = "INSERT INTO users (id, email, display_name, created_at) \
        SELECT person.id, person.email, person.name, $4 FROM unnest($1, $2, $3) AS person (id, email, name) ORDER BY lower(person.email) \
        ON CONFLICT (lower(email)) DO NOTHING";
    // The database compares the addresses, whose idea of lower case is that of the index.
    FindUsers = "SELECT u.id, wanted.email FROM unnest($1) AS wanted (email) JOIN users u ON lower(u.email) = lower(wanted.email)";
    AddMembers = "INSERT INTO organization_members (organization_id, user_id, role, sso, joined_at) \
        SELECT $1, person.id, person.role, $4, $5 FROM unnest($2, $3) AS person (id, role) ORDER BY person.id \
        ON CONFLICT (organization_id, user_id) DO NOTHING RETURNING user_id AS id";
}

#[derive(QueryableByName)]
struct UserRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    email: String,
}

impl Tx<'_> {
    /// Makes the people with these addresses members, and users where there are none yet; who is a member stays as before. An
    /// address that is named twice counts once. Four statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn invite_by_email(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        invites: &[EmailInvite],
        sso: bool,
    ) -> Result<Invited> {
        let emails: Vec<&str> = invites.iter().map(|invite| invite.email.as_str()).collect();
        let ids: Vec<Uuid> = emails.iter().map(|_| self.storage.ids().uuid()).collect();
        let names: Vec<&str> =
            emails.iter().map(|email| email.split('@').next().unwrap_or_default()).collect();
        let (now, joined_at) = (self.now_bind(), self.now_bind());
        MakeUsers::bind((
            val::<Array<SqlUuid>, _>(&ids),
            val::<Array<Text>, _>(&emails),
            val::<Array<Text>, _>(&names),
            now,
        ))
        .execute(self.connection)?;
        let rows: Vec<UserRow> = FindUsers::bind((val::<Array<Text>, _>(&emails),)).load(self.connection)?;
        let by_email: HashMap<String, Uuid> = rows.into_iter().map(|row| (row.email, row.id)).collect();
        let (mut users, mut roles) = (Vec::new(), Vec::new());
        for invite in invites {
            let user = by_email.get(&invite.email).copied().ok_or_else(|| {
                Error::Internal("an invited user wasn't found", anyhow::anyhow!("{}", invite.email))
            })?;
            if !users.contains(&user) {
                users.push(user);
                roles.push(invite.role.map(Role::rank));
            }
        }
        let new: Vec<IdRow> = AddMembers::bind((
            val::<SqlUuid, _>(*organization.id.as_uuid()),
            val::<Array<SqlUuid>, _>(&users),
            val::<Array<Nullable<SmallInt>>, _>(&roles),
            val::<Bool, _>(sso),
            joined_at,
        ))
        .load(self.connection)?;
        let roles: HashMap<Uuid, Option<Role>> =
            users.iter().zip(&roles).map(|(user, role)| (*user, role.and_then(Role::from_rank))).collect();
        let added = new.iter().map(|row| {
            let role = roles.get(&row.id).copied().flatten();
            member_event(EventKind::MemberAdded, UserId::from_uuid(row.id), role)
        });
        self.emit_all(organization.id, added.collect())?;
        Ok(Invited { users: users.into_iter().map(UserId::from_uuid).collect(), new: new.len() })
    }
}
