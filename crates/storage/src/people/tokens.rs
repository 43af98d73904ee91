//! Users as they see themselves, and their tokens.

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

/// A token that was just made: the only time that it can be read.
pub struct IssuedToken {
    /// Its id.
    pub id: TokenId,
    /// The token itself.
    pub token: String,
}

/// A token as its user sees it. The token itself isn't kept.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = api_tokens, check_for_backend(Pg))]
pub struct OwnToken {
    /// Its id.
    pub id: TokenId,
    /// Owner's label.
    pub label: String,
    /// Limits.
    #[diesel(embed)]
    pub limits: Limits,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used, about.
    pub last_used_at: Option<Timestamp>,
}

impl Reader<'_> {
    /// The actor's user, and since when there is one: one statement.
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

    /// The actor's tokens, newest first: three statements.
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

    /// The limits of the actor's token: one statement.
    pub fn token_limits(&mut self, actor: Actor) -> Result<TokenLimits> {
        Ok(TokenLimits::from(&self.token(actor.token)?.limits))
    }

    /// Returns a token by its hash: one statement.
    pub(crate) fn token(&mut self, id: TokenId) -> Result<OwnToken> {
        let token = api_tokens::table.find(id).select(OwnToken::as_select());
        token.get_result(self.connection).optional()?.ok_or(Error::NotFound)
    }
}

/// Why a token isn't made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unissued {
    /// The actor doesn't belong to the organizations with these indexes in the list.
    UnknownOrganizations(Vec<usize>),
    /// The token that asks has less than it asks for.
    Stronger,
}

/// Outcome of the revocation of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revocation {
    /// It is gone.
    Done,
    /// It is there: it can do more than the token that asks.
    Stronger,
}

impl Tx<'_> {
    /// Gives the actor another token, which can be no stronger than the one that asks.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`]; 409 when the actor has as many tokens as a user may have.
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
        self.require_room_for_token(actor.user)?;
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

    /// That a user, who makes one token at a time, may have another one.
    fn require_room_for_token(&mut self, user: UserId) -> Result<()> {
        users::table
            .find(user)
            .for_no_key_update()
            .select(users::id)
            .get_result::<Uuid>(self.connection)
            .optional()?;
        if u64::try_from(self.count_tokens(user)?).unwrap_or(0) < TOKENS_MAX {
            return Ok(());
        }
        let message = format!("You have {TOKENS_MAX} tokens, which is the most; revoke one first.");
        Err(Error::refused(Reason::TooMany, message))
    }

    /// Revokes one of the actor's tokens, at once and on every node: the one that asks, or one that is no stronger.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the actor has no such token.
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
