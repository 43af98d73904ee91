//! Idempotent requests, which take effect once however often they are sent.
//!
//! A client names a request with a key. The key and the response are written in the transaction of the effect, so both
//! exist or neither does, even if the node is lost between COMMIT and the response. A repeated request gets the stored
//! response from any node. [Decision 19](../../../docs/adr/0019-idempotency.md) has the reasons.

use std::collections::BTreeMap;
use std::time::Duration;

use diesel::deserialize;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::functions::{hashtextextended, pg_try_advisory_xact_lock};
use quire_database::{Actor, Seal, sql_files};
use quire_domain::error::Reason;
use quire_domain::ids::{TokenId, UserId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::diesel_types::Sha256;
use crate::schema::idempotency_keys;
use crate::system::SystemTx;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// Time for which a response is stored.
pub const KEPT_FOR: Duration = Duration::from_secs(24 * 60 * 60);
/// Maximum number of rows that one transaction of a sweep deletes.
const SWEEP: i64 = 5_000;

/// SHA-256 of a part of a request.
pub type Digest = [u8; 32];

sql_files! {
    KeepAnswer(
        SqlUuid, Text, SqlUuid, Binary, Nullable<Binary>, BigInt, Nullable<Binary>, Timestamptz, Timestamptz,
        Array<SqlUuid>, Array<Nullable<SmallInt>>
    ) = "keep.sql";
    RolesOf(SqlUuid, Array<SqlUuid>) -> (SqlUuid, Nullable<SmallInt>) = "roles.sql";
    SweepAnswers(Timestamptz, BigInt) = "sweep.sql";
}

/// Request with an idempotency key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRequest {
    /// User that the key belongs to.
    pub user: UserId,
    /// Token of the request.
    pub token: TokenId,
    /// Key: 1 to 255 characters.
    pub key: String,
    /// Hash of the method and the path with its query.
    pub request: Digest,
}

/// Outcome of a request, written with its effect.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = idempotency_keys, check_for_backend(Pg))]
pub struct Outcome {
    /// Hash of the body; `None` if it was not read to its end.
    #[diesel(deserialize_as = Sha256<Option<Vec<u8>>>)]
    pub body: Option<Digest>,
    /// Number of body bytes that were read.
    #[diesel(deserialize_as = i64)]
    pub body_size: u64,
    /// Encrypted response; `None` if it is too large.
    pub answer: Option<Vec<u8>>,
}

/// Outcome of an earlier request with the same key.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = idempotency_keys, check_for_backend(Pg))]
pub struct KeptOutcome {
    /// Token of the earlier request.
    #[diesel(column_name = token_id)]
    pub token: TokenId,
    /// Hash of its method and path with the query.
    #[diesel(deserialize_as = Sha256<Vec<u8>>)]
    pub request: Digest,
    /// Outcome.
    #[diesel(embed)]
    pub outcome: Outcome,
    /// Roles of the user at the end of the request.
    #[diesel(embed)]
    pub roles: Roles,
}

/// Ranks of a user's roles on organizations, collections and spaces; `None` without a role.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roles(BTreeMap<Uuid, Option<i16>>);

/// Encryption of stored responses, which may contain secrets that are shown only once.
#[derive(Clone)]
pub struct AnswerSeal(Seal);

impl AnswerSeal {
    /// Creates a seal with a key that all nodes share.
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        Self(Seal::new(key))
    }

    /// Encrypts a response. It can only be decrypted for the same user and key.
    ///
    /// # Errors
    /// [`Error::Internal`] if the response cannot be encrypted.
    pub fn seal(&self, request: &NamedRequest, answer: &[u8]) -> Result<Vec<u8>> {
        self.0.seal(&owner(request), answer)
    }

    /// Decrypts a response.
    ///
    /// # Errors
    /// [`Error::Internal`] if it was encrypted for another user or key, or with another key of the deployment.
    pub fn open(&self, request: &NamedRequest, sealed: &[u8]) -> Result<Vec<u8>> {
        self.0.open(&owner(request), sealed)
    }
}

fn owner(NamedRequest { user, key, .. }: &NamedRequest) -> String {
    format!("idempotency {user} {key}")
}

impl Queryable<(Array<Nullable<SqlUuid>>, Array<Nullable<SmallInt>>), Pg> for Roles {
    type Row = (Vec<Option<Uuid>>, Vec<Option<i16>>);

    fn build((places, roles): Self::Row) -> deserialize::Result<Self> {
        Ok(Self(places.into_iter().flatten().zip(roles).collect()))
    }
}

impl Selectable<Pg> for Roles {
    type SelectExpression = (idempotency_keys::places, idempotency_keys::roles);

    fn construct_selection() -> Self::SelectExpression {
        (idempotency_keys::places, idempotency_keys::roles)
    }
}

impl Reader<'_> {
    /// Returns the outcome of the actor's earlier request with this key. Takes one statement.
    pub fn kept_outcome(&mut self, actor: Actor, key: &str) -> Result<Option<KeptOutcome>> {
        let kept = idempotency_keys::table
            .find((actor.user, key))
            .filter(idempotency_keys::created_at.gt(self.expired_until()))
            .select(KeptOutcome::as_select());
        Ok(kept.get_result(self.connection).optional()?)
    }

    /// Refuses a user who has lost a role since the earlier request, with the same errors as a new request. Resources
    /// that were deleted since then are ignored. Takes one statement.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the role was removed, 403 if it was reduced.
    pub fn require_roles(&mut self, user: UserId, then: &Roles) -> Result<()> {
        let now = self.roles_of(user, then.0.keys().copied().collect())?;
        for (place, role) in &then.0 {
            match now.0.get(place) {
                Some(None) if role.is_some() => return Err(Error::NotFound),
                Some(now) if now < role => {
                    return Err(Error::refused(Reason::Forbidden, Reason::Forbidden.message()));
                }
                Some(_) | None => {}
            }
        }
        Ok(())
    }

    fn roles_of(&mut self, user: UserId, places: Vec<Uuid>) -> Result<Roles> {
        if places.is_empty() {
            return Ok(Roles::default());
        }
        let rows: Vec<(Uuid, Option<i16>)> = RolesOf::bind((user, places)).load(self.connection)?;
        Ok(Roles(rows.into_iter().collect()))
    }

    fn expired_until(&self) -> OffsetDateTime {
        OffsetDateTime::from(self.now) - KEPT_FOR
    }
}

impl Tx<'_> {
    /// Does the work of a request with a key and writes its outcome in the same transaction. Takes three additional
    /// statements.
    ///
    /// `conclude` receives the result of the work and returns the outcome when the response is known. The transaction
    /// waits for it. Without an outcome, it is rolled back.
    ///
    /// # Errors
    /// Errors of `work`; [`Reason::IdempotencyKeyInUse`] if another transaction is working on a request with this key,
    /// or has done so since the key was looked up.
    pub fn once<T, E: From<Error>>(
        &mut self,
        request: &NamedRequest,
        work: impl FnOnce(&mut Self) -> std::result::Result<T, E>,
        conclude: impl FnOnce(T) -> Option<Outcome>,
    ) -> std::result::Result<(), E> {
        let key = hashtextextended(owner(request), 0);
        let is_free: bool = diesel::select(pg_try_advisory_xact_lock(key))
            .get_result(self.connection)
            .map_err(Error::from)?;
        if !is_free {
            return Err(in_use().into());
        }
        let result = work(self)?;
        self.close()?;
        let abandoned = || Error::Internal("a request was abandoned", anyhow::anyhow!("before its answer"));
        let outcome = conclude(result).ok_or_else(abandoned)?;
        self.keep_outcome(request, &outcome)?;
        Ok(())
    }

    fn keep_outcome(&mut self, named: &NamedRequest, outcome: &Outcome) -> Result<()> {
        let NamedRequest { user, token, key, request } = named;
        let Outcome { body, body_size, answer } = outcome;
        let body_size = i64::try_from(*body_size).unwrap_or(i64::MAX);
        // A transaction without a lookup of its own continues an earlier one of the request, which left these places.
        let tenant = self.tenant.map(|tenant| (tenant.organization, tenant.space));
        let mut places = self.places.clone();
        places.extend(tenant.map(|(organization, _)| Uuid::from(organization)));
        places.extend(tenant.and_then(|(_, space)| Some(Uuid::from(space?))));
        let places = places.into_iter().collect();
        let (places, roles): (Vec<Uuid>, Vec<Option<i16>>) =
            self.roles_of(*user, places)?.0.into_iter().unzip();
        let kept = KeepAnswer::bind((
            user,
            key.as_str(),
            token,
            request.as_slice(),
            body.as_ref().map(Digest::as_slice),
            body_size,
            answer.as_deref(),
            self.now,
            self.expired_until(),
            places,
            roles,
        ))
        .execute(self.connection)?;
        if kept == 1 { Ok(()) } else { Err(in_use()) }
    }

    /// Adds the response to the outcome of a request that was committed without one. Takes one statement.
    pub fn complete_outcome(&mut self, request: &NamedRequest, answer: &[u8]) -> Result<()> {
        let row = idempotency_keys::table.find((request.user, &request.key));
        diesel::update(row.filter(idempotency_keys::answer.is_null()))
            .set(idempotency_keys::answer.eq(answer))
            .execute(self.connection)?;
        Ok(())
    }
}

impl SystemTx<'_> {
    /// Deletes a batch of expired outcomes. Returns whether there may be more.
    pub fn sweep_outcomes(&mut self) -> Result<bool> {
        let deleted = SweepAnswers::bind((self.expired_until(), SWEEP)).execute(self.connection)?;
        Ok(i64::try_from(deleted).is_ok_and(|deleted| deleted >= SWEEP))
    }
}

fn in_use() -> Error {
    Error::refused(Reason::IdempotencyKeyInUse, Reason::IdempotencyKeyInUse.message())
}
