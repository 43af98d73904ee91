//! Selection of the best pages of a segment.

use std::cmp::Reverse;

/// Number of pages beyond twice the limit that are collected before the worst are dropped.
const EXTRA_PAGES: usize = 256;

/// Sort key of the pages of a segment: higher ranks first, and equal ranks by page id. The second number is the
/// position of the page in the order of ids.
pub(super) type Key = (Reverse<u32>, u32);

/// Best pages of a segment, up to a limit.
#[derive(Clone)]
pub(super) struct Best {
    limit: usize,
    /// Worst of the best pages so far; `None` while no page was dropped.
    worst: Option<Key>,
    taken: Vec<(Key, usize)>,
}

impl Best {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, worst: None, taken: Vec::new() }
    }

    /// Returns whether a page with this rank may be among the best.
    pub(super) fn may_take(&self, rank: u32) -> bool {
        self.worst.is_none_or(|(Reverse(worst), _)| rank >= worst)
    }

    /// Adds a page. Keys must be unique.
    pub(super) fn add(&mut self, key: Key, at: usize) {
        if self.worst.is_some_and(|worst| key > worst) {
            return;
        }
        self.taken.push((key, at));
        if self.taken.len() >= self.limit.saturating_mul(2).saturating_add(EXTRA_PAGES) {
            self.shrink();
        }
    }

    /// Removes and returns the best pages, in any order, with their ranks.
    pub(super) fn take(&mut self) -> impl Iterator<Item = (Reverse<u32>, usize)> + '_ {
        self.shrink();
        self.worst = None;
        self.taken.drain(..).map(|((rank, _), at)| (rank, at))
    }

    fn shrink(&mut self) {
        let Some(last) = self.limit.checked_sub(1) else { return self.taken.clear() };
        if last < self.taken.len() {
            let (_, (worst, _), _) = self.taken.select_nth_unstable(last);
            self.worst = Some(*worst);
            self.taken.truncate(self.limit);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::Best;

    fn best(limit: usize, ranks: impl Iterator<Item = u32>) -> Vec<(u32, usize)> {
        let mut best = Best::new(limit);
        for (at, rank) in ranks.enumerate() {
            if best.may_take(rank) {
                // Later pages have lower positions.
                best.add((Reverse(rank), u32::try_from(9_999 - at).unwrap()), at);
            }
        }
        let mut taken: Vec<(u32, usize)> = best.take().map(|(rank, at)| (rank.0, at)).collect();
        taken.sort_unstable_by(|a, b| b.cmp(a));
        assert_eq!(best.take().count(), 0);
        taken
    }

    #[test]
    fn the_best_are_kept() {
        for limit in [0, 1, 3, 400, 2_000, 3_000] {
            let rank = |at: usize| u32::try_from(at * 7 % 1_000).unwrap();
            let mut expected: Vec<(u32, usize)> = (0..2_000).map(|at| (rank(at), at)).collect();
            expected.sort_unstable_by(|a, b| b.cmp(a));
            expected.truncate(limit);
            assert_eq!(best(limit, (0..2_000).map(rank)), expected, "{limit}");
        }
    }

    #[test]
    fn equal_ranks_are_ordered_by_position() {
        assert_eq!(best(2, std::iter::repeat_n(7, 5_000)), [(7, 4_999), (7, 4_998)]);
    }
}
