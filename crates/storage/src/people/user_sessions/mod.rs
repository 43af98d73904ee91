//! Browser sessions. They are rows of the table of API tokens, so that lookups find their users in the same way.

use std::net::IpAddr;

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::functions::host;
use quire_database::sql_files;
use quire_domain::bounds::{SESSION_IDLE, SESSION_LIFE, SESSIONS_MAX, USER_AGENT_MAX};
use quire_domain::clock::Timestamp;
use quire_domain::ids::{OrganizationId, SessionId, TokenId, UserId};
use quire_domain::policy::Limits;
use time::OffsetDateTime;

use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::{Actor, Credentials};
use crate::people::tokens::Revocation;
use crate::people::users::random_secret;
use crate::schema::api_tokens;
use crate::system::SystemTx;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// Browser in which a session is started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Browser {
    /// `User-Agent` header.
    pub user_agent: Option<String>,
    /// Client address.
    pub address: Option<IpAddr>,
    /// Current session of the browser, which a sign-in ends.
    pub session: Option<Credentials>,
}

/// Second factor proven in a sign-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProvenFactor {
    /// No second factor.
    None,
    /// Code or passkey of this deployment.
    Here,
    /// Second factor at the identity provider of an organization, which is only valid for that organization.
    Provider(OrganizationId),
}

/// New session, with the secret for its cookie.
pub struct StartedSession {
    /// Id of the session.
    pub id: SessionId,
    /// Secret. Only its hash is stored.
    pub secret: String,
}

impl StartedSession {
    /// Returns the session as credentials for lookups.
    #[must_use]
    pub fn credentials(&self) -> Credentials {
        Credentials::from_session(&self.secret).unwrap_or(Credentials::ANONYMOUS)
    }
}

/// Session in the form that its user sees.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = api_tokens, check_for_backend(Pg))]
pub struct OwnSession {
    /// Id of the session.
    pub id: SessionId,
    /// `User-Agent` header of the sign-in.
    pub user_agent: Option<String>,
    /// Client address of the sign-in.
    #[diesel(select_expression = host(api_tokens::address))]
    pub address: Option<String>,
    /// Time of the sign-in.
    pub created_at: Timestamp,
    /// Approximate time of the last use.
    #[diesel(
        select_expression = api_tokens::last_used_at.assume_not_null(),
        select_expression_type = dsl::AssumeNotNull<api_tokens::last_used_at>,
    )]
    pub last_used_at: Timestamp,
    /// Expiry without further use.
    #[diesel(
        select_expression = api_tokens::expires_at.assume_not_null(),
        select_expression_type = dsl::AssumeNotNull<api_tokens::expires_at>,
    )]
    pub expires_at: Timestamp,
}

impl OwnSession {
    /// Returns whether a request with this token belongs to this session.
    #[must_use]
    pub fn is_of(&self, token: TokenId) -> bool {
        TokenId::from_uuid(self.id.into()) == token
    }
}

sql_files! {
    StartSession(
        SqlUuid, SqlUuid, Binary, Nullable<Text>, Nullable<Text>, Timestamptz, Timestamptz, Timestamptz, Bool,
        Nullable<SqlUuid>,
    ) = "start.sql";
    DeleteOldest(SqlUuid, BigInt) = "delete_oldest.sql";
}

impl Reader<'_> {
    /// Returns the actor's sessions that have not expired, newest first, with the token of the request, which may be
    /// one of them. Takes three statements.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`].
    pub fn own_sessions(
        &mut self,
        after: Option<SessionId>,
        limit: u16,
    ) -> Result<(Slice<OwnSession>, TokenId)> {
        let actor = self.own_actor()?;
        let now = OffsetDateTime::from(self.now);
        let sessions = || {
            api_tokens::table
                .filter(api_tokens::user_id.eq(actor.user))
                .filter(api_tokens::session_ends_at.is_not_null())
                .filter(api_tokens::expires_at.gt(now))
        };
        let rows = sessions()
            .filter(api_tokens::id.lt(page_end(after)))
            .order(api_tokens::id.desc())
            .limit(fetch_limit(limit))
            .select(OwnSession::as_select())
            .load(self.connection)?;
        let total = sessions().count().get_result(self.connection)?;
        Ok((Slice::cut(rows, limit, total), actor.token))
    }
}

impl Tx<'_> {
    /// Starts a session of a user in a browser, and ends the oldest one if the user has too many sessions.
    pub(crate) fn start_session(
        &mut self,
        user: UserId,
        browser: &Browser,
        proven: ProvenFactor,
    ) -> Result<StartedSession> {
        let secret = random_secret(Credentials::SESSION_PREFIX);
        let credentials = Credentials::from_session(&secret)
            .ok_or_else(|| Error::Internal("a made session has the wrong form", anyhow::anyhow!("{user}")))?;
        let id = self.storage.ids().uuid();
        let now = OffsetDateTime::from(self.now);
        let user_agent: Option<String> =
            browser.user_agent.as_ref().map(|name| name.chars().take(USER_AGENT_MAX).collect());
        DeleteOldest::bind((user, i64::try_from(SESSIONS_MAX).unwrap_or(i64::MAX)))
            .execute(self.connection)?;
        StartSession::bind((
            id,
            user,
            credentials.token_hash.as_slice(),
            user_agent,
            browser.address.map(|address| address.to_string()),
            now,
            now + SESSION_IDLE,
            now + SESSION_LIFE,
            proven == ProvenFactor::Here,
            match proven {
                ProvenFactor::Provider(organization) => Some(organization),
                ProvenFactor::None | ProvenFactor::Here => None,
            },
        ))
        .execute(self.connection)?;
        Ok(StartedSession { id: SessionId::from_uuid(id), secret })
    }

    /// Ends a session of the actor, immediately on every node. A restricted API token cannot end sessions.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the actor has no such session.
    pub fn revoke_own_session(&mut self, actor: Actor, session: SessionId) -> Result<Revocation> {
        let token = TokenId::from_uuid(session.into());
        let own = || {
            api_tokens::table
                .find(session)
                .filter(api_tokens::user_id.eq(actor.user))
                .filter(api_tokens::session_ends_at.is_not_null())
        };
        let found: i64 = own().count().get_result(self.connection)?;
        if found == 0 {
            return Err(Error::NotFound);
        }
        if !self.token(actor.token)?.limits.may_revoke(&Limits::default(), token == actor.token) {
            return Ok(Revocation::Stronger);
        }
        let concerned = self.organizations_of_token(token)?;
        self.concern(concerned);
        diesel::delete(own()).execute(self.connection)?;
        Ok(Revocation::Done)
    }

    /// Ends the session of the request. An API token is not revoked. Returns whether there was a session.
    pub fn sign_out(&mut self, actor: Actor) -> Result<bool> {
        let concerned = self.organizations_of_token(actor.token)?;
        self.concern(concerned);
        let session = api_tokens::table.find(actor.token).filter(api_tokens::session_ends_at.is_not_null());
        Ok(diesel::delete(session).execute(self.connection)? > 0)
    }
}

impl SystemTx<'_> {
    /// Starts a session of a user in a browser.
    pub fn start_session(&mut self, user: UserId, browser: &Browser) -> Result<StartedSession> {
        Tx::start_session(self, user, browser, ProvenFactor::None)
    }

    /// Deletes the expired sessions and returns their number.
    pub fn sweep_sessions(&mut self) -> Result<usize> {
        let expired = api_tokens::table
            .filter(api_tokens::session_ends_at.is_not_null())
            .filter(api_tokens::expires_at.le(self.now));
        Ok(diesel::delete(expired).execute(self.connection)?)
    }
}
