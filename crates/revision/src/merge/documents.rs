//! Documents of a merge: those to load, and their merged versions.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;

use super::Strategy;
use super::records::Three;
use crate::document::{DocumentMerge, merge_document, settle_document};
use crate::entry::Entry;
use crate::hash::DocumentId;

/// The documents at hand in a merge.
pub(super) struct Documents {
    loaded: HashMap<DocumentId, Value>,
    made: BTreeMap<DocumentId, Value>,
    strategy: Option<Strategy>,
}

/// The documents that both sides changed, each with its base and both versions, without doubles.
pub(super) fn to_load(contested: &[Three<Entry>]) -> Vec<DocumentId> {
    let mut wanted: Vec<DocumentId> = contested
        .iter()
        .filter_map(|record| {
            let document = |entry: &Option<Entry>| entry.as_ref().and_then(Entry::document);
            let (base, ours, theirs) =
                (document(&record.base)?, document(&record.ours)?, document(&record.theirs)?);
            (base != ours && base != theirs && ours != theirs).then_some([base, ours, theirs])
        })
        .flatten()
        .collect();
    wanted.sort_unstable();
    wanted.dedup();
    wanted
}

impl Documents {
    pub(super) fn new(loaded: HashMap<DocumentId, Value>, strategy: Option<Strategy>) -> Self {
        Self { loaded, made: BTreeMap::new(), strategy }
    }

    /// The id of what three different documents merge to; nothing if they conflict or one of them
    /// isn't there.
    pub(super) fn merge(
        &mut self,
        base: DocumentId,
        ours: DocumentId,
        theirs: DocumentId,
    ) -> Option<DocumentId> {
        let document = |id| self.loaded.get(&id);
        let (base, ours, theirs) = (document(base)?, document(ours)?, document(theirs)?);
        let merged = match self.strategy {
            Some(strategy) => settle_document(base, ours, theirs, strategy),
            None => match merge_document(base, ours, theirs) {
                DocumentMerge::Merged(merged) => merged,
                DocumentMerge::Conflict => return None,
            },
        };
        let id = DocumentId::of(&merged);
        if !self.loaded.contains_key(&id) {
            self.made.insert(id, merged);
        }
        Some(id)
    }

    /// The documents that the merge made and the merged tree uses.
    pub(super) fn into_made(self, used: &HashSet<DocumentId>) -> Vec<(DocumentId, Value)> {
        self.made.into_iter().filter(|(id, _)| used.contains(id)).collect()
    }
}
