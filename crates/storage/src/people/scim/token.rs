//! Tokens of identity providers.

use diesel::prelude::*;
use diesel::sql_types::{Binary, Bool, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::ids::OrganizationId;

use super::ScimAccess;
use crate::lookup::{Authorized, Credentials, role_from_rank};
use crate::operations::audit::Change;
use crate::people::organizations::OrganizationRecord;
use crate::people::users::random_secret;
use crate::schema::scim_tokens;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// Token of an identity provider, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = scim_tokens, check_for_backend(diesel::pg::Pg))]
pub struct ScimTokenRecord {
    /// Role of new users; `None` for guests.
    pub default_role: Option<Role>,
    /// Creation time.
    pub created_at: Timestamp,
}

/// New token of an identity provider. Only its hash is stored.
pub struct IssuedScimToken {
    /// Stored facts about the token.
    pub record: ScimTokenRecord,
    /// Token.
    pub token: String,
}

sql_files! {
    FindAccess(SqlUuid, Binary) -> (Nullable<SmallInt>, Bool) = "access.sql";
    PutToken(SqlUuid, Binary, Nullable<SmallInt>, Timestamptz) = "put_token.sql";
    InsertEntry(
        SqlUuid, SqlUuid, Text, Text, Text, Text, Text, Nullable<Text>, Text, Timestamptz,
    ) = "insert_scim.sql";
}

impl Reader<'_> {
    /// Returns the organization that the caller manages, if the credentials belong to its token. Takes one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], also for an organization that does not exist.
    pub fn scim_access(&mut self, organization: OrganizationId) -> Result<ScimAccess> {
        let key = (organization, self.credentials.token_hash.as_slice());
        let found: Option<(Option<i16>, bool)> =
            FindAccess::bind(key).get_result(self.connection).optional()?;
        let (default_role, is_blocked) = found.ok_or(Error::Unauthenticated)?;
        Ok(ScimAccess { organization, default_role: role_from_rank(default_role)?, is_blocked })
    }

    /// Returns the token of an organization, if it has one. Takes one statement.
    pub fn scim_token(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
    ) -> Result<Option<ScimTokenRecord>> {
        let token = scim_tokens::table.find(organization.id).select(ScimTokenRecord::as_select());
        Ok(token.get_result(self.connection).optional()?)
    }
}

impl Tx<'_> {
    /// Creates the token of an organization, replacing the previous one.
    pub fn create_scim_token(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        default_role: Option<Role>,
    ) -> Result<IssuedScimToken> {
        let token = random_secret(Credentials::SCIM_PREFIX);
        let credentials = Credentials::from_scim_token(&token).ok_or_else(|| {
            Error::Internal("a made token has the wrong form", anyhow::anyhow!("{}", organization.id))
        })?;
        let row =
            (organization.id, credentials.token_hash.as_slice(), default_role.map(Role::rank), self.now);
        PutToken::bind(row).execute(self.connection)?;
        Ok(IssuedScimToken { record: ScimTokenRecord { default_role, created_at: self.now }, token })
    }

    /// Deletes the token of an organization. It stops working immediately on every node. Users and teams are kept.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the organization has no token.
    pub fn delete_scim_token(&mut self, organization: &Authorized<OrganizationRecord>) -> Result<()> {
        let deleted = diesel::delete(scim_tokens::table.find(organization.id)).execute(self.connection)?;
        if deleted == 0 { Err(Error::NotFound) } else { Ok(()) }
    }

    /// Writes a request of an identity provider to the audit log of its organization.
    pub fn audit_scim(
        &mut self,
        access: &ScimAccess,
        change: &Change,
        (kind, id): (&str, &str),
    ) -> Result<()> {
        InsertEntry::bind((
            access.organization,
            self.storage.ids().uuid(),
            &*change.operation,
            change.method.as_str(),
            change.path.as_str(),
            kind,
            id,
            change.address.map(|address| address.to_string()),
            change.request_id.as_str(),
            self.now,
        ))
        .execute(self.connection)?;
        Ok(())
    }
}
