//! Bound on the disk space of the index.
//!
//! Spaces are added until four fifths of the bound are used. The rest is reserved for changes of indexed spaces. When
//! it is full, the least recently searched spaces are removed until four fifths are used again. A search of a space
//! that does not fit replaces spaces that were not searched for an hour. Writes of content never depend on the bound.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use quire_domain::ids::SpaceId;
use quire_search::{Index, Snapshot};

/// Estimated size of a page in bytes, for an index with too few pages for an average.
const PAGE_BYTES: u64 = 12_288;
/// Number of pages from which the average is used.
const SAMPLE: u64 = 1_000;
/// Time without a search after which a space can be replaced by one that is searched.
const UNUSED: Duration = Duration::from_secs(3600);

/// Time of the latest search of each space.
#[derive(Default)]
pub(super) struct Uses(Mutex<HashMap<SpaceId, Instant>>);

impl Uses {
    pub(super) fn note(&self, space: SpaceId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(space, Instant::now());
    }

    /// Returns the indexed spaces: first those that were never searched, then the others by their latest search.
    fn oldest(&self, snapshot: &Snapshot) -> Vec<(Option<Instant>, SpaceId)> {
        let uses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut spaces: Vec<_> = snapshot.spaces().map(|space| (uses.get(&space).copied(), space)).collect();
        spaces.sort_unstable();
        spaces
    }
}

/// Disk space available to an update of the index.
pub(super) struct DiskBudget {
    bound: Option<u64>,
    used: u64,
    page_bytes: u64,
    evicted: HashSet<SpaceId>,
}

impl DiskBudget {
    /// Computes the available space of an index, and selects the spaces to remove from it. `is_searched` means that a
    /// search requested spaces that the index lacks.
    pub(super) fn of(index: &Index, snapshot: &Snapshot, uses: &Uses, is_searched: bool) -> Self {
        let bound = index.disk_bytes();
        let mut budget = Self { bound, used: 0, page_bytes: PAGE_BYTES, evicted: HashSet::new() };
        let Some(bound) = bound else { return budget };
        budget.used = snapshot.live_bytes();
        if snapshot.pages() >= SAMPLE {
            budget.page_bytes = budget.used / snapshot.pages();
        }
        if budget.used > bound {
            budget.evict(snapshot, uses, budget.admitted(), |_| true);
        } else if is_searched && budget.used >= budget.admitted() {
            let is_unused = |used: Option<Instant>| used.is_none_or(|used| used.elapsed() > UNUSED);
            budget.evict(snapshot, uses, fifths(bound, 3), is_unused);
        }
        budget
    }

    /// Returns the spaces to remove.
    pub(super) fn evicted(&self) -> impl Iterator<Item = SpaceId> + '_ {
        self.evicted.iter().copied()
    }

    /// Returns whether the index leaves out a space.
    pub(super) fn leaves_out(&self, space: SpaceId, snapshot: &Snapshot) -> bool {
        self.evicted.contains(&space) || (snapshot.held(space).is_none() && self.used >= self.admitted())
    }

    /// Reserves space for pages. Returns `false`, and reserves nothing, if a new space does not fit.
    pub(super) fn take(&mut self, pages: usize, is_new: bool) -> bool {
        let pages = u64::try_from(pages).unwrap_or(u64::MAX);
        let used = self.used.saturating_add(pages.saturating_mul(self.page_bytes));
        let is_taken = !is_new || used <= self.admitted();
        if is_taken {
            self.used = used;
        }
        is_taken
    }

    fn evict(
        &mut self,
        snapshot: &Snapshot,
        uses: &Uses,
        target: u64,
        may_go: impl Fn(Option<Instant>) -> bool,
    ) {
        for (used, space) in uses.oldest(snapshot) {
            if self.used <= target || !may_go(used) {
                break;
            }
            let bytes = snapshot.pages_of(space).saturating_mul(self.page_bytes);
            self.used = self.used.saturating_sub(bytes);
            self.evicted.insert(space);
        }
    }

    /// Returns the used bytes up to which spaces are added.
    fn admitted(&self) -> u64 {
        self.bound.map_or(u64::MAX, |bound| fifths(bound, 4))
    }
}

fn fifths(bound: u64, count: u64) -> u64 {
    bound / 5 * count
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use quire_domain::ids::{PageId, SpaceId};
    use quire_search::{Context, Index, IndexedVersion, Language, Options, Page, Section};
    use uuid::Uuid;

    use super::{DiskBudget, Uses};

    fn space(number: u128) -> SpaceId {
        SpaceId::from_uuid(Uuid::from_u128(number))
    }

    /// Returns an index of four spaces with 500 pages each. Its bound is `percent` of its size.
    fn index(percent: u64) -> Index {
        let make = |disk_bytes| {
            let index = Index::open(Options { disk_bytes, ..Options::default() }).unwrap();
            let mut update = index.update().unwrap();
            for number in 1..5 {
                let text = "words of a page";
                let page = |id| Page {
                    id: PageId::from_uuid(Uuid::from_u128(id)),
                    title: "Title",
                    path: "title",
                    context: Context::default(),
                    sections: vec![Section { anchor: None, heading: None, text }],
                };
                let pages: Vec<Page<'_>> = (0..500).map(page).collect();
                update.add(space(number), Language::SIMPLE, &pages).unwrap();
                update
                    .hold(
                        space(number),
                        IndexedVersion {
                            root: [0; 32],
                            language: Language::SIMPLE,
                            pages: 500,
                            missing: 0,
                            computed: 0,
                        },
                    )
                    .unwrap();
            }
            update.commit().unwrap();
            index
        };
        let bytes = make(None).snapshot().live_bytes();
        make(Some(bytes * percent / 100))
    }

    #[test]
    fn an_index_without_a_bound_takes_everything() {
        let index = Index::open(Options::default()).unwrap();
        let mut budget = DiskBudget::of(&index, &index.snapshot(), &Uses::default(), true);
        assert!(!budget.leaves_out(space(9), &index.snapshot()));
        assert!(budget.take(usize::MAX, true));
    }

    #[test]
    fn spaces_are_taken_in_until_four_fifths_are_used() {
        let index = index(200);
        let snapshot = index.snapshot();
        let mut budget = DiskBudget::of(&index, &snapshot, &Uses::default(), true);
        assert_eq!(budget.evicted().count(), 0);
        assert!(!budget.leaves_out(space(9), &snapshot));
        assert!(!budget.take(1_500, true), "1.75 times as many as there are");
        assert!(budget.take(1_000, true), "1.5 times as many");
        assert!(!budget.take(500, true));
        assert!(budget.take(500, false), "a change of an indexed space");
        assert!(budget.leaves_out(space(9), &snapshot));
        assert!(!budget.leaves_out(space(1), &snapshot));
    }

    #[test]
    fn a_search_replaces_spaces_without_searches() {
        let index = index(110);
        let (snapshot, uses) = (index.snapshot(), Uses::default());
        uses.note(space(1));
        assert_eq!(DiskBudget::of(&index, &snapshot, &uses, false).evicted().count(), 0);
        let mut budget = DiskBudget::of(&index, &snapshot, &uses, true);
        let evicted: Vec<SpaceId> = budget.evicted().collect();
        assert_eq!(evicted.len(), 2);
        assert!(!evicted.contains(&space(1)));
        assert!(evicted.iter().all(|space| budget.leaves_out(*space, &snapshot)));
        assert!(budget.take(500, true));
    }

    #[test]
    fn beyond_the_bound_the_spaces_searched_longest_ago_go() {
        let index = index(90);
        let (snapshot, uses) = (index.snapshot(), Uses::default());
        for number in [2, 1, 4, 3] {
            uses.note(space(number));
        }
        let oldest = uses.oldest(&snapshot);
        assert_eq!(oldest.first().map(|(_, space)| *space), Some(space(2)));
        assert!(oldest.iter().all(|(used, _)| used.is_some_and(|used| used <= Instant::now())));
        let budget = DiskBudget::of(&index, &snapshot, &uses, false);
        let mut evicted: Vec<SpaceId> = budget.evicted().collect();
        evicted.sort_unstable();
        assert_eq!(evicted, [space(1), space(2)]);
    }
}
