//! Users as they see themselves, and their tokens.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::bounds::TOKENS_MAX;
use quire_domain::clock::Timestamp;
use quire_domain::error::Reason;
use quire_domain::ids::{OrganizationId, TokenId, UserId};
use quire_domain::policy::{Limits, TokenLimits};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{Actor, UserRecord};
use crate::members::{IdRow, absent};
use crate::people::IssuedToken;
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result, moment};

/// A token of the actor. The token itself isn't kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnToken {
    /// Its id.
    pub id: TokenId,
    /// What its owner calls it.
    pub label: String,
    /// What it is limited to.
    pub limits: Limits,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used, about.
    pub last_used_at: Option<Timestamp>,
}

#[derive(QueryableByName)]
struct TokenColumns {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    label: String,
    #[diesel(sql_type = Bool)]
    read_only: bool,
    #[diesel(sql_type = Nullable<Array<SqlUuid>>)]
    organizations: Option<Vec<Uuid>>,
    #[diesel(sql_type = Timestamptz)]
    created_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    expires_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    last_used_at: Option<OffsetDateTime>,
}

#[derive(QueryableByName)]
struct CreatedColumn {
    #[diesel(sql_type = Timestamptz)]
    created_at: OffsetDateTime,
}

macro_rules! token_columns {
    () => {
        "id, label, read_only, organizations, created_at, expires_at, last_used_at"
    };
}

statements! {
    FindSelf = "SELECT id AS user_id, email AS user_email, display_name AS user_display_name, photo_url AS user_photo_url, created_at \
                FROM users WHERE id = $1";
    FindToken = concat!("SELECT ", token_columns!(), " FROM api_tokens WHERE id = $1");
    ListTokens = concat!(
        "SELECT ", token_columns!(), " FROM api_tokens WHERE user_id = $1 AND ($2 IS NULL OR id < $2) ORDER BY id DESC LIMIT $3"
    );
    FindOwnToken = concat!("SELECT ", token_columns!(), " FROM api_tokens WHERE user_id = $1 AND id = $2");
    CountTokens = "SELECT count(*) AS total FROM api_tokens WHERE user_id = $1";
    LockUser = "SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE";
    RevokeToken = "DELETE FROM api_tokens WHERE user_id = $1 AND id = $2";
    OwnOrganizations = "SELECT organization_id AS id FROM organization_members \
                        WHERE user_id = $1 AND organization_id = ANY ($2) AND NOT disabled";
    LimitToken = "UPDATE api_tokens SET organizations = $2 WHERE id = $1";
}

impl Reader<'_> {
    /// The actor's user, and since when there is one: two statements.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`].
    pub fn own_user(&mut self) -> Result<(UserRecord, Timestamp)> {
        let actor = self.actor()?;
        let (user, created): (UserRecord, CreatedColumn) =
            FindSelf::bind((val::<SqlUuid, _>(*actor.user.as_uuid()),)).get_result(self.connection)?;
        Ok((user, moment(created.created_at)?))
    }

    /// The actor's tokens, newest first: three statements.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`].
    pub fn own_tokens(&mut self, after: Option<TokenId>, limit: u16) -> Result<Slice<OwnToken>> {
        let user = *self.actor()?.user.as_uuid();
        let rows: Vec<TokenColumns> = ListTokens::bind((
            val::<SqlUuid, _>(user),
            val::<Nullable<SqlUuid>, _>(after.map(|id| *id.as_uuid())),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow = CountTokens::bind((val::<SqlUuid, _>(user),)).get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(TryInto::try_into)
    }

    /// The limits of the actor's token: one statement.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn token_limits(&mut self, actor: Actor) -> Result<TokenLimits> {
        Ok(TokenLimits::from(&self.token(actor.token)?.limits))
    }

    /// A token, by whoever found it: one statement.
    pub(crate) fn token(&mut self, id: TokenId) -> Result<OwnToken> {
        let row: Option<TokenColumns> =
            FindToken::bind((val::<SqlUuid, _>(*id.as_uuid()),)).get_result(self.connection).optional()?;
        row.ok_or(Error::NotFound)?.try_into()
    }
}

/// Why a token isn't made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unissued {
    /// The actor doesn't belong to the organizations in these places of the list.
    UnknownOrganizations(Vec<usize>),
    /// The token that asks has less than it asks for.
    Stronger,
}

/// What became of a token that was to be revoked.
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
        let wanted: Vec<Uuid> = limits.organizations.iter().flatten().map(|id| *id.as_uuid()).collect();
        let found: Vec<IdRow> = OwnOrganizations::bind((
            val::<SqlUuid, _>(*actor.user.as_uuid()),
            val::<Array<SqlUuid>, _>(&wanted),
        ))
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
            LimitToken::bind((val::<SqlUuid, _>(*issued.id.as_uuid()), val::<Array<SqlUuid>, _>(&wanted)))
                .execute(self.connection)?;
        }
        let concerned = self.organizations_of_token(issued.id)?;
        self.concern(concerned);
        self.note_made("api-token", issued.id);
        Ok(Ok((self.token(issued.id)?, issued)))
    }

    /// That a user, who makes one token at a time, may have another one.
    fn require_room_for_token(&mut self, user: UserId) -> Result<()> {
        LockUser::bind((val::<SqlUuid, _>(*user.as_uuid()),)).execute(self.connection)?;
        let count: CountRow =
            CountTokens::bind((val::<SqlUuid, _>(*user.as_uuid()),)).get_result(self.connection)?;
        if u64::try_from(count.total).unwrap_or(0) < TOKENS_MAX {
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
        let key = || (val::<SqlUuid, _>(*actor.user.as_uuid()), val::<SqlUuid, _>(*token.as_uuid()));
        let row: Option<TokenColumns> = FindOwnToken::bind(key()).get_result(self.connection).optional()?;
        let wanted = OwnToken::try_from(row.ok_or(Error::NotFound)?)?;
        if !self.token(actor.token)?.limits.may_revoke(&wanted.limits, token == actor.token) {
            return Ok(Revocation::Stronger);
        }
        let concerned = self.organizations_of_token(token)?;
        self.concern(concerned);
        RevokeToken::bind(key()).execute(self.connection)?;
        Ok(Revocation::Done)
    }
}

impl TryFrom<TokenColumns> for OwnToken {
    type Error = Error;

    fn try_from(row: TokenColumns) -> Result<Self> {
        let organizations = row
            .organizations
            .map(|organizations| organizations.into_iter().map(OrganizationId::from_uuid).collect());
        Ok(Self {
            id: TokenId::from_uuid(row.id),
            label: row.label,
            limits: Limits {
                read_only: row.read_only,
                organizations,
                expires_at: row.expires_at.map(moment).transpose()?,
            },
            created_at: moment(row.created_at)?,
            last_used_at: row.last_used_at.map(moment).transpose()?,
        })
    }
}
