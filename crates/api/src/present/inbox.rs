//! Presentation of inboxes.

use quire_domain::inbox::{InboxChangeRequest, InboxEntry, InboxEntryUrls, InboxImport, InboxSpace};
use quire_domain::object::InboxEntryTag;
use quire_storage::people::inbox::InboxRecord;

use super::user;
use crate::urls::Urls;

/// Returns an entry of an inbox.
#[must_use]
pub fn inbox_entry(urls: &Urls, record: InboxRecord) -> InboxEntry {
    let app = urls.app(record.app_path());
    InboxEntry {
        object: InboxEntryTag::Tag,
        id: record.id,
        type_: record.kind,
        actor: record.actor.id().map(|_| user(urls, &record.actor)),
        organization: record.organization,
        space: InboxSpace { id: record.space, title: record.space_title },
        change_request: record.change_request.map(|(id, number, subject)| InboxChangeRequest {
            id,
            number,
            subject,
        }),
        comment: record.comment,
        comment_reply: record.reply,
        excerpt: record.excerpt,
        import: record.import.map(|(id, status)| InboxImport { id, status }),
        created_at: record.created_at,
        read_at: record.read_at,
        urls: InboxEntryUrls { app },
    }
}
