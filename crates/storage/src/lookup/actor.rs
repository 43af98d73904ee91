//! Tokens and their actors.

use diesel::connection::SimpleConnection as _;
use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::{Actor, Credentials, sql_files};
use quire_domain::bounds::SESSION_IDLE;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{TokenId, UserId};
use serde::Deserialize;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::{api_tokens, users};
use crate::transaction::Reader;
use crate::views::{Access, LacksFactor};
use crate::{Error, Result};

/// Precision of a token's time of last use, so that most requests do not write it.
const LAST_USE_PRECISION: time::Duration = time::Duration::minutes(5);

sql_files! {
    NoteUse(SqlUuid, Timestamptz, Timestamptz) = "note_use.sql";
}

#[derive(Queryable, QueryableByName)]
pub(crate) struct ActorRow {
    #[diesel(sql_type = SqlUuid)]
    token_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    actor_id: Uuid,
    #[diesel(sql_type = Bool)]
    read_only: bool,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    last_used_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Bool)]
    lacks_factor: bool,
}

/// SQL types of an [`ActorRow`].
pub(crate) type ActorTypes = (SqlUuid, SqlUuid, Bool, Nullable<Timestamptz>, Bool);

/// Columns of an [`ActorRow`].
pub(crate) const ACTOR_COLUMNS: (
    api_tokens::id,
    api_tokens::user_id,
    api_tokens::read_only,
    api_tokens::last_used_at,
    LacksFactor<api_tokens::id>,
) = (
    api_tokens::id,
    api_tokens::user_id,
    api_tokens::read_only,
    api_tokens::last_used_at,
    LacksFactor(api_tokens::id),
);

impl ActorRow {
    pub(crate) fn token_id(&self) -> Uuid {
        self.token_id
    }

    pub(crate) fn actor(&self) -> Actor {
        Actor {
            user: UserId::from_uuid(self.actor_id),
            token: TokenId::from_uuid(self.token_id),
            read_only: self.read_only,
            lacks_factor: self.lacks_factor,
        }
    }
}

/// Profile of a user, as shown to other users.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, QueryableByName, Selectable, Deserialize)]
#[diesel(table_name = users, check_for_backend(Pg))]
pub struct UserRecord {
    /// Null once the user has been removed.
    #[diesel(select_expression = users::id.nullable(), select_expression_type = dsl::Nullable<users::id>)]
    #[diesel(sql_type = Nullable<diesel::sql_types::Uuid>)]
    #[serde(rename = "id")]
    pub(crate) user_id: Option<Uuid>,
    #[diesel(
        sql_type = Nullable<Text>,
        select_expression = users::email.nullable(),
        select_expression_type = dsl::Nullable<users::email>
    )]
    #[serde(rename = "email")]
    pub(crate) user_email: Option<String>,
    #[diesel(
        sql_type = Nullable<Text>,
        select_expression = users::display_name.nullable(),
        select_expression_type = dsl::Nullable<users::display_name>
    )]
    #[serde(rename = "display_name")]
    pub(crate) user_display_name: Option<String>,
    #[diesel(
        sql_type = Nullable<Text>,
        select_expression = users::photo_url.nullable(),
        select_expression_type = dsl::Nullable<users::photo_url>
    )]
    #[serde(rename = "photo_url")]
    pub(crate) user_photo_url: Option<String>,
}

impl UserRecord {
    /// Returns the user's id; `None` once the user has been removed.
    #[must_use]
    pub fn id(&self) -> Option<UserId> {
        self.user_id.map(UserId::from_uuid)
    }

    /// Returns the display name.
    #[must_use]
    pub fn display_name(&self) -> Option<&str> {
        self.user_display_name.as_deref()
    }

    /// Returns the e-mail address.
    #[must_use]
    pub fn email(&self) -> Option<&str> {
        self.user_email.as_deref()
    }

    /// Returns the URL of the user's picture.
    #[must_use]
    pub fn photo_url(&self) -> Option<&str> {
        self.user_photo_url.as_deref()
    }
}

/// Returns the condition that a row of a view belongs to a caller's token and that the token is valid.
pub(crate) fn token_is_valid<V: Access>(caller: &Credentials, now: Timestamp) -> V::Valid {
    V::valid(caller.token_hash.to_vec(), now.into())
}

impl Reader<'_> {
    /// Returns the condition that a row of a view belongs to the token of this request and that the token is valid.
    pub(crate) fn token_is_valid<V: Access>(&self) -> V::Valid {
        token_is_valid::<V>(self.credentials, self.now)
    }

    /// Returns the actor, for requests that look up nothing else.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`]; 403 for a session that lacks a second factor.
    pub fn actor(&mut self) -> Result<Actor> {
        let actor = self.own_actor()?;
        actor.require_factor()?;
        Ok(actor)
    }

    /// Like [`Reader::actor`], for requests of users about their own account. It also accepts a session that lacks a
    /// second factor, so that its user can set one up.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`].
    pub fn own_actor(&mut self) -> Result<Actor> {
        let now = OffsetDateTime::from(self.now);
        let columns: Option<ActorRow> = api_tokens::table
            .filter(api_tokens::hash.eq(self.credentials.token_hash.as_slice()))
            .filter(api_tokens::expires_at.is_null().or(api_tokens::expires_at.gt(now)))
            .select(ACTOR_COLUMNS)
            .get_result(self.connection)
            .optional()?;
        self.note_actor(columns.ok_or(Error::Unauthenticated)?)
    }

    /// Returns the error of a lookup without a row. An invalid token is reported before an absent resource.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`] for an invalid token, otherwise [`Error::NotFound`].
    pub fn not_found<T>(&mut self) -> Result<T> {
        self.actor()?;
        Err(Error::NotFound)
    }

    /// Records the use of a token, which extends a session. It uses its own transaction, so that a read does not wait
    /// for a synchronous standby.
    fn note_use(&mut self, token: Uuid, now: OffsetDateTime) -> Result<()> {
        let expiry = now + SESSION_IDLE;
        if self.is_in_transaction() {
            NoteUse::bind((token, now, expiry)).execute(self.connection)?;
            return Ok(());
        }
        self.connection.transaction(|connection| {
            connection.batch_execute("SET LOCAL synchronous_commit = off")?;
            NoteUse::bind((token, now, expiry)).execute(connection).map(drop).map_err(Error::from)
        })
    }

    /// Returns the actor of a lookup's row. Occasionally records the use of the token.
    ///
    /// # Errors
    /// 403 for a session that lacks a second factor.
    pub(crate) fn record_actor(&mut self, columns: ActorRow) -> Result<Actor> {
        let actor = self.note_actor(columns)?;
        actor.require_factor()?;
        Ok(actor)
    }

    /// Like [`Reader::record_actor`], but also accepts a session that lacks a second factor.
    pub(crate) fn note_actor(&mut self, columns: ActorRow) -> Result<Actor> {
        let now = OffsetDateTime::from(self.now);
        let is_due = columns.last_used_at.is_none_or(|last| now - last > LAST_USE_PRECISION);
        if is_due && self.is_on_replica {
            self.storage.token_uses().note(columns.token_id, now);
        } else if is_due {
            self.note_use(columns.token_id, now)?;
        }
        let actor = columns.actor();
        self.actor = Some(actor);
        Ok(actor)
    }
}
