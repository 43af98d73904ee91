//! Three-way merge of one record that both sides changed, field by field.

use super::files::{merge_file, merge_reusable_content};
use super::outcome::Outcome;
use super::pages::merge_page;
use super::three_way::ThreeWay;
use crate::entry::{Entry, EntryId};

/// Merges a record that both sides changed.
pub(super) fn merge_record(outcome: &mut Outcome<'_>, record: ThreeWay<Entry>) {
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
