//! Reading the audit log.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::audit::{AuditOutcome, AuditQuery};
use quire_domain::clock::Timestamp;
use quire_domain::ids::{AuditEntryId, OrganizationId, SpaceId, TokenId};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{Authorized, OrganizationRecord, UserRecord};
use crate::statement::{Assembled, val};
use crate::transaction::Reader;
use crate::{Result, moment, stored};

/// Stored entry.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditRecord {
    /// Its id.
    pub id: AuditEntryId,
    /// The organization that it concerns.
    pub organization: OrganizationId,
    /// The space in which something changed.
    pub space: Option<SpaceId>,
    /// The actor.
    pub actor: RecordedActor,
    /// With which token.
    pub token: Option<TokenId>,
    /// The id of the operation, or the name of the command.
    pub operation: String,
    /// The HTTP method.
    pub method: Option<String>,
    /// The path of the request.
    pub path: Option<String>,
    /// The thing that was changed or made: its kind, and its id.
    pub target: Option<(String, String)>,
    /// The address that it came from.
    pub address: Option<String>,
    /// The id of the request.
    pub request_id: Option<String>,
    /// The outcome.
    pub outcome: AuditOutcome,
    /// When.
    pub created_at: Timestamp,
}

/// The actor of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordedActor {
    /// A user.
    User(UserRecord),
    /// The operator, by a command.
    System,
}

/// The place of an entry in the list.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct AuditPlace {
    created_at: Timestamp,
    id: AuditEntryId,
}

impl AuditPlace {
    /// The place of this entry.
    #[must_use]
    pub fn of(record: &AuditRecord) -> Self {
        Self { created_at: record.created_at, id: record.id }
    }
}

#[derive(QueryableByName)]
struct AuditRow {
    #[diesel(sql_type = SqlUuid)]
    organization_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    entry_id: Uuid,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    space_id: Option<Uuid>,
    #[diesel(sql_type = Text)]
    actor_type: String,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    token_id: Option<Uuid>,
    #[diesel(sql_type = Text)]
    operation: String,
    #[diesel(sql_type = Nullable<Text>)]
    method: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    path: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    target_type: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    target_id: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    address: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    request_id: Option<String>,
    #[diesel(sql_type = Text)]
    outcome: String,
    #[diesel(sql_type = Timestamptz)]
    created_at: OffsetDateTime,
}

impl TryFrom<(AuditRow, UserRecord)> for AuditRecord {
    type Error = crate::Error;

    fn try_from((row, user): (AuditRow, UserRecord)) -> Result<Self> {
        let actor = if row.actor_type == "user" { RecordedActor::User(user) } else { RecordedActor::System };
        Ok(Self {
            id: AuditEntryId::from_uuid(row.entry_id),
            organization: OrganizationId::from_uuid(row.organization_id),
            space: row.space_id.map(SpaceId::from_uuid),
            actor,
            token: row.token_id.map(TokenId::from_uuid),
            operation: row.operation,
            method: row.method,
            path: row.path,
            target: row.target_type.zip(row.target_id),
            address: row.address,
            request_id: row.request_id,
            outcome: stored(&row.outcome)?,
            created_at: moment(row.created_at)?,
        })
    }
}

const LIST: &str = "SELECT a.organization_id, a.id AS entry_id, a.space_id, a.actor_type, a.token_id, a.operation, a.method, a.path, \
                    a.target_type, a.target_id, host(a.address) AS address, a.request_id, a.outcome, a.created_at, \
                    u.id AS user_id, u.email AS user_email, u.display_name AS user_display_name, u.photo_url AS user_photo_url \
                    FROM audit_entries a LEFT JOIN users u ON u.id = a.actor_id";
const COUNT: &str = "SELECT count(*) AS total FROM audit_entries a";

/// The conditions of a query on entries `a`: `$1` the organization, `$2` to `$8` what is asked for.
fn conditions(query: &AuditQuery) -> Vec<&'static str> {
    let AuditQuery { actor, space, operation, target, outcome, from, to } = query;
    let mut parts = vec![" WHERE a.organization_id = $1"];
    let filters = [
        (actor.is_some(), " AND a.actor_id = $2"),
        (space.is_some(), " AND a.space_id = $3"),
        (operation.is_some(), " AND a.operation = $4"),
        (from.is_some(), " AND a.created_at >= $5"),
        (to.is_some(), " AND a.created_at < $6"),
        (target.is_some(), " AND a.target_id = $7"),
        (outcome.is_some(), " AND a.outcome = $8"),
    ];
    parts.extend(filters.into_iter().filter(|(wanted, _)| *wanted).map(|(_, condition)| condition));
    parts
}

/// The statement of a page, in parts: `$9` and `$10` the place that it follows, `$11` how many.
pub(super) fn page(query: &AuditQuery, follows: bool) -> Vec<&'static str> {
    let mut parts = vec![LIST];
    parts.extend(conditions(query));
    parts.extend(follows.then_some(" AND (a.created_at, a.id) < ($9, $10)"));
    parts.push(" ORDER BY a.created_at DESC, a.id DESC LIMIT $11");
    parts
}

impl Reader<'_> {
    /// The audit log of an organization, newest first, from below an entry: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn audit_entries(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        query: &AuditQuery,
        below: Option<AuditPlace>,
        limit: u16,
    ) -> Result<Slice<AuditRecord>> {
        let binds = || {
            (
                val::<SqlUuid, _>(*organization.id.as_uuid()),
                val::<Nullable<SqlUuid>, _>(query.actor.map(|actor| *actor.as_uuid())),
                val::<Nullable<SqlUuid>, _>(query.space.map(|space| *space.as_uuid())),
                val::<Nullable<Text>, _>(query.operation.clone()),
                val::<Nullable<Timestamptz>, _>(query.from.map(OffsetDateTime::from)),
                val::<Nullable<Timestamptz>, _>(query.to.map(OffsetDateTime::from)),
                val::<Nullable<Text>, _>(query.target.clone()),
                val::<Nullable<Text>, _>(query.outcome.map(AuditOutcome::as_str)),
                val::<Nullable<Timestamptz>, _>(below.map(|place| OffsetDateTime::from(place.created_at))),
                val::<Nullable<SqlUuid>, _>(below.map(|place| *place.id.as_uuid())),
                val::<BigInt, _>(fetch_limit(limit)),
            )
        };
        let rows: Vec<(AuditRow, UserRecord)> =
            Assembled::new(page(query, below.is_some()), binds()).load(self.connection)?;
        let counted = std::iter::once(COUNT).chain(conditions(query)).collect();
        let count: CountRow = Assembled::new(counted, binds()).get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(TryInto::try_into)
    }
}
