//! Three-way merge of trees.

mod conflict;
mod documents;
mod others;
mod outcome;
mod pages;
mod records;
mod structure;

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use conflict::{Conflict, ConflictKind, ConflictPage};

use crate::diff::raw_diff;
use crate::entry::{Entry, EntryChange, EntryId};
use crate::hash::DocumentId;
use crate::tree::Tree;
use documents::Documents;
use outcome::Outcome;
use records::Three;

/// How to settle conflicts without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// Each conflict becomes what it is in ours.
    Ours,
    /// Each conflict becomes what it is in theirs.
    Theirs,
}

/// What came of a merge.
#[derive(Debug, Clone)]
pub struct Merged {
    /// The merged content: a well-formed tree in any case, but of use only without conflicts.
    pub tree: Tree,
    /// The documents that the merge made, to be stored with the tree. Those that are in one of the
    /// three trees are not listed.
    pub documents: Vec<(DocumentId, Value)>,
    /// What the sides changed differently: pages in the order of the table of contents, then files
    /// and reusable contents. Empty if a strategy settled them.
    pub conflicts: Vec<Conflict>,
}

/// Merges what `ours` and `theirs` each changed since `base`.
///
/// The names are the caller's: whoever merges `theirs` *into* `ours` reads the conflicts from where
/// `ours` stands. So *deleted here* is what `ours` deleted. Swapping the sides swaps the names.
///
/// - What only one side changed is as on that side, and the same change on both sides is no
///   conflict. If one side changed nothing, the outcome is the other side, to its hash.
/// - Both sides' changes of one page come together field by field; parent and position are one
///   field. Two moves below the same parent are no conflict, ours decides. Documents are merged by
///   [`merge_document`](crate::merge_document). Times and places in Git never conflict.
/// - A page that one side deleted and the other edited or moved is a conflict, and so is one that
///   the other side put below a deleted page; if a strategy keeps it, the pages above it are kept
///   with it. Two moves that together would put pages below themselves are a conflict.
/// - Equal slugs below one parent are no conflict: ours keeps it, the other gets a suffix. Equal
///   positions neither: theirs stands right after ours.
///
/// `load` gets the ids of all documents that have to be merged, at once, and is not called if there
/// are none. A page whose documents it doesn't return conflicts.
///
/// Costs as much as both sides changed, not as there is.
///
/// # Errors
/// Whatever `load` fails with.
pub fn merge<E>(
    base: &Tree,
    ours: &Tree,
    theirs: &Tree,
    strategy: Option<Strategy>,
    load: impl FnOnce(&[DocumentId]) -> Result<HashMap<DocumentId, Value>, E>,
) -> Result<Merged, E> {
    let untouched = |tree: &Tree| Merged { tree: tree.clone(), documents: Vec::new(), conflicts: Vec::new() };
    if theirs == base || ours == theirs {
        return Ok(untouched(ours));
    }
    if ours == base {
        return Ok(untouched(theirs));
    }
    let by_ours = changes_by_id(base, ours);
    let by_theirs = changes_by_id(base, theirs);
    let contested: Vec<Three<Entry>> = by_theirs
        .iter()
        .filter_map(|(id, (base, theirs))| {
            let (_, ours) = by_ours.get(id)?;
            Some(Three { base: base.clone(), ours: ours.clone(), theirs: theirs.clone() })
        })
        .collect();
    let wanted = documents::to_load(&contested);
    let loaded = if wanted.is_empty() { HashMap::new() } else { load(&wanted)? };

    let mut outcome = Outcome::new(base, ours, theirs, strategy, Documents::new(loaded, strategy));
    for (id, (_, theirs)) in by_theirs {
        if !by_ours.contains_key(&id) {
            outcome.set(id, theirs);
        }
    }
    for record in contested {
        records::merge_record(&mut outcome, record);
    }
    structure::repair(&mut outcome);
    Ok(outcome.finish())
}

fn changes_by_id(before: &Tree, after: &Tree) -> BTreeMap<EntryId, EntryChange> {
    let changes = raw_diff(before, after).into_iter();
    changes.filter_map(|change| Some((change.0.as_ref().or(change.1.as_ref())?.id(), change))).collect()
}

/// The documents that records name.
fn documents_of<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> HashSet<DocumentId> {
    entries.into_iter().filter_map(Entry::document).collect()
}
