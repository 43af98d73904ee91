//! Searches of partially indexed content.

use quire_domain::ids::SpaceId;
use quire_search::{Snapshot, SpaceMap};

use super::node::KeptOverlay;
use super::searched::SearchedSpace;

/// Number of searched pages, while the index lacks some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchProgress {
    /// Number of searched pages.
    pub indexed: u64,
    /// Number of pages of the content.
    pub total: u64,
}

/// Hits of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Searched<T> {
    /// Found pages or spaces.
    pub found: T,
    /// Progress of the index; `None` if all content was searched.
    pub progress: Option<SearchProgress>,
}

impl SearchProgress {
    /// Counts the pages of spaces; `None` if all of them are searched.
    pub(super) fn of(
        snapshot: &Snapshot,
        spaces: &[SearchedSpace],
        overlays: &SpaceMap<KeptOverlay>,
    ) -> Option<Self> {
        if overlays.values().all(|kept| kept.missing == 0) {
            return None;
        }
        let indexed = |space: SpaceId| snapshot.held(space).map(|held| (held.pages, held.missing));
        let counts = spaces.iter().filter_map(|space| match overlays.get(&space.id) {
            Some(kept) => Some((kept.pages, kept.missing)),
            None => indexed(space.id),
        });
        let (total, missing) = counts.fold((0_u64, 0_u64), |(total, missing), (pages, lacking)| {
            (total.saturating_add(pages), missing.saturating_add(lacking))
        });
        Some(Self { indexed: total.saturating_sub(missing), total })
    }
}
