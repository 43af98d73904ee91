//! Content of the index at one moment.

use std::collections::HashSet;
use std::sync::Arc;

use quire_domain::ids::{PageId, SpaceId};

use super::held::IndexedVersion;
use crate::Result;
use crate::overlay::Scope;
use crate::query::Query;
use crate::ranking::{Ranking, ScoreCache, search};
use crate::schema::FIELDS;
use crate::segment::Indexed;
use crate::space_map::SpaceMap;

/// Content of the index at one moment.
#[derive(Clone)]
pub struct Snapshot {
    pub(super) index: Indexed,
    pub(super) scores: ScoreCache,
    pub(super) held: Arc<SpaceMap<IndexedVersion>>,
}

impl Snapshot {
    /// Returns the indexed version of a space.
    #[must_use]
    pub fn held(&self, space: SpaceId) -> Option<IndexedVersion> {
        self.held.get(&space).copied()
    }

    /// Returns the indexed spaces.
    pub fn spaces(&self) -> impl Iterator<Item = SpaceId> + '_ {
        self.held.keys().copied()
    }

    /// Returns the number of pages in the index.
    #[must_use]
    pub fn pages(&self) -> u64 {
        let held = u64::try_from(self.held.len()).unwrap_or(u64::MAX);
        self.index.searcher.num_docs().saturating_sub(held)
    }

    /// Returns the number of pages of a space. It may include removed pages that are still on disk.
    #[must_use]
    pub fn pages_of(&self, space: SpaceId) -> u64 {
        self.index.searcher.doc_freq(&FIELDS.space_term(space)).unwrap_or(0)
    }

    /// Returns the indexed pages of a space.
    #[must_use]
    pub fn page_ids(&self, space: SpaceId) -> HashSet<PageId> {
        let segments = self.index.segments.values().flatten();
        segments.flat_map(|segment| segment.pages_of(space)).collect()
    }

    /// Returns the size of the index in bytes, without the share of removed pages that are still on disk.
    #[must_use]
    pub fn live_bytes(&self) -> u64 {
        let bytes = self.index.searcher.space_usage().map_or(0, |usage| usage.total().get_bytes());
        let segments = self.index.searcher.segment_readers().iter();
        let all: u64 = segments.map(|segment| u64::from(segment.max_doc())).sum();
        let share = u128::from(bytes) * u128::from(self.index.searcher.num_docs());
        share.checked_div(u128::from(all)).and_then(|live| u64::try_from(live).ok()).unwrap_or(0)
    }

    /// Ranks the pages of the scopes that match a query.
    pub fn search(&self, query: &Query, scopes: &[Scope]) -> Result<Ranking> {
        search(&self.index, &self.scores, query, scopes)
    }
}
