//! Merged documents of a merge of trees.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::{Value, json};

use super::resolution::{ConflictId, Resolution};
use super::three_way::ThreeWay;
use crate::document::{BlockConflict, DocumentMerge, merge_document, scope_of};
use crate::entry::Entry;
use crate::hash::DocumentId;

/// Ids of the versions of a document in the base, in `into` and in `from`. A page without a document counts as a page
/// with an empty document.
pub type DocumentVersions = [DocumentId; 3];

/// Merged documents by the ids of their three versions.
///
/// Merging documents is the slow part of a merge and needs no tree. A caller that merges trees under a lock merges the
/// documents before it takes the lock: [`merge_with`](super::merge_with) then only compares ids.
#[derive(Debug, Clone, Default)]
pub struct DocumentMerges {
    /// `None` for versions that could not be loaded.
    outcomes: HashMap<DocumentVersions, Option<MergedDocument>>,
    made: BTreeMap<DocumentId, Value>,
}

/// Merged version of a document, and its conflicts.
#[derive(Debug, Clone)]
pub(super) struct MergedDocument {
    /// `None` if the document is empty.
    pub(super) id: Option<DocumentId>,
    pub(super) conflicts: Vec<BlockConflict>,
    pub(super) resolved: Vec<ConflictId>,
    pub(super) merged_blocks: usize,
}

impl DocumentMerges {
    /// Merges documents. A document with a version that is not in `loaded` conflicts as a whole.
    #[must_use]
    pub fn new(
        wanted: &[DocumentVersions],
        loaded: &HashMap<DocumentId, Value>,
        resolution: &Resolution,
    ) -> Self {
        let mut merges = Self::default();
        let (empty, empty_id) = (empty_document(), empty_id());
        for versions in wanted {
            let find = |id| loaded.get(id).or_else(|| (*id == empty_id).then_some(&empty));
            let [base, into, from] = versions.each_ref().map(find);
            let merged = base.zip(into).zip(from).map(|((base, into), from)| {
                let merge = merge_document([base, into, from], &scope_of(*versions), resolution);
                let DocumentMerge { document, conflicts, resolved, merged_blocks } = merge;
                let id = (!is_empty(&document)).then(|| DocumentId::of(&document));
                if let Some(id) = id.filter(|id| !loaded.contains_key(id)) {
                    merges.made.insert(id, document);
                }
                MergedDocument { id, conflicts, resolved, merged_blocks }
            });
            merges.outcomes.insert(*versions, merged);
        }
        merges
    }

    /// Returns the ids of all non-empty versions, without duplicates: the documents to load for
    /// [`DocumentMerges::new`].
    #[must_use]
    pub fn sources(wanted: &[DocumentVersions]) -> Vec<DocumentId> {
        let empty = empty_id();
        let mut ids: Vec<DocumentId> = wanted.iter().flatten().copied().filter(|id| *id != empty).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// Returns whether all of these documents were merged.
    #[must_use]
    pub fn cover(&self, wanted: &[DocumentVersions]) -> bool {
        wanted.iter().all(|versions| self.outcomes.contains_key(versions))
    }

    /// Returns the new documents, with their ids.
    pub fn made(&self) -> impl Iterator<Item = (&DocumentId, &Value)> {
        self.made.iter()
    }

    /// Returns the merged document; `None` if a version could not be loaded.
    pub(super) fn get(&self, versions: DocumentVersions) -> Option<&MergedDocument> {
        self.outcomes.get(&versions)?.as_ref()
    }

    /// Returns the ids of the new documents among `used`, the documents of a merged tree.
    pub(super) fn made_of(&self, used: &HashSet<DocumentId>) -> Vec<DocumentId> {
        self.made.keys().filter(|id| used.contains(id)).copied().collect()
    }
}

/// Returns the versions of the documents that both sides changed, without duplicates.
pub(super) fn to_merge(contested: &[ThreeWay<Entry>]) -> Vec<DocumentVersions> {
    let versions = contested.iter().filter_map(|record| {
        let document = |entry: &Option<Entry>| entry.as_ref().map(Entry::document);
        let documents = [document(&record.base)?, document(&record.into)?, document(&record.from)?];
        let [base, into, from] = versions_of(documents);
        (base != into && base != from && into != from).then_some([base, into, from])
    });
    let mut versions: Vec<DocumentVersions> = versions.collect();
    versions.sort_unstable();
    versions.dedup();
    versions
}

/// Returns the versions of a document. An absent one counts as the empty document.
pub(super) fn versions_of(documents: [Option<DocumentId>; 3]) -> DocumentVersions {
    documents.map(|document| document.unwrap_or_else(empty_id))
}

fn empty_document() -> Value {
    json!({"object": "document", "data": {}, "nodes": []})
}

fn empty_id() -> DocumentId {
    DocumentId::of(&empty_document())
}

fn is_empty(document: &Value) -> bool {
    document.get("nodes").and_then(Value::as_array).is_some_and(Vec::is_empty)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Strategy;

    #[test]
    fn a_page_without_a_document_is_merged_to_a_whole_one() {
        let paragraph = |text: &str| {
            let leaf = json!({"object": "leaf", "text": text, "marks": []});
            json!({"object": "block", "type": "paragraph", "isVoid": false, "data": {},
                "nodes": [{"object": "text", "leaves": [leaf]}]})
        };
        let document = |nodes: Vec<Value>| json!({"object": "document", "data": {}, "nodes": nodes});
        let (base, from) = (document(vec![paragraph("A")]), document(vec![paragraph("A"), paragraph("B")]));
        let versions = versions_of([Some(DocumentId::of(&base)), None, Some(DocumentId::of(&from))]);
        let loaded = [base, from].map(|document| (DocumentId::of(&document), document)).into();
        let merges = DocumentMerges::new(&[versions], &loaded, &Resolution::reported(Strategy::Theirs));
        let made: Vec<&Value> = merges.made().map(|(_, made)| made).collect();
        assert_eq!(made, [&document(vec![paragraph("B")])]);
    }
}
