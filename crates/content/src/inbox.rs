//! Texts of inbox entries, for pages and mails.

use quire_domain::imports::ImportState;
use quire_domain::inbox::{InboxChangeRequest, InboxEntryType};
use quire_markup::{StableRefs, parse, plain_text};
use quire_storage::people::inbox::InboxItem;

/// Returns the event in one sentence.
#[must_use]
pub fn sentence(entry: &InboxItem) -> String {
    let actor = entry.actor.display_name().filter(|name| !name.is_empty()).unwrap_or("Removed user");
    let about = match &entry.change_request {
        Some(InboxChangeRequest { number, subject, .. }) if subject.is_empty() => {
            format!("change request #{number}")
        }
        Some(InboxChangeRequest { subject, .. }) => format!("“{subject}”"),
        None => "a comment".to_owned(),
    };
    match (entry.type_, entry.import.map(|import| import.status)) {
        (InboxEntryType::ReviewRequest, _) => format!("{actor} asks for your review of {about}"),
        (InboxEntryType::Mention, _) => format!("{actor} mentioned you in {about}"),
        (InboxEntryType::Reply, _) if entry.change_request.is_none() => format!("{actor} replied to {about}"),
        (InboxEntryType::Reply, _) => format!("{actor} replied in {about}"),
        (InboxEntryType::Conflict, _) => format!("{about} conflicts with its space since {actor} merged"),
        (InboxEntryType::Import, Some(ImportState::Succeeded)) => "Your import is complete".to_owned(),
        (InboxEntryType::Import, _) => "Your import has failed".to_owned(),
    }
}

/// Returns the excerpt of an entry without markup.
#[must_use]
pub fn excerpt(entry: &InboxItem) -> Option<String> {
    entry.excerpt.as_deref().map(|excerpt| plain_text(&parse(excerpt, &StableRefs)))
}

/// Returns the name of a kind of entries for the end of a sentence.
#[must_use]
pub const fn name_of_kind(kind: InboxEntryType) -> &'static str {
    match kind {
        InboxEntryType::ReviewRequest => "requests to review",
        InboxEntryType::Mention => "mentions",
        InboxEntryType::Reply => "replies",
        InboxEntryType::Conflict => "conflicts",
        InboxEntryType::Import => "imports",
    }
}
