//! Presentation of audit log entries.

use quire_domain::audit::{AuditActor, AuditEntry, AuditTarget, SystemActor};
use quire_domain::object::{AuditEntryTag, SystemTag};
use quire_storage::audit::{AuditRecord, RecordedActor};

use super::user;
use crate::urls::Urls;

/// Returns an audit log entry on the wire.
#[must_use]
pub fn audit_entry(urls: &Urls, record: AuditRecord) -> AuditEntry {
    AuditEntry {
        object: AuditEntryTag::Tag,
        id: record.id,
        organization: record.organization,
        space: record.space,
        actor: actor(urls, &record.actor),
        token: record.token,
        operation: record.operation,
        method: record.method,
        path: record.path,
        target: record.target.map(|(kind, id)| AuditTarget { kind, id }),
        address: record.address,
        request_id: record.request_id,
        outcome: record.outcome,
        created_at: record.created_at,
    }
}

fn actor(urls: &Urls, actor: &RecordedActor) -> AuditActor {
    match actor {
        RecordedActor::User(record) => AuditActor::User(user(urls, record)),
        RecordedActor::System => {
            AuditActor::System(SystemActor { object: SystemTag::Tag, display_name: "quire admin".to_owned() })
        }
    }
}
