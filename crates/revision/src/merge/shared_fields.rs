//! Fields that pages and reusable contents share.

use super::conflict::Conflict;
use super::documents::versions_of;
use super::outcome::Outcome;
use super::three_way::{agreed, settled};
use crate::document::scope_of;
use crate::hash::DocumentId;

/// Merges the documents of a record. `conflict` creates a conflict about them.
pub(super) fn merge_documents(
    outcome: &mut Outcome<'_>,
    versions: [Option<DocumentId>; 3],
    conflict: impl FnOnce() -> Conflict,
) -> Option<DocumentId> {
    let [base, into, from] = versions;
    if let Some(agreed) = agreed(Some(base), into, from) {
        return agreed;
    }
    let (documents, versions) = (outcome.documents, versions_of(versions));
    if let Some(merged) = documents.get(versions) {
        outcome.note_resolved(&merged.resolved);
        if !merged.conflicts.is_empty() {
            let conflict = conflict().with_blocks(&scope_of(versions), merged.conflicts.clone());
            outcome.report(conflict, merged.merged_blocks);
        }
        return merged.id;
    }
    let side = outcome.conflict(conflict());
    settled(side, into, from)
}

/// Merges the Git location of a record. If both sides changed it, `from` wins, since it was synchronized later.
pub(super) fn merge_git<T: Clone + PartialEq>(
    base: Option<&Option<T>>,
    into: &Option<T>,
    from: &Option<T>,
) -> Option<T> {
    agreed(base, into, from).unwrap_or(from).clone()
}
