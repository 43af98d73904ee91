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
    pub(super) into: Option<T>,
    pub(super) from: Option<T>,
}

impl<T> Three<T> {
    fn map<U>(self, mut f: impl FnMut(T) -> Option<U>) -> Three<U> {
        Three {
            base: self.base.and_then(&mut f),
            into: self.into.and_then(&mut f),
            from: self.from.and_then(&mut f),
        }
    }

    pub(super) fn as_ref(&self) -> Three<&T> {
        Three { base: self.base.as_ref(), into: self.into.as_ref(), from: self.from.as_ref() }
    }
}

/// Decides the outcome of a record that both sides changed.
pub(super) fn merge_record(outcome: &mut Outcome<'_>, record: Three<Entry>) {
    let any = record.base.as_ref().or(record.into.as_ref()).or(record.from.as_ref());
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
pub(super) fn agreed<T: PartialEq>(base: Option<T>, into: T, from: T) -> Option<T> {
    if into == from || base.as_ref() == Some(&from) {
        Some(into)
    } else if base.as_ref() == Some(&into) {
        Some(from)
    } else {
        None
    }
}

pub(super) fn settled<T>(strategy: Option<Strategy>, into: T, from: T) -> T {
    match strategy {
        Some(Strategy::Ours) => from,
        Some(Strategy::Theirs) | None => into,
    }
}

/// Outcome of a record that one side deleted and the other changed. Without a strategy the outcome is not used, but
/// must hold all records.
pub(super) fn deleted_or<T>(strategy: Option<Strategy>, into: Option<T>, from: Option<T>) -> Option<T> {
    match strategy {
        Some(Strategy::Ours) => from,
        Some(Strategy::Theirs) => into,
        None => into.or(from),
    }
}

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
pub(super) fn merge_git(
    base: Option<&Option<GitBlob>>,
    into: &Option<GitBlob>,
    from: &Option<GitBlob>,
) -> Option<GitBlob> {
    agreed(base, into, from).unwrap_or(from).clone()
}
