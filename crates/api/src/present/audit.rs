//! Presentation of audit log entries.

use quire_domain::audit::{AuditActor, AuditEntry, SystemActor};
use quire_domain::object::SystemTag;
use quire_storage::operations::audit::RecordedActor;

use super::user;
use crate::urls::Urls;

/// Returns an audit log entry on the wire.
#[must_use]
pub fn audit_entry(urls: &Urls, entry: AuditEntry<RecordedActor>) -> AuditEntry {
    let system = |name: &str| {
        AuditActor::System(SystemActor { object: SystemTag::Tag, display_name: name.to_owned() })
    };
    entry.map_actor(|actor| match actor {
        RecordedActor::User(record) => AuditActor::User(user(urls, &record)),
        RecordedActor::System => system("quire admin"),
        RecordedActor::Scim => system("SCIM"),
    })
}
