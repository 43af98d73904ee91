//! Passwords of users: hashes, and sign-ins.

use diesel::prelude::*;
use diesel::sql_types::{Bool, Nullable, Text, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::clock::Timestamp;
use quire_domain::error::Reason;
use quire_domain::ids::{TokenId, UserId};
use quire_domain::policy::TokenLimits;
use uuid::Uuid;

use crate::lookup::{ACTOR_COLUMNS, Actor, ActorRow, Credentials};
use crate::operations::audit::Change;
use crate::people::second_factors::FirstFactor;
use crate::people::user_sessions::{Browser, ProvenFactor, StartedSession};
use crate::schema::{api_tokens, users};
use crate::system::SystemTx;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

sql_files! {
    FindAccount(Text) -> (SqlUuid, Nullable<Text>) = "find_account.sql";
    HasAccount(Text) -> Bool = "has_account.sql";
}

/// User who signs in with an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// User.
    pub user: UserId,
    /// Password hash as a PHC string; `None` for a user without a password.
    pub password_hash: Option<String>,
}

/// Actor, with the facts for a check of the current password.
#[derive(Clone, Debug)]
pub struct OwnAccount {
    /// Actor.
    pub actor: Actor,
    /// Limits of the token.
    pub limits: TokenLimits,
    /// Time at which the user of the session last proved their identity; `None` for an API token.
    pub proven_at: Option<Timestamp>,
    /// Name of the user.
    pub display_name: String,
    /// URL of the photo.
    pub photo_url: Option<String>,
    /// Verified address, or else the address with which the user signs in.
    pub email: Option<String>,
    /// Hash of the password.
    pub password_hash: Option<String>,
}

/// Changes to a user.
#[derive(Clone, Debug, Default, PartialEq, Eq, AsChangeset)]
#[diesel(table_name = users)]
pub struct UserChanges {
    /// New name.
    pub display_name: Option<String>,
    /// URL of the new photo; `Some(None)` removes the photo.
    pub photo_url: Option<Option<String>>,
    /// Hash of the new password.
    pub password_hash: Option<String>,
}

/// Columns of an [`OwnAccount`].
#[derive(Queryable)]
struct OwnAccountRow {
    actor: ActorRow,
    is_limited_to_organizations: bool,
    token_created_at: Timestamp,
    confirmed_at: Option<Timestamp>,
    is_session: bool,
    display_name: String,
    photo_url: Option<String>,
    email: Option<String>,
    login_email: Option<String>,
    password_hash: Option<String>,
}

impl Reader<'_> {
    /// Returns the account of an address. A verified address takes precedence over an unverified one. Takes one
    /// statement.
    pub fn account(&mut self, email: &str) -> Result<Option<Account>> {
        let found: Option<(Uuid, Option<String>)> =
            FindAccount::bind((email,)).get_result(self.connection).optional()?;
        let account = |(user, password_hash)| Account { user: UserId::from_uuid(user), password_hash };
        Ok(found.map(account))
    }

    /// Returns the actor's account. Takes one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`].
    pub fn own_account(&mut self) -> Result<OwnAccount> {
        let now = self.now;
        let found: Option<OwnAccountRow> = api_tokens::table
            .inner_join(users::table)
            .filter(api_tokens::hash.eq(self.credentials.token_hash.as_slice()))
            .filter(api_tokens::expires_at.is_null().or(api_tokens::expires_at.gt(now)))
            .select((
                ACTOR_COLUMNS,
                api_tokens::organizations.is_not_null(),
                api_tokens::created_at,
                api_tokens::confirmed_at,
                api_tokens::session_ends_at.is_not_null(),
                users::display_name,
                users::photo_url,
                users::email,
                users::login_email,
                users::password_hash,
            ))
            .get_result(self.connection)
            .optional()?;
        let row = found.ok_or(Error::Unauthenticated)?;
        let actor = self.note_actor(row.actor)?;
        Ok(OwnAccount {
            actor,
            limits: TokenLimits {
                read_only: actor.read_only,
                organizations: row.is_limited_to_organizations,
            },
            proven_at: row.is_session.then(|| row.confirmed_at.unwrap_or(row.token_created_at)),
            display_name: row.display_name,
            photo_url: row.photo_url,
            email: row.email.or(row.login_email),
            password_hash: row.password_hash,
        })
    }
}

impl Tx<'_> {
    /// Signs in a user whose password hash is still the verified one, unless the user has a second factor. Ends the
    /// previous session of the browser. Returns `None` if the password was changed in the meantime.
    pub fn sign_in_with_password(
        &mut self,
        user: UserId,
        password_hash: &str,
        browser: &Browser,
    ) -> Result<Option<FirstFactor>> {
        let unchanged: Option<Uuid> = users::table
            .find(user)
            .filter(users::password_hash.eq(password_hash))
            .for_share()
            .select(users::id)
            .get_result(self.connection)
            .optional()?;
        unchanged.map(|_| self.after_first_factor(user, browser)).transpose()
    }

    /// Signs in a user: starts a session, and ends the previous session of the browser.
    pub(crate) fn sign_in(
        &mut self,
        user: UserId,
        browser: &Browser,
        proven: ProvenFactor,
    ) -> Result<StartedSession> {
        self.end_session_of(browser.session)?;
        let session = self.start_session(user, browser, proven)?;
        let token = TokenId::from_uuid(session.id.into());
        self.actor = Some(Actor { user, token, read_only: false, lacks_factor: false });
        let concerned = self.organizations_of_token(token)?;
        self.concern(concerned);
        self.record_created("session", session.id);
        Ok(session)
    }

    fn end_session_of(&mut self, credentials: Option<Credentials>) -> Result<()> {
        let Some(Credentials { token_hash }) = credentials else { return Ok(()) };
        let session = api_tokens::table
            .filter(api_tokens::hash.eq(token_hash.as_slice()))
            .filter(api_tokens::session_ends_at.is_not_null());
        diesel::delete(session).execute(self.connection)?;
        Ok(())
    }

    /// Writes a refused sign-in to the audit logs of the user's organizations. Takes two statements, also for an
    /// address without an account.
    pub fn note_refused_sign_in(&mut self, user: Option<UserId>, change: &Change) -> Result<()> {
        let user = user.unwrap_or_else(|| UserId::from_uuid(Uuid::nil()));
        let organizations = self.memberships(user)?;
        self.write_refusal(&organizations, user, None, change, None)
    }

    /// Locks the actor's user until the transaction ends.
    pub fn lock_own_user(&mut self, actor: Actor) -> Result<()> {
        users::table
            .find(actor.user)
            .for_no_key_update()
            .select(users::id)
            .get_result::<Uuid>(self.connection)
            .optional()?;
        Ok(())
    }

    /// Changes the actor's user. A new password ends all other sessions.
    ///
    /// # Errors
    /// 409 if the password was changed since it was read.
    pub fn update_own_user(&mut self, account: &OwnAccount, changes: &UserChanges) -> Result<()> {
        let actor = account.actor;
        self.actor = Some(actor);
        let concerned = self.organizations_of_token(actor.token)?;
        self.concern(concerned);
        self.record_created("user", actor.user);
        let user = users::table
            .find(actor.user)
            .filter(users::password_hash.is_not_distinct_from(&account.password_hash));
        let changed =
            diesel::update(user).set(changes).execute(self.connection).optional_empty_changeset()?;
        if changed == Some(0) {
            let message = "The password was changed by another request.";
            return Err(Error::refused(Reason::Conflict, message));
        }
        if changes.password_hash.is_some() {
            let others = api_tokens::table
                .filter(api_tokens::user_id.eq(actor.user))
                .filter(api_tokens::session_ends_at.is_not_null())
                .filter(api_tokens::id.ne(actor.token));
            diesel::delete(others).execute(self.connection)?;
        }
        Ok(())
    }

    /// Returns whether an address belongs to an account.
    pub(crate) fn has_account(&mut self, email: &str) -> Result<bool> {
        Ok(HasAccount::bind((email,)).get_result(self.connection)?)
    }

    /// Sets the password of a new user, and the address for signing in if it is not the verified one.
    pub(crate) fn set_first_password(
        &mut self,
        user: UserId,
        password_hash: &str,
        login_email: Option<&str>,
    ) -> Result<()> {
        diesel::update(users::table.find(user))
            .set((users::password_hash.eq(password_hash), users::login_email.eq(login_email)))
            .execute(self.connection)?;
        Ok(())
    }
}

impl SystemTx<'_> {
    /// Sets the hash of a user's password, without any check.
    pub fn set_password(&mut self, user: UserId, password_hash: &str) -> Result<()> {
        diesel::update(users::table.find(user))
            .set(users::password_hash.eq(password_hash))
            .execute(self.connection)?;
        Ok(())
    }
}
