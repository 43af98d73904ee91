//! The audit log: one row a request that changed something, written in the transaction that changed it.

use std::borrow::Cow;
use std::net::IpAddr;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::audit::AuditQuery;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{AuditEntryId, OrganizationId, SpaceId, TokenId};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{Authorized, OrganizationRecord, UserRecord};
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};
use crate::{Result, moment};

/// What is known of a request that changes something, before it is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The id of the operation in the API.
    pub operation: Cow<'static, str>,
    /// The HTTP method.
    pub method: String,
    /// The path, without its query.
    pub path: String,
    /// What the path names last: what it is, and its id.
    pub named: Option<(String, String)>,
    /// Where the request came from.
    pub address: Option<IpAddr>,
    /// The id of the request.
    pub request_id: String,
}

/// An entry as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditRecord {
    /// Its id.
    pub id: AuditEntryId,
    /// The organization in which something changed.
    pub organization: OrganizationId,
    /// The space in which it changed.
    pub space: Option<SpaceId>,
    /// Who did it.
    pub actor: UserRecord,
    /// With which token.
    pub token: TokenId,
    /// The id of the operation.
    pub operation: String,
    /// The HTTP method.
    pub method: String,
    /// The path of the request.
    pub path: String,
    /// What was changed or made: what it is, and its id.
    pub target: Option<(String, String)>,
    /// Where it came from.
    pub address: Option<String>,
    /// The id of the request.
    pub request_id: String,
    /// When.
    pub created_at: Timestamp,
}

#[derive(QueryableByName)]
struct AuditRow {
    #[diesel(sql_type = SqlUuid)]
    organization_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    entry_id: Uuid,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    space_id: Option<Uuid>,
    #[diesel(sql_type = SqlUuid)]
    token_id: Uuid,
    #[diesel(sql_type = Text)]
    operation: String,
    #[diesel(sql_type = Text)]
    method: String,
    #[diesel(sql_type = Text)]
    path: String,
    #[diesel(sql_type = Nullable<Text>)]
    target_type: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    target_id: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    address: Option<String>,
    #[diesel(sql_type = Text)]
    request_id: String,
    #[diesel(sql_type = Timestamptz)]
    created_at: OffsetDateTime,
}

impl TryFrom<(AuditRow, UserRecord)> for AuditRecord {
    type Error = crate::Error;

    fn try_from((row, actor): (AuditRow, UserRecord)) -> Result<Self> {
        Ok(Self {
            id: AuditEntryId::from_uuid(row.entry_id),
            organization: OrganizationId::from_uuid(row.organization_id),
            space: row.space_id.map(SpaceId::from_uuid),
            actor,
            token: TokenId::from_uuid(row.token_id),
            operation: row.operation,
            method: row.method,
            path: row.path,
            target: row.target_type.zip(row.target_id),
            address: row.address,
            request_id: row.request_id,
            created_at: moment(row.created_at)?,
        })
    }
}

macro_rules! filtered {
    () => {
        " FROM audit_entries a LEFT JOIN users u ON u.id = a.actor_id \
         WHERE a.organization_id = $1 AND ($2 IS NULL OR a.actor_id = $2) AND ($3 IS NULL OR a.space_id = $3) \
         AND ($4 IS NULL OR a.operation = $4) AND ($5 IS NULL OR a.created_at >= $5) AND ($6 IS NULL OR a.created_at < $6) \
         AND ($7 IS NULL OR a.target_id = $7)"
    };
}

statements! {
    InsertEntry = "INSERT INTO audit_entries \
                   (organization_id, id, actor_id, token_id, operation, method, path, space_id, target_type, target_id, address, request_id, created_at) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, CAST($11 AS inet), $12, $13)";
    ListEntries = concat!(
        "SELECT a.organization_id, a.id AS entry_id, a.space_id, a.token_id, a.operation, a.method, a.path, a.target_type, a.target_id, \
         host(a.address) AS address, a.request_id, a.created_at, \
         u.id AS user_id, u.email AS user_email, u.display_name AS user_display_name, u.photo_url AS user_photo_url",
        filtered!(), " AND ($8 IS NULL OR a.id < $8) ORDER BY a.id DESC LIMIT $9"
    );
    CountEntries = concat!("SELECT count(*) AS total", filtered!());
}

impl Tx<'_> {
    /// Writes that the request of this transaction was done. What reached no organization (a token of one's own) is nobody
    /// else's business, and leaves no entry.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn audit(&mut self, change: &Change) -> Result<()> {
        let (Some(reached), Some(actor)) = (self.reached, self.seen) else { return Ok(()) };
        let id = self.storage.ids().uuid();
        let made = self.made.clone().map(|made| (made.kind.to_owned(), made.id));
        let target = made.or_else(|| change.named.clone());
        InsertEntry::bind((
            val::<SqlUuid, _>(*reached.organization.as_uuid()),
            val::<SqlUuid, _>(id),
            val::<SqlUuid, _>(*actor.user.as_uuid()),
            val::<SqlUuid, _>(*actor.token.as_uuid()),
            val::<Text, _>(&*change.operation),
            val::<Text, _>(change.method.as_str()),
            val::<Text, _>(change.path.as_str()),
            val::<Nullable<SqlUuid>, _>(reached.space.map(|space| *space.as_uuid())),
            val::<Nullable<Text>, _>(target.as_ref().map(|(kind, _)| kind.as_str())),
            val::<Nullable<Text>, _>(target.as_ref().map(|(_, id)| id.as_str())),
            val::<Nullable<Text>, _>(change.address.map(|address| address.to_string())),
            val::<Text, _>(change.request_id.as_str()),
            self.now_bind(),
        ))
        .execute(self.connection)?;
        Ok(())
    }
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
        below: Option<AuditEntryId>,
        limit: u16,
    ) -> Result<Slice<AuditRecord>> {
        let id = *organization.id.as_uuid();
        let actor = query.actor.map(|actor| *actor.as_uuid());
        let space = query.space.map(|space| *space.as_uuid());
        let (operation, target) = (query.operation.as_deref(), query.target.as_deref());
        let (from, to) = (query.from.map(OffsetDateTime::from), query.to.map(OffsetDateTime::from));
        let rows: Vec<(AuditRow, UserRecord)> = ListEntries::bind((
            val::<SqlUuid, _>(id),
            val::<Nullable<SqlUuid>, _>(actor),
            val::<Nullable<SqlUuid>, _>(space),
            val::<Nullable<Text>, _>(operation),
            val::<Nullable<Timestamptz>, _>(from),
            val::<Nullable<Timestamptz>, _>(to),
            val::<Nullable<Text>, _>(target),
            val::<Nullable<SqlUuid>, _>(below.map(|entry| *entry.as_uuid())),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow = CountEntries::bind((
            val::<SqlUuid, _>(id),
            val::<Nullable<SqlUuid>, _>(actor),
            val::<Nullable<SqlUuid>, _>(space),
            val::<Nullable<Text>, _>(operation),
            val::<Nullable<Timestamptz>, _>(from),
            val::<Nullable<Timestamptz>, _>(to),
            val::<Nullable<Text>, _>(target),
        ))
        .get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(TryInto::try_into)
    }
}
