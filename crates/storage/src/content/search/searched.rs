//! Spaces of a search.

use quire_domain::ids::SpaceId;
use quire_revision::TreeHash;
use quire_search::{IndexedVersion, Language};

/// Space with the content to search.
#[derive(Clone, Copy)]
pub(super) struct SearchedSpace {
    pub(super) id: SpaceId,
    pub(super) root: TreeHash,
    pub(super) language: Language,
}

impl SearchedSpace {
    /// Returns whether the index has all content of the space.
    pub(super) fn is_in(&self, held: Option<IndexedVersion>) -> bool {
        held.is_some_and(|held| {
            held.root == *self.root.as_bytes() && held.language == self.language && held.missing == 0
        })
    }
}
