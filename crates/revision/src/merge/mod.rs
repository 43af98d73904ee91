//! Three-way merge of trees.

mod conflict;
mod documents;
mod files;
mod outcome;
mod pages;
mod records;
mod resolution;
mod shared_fields;
mod structure;
mod three_way;

use std::borrow::Borrow;
use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use conflict::{Conflict, ConflictKind, ConflictPage};
pub use documents::{DocumentMerges, DocumentVersions};
pub use resolution::{ConflictId, Resolution, Take};
pub(crate) use three_way::settled;

use crate::diff::raw_diff;
use crate::entry::{Entry, EntryChange, EntryId};
use crate::hash::DocumentId;
use crate::id::PageId;
use crate::tree::Tree;
use outcome::Outcome;
use three_way::ThreeWay;

/// Automatic resolution of conflicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// Resolves each conflict to the value in `from`, the merged changes.
    Ours,
    /// Resolves each conflict to the value in `into`, the content that the changes are merged into.
    Theirs,
}

/// Merge outcome. `D` identifies a new document.
#[derive(Debug, Clone)]
pub struct Merged<D = (DocumentId, Value)> {
    /// Merged content: always a well-formed tree, but only meaningful without conflicts.
    pub tree: Tree,
    /// New documents of the merge, to be stored with the tree. Documents of the three input trees are not
    /// listed.
    pub documents: Vec<D>,
    /// Unresolved conflicts: pages in the order of the table of contents, then files and reusable contents.
    pub conflicts: Vec<Conflict>,
    /// Conflicts that a choice resolved.
    pub resolved: Vec<ConflictId>,
    /// Numbers of changes that merged without a conflict; 0 if a side changed nothing.
    pub without_conflict: WithoutConflict,
}

/// Numbers of changes that merged without a conflict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WithoutConflict {
    /// Pages that either side changed, moved, inserted or deleted, except pages in conflict.
    pub pages: usize,
    /// Outermost blocks that a side changed in documents with conflicts, except blocks in conflict.
    pub blocks: usize,
}

/// Merges the changes of `from` since `base` into `into`.
///
/// Conflicts and strategies take the view of the author of `from`: *ours* is `from`, and *deleted here* means deleted
/// in `from`. Swapping the sides swaps the names.
///
/// - A record that only one side changed is taken from that side. The same change on both sides is no conflict. If
///   one side changed nothing, the outcome has the root hash of the other.
/// - Changes of one page on both sides are merged field by field; parent and position are one field. Two moves below
///   the same parent are no conflict: `into` is taken. Documents are merged by
///   [`merge_document`](crate::merge_document). Times and Git locations never conflict.
/// - A page that one side deleted and the other edited or moved is a conflict, and so is a page that one side inserted
///   below a page deleted by the other. If the resolution keeps it, its ancestors are kept with it. Two moves that
///   would form a cycle are a conflict.
/// - Equal slugs below one parent are no conflict: `into` keeps the slug, `from` gets a suffix. Equal positions are no
///   conflict: `from` follows `into`.
///
/// `resolution` resolves all conflicts to one side, or each by a choice. Choices about the existence and the parents of
/// pages that contradict each other are not applied, and their conflicts are reported.
///
/// `load` receives the ids of all documents to merge in one call, and is not called if there are none. A page conflicts
/// if `load` doesn't return all its documents.
///
/// Cost is proportional to the changes on both sides, not to the size of the tree.
///
/// # Errors
/// The error of `load`.
pub fn merge<E>(
    base: &Tree,
    into: &Tree,
    from: &Tree,
    resolution: &Resolution,
    load: impl FnOnce(&[DocumentId]) -> Result<HashMap<DocumentId, Value>, E>,
) -> Result<Merged, E> {
    let mut documents = None;
    let slot = &mut documents;
    let merged = merge_with(base, into, from, resolution, move |wanted| {
        let loaded = load(&DocumentMerges::sources(wanted))?;
        Ok(&*slot.insert(DocumentMerges::new(wanted, &loaded, resolution)))
    })?;
    let Merged { tree, documents: new, conflicts, resolved, without_conflict } = merged;
    let made = documents.iter().flat_map(DocumentMerges::made);
    let documents = made.filter(|(id, _)| new.contains(id)).map(|(id, document)| (*id, document.clone()));
    Ok(Merged { tree, documents: documents.collect(), conflicts, resolved, without_conflict })
}

/// Merges trees like [`merge`]. `documents` merges the documents or returns earlier merges of them.
///
/// `documents` receives the versions of all documents to merge in one call, and is not called if there are none. Its
/// result must [cover](DocumentMerges::cover) them.
///
/// # Errors
/// The error of `documents`.
pub fn merge_with<M: Borrow<DocumentMerges>, E>(
    base: &Tree,
    into: &Tree,
    from: &Tree,
    resolution: &Resolution,
    documents: impl FnOnce(&[DocumentVersions]) -> Result<M, E>,
) -> Result<Merged<DocumentId>, E> {
    let untouched = |tree: &Tree| Merged {
        tree: tree.clone(),
        documents: Vec::new(),
        conflicts: Vec::new(),
        resolved: Vec::new(),
        without_conflict: WithoutConflict::default(),
    };
    if from == base || into == from {
        return Ok(untouched(into));
    }
    if into == base {
        return Ok(untouched(from));
    }
    let by_into = changes_by_id(base, into);
    let by_from = changes_by_id(base, from);
    let contested: Vec<ThreeWay<Entry>> = by_from
        .iter()
        .filter_map(|(id, (base, from))| {
            let (_, into) = by_into.get(id)?;
            Some(ThreeWay { base: base.clone(), into: into.clone(), from: from.clone() })
        })
        .collect();
    let wanted = documents::to_merge(&contested);
    let merges = if wanted.is_empty() { None } else { Some(documents(&wanted)?) };
    let none = DocumentMerges::default();
    let merges = merges.as_ref().map_or(&none, Borrow::borrow);

    let changed = by_into.keys().chain(by_from.keys()).filter_map(|id| match id {
        EntryId::Page(id) => Some(*id),
        EntryId::File(_) | EntryId::ReusableContent(_) => None,
    });
    let changed = changed.collect();
    let mut outcome = Outcome::new(base, into, from, resolution, merges);
    for (id, (_, from)) in by_from {
        if !by_into.contains_key(&id) {
            outcome.set(id, from);
        }
    }
    for record in contested {
        records::merge_record(&mut outcome, record);
    }
    structure::repair(&mut outcome);
    let mut merged = outcome.finish();
    merged.without_conflict.pages = pages_without_conflict(changed, &merged.conflicts);
    Ok(merged)
}

fn changes_by_id(before: &Tree, after: &Tree) -> BTreeMap<EntryId, EntryChange> {
    let changes = raw_diff(before, after).into_iter();
    changes.filter_map(|change| Some((change.0.as_ref().or(change.1.as_ref())?.id(), change))).collect()
}

fn pages_without_conflict(mut changed: HashSet<PageId>, conflicts: &[Conflict]) -> usize {
    for page in conflicts.iter().filter_map(|conflict| conflict.page.as_ref()) {
        changed.remove(&page.id);
    }
    changed.len()
}

/// Returns the ids of the documents of records.
fn documents_of<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> HashSet<DocumentId> {
    entries.into_iter().filter_map(Entry::document).collect()
}
