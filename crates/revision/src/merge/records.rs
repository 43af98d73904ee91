//! Three-way merge of one record that both sides changed, field by field.

use super::Strategy;
use super::others::{merge_file, merge_reusable_content};
use super::outcome::Outcome;
use super::pages::merge_page;
use crate::entry::{Entry, EntryId, GitBlob};
use crate::hash::DocumentId;

/// The three versions of a record, each absent where it doesn't exist.
#[derive(Debug, Clone)]
pub(super) struct Three<T> {
    pub(super) base: Option<T>,
    pub(super) ours: Option<T>,
    pub(super) theirs: Option<T>,
}

impl<T> Three<T> {
    fn map<U>(self, mut f: impl FnMut(T) -> Option<U>) -> Three<U> {
        Three {
            base: self.base.and_then(&mut f),
            ours: self.ours.and_then(&mut f),
            theirs: self.theirs.and_then(&mut f),
        }
    }

    pub(super) fn as_ref(&self) -> Three<&T> {
        Three { base: self.base.as_ref(), ours: self.ours.as_ref(), theirs: self.theirs.as_ref() }
    }
}

/// Decides the outcome of a record that both sides changed.
pub(super) fn merge_record(outcome: &mut Outcome<'_>, record: Three<Entry>) {
    let any = record.base.as_ref().or(record.ours.as_ref()).or(record.theirs.as_ref());
    let Some(id) = any.map(Entry::id) else { return };
    let merged = match id {
        EntryId::Page(_) => {
            merge_page(outcome, record.map(|entry| entry.as_page().cloned())).map(Entry::Page)
        }
        EntryId::File(_) => merge_file(outcome, record.map(Entry::into_file)).map(Entry::File),
        EntryId::ReusableContent(_) => {
            merge_reusable_content(outcome, record.map(Entry::into_reusable_content))
                .map(Entry::ReusableContent)
        }
    };
    outcome.set(id, merged);
}

/// The version that both sides agree on, or the only changed one; nothing if both changed it
/// differently.
pub(super) fn agreed<T: PartialEq>(base: Option<T>, ours: T, theirs: T) -> Option<T> {
    if ours == theirs || base.as_ref() == Some(&theirs) {
        Some(ours)
    } else if base.as_ref() == Some(&ours) {
        Some(theirs)
    } else {
        None
    }
}

pub(super) fn settled<T>(strategy: Option<Strategy>, ours: T, theirs: T) -> T {
    match strategy {
        Some(Strategy::Theirs) => theirs,
        Some(Strategy::Ours) | None => ours,
    }
}

/// Outcome of a record that one side deleted and the other changed. Without a strategy the outcome is not used, but
/// must hold all records.
pub(super) fn deleted_or<T>(strategy: Option<Strategy>, ours: Option<T>, theirs: Option<T>) -> Option<T> {
    match strategy {
        Some(Strategy::Ours) => ours,
        Some(Strategy::Theirs) => theirs,
        None => ours.or(theirs),
    }
}

/// Merges the documents of a record; the flag is `true` if they conflict.
pub(super) fn merge_documents(
    outcome: &mut Outcome<'_>,
    [base, ours, theirs]: [Option<DocumentId>; 3],
) -> (Option<DocumentId>, bool) {
    if let Some(agreed) = agreed(Some(base), ours, theirs) {
        return (agreed, false);
    }
    if let (Some(base), Some(ours), Some(theirs)) = (base, ours, theirs)
        && let Some(merged) = outcome.documents.get([base, ours, theirs])
    {
        return (Some(merged), false);
    }
    (settled(outcome.strategy, ours, theirs), true)
}

/// Git location of a record; theirs if both sides changed it, since theirs was synchronized later.
pub(super) fn merge_git(
    base: Option<&Option<GitBlob>>,
    ours: &Option<GitBlob>,
    theirs: &Option<GitBlob>,
) -> Option<GitBlob> {
    agreed(base, ours, theirs).unwrap_or(theirs).clone()
}
