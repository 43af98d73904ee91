//! Requests that have an effect once, however often they are sent.
//!
//! A client names a request with a key. The key and the answer are written in the transaction of the effect, so either
//! both exist or neither: not even the loss of the node between COMMIT and the answer separates them. A repeated
//! request gets the kept answer from any node. [Decision 19](../../../docs/adr/0019-idempotency.md) has the reasons.

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

/// Time for which an answer is kept.
pub const KEPT_FOR: Duration = Duration::from_secs(24 * 60 * 60);
/// Rows that one transaction of a sweep deletes.
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

/// A request that its caller named.
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
    /// Bytes of the body that were read.
    #[diesel(deserialize_as = i64)]
    pub body_size: u64,
    /// Sealed answer; `None` if it is too large.
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
    /// Its outcome.
    #[diesel(embed)]
    pub outcome: Outcome,
    /// The roles of the user when it had ended.
    #[diesel(embed)]
    pub roles: Roles,
}

/// Ranks of a user's roles on organizations, collections and spaces; `None` without a role.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roles(BTreeMap<Uuid, Option<i16>>);

/// Seals kept answers, which may contain secrets that are shown once.
#[derive(Clone)]
pub struct AnswerSeal(Seal);

impl AnswerSeal {
    /// A seal with a key that all nodes share.
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        Self(Seal::new(key))
    }

    /// The sealed form of an answer, which only opens for the same user and key.
    ///
    /// # Errors
    /// [`Error::Internal`] if the answer can't be encrypted.
    pub fn seal(&self, request: &NamedRequest, answer: &[u8]) -> Result<Vec<u8>> {
        self.0.seal(&owner(request), answer)
    }

    /// The answer in a sealed form.
    ///
    /// # Errors
    /// [`Error::Internal`] if it was sealed for another user or key, or with another key of the deployment.
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
    /// Returns the outcome of the request that the actor named with this key: one statement.
    pub fn kept_outcome(&mut self, actor: Actor, key: &str) -> Result<Option<KeptOutcome>> {
        let kept = idempotency_keys::table
            .find((actor.user, key))
            .filter(idempotency_keys::created_at.gt(self.expired_until()))
            .select(KeptOutcome::as_select());
        Ok(kept.get_result(self.connection).optional()?)
    }

    /// Refuses a user who has lost a role since, as a new request is refused: one statement. What was deleted since
    /// does not count.
    ///
    /// # Errors
    /// [`Error::NotFound`] without a role, 403 with a lower one.
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
    /// Does the work of a named request and writes its outcome in the same transaction: three statements more.
    ///
    /// `conclude` gets the result of the work and returns the outcome when the answer is known. The transaction waits
    /// for it; without an outcome, it is rolled back.
    ///
    /// # Errors
    /// Those of `work`; [`Reason::IdempotencyKeyInUse`] if another transaction works on a request with this key, or did
    /// so since the key was looked up.
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
        // Without a lookup of its own, the transaction goes on from one before it.
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

    /// Adds the answer to the outcome of a request that was committed without one: one statement.
    pub fn complete_outcome(&mut self, request: &NamedRequest, answer: &[u8]) -> Result<()> {
        let row = idempotency_keys::table.find((request.user, &request.key));
        diesel::update(row.filter(idempotency_keys::answer.is_null()))
            .set(idempotency_keys::answer.eq(answer))
            .execute(self.connection)?;
        Ok(())
    }
}

impl SystemTx<'_> {
    /// Deletes expired outcomes, up to a limit. Returns whether there may be more.
    pub fn sweep_outcomes(&mut self) -> Result<bool> {
        let deleted = SweepAnswers::bind((self.expired_until(), SWEEP)).execute(self.connection)?;
        Ok(i64::try_from(deleted).is_ok_and(|deleted| deleted >= SWEEP))
    }
}

fn in_use() -> Error {
    Error::refused(Reason::IdempotencyKeyInUse, Reason::IdempotencyKeyInUse.message())
}
