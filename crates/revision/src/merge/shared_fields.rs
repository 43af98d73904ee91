//! Fields that pages and reusable contents share.

use super::outcome::Outcome;
use super::three_way::{agreed, settled};
use crate::hash::DocumentId;

/// Merges the documents of a record; the flag is `true` if they conflict.
pub(super) fn merge_documents(
    outcome: &mut Outcome<'_>,
    [base, into, from]: [Option<DocumentId>; 3],
) -> (Option<DocumentId>, bool) {
    if let Some(agreed) = agreed(Some(base), into, from) {
        return (agreed, false);
    }
    if let (Some(base), Some(into), Some(from)) = (base, into, from)
        && let Some(merged) = outcome.documents.get([base, into, from])
    {
        return (Some(merged), false);
    }
    (settled(outcome.strategy, into, from), true)
}

/// Git location of a record; `from` if both sides changed it, since `from` was synchronized later.
pub(super) fn merge_git<T: Clone + PartialEq>(
    base: Option<&Option<T>>,
    into: &Option<T>,
    from: &Option<T>,
) -> Option<T> {
    agreed(base, into, from).unwrap_or(from).clone()
}
