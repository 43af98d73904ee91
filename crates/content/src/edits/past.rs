//! Past states for reverts.

use std::collections::{BTreeSet, HashMap};

use quire_domain::content::{ContentChange, ContentChanges, RevertPage};
use quire_domain::documents::DocumentJson;
use quire_domain::ids::{DocumentId, RevisionId};
use quire_revision::{EntryId, Tree};
use quire_storage::content::store::{AnalyzedDocument, DocumentAnalyzer as _};

use crate::analyzer::MarkupAnalyzer;

/// Past states that a write needs. They are loaded before the write is applied.
#[derive(Debug, Default)]
pub struct Past {
    /// Tree for reverts without a revision. `None` if the head is the first revision.
    pub base: Option<Tree>,
    /// Trees of the revisions in the changes, if they exist.
    pub revisions: HashMap<RevisionId, Tree>,
    /// Tree that the changes are applied to before the merge into the head. `None` to apply them to the head.
    pub merge_base: Option<Tree>,
    /// Past and present documents of block reverts and merges.
    pub documents: HashMap<DocumentId, DocumentJson>,
}

impl Past {
    /// Returns the documents that changes revert pages to.
    pub(crate) fn reverted<'a>(
        &self,
        reverts: impl Iterator<Item = &'a RevertPage>,
    ) -> impl Iterator<Item = AnalyzedDocument> {
        reverts.filter_map(|change| {
            let id = self.tree(change.revision)?.page(change.page)?.document?;
            let body = self.documents.get(&id)?.clone();
            let analysis = MarkupAnalyzer.analyze(&body);
            Some(AnalyzedDocument::new(id, body, analysis))
        })
    }

    /// Returns the tree that a change reverts a page to.
    pub(super) fn tree(&self, revision: Option<RevisionId>) -> Option<&Tree> {
        match revision {
            Some(revision) => self.revisions.get(&revision),
            None => self.base.as_ref(),
        }
    }
}

/// Past states to load for a write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PastNeeds {
    /// True if a change reverts without naming a revision.
    pub base: bool,
    /// Revisions in the changes.
    pub revisions: BTreeSet<RevisionId>,
    /// Revision that the changes are applied to before they are merged into the head.
    pub merge_base: Option<RevisionId>,
    reverts: Vec<RevertPage>,
    /// Pages and reusable contents whose documents may need a merge.
    edited: BTreeSet<EntryId>,
}

impl PastNeeds {
    /// Returns the states that a write needs.
    #[must_use]
    pub fn of(body: &ContentChanges) -> Self {
        let merge_base = body.merge_base();
        let reverts = body.changes.iter().filter_map(|change| match change {
            ContentChange::RevertPage(change) => Some(change.clone()),
            _ => None,
        });
        let reverts: Vec<RevertPage> = reverts.collect();
        Self {
            base: reverts.iter().any(|change| change.revision.is_none()),
            revisions: reverts.iter().filter_map(|change| change.revision).collect(),
            merge_base,
            edited: merge_base.map(|_| edited(&body.changes)).unwrap_or_default(),
            reverts,
        }
    }

    /// Returns whether the changes need no past state.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.reverts.is_empty() && self.merge_base.is_none()
    }

    /// Returns whether a write depends on the history of the head in addition to its tree.
    #[must_use]
    pub fn depends_on_history(&self) -> bool {
        self.base || self.merge_base.is_some()
    }

    /// Returns the documents to load after the trees: the documents of reverted pages, and documents that may need a
    /// merge.
    #[must_use]
    pub fn documents(&self, head: &Tree, past: &Past) -> Vec<DocumentId> {
        let mut documents = BTreeSet::new();
        let edited = past.merge_base.as_ref().unwrap_or(head);
        for change in &self.reverts {
            let trees = [Some(edited), past.tree(change.revision)];
            documents.extend(trees.iter().flatten().filter_map(|tree| tree.page(change.page)?.document));
        }
        if let Some(base) = &past.merge_base {
            for id in &self.edited {
                let [before, now] = [base, head].map(|tree| tree.entry(*id)?.document());
                documents.extend([before, now].into_iter().flatten().filter(|_| before != now));
            }
        }
        documents.into_iter().collect()
    }
}

/// Returns the pages and reusable contents that changes edit.
pub(super) fn edited<'a>(changes: impl IntoIterator<Item = &'a ContentChange>) -> BTreeSet<EntryId> {
    let id = |change: &ContentChange| match change {
        ContentChange::UpdatePage(change) => Some(EntryId::Page(change.page)),
        ContentChange::RevertPage(change) => Some(EntryId::Page(change.page)),
        ContentChange::UpdateReusableContent(change) => {
            Some(EntryId::ReusableContent(change.reusable_content))
        }
        _ => None,
    };
    changes.into_iter().filter_map(id).collect()
}
