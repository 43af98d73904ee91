//! Documents of a merge: those to merge, and their merged versions.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;

use super::Strategy;
use super::three_way::ThreeWay;
use crate::document::{DocumentMerge, merge_document, settle_document};
use crate::entry::Entry;
use crate::hash::DocumentId;

/// The ids of three versions of a document: in the base, in `into` and in `from`.
pub type DocumentVersions = [DocumentId; 3];

/// Merged documents, by the ids of the versions they were merged from.
///
/// Merging documents is the slow part of a merge and needs no tree. A caller that merges trees under a lock merges the
/// documents before: [`merge_with`](super::merge_with) then only compares ids.
#[derive(Debug, Clone, Default)]
pub struct DocumentMerges {
    /// `None` for versions that conflict.
    outcomes: HashMap<DocumentVersions, Option<DocumentId>>,
    made: BTreeMap<DocumentId, Value>,
}

impl DocumentMerges {
    /// Merges documents. Versions that `loaded` doesn't have conflict.
    #[must_use]
    pub fn new(
        wanted: &[DocumentVersions],
        loaded: &HashMap<DocumentId, Value>,
        strategy: Option<Strategy>,
    ) -> Self {
        let mut merges = Self::default();
        for versions in wanted {
            let merged = merged(*versions, loaded, strategy);
            let id = merged.map(|document| {
                let id = DocumentId::of(&document);
                if !loaded.contains_key(&id) {
                    merges.made.insert(id, document);
                }
                id
            });
            merges.outcomes.insert(*versions, id);
        }
        merges
    }

    /// Returns the ids of all versions, each once: the documents to load for [`DocumentMerges::new`].
    #[must_use]
    pub fn sources(wanted: &[DocumentVersions]) -> Vec<DocumentId> {
        let mut ids: Vec<DocumentId> = wanted.iter().flatten().copied().collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// Returns `true` if all of these versions were merged.
    #[must_use]
    pub fn cover(&self, wanted: &[DocumentVersions]) -> bool {
        wanted.iter().all(|versions| self.outcomes.contains_key(versions))
    }

    /// Returns the new documents, with their ids.
    pub fn made(&self) -> impl Iterator<Item = (&DocumentId, &Value)> {
        self.made.iter()
    }

    /// Returns the id of the merged document; `None` for a conflict.
    pub(super) fn get(&self, versions: DocumentVersions) -> Option<DocumentId> {
        self.outcomes.get(&versions).copied().flatten()
    }

    /// Returns the ids of the new documents that a merged tree uses.
    pub(super) fn made_of(&self, used: &HashSet<DocumentId>) -> Vec<DocumentId> {
        self.made.keys().filter(|id| used.contains(id)).copied().collect()
    }
}

fn merged(
    versions: DocumentVersions,
    loaded: &HashMap<DocumentId, Value>,
    strategy: Option<Strategy>,
) -> Option<Value> {
    let [base, into, from] = versions.map(|id| loaded.get(&id));
    let (base, into, from) = (base?, into?, from?);
    match strategy {
        Some(strategy) => Some(settle_document(base, into, from, strategy)),
        None => match merge_document(base, into, from) {
            DocumentMerge::Merged(merged) => Some(merged),
            DocumentMerge::Conflict => None,
        },
    }
}

/// Returns the versions of the documents that both sides changed, each once.
pub(super) fn to_merge(contested: &[ThreeWay<Entry>]) -> Vec<DocumentVersions> {
    let versions = contested.iter().filter_map(|record| {
        let document = |entry: &Option<Entry>| entry.as_ref().and_then(Entry::document);
        let (base, into, from) = (document(&record.base)?, document(&record.into)?, document(&record.from)?);
        (base != into && base != from && into != from).then_some([base, into, from])
    });
    let mut versions: Vec<DocumentVersions> = versions.collect();
    versions.sort_unstable();
    versions.dedup();
    versions
}
