//! The actor's own user, and API tokens.

use diesel::pg::Pg;
use diesel::prelude::*;
use quire_domain::bounds::TOKENS_MAX;
use quire_domain::clock::Timestamp;
use quire_domain::error::Reason;
use quire_domain::ids::{TokenId, UserId};
use quire_domain::policy::{Limits, TokenLimits};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::{ACTOR_COLUMNS, Actor, ActorRow, UserRecord};
use crate::people::members::absent;
use crate::schema::{api_tokens, organization_members, users};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result, to_timestamp};

/// Newly created token. Its text cannot be read again later.
pub struct IssuedToken {
    /// Id.
    pub id: TokenId,
    /// Text of the token.
    pub token: String,
}

/// Token in the form that its user sees, without its text, which is not stored.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = api_tokens, check_for_backend(Pg))]
pub struct OwnToken {
    /// Id.
    pub id: TokenId,
    /// Label set by the user.
    pub label: String,
    /// Limits.
    #[diesel(embed)]
    pub limits: Limits,
    /// Creation time.
    pub created_at: Timestamp,
    /// Approximate time of the last use.
    pub last_used_at: Option<Timestamp>,
}

impl Reader<'_> {
    /// Returns the actor's user and its creation time. Takes one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`].
    pub fn own_user(&mut self) -> Result<(UserRecord, Timestamp)> {
        let now = self.now;
        let found: Option<(ActorRow, UserRecord, OffsetDateTime)> = api_tokens::table
            .inner_join(users::table)
            .filter(api_tokens::hash.eq(self.credentials.token_hash.as_slice()))
            .filter(api_tokens::expires_at.is_null().or(api_tokens::expires_at.gt(now)))
            .select((ACTOR_COLUMNS, UserRecord::as_select(), users::created_at))
            .get_result(self.connection)
            .optional()?;
        let (actor, user, created_at) = found.ok_or(Error::Unauthenticated)?;
        self.note_actor(actor)?;
        Ok((user, to_timestamp(created_at)?))
    }

    /// Returns the actor's tokens, newest first. Takes three statements.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`].
    pub fn own_tokens(&mut self, after: Option<TokenId>, limit: u16) -> Result<Slice<OwnToken>> {
        let user = self.own_actor()?.user;
        let rows = api_tokens::table
            .filter(api_tokens::user_id.eq(user))
            .filter(api_tokens::session_ends_at.is_null())
            .filter(api_tokens::id.lt(page_end(after)))
            .order(api_tokens::id.desc())
            .limit(fetch_limit(limit))
            .select(OwnToken::as_select())
            .load(self.connection)?;
        let total = self.count_tokens(user)?;
        Ok(Slice::cut(rows, limit, total))
    }

    fn count_tokens(&mut self, user: UserId) -> Result<i64> {
        let tokens = api_tokens::table
            .filter(api_tokens::user_id.eq(user))
            .filter(api_tokens::session_ends_at.is_null());
        Ok(tokens.count().get_result(self.connection)?)
    }

    /// Returns the limits of the actor's token. Takes one statement.
    pub fn token_limits(&mut self, actor: Actor) -> Result<TokenLimits> {
        Ok(TokenLimits::from(&self.token(actor.token)?.limits))
    }

    /// Returns a token by its id. Takes one statement.
    pub(crate) fn token(&mut self, id: TokenId) -> Result<OwnToken> {
        let token = api_tokens::table.find(id).select(OwnToken::as_select());
        token.get_result(self.connection).optional()?.ok_or(Error::NotFound)
    }
}

/// Reason why a token was not created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unissued {
    /// The actor does not belong to the organizations with these indexes in the request.
    UnknownOrganizations(Vec<usize>),
    /// The requested token would be stronger than the token of the request.
    Stronger,
}

/// Outcome of the revocation of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revocation {
    /// The token was revoked.
    Done,
    /// The token was not revoked, because it is stronger than the token of the request.
    Stronger,
}

impl Tx<'_> {
    /// Creates another token of the actor. It cannot be stronger than the token of the request.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`]; 409 if the actor has the maximum number of tokens.
    pub fn issue_own_token(
        &mut self,
        actor: Actor,
        label: &str,
        limits: &Limits,
    ) -> Result<std::result::Result<(OwnToken, IssuedToken), Unissued>> {
        let asking = self.token(actor.token)?.limits;
        let wanted: Vec<_> = limits.organizations.iter().flatten().copied().collect();
        let found = organization_members::table
            .filter(organization_members::user_id.eq(actor.user))
            .filter(organization_members::organization_id.eq_any(&wanted))
            .filter(organization_members::disabled.eq(false))
            .select(organization_members::organization_id)
            .load(self.connection)?;
        let unknown = absent(&wanted, found);
        if !unknown.is_empty() {
            return Ok(Err(Unissued::UnknownOrganizations(unknown)));
        }
        if !asking.cover(limits) {
            return Ok(Err(Unissued::Stronger));
        }
        self.require_capacity_for_token(actor.user)?;
        let issued = self.issue_token(actor.user, label, limits.read_only, limits.expires_at)?;
        if limits.organizations.is_some() {
            diesel::update(api_tokens::table.find(issued.id))
                .set(api_tokens::organizations.eq(wanted))
                .execute(self.connection)?;
        }
        let concerned = self.organizations_of_token(issued.id)?;
        self.concern(concerned);
        self.record_created("api-token", issued.id);
        Ok(Ok((self.token(issued.id)?, issued)))
    }

    /// Checks that a user may have another token, and locks the user, which serializes the creation of tokens.
    fn require_capacity_for_token(&mut self, user: UserId) -> Result<()> {
        users::table
            .find(user)
            .for_no_key_update()
            .select(users::id)
            .get_result::<Uuid>(self.connection)
            .optional()?;
        if u64::try_from(self.count_tokens(user)?).unwrap_or(0) < TOKENS_MAX {
            return Ok(());
        }
        let message = format!("You have {TOKENS_MAX} tokens, which is the maximum. Revoke one first.");
        Err(Error::refused(Reason::TooMany, message))
    }

    /// Revokes one of the actor's tokens, immediately on every node. It must be the token of the request, or not
    /// stronger.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the actor has no such token.
    pub fn revoke_own_token(&mut self, actor: Actor, token: TokenId) -> Result<Revocation> {
        let own = || {
            api_tokens::table
                .find(token)
                .filter(api_tokens::user_id.eq(actor.user))
                .filter(api_tokens::session_ends_at.is_null())
        };
        let wanted = own().select(OwnToken::as_select()).get_result(self.connection).optional()?;
        let wanted = wanted.ok_or(Error::NotFound)?;
        if !self.token(actor.token)?.limits.may_revoke(&wanted.limits, token == actor.token) {
            return Ok(Revocation::Stronger);
        }
        let concerned = self.organizations_of_token(token)?;
        self.concern(concerned);
        diesel::delete(own()).execute(self.connection)?;
        Ok(Revocation::Done)
    }
}
