//! Users, tokens and memberships for the command line, without authorization.

mod lookup;

use diesel::pg::Pg;
use diesel::prelude::*;
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{OrganizationId, TokenId, UserId};
use quire_domain::policy::DEFAULT_ROLE;
use rand::RngExt;
use uuid::Uuid;

use self::functions::lower;
use crate::lookup::Credentials;
use crate::people::organizations::NewOrganization;
use crate::people::tokens::{IssuedToken, OwnToken};
use crate::schema::{api_tokens, organization_members, organizations, users};
use crate::system::SystemTx;
use crate::transaction::Tx;
use crate::{Error, Result};

/// Token with its user.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = users, check_for_backend(Pg))]
pub struct UserToken {
    /// User.
    #[diesel(column_name = id)]
    pub user: UserId,
    /// E-mail address of the user; `None` for a user without one.
    pub email: Option<String>,
    /// Token.
    #[diesel(embed)]
    pub token: OwnToken,
}

impl Tx<'_> {
    /// Creates a user. The address, if given, counts as verified.
    pub(crate) fn create_user(&mut self, email: Option<&str>, display_name: &str) -> Result<UserId> {
        let id = UserId::from_uuid(self.storage.ids().uuid());
        diesel::insert_into(users::table)
            .values((
                users::id.eq(id),
                users::email.eq(email),
                users::display_name.eq(display_name),
                users::created_at.eq(self.now),
            ))
            .execute(self.connection)?;
        Ok(id)
    }

    /// Adds a member to an organization, or changes the role of an existing member. `None` means guest.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the organization does not exist.
    pub(crate) fn put_member(
        &mut self,
        organization: OrganizationId,
        user: UserId,
        role: Option<Role>,
    ) -> Result<()> {
        let exists: i64 = organizations::table.find(organization).count().get_result(self.connection)?;
        if exists == 0 {
            return Err(Error::NotFound);
        }
        let role = role.map(Role::rank);
        diesel::insert_into(organization_members::table)
            .values((
                organization_members::organization_id.eq(organization),
                organization_members::user_id.eq(user),
                organization_members::role.eq(role),
                organization_members::joined_at.eq(self.now),
            ))
            .on_conflict((organization_members::organization_id, organization_members::user_id))
            .do_update()
            .set(organization_members::role.eq(role))
            .execute(self.connection)?;
        Ok(())
    }

    /// Creates a token of a user.
    pub(crate) fn issue_token(
        &mut self,
        user: UserId,
        label: &str,
        read_only: bool,
        expires_at: Option<Timestamp>,
    ) -> Result<IssuedToken> {
        let token = random_secret(Credentials::TOKEN_PREFIX);
        let credentials = Credentials::from_token(&token)
            .ok_or_else(|| Error::Internal("a made token has the wrong form", anyhow::anyhow!("{label}")))?;
        let id = TokenId::from_uuid(self.storage.ids().uuid());
        diesel::insert_into(api_tokens::table)
            .values((
                api_tokens::id.eq(id),
                api_tokens::user_id.eq(user),
                api_tokens::hash.eq(credentials.token_hash.as_slice()),
                api_tokens::label.eq(label),
                api_tokens::read_only.eq(read_only),
                api_tokens::created_at.eq(self.now),
                api_tokens::expires_at.eq(expires_at),
            ))
            .execute(self.connection)?;
        Ok(IssuedToken { id, token })
    }
}

impl SystemTx<'_> {
    /// Creates a token of a user.
    pub fn issue_token(
        &mut self,
        user: UserId,
        label: &str,
        read_only: bool,
        expires_at: Option<Timestamp>,
    ) -> Result<IssuedToken> {
        Tx::issue_token(self, user, label, read_only, expires_at)
    }

    /// Creates an organization. `slug` is the requested name in the URLs of its sites.
    pub fn create_organization(&mut self, title: &str, slug: &str) -> Result<OrganizationId> {
        self.insert_organization(NewOrganization {
            title: title.to_owned(),
            slug: slug.to_owned(),
            kind: "business",
            default_role: Some(DEFAULT_ROLE),
            ..NewOrganization::default()
        })
    }

    /// Returns the user with this e-mail address, ignoring case. The user is created if missing.
    pub fn find_or_create_user(&mut self, email: &str, display_name: &str) -> Result<UserId> {
        if let Some(user) = self.user_by_email(email)? {
            return Ok(user);
        }
        self.create_user(Some(email), display_name)
    }

    /// Sets a verified e-mail address of a user. Returns whether the user exists.
    ///
    /// # Errors
    /// A statement that fails, for example for an address that another user has.
    pub fn set_email(&mut self, user: UserId, email: &str) -> Result<bool> {
        let changed =
            diesel::update(users::table.find(user)).set(users::email.eq(email)).execute(self.connection)?;
        Ok(changed > 0)
    }

    /// Returns the user with this e-mail address, ignoring case.
    pub fn user_by_email(&mut self, email: &str) -> Result<Option<UserId>> {
        let id: Option<Uuid> = users::table
            .filter(lower(users::email).eq(lower(email)))
            .select(users::id)
            .first(self.connection)
            .optional()?;
        Ok(id.map(UserId::from_uuid))
    }

    /// Returns whether a user is a member of an organization, enabled or disabled.
    pub fn is_member(&mut self, organization: OrganizationId, user: UserId) -> Result<bool> {
        let found: i64 =
            organization_members::table.find((organization, user)).count().get_result(self.connection)?;
        Ok(found > 0)
    }

    /// Returns whether a user exists.
    pub fn user_exists(&mut self, user: UserId) -> Result<bool> {
        let found: i64 = users::table.find(user).count().get_result(self.connection)?;
        Ok(found > 0)
    }

    /// Returns all API tokens, or those of one user, oldest first.
    pub fn tokens(&mut self, user: Option<UserId>) -> Result<Vec<UserToken>> {
        let mut query = api_tokens::table
            .inner_join(users::table)
            .select(UserToken::as_select())
            .filter(api_tokens::session_ends_at.is_null())
            .order(api_tokens::id)
            .into_boxed();
        if let Some(user) = user {
            query = query.filter(api_tokens::user_id.eq(user));
        }
        Ok(query.load(self.connection)?)
    }

    /// Revokes a token, immediately on every node, since no node caches a token longer than a request. Returns whether
    /// it existed.
    pub fn revoke_token(&mut self, token: TokenId) -> Result<bool> {
        let deleted = diesel::delete(api_tokens::table.find(token)).execute(self.connection)?;
        Ok(deleted > 0)
    }

    /// Prevents other transactions from creating organizations until this one ends, so that only one first organization
    /// is created.
    pub fn lock_organizations(&mut self) -> Result<()> {
        Tx::lock_organizations(self)
    }
}

/// Returns a random secret: a prefix for the kind of secret, and 43 base62 characters (256 bits).
pub(crate) fn random_secret(prefix: &str) -> String {
    const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut random = rand::rng();
    let secret = (0..Credentials::TOKEN_LENGTH)
        .filter_map(|_| ALPHABET.get(random.random_range(0..ALPHABET.len())).map(|byte| char::from(*byte)));
    prefix.chars().chain(secret).collect()
}

mod functions {
    diesel::define_sql_function! {
        fn lower(text: diesel::sql_types::Nullable<diesel::sql_types::Text>) -> diesel::sql_types::Nullable<diesel::sql_types::Text>;
    }
}
