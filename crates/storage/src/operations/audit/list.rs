//! Reads of the audit log.

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use quire_database::functions::host;
use quire_domain::audit::{AuditEntry, AuditOutcome, AuditQuery, AuditTarget};
use quire_domain::clock::Timestamp;
use quire_domain::ids::{AuditEntryId, OrganizationId, SpaceId, TokenId};
use quire_domain::object::AuditEntryTag;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::list::{Slice, fetch_limit};
use crate::lookup::{Authorized, UserRecord};
use crate::people::organizations::OrganizationRecord;
use crate::schema::{audit_entries, users};
use crate::transaction::Reader;
use crate::{Result, to_timestamp};

/// Actor of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordedActor {
    /// User.
    User(UserRecord),
    /// Operator, with a command.
    System,
    /// Identity provider of the organization, with SCIM.
    Scim,
}

/// Cursor of a list of entries.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct AuditPosition {
    created_at: Timestamp,
    id: AuditEntryId,
}

impl AuditPosition {
    /// Returns the cursor of an entry.
    #[must_use]
    pub fn of(entry: &AuditEntry<RecordedActor>) -> Self {
        Self { created_at: entry.created_at, id: entry.id }
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = audit_entries, check_for_backend(Pg))]
pub(super) struct AuditRow {
    organization_id: Uuid,
    id: Uuid,
    space_id: Option<Uuid>,
    actor_type: String,
    token_id: Option<Uuid>,
    operation: String,
    method: Option<String>,
    path: Option<String>,
    target_type: Option<String>,
    target_id: Option<String>,
    #[diesel(select_expression = host(audit_entries::address))]
    address: Option<String>,
    request_id: Option<String>,
    outcome: AuditOutcome,
    created_at: OffsetDateTime,
}

/// Converts a row to an entry.
fn entry((row, user): (AuditRow, UserRecord)) -> Result<AuditEntry<RecordedActor>> {
    let actor = match row.actor_type.as_str() {
        "user" => RecordedActor::User(user),
        "scim" => RecordedActor::Scim,
        _ => RecordedActor::System,
    };
    Ok(AuditEntry {
        object: AuditEntryTag::Tag,
        id: AuditEntryId::from_uuid(row.id),
        organization: OrganizationId::from_uuid(row.organization_id),
        space: row.space_id.map(SpaceId::from_uuid),
        actor,
        token: row.token_id.map(TokenId::from_uuid),
        operation: row.operation,
        method: row.method,
        path: row.path,
        target: row.target_type.zip(row.target_id).map(|(kind, id)| AuditTarget { kind, id }),
        address: row.address,
        request_id: row.request_id,
        outcome: row.outcome,
        created_at: to_timestamp(row.created_at)?,
    })
}

/// Entries with their actors.
type Entries<'a> = dsl::IntoBoxed<'a, dsl::LeftJoin<audit_entries::table, users::table>, Pg>;

/// Returns the query for matching entries. When it only counts, PostgreSQL removes the join.
fn entries(organization: OrganizationId, query: &AuditQuery) -> Entries<'_> {
    let AuditQuery { actor, space, operation, target, outcome, from, to } = query;
    let mut entries = audit_entries::table
        .left_join(users::table)
        .filter(audit_entries::organization_id.eq(organization))
        .into_boxed();
    if let Some(actor) = actor {
        entries = entries.filter(audit_entries::actor_id.eq(actor));
    }
    if let Some(space) = space {
        entries = entries.filter(audit_entries::space_id.eq(space));
    }
    if let Some(operation) = operation {
        entries = entries.filter(audit_entries::operation.eq(operation));
    }
    if let Some(from) = from {
        entries = entries.filter(audit_entries::created_at.ge(*from));
    }
    if let Some(to) = to {
        entries = entries.filter(audit_entries::created_at.lt(*to));
    }
    if let Some(target) = target {
        entries = entries.filter(audit_entries::target_id.eq(target));
    }
    if let Some(outcome) = outcome {
        entries = entries.filter(audit_entries::outcome.eq(outcome.as_str()));
    }
    entries
}

/// Page of entries, newest first.
type Page<'a> = dsl::Select<Entries<'a>, dsl::AsSelect<(AuditRow, UserRecord), Pg>>;

/// Returns the statement of a page that starts below an entry. The first condition of its key is an index range.
pub(super) fn page(
    organization: OrganizationId,
    query: &AuditQuery,
    below: Option<AuditPosition>,
    limit: u16,
) -> Page<'_> {
    use audit_entries::{created_at, id};
    let mut page =
        entries(organization, query).order((created_at.desc(), id.desc())).limit(fetch_limit(limit));
    if let Some(AuditPosition { created_at: at, id: last }) = below {
        page = page.filter(created_at.le(at)).filter(created_at.lt(at).or(id.lt(last)));
    }
    page.select(<(AuditRow, UserRecord)>::as_select())
}

impl Reader<'_> {
    /// Returns the audit log of an organization, newest first, starting below an entry. Takes two statements.
    pub fn audit_entries(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        query: &AuditQuery,
        below: Option<AuditPosition>,
        limit: u16,
    ) -> Result<Slice<AuditEntry<RecordedActor>>> {
        let rows = page(organization.id, query, below, limit).load(self.connection)?;
        let total = entries(organization.id, query).count().get_result(self.connection)?;
        Slice::cut(rows, limit, total).try_map(entry)
    }
}
