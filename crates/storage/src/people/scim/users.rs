//! SCIM users, which are members of the organization.

use std::ops::Not;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::clock::Timestamp;
use quire_domain::error::Reason;
use quire_domain::ids::{OrganizationId, UserId};
use quire_domain::scim::{Reference, ScimAttributes, ScimEmail, ScimProblem, ScimType, UserInput};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Outcome, Part, ScimAccess, ScimPage, Selected};
use crate::schema::{organization_members, scim_users};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// Maximum number of users found by an id at the identity provider.
const SAME: i64 = 100;
/// Maximum number of groups of a user in a response.
const GROUPS: i64 = 1_000;

/// User in the form that an identity provider sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScimUserRecord {
    /// Id.
    pub id: UserId,
    /// Attributes as sent by the provider, or else from the account.
    pub input: UserInput,
    /// Teams of the user, without URLs.
    pub groups: Vec<Reference>,
    /// Time at which the user became a member.
    pub created_at: Timestamp,
    /// Time of the last change by the provider.
    pub updated_at: Timestamp,
}

/// Stored attributes of a user.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredAttributes {
    #[serde(flatten)]
    attributes: ScimAttributes,
    /// `true` if the provider removed `active`. Each request that creates or replaces the user sets it again.
    #[serde(default, skip_serializing_if = "Not::not")]
    active_removed: bool,
}

/// Columns of a [`ScimUserRecord`].
#[derive(Queryable)]
struct UserRow {
    id: UserId,
    user_name: String,
    external_id: Option<String>,
    /// [`StoredAttributes`], if the provider has sent any.
    attributes: Option<Value>,
    display_name: String,
    email: Option<String>,
    has_access: bool,
    created_at: Timestamp,
    updated_at: Timestamp,
    groups: Value,
}

sql_files! {
    ListUsers(SqlUuid, BigInt, BigInt) -> SqlUuid = "list_users.sql";
    CountUsers(SqlUuid) -> BigInt = "count_users.sql";
    FindByName(SqlUuid, Text) -> SqlUuid = "find_user_by_name.sql";
    FindByExternalId(SqlUuid, Text, BigInt) -> SqlUuid = "find_user_by_external_id.sql";
    ReadUsers(SqlUuid, Array<SqlUuid>, BigInt) -> (
        SqlUuid, Text, Nullable<Text>, Nullable<Jsonb>, Text, Nullable<Text>, Bool, Timestamptz, Timestamptz, Jsonb,
    ) = "read_users.sql";
    PutUser(
        SqlUuid, SqlUuid, Text, Nullable<Text>, Nullable<Text>, Jsonb, Timestamptz,
    ) = "put_user.sql";
    RenameAccount(SqlUuid, SqlUuid, Text) = "rename_account.sql";
    EndAccess(SqlUuid, SqlUuid) = "end_access.sql";
    EndLinks(SqlUuid, SqlUuid) = "end_links.sql";
}

fn record(row: UserRow) -> Result<ScimUserRecord> {
    let stored = match row.attributes {
        Some(stored) => serde_json::from_value(stored)
            .map_err(|error| Error::corrupt("the attributes of a user are not readable", error))?,
        None => {
            let emails = row.email.into_iter();
            let emails = emails.map(|value| ScimEmail { value, kind: None, primary: Some(true) }).collect();
            let attributes = ScimAttributes { display_name: Some(row.display_name), name: None, emails };
            StoredAttributes { attributes, active_removed: false }
        }
    };
    let StoredAttributes { attributes, active_removed } = stored;
    // An administrator may have disabled the member since then.
    let active = Some(row.has_access).filter(|has_access| !has_access || !active_removed);
    Ok(ScimUserRecord {
        id: row.id,
        input: UserInput { user_name: row.user_name, external_id: row.external_id, active, attributes },
        groups: references(row.groups)?,
        created_at: row.created_at,
        updated_at: row.updated_at,
    })
}

/// Reads the references of a row.
pub(super) fn references(stored: Value) -> Result<Vec<Reference>> {
    serde_json::from_value(stored).map_err(|error| Error::corrupt("references are not readable", error))
}

impl Reader<'_> {
    /// Returns a user of an organization. Takes one statement.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a user who is not a member.
    pub fn scim_user(&mut self, access: &ScimAccess, id: UserId) -> Result<ScimUserRecord> {
        self.read_scim_users(access, vec![id])?.pop().ok_or(Error::NotFound)
    }

    /// Returns users of an organization. Takes three statements, or two with a filter.
    pub fn scim_users(
        &mut self,
        access: &ScimAccess,
        selected: &Selected,
        part: Part,
    ) -> Result<ScimPage<ScimUserRecord>> {
        let organization = access.organization;
        let (offset, limit) = part.bounds();
        let found: Vec<UserId> = match selected {
            Selected::All => {
                let total: i64 = CountUsers::bind((organization,)).get_result(self.connection)?;
                let ids = ListUsers::bind((organization, offset, limit)).load(self.connection)?;
                let items = self.read_scim_users(access, ids)?;
                return Ok(ScimPage { items, total: u64::try_from(total).unwrap_or(0) });
            }
            Selected::Named(name) => FindByName::bind((organization, name.as_str())).load(self.connection)?,
            Selected::External(id) => {
                FindByExternalId::bind((organization, id.as_str(), SAME)).load(self.connection)?
            }
        };
        let total = u64::try_from(found.len()).unwrap_or(0);
        Ok(ScimPage { items: self.read_scim_users(access, part.of(&found))?, total })
    }

    fn read_scim_users(&mut self, access: &ScimAccess, ids: Vec<UserId>) -> Result<Vec<ScimUserRecord>> {
        let rows: Vec<UserRow> = ReadUsers::bind((access.organization, ids, GROUPS)).load(self.connection)?;
        rows.into_iter().map(record).collect()
    }
}

impl Tx<'_> {
    /// Creates a user. If a member has the address, or any account in a deployment with one organization, that account
    /// becomes the user. Otherwise an account is created.
    ///
    /// # Errors
    /// 403 for a blocked organization; 409 if it would have no administrator.
    pub fn create_scim_user(&mut self, access: &ScimAccess, input: &UserInput) -> Result<Outcome<UserId>> {
        if access.is_blocked {
            return Err(Error::refused(Reason::OrganizationBlocked, Reason::OrganizationBlocked.message()));
        }
        let organization = access.organization;
        self.lock_organization(organization)?;
        let email = input.email();
        let is_only = self.is_only_organization(organization)?;
        let found = match &email {
            Some(email) => self.user_of_address(organization, email, is_only)?,
            None => None,
        };
        let user = match found {
            Some(found) if found.disabled.is_some() => found.user,
            Some(found) if !found.is_sure => {
                let detail =
                    "An account with this unverified address exists. Its owner must sign in with it first.";
                return Ok(Err(ScimProblem::new(ScimType::Uniqueness, detail)));
            }
            other => {
                let user = match other {
                    Some(found) => found.user,
                    // A verified address grants access in other organizations, which the provider must not be able to
                    // do.
                    None => self.create_user(email.as_deref().filter(|_| is_only), &input.display_name())?,
                };
                self.join(organization, user, access.default_role, true)?;
                user
            }
        };
        if self.is_scim_user(organization, user)? {
            let detail = "A user with this e-mail address already exists.";
            return Ok(Err(ScimProblem::new(ScimType::Uniqueness, detail)));
        }
        match self.put_scim_user(access, user, input)? {
            Ok(()) => self.set_scim_access(access, user, input.is_active()).map(|()| Ok(user)),
            Err(problem) => Ok(Err(problem)),
        }
    }

    /// Changes a user. The name of the account changes only if the user has no other organization.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a user who is not a member; 409 if the organization would have no administrator.
    pub fn update_scim_user(
        &mut self,
        access: &ScimAccess,
        user: UserId,
        input: &UserInput,
    ) -> Result<Outcome<()>> {
        match self.put_scim_user(access, user, input)? {
            Ok(()) => {}
            Err(problem) => return Ok(Err(problem)),
        }
        RenameAccount::bind((access.organization, user, input.display_name())).execute(self.connection)?;
        self.set_scim_access(access, user, input.is_active()).map(Ok)
    }

    /// Locks the organization until the transaction ends, and returns one of its users.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a user who is not a member.
    pub fn lock_scim_user(&mut self, access: &ScimAccess, user: UserId) -> Result<ScimUserRecord> {
        self.lock_organization(access.organization)?;
        self.scim_user(access, user)
    }

    /// Removes a user from the organization, as an administrator can. Sessions and API tokens end if the user has no
    /// other organization.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a user who is not a member; 409 if the organization would have no administrator.
    pub fn delete_scim_user(&mut self, access: &ScimAccess, user: UserId) -> Result<()> {
        self.lock_scim_user(access, user)?;
        self.end_scim_access(access, user)?;
        self.end_membership(access.organization, user)
    }

    fn is_scim_user(&mut self, organization: OrganizationId, user: UserId) -> Result<bool> {
        let key = (organization, user);
        let found: i64 = scim_users::table.find(key).count().get_result(self.connection)?;
        Ok(found > 0)
    }

    /// Stores the data that the provider has sent, unless another user has the name.
    fn put_scim_user(&mut self, access: &ScimAccess, user: UserId, input: &UserInput) -> Result<Outcome<()>> {
        let organization = access.organization;
        let named: Vec<UserId> =
            FindByName::bind((organization, input.user_name.as_str())).load(self.connection)?;
        if named.iter().any(|other| *other != user) {
            let detail = "A user with this `userName` already exists.";
            return Ok(Err(ScimProblem::new(ScimType::Uniqueness, detail)));
        }
        let stored =
            StoredAttributes { attributes: input.attributes.clone(), active_removed: input.active.is_none() };
        let stored = serde_json::to_value(&stored)
            .map_err(|error| Error::corrupt("attributes are not JSON", error))?;
        PutUser::bind((
            organization,
            user,
            input.user_name.as_str(),
            input.external_id.as_deref(),
            input.email(),
            stored,
            self.now,
        ))
        .execute(self.connection)?;
        Ok(Ok(()))
    }

    /// Enables or disables a member. Sessions and API tokens of a disabled member end if the user has no other
    /// organization.
    fn set_scim_access(&mut self, access: &ScimAccess, user: UserId, active: bool) -> Result<()> {
        let is_disabled: bool = organization_members::table
            .find((access.organization, user))
            .select(organization_members::disabled)
            .get_result(self.connection)?;
        if is_disabled != active {
            return Ok(());
        }
        self.set_member_disabled(access.organization, user, !active)?;
        if !active {
            self.end_scim_access(access, user)?;
        }
        Ok(())
    }

    fn end_scim_access(&mut self, access: &ScimAccess, user: UserId) -> Result<()> {
        let key = (access.organization, user);
        EndAccess::bind(key).execute(self.connection)?;
        EndLinks::bind(key).execute(self.connection)?;
        Ok(())
    }
}
