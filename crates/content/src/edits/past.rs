//! Past states for reverts.

use std::collections::{BTreeSet, HashMap};

use quire_domain::content::{ContentChange, RevertPage};
use quire_domain::documents::DocumentJson;
use quire_domain::ids::{DocumentId, RevisionId};
use quire_revision::Tree;

/// Past states that a write needs, loaded before it is applied.
#[derive(Debug, Default)]
pub struct Past {
    /// The default content for reverts, for changes without a revision; `None` for the first revision.
    pub base: Option<Tree>,
    /// The content of the revisions in the changes, if they exist.
    pub revisions: HashMap<RevisionId, Tree>,
    /// The documents of block reverts, past and present.
    pub documents: HashMap<DocumentId, DocumentJson>,
}

impl Past {
    /// Returns the content that a change reverts a page to.
    pub(super) fn tree(&self, revision: Option<RevisionId>) -> Option<&Tree> {
        match revision {
            Some(revision) => self.revisions.get(&revision),
            None => self.base.as_ref(),
        }
    }
}

/// States to load for the changes of a write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PastNeeds {
    /// True if a change has no revision.
    pub base: bool,
    /// The revisions in the changes.
    pub revisions: BTreeSet<RevisionId>,
    reverts: Vec<RevertPage>,
}

impl PastNeeds {
    /// Returns the states that these changes need.
    #[must_use]
    pub fn of(changes: &[ContentChange]) -> Self {
        let reverts = changes.iter().filter_map(|change| match change {
            ContentChange::RevertPage(change) => Some(change.clone()),
            _ => None,
        });
        let reverts: Vec<RevertPage> = reverts.collect();
        Self {
            base: reverts.iter().any(|change| change.revision.is_none()),
            revisions: reverts.iter().filter_map(|change| change.revision).collect(),
            reverts,
        }
    }

    /// Returns true if the changes need no past state.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.reverts.is_empty()
    }

    /// The documents that are needed besides, once the trees are there: none unless single blocks are taken back.
    #[must_use]
    pub fn documents(&self, now: &Tree, past: &Past) -> Vec<DocumentId> {
        if self.reverts.iter().all(|change| change.block.is_none()) {
            return Vec::new();
        }
        let document = |tree: &Tree, change: &RevertPage| tree.page(change.page)?.document;
        let of_change = |change: &RevertPage| {
            let then = past.tree(change.revision).and_then(|tree| document(tree, change));
            [document(now, change), then].into_iter().flatten()
        };
        let documents: BTreeSet<DocumentId> = self.reverts.iter().flat_map(of_change).collect();
        documents.into_iter().collect()
    }
}
