//! Entries of the audit log.

use quire_domain::audit::{AuditEntry, AuditTarget};
use quire_domain::object::AuditEntryTag;
use quire_storage::audit::AuditRecord;

use super::user;
use crate::urls::Urls;

/// An entry of the audit log.
#[must_use]
pub fn audit_entry(urls: &Urls, record: AuditRecord) -> AuditEntry {
    AuditEntry {
        object: AuditEntryTag::Tag,
        id: record.id,
        organization: record.organization,
        space: record.space,
        actor: user(urls, &record.actor),
        token: record.token,
        operation: record.operation,
        method: record.method,
        path: record.path,
        target: record.target.map(|(kind, id)| AuditTarget { kind, id }),
        address: record.address,
        request_id: record.request_id,
        created_at: record.created_at,
    }
}
