//! Selection of the best candidates.

use std::cmp::Reverse;

/// Candidates that are collected before the worst of them are dropped.
const SPARE: usize = 256;

/// The best of many candidates, with all that are as good as the last of them.
#[derive(Clone)]
pub(super) struct Best {
    limit: usize,
    /// Candidates below it are not among the best.
    least: i64,
    taken: Vec<(Reverse<i64>, usize)>,
    /// Number of candidates from which the worst are dropped.
    full: usize,
}

impl Best {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            least: i64::MIN,
            taken: Vec::new(),
            full: limit.saturating_mul(2).saturating_add(SPARE),
        }
    }

    /// Reports whether a candidate of a rank may be among the best.
    pub(super) fn may_take(&self, rank: i64) -> bool {
        rank >= self.least
    }

    pub(super) fn add(&mut self, rank: i64, position: usize) {
        if rank < self.least {
            return;
        }
        self.taken.push((Reverse(rank), position));
        if self.taken.len() >= self.full {
            self.shrink();
        }
    }

    /// Returns the best candidates in any order, and those whose rank is that of the last of them.
    pub(super) fn into_candidates(mut self) -> impl Iterator<Item = (Reverse<i64>, usize)> {
        self.shrink();
        self.taken.into_iter()
    }

    fn shrink(&mut self) {
        let Some(last) = self.limit.checked_sub(1).filter(|last| *last < self.taken.len()) else { return };
        let (_, (Reverse(least), _), _) = self.taken.select_nth_unstable_by_key(last, |(rank, _)| *rank);
        self.least = *least;
        let least = self.least;
        self.taken.retain(|(Reverse(rank), _)| *rank >= least);
        // Many equal ranks: dropping begins again when their number has doubled.
        self.full = self.full.max(self.taken.len().saturating_mul(2));
    }
}

#[cfg(test)]
mod tests {
    use super::Best;

    #[test]
    fn the_best_and_those_as_good_as_the_last_are_kept() {
        for (limit, expected) in
            [(3, vec![999, 999, 998, 998]), (4, vec![999, 999, 998, 998]), (1, vec![999, 999])]
        {
            let mut best = Best::new(limit);
            for at in 0..2_000 {
                best.add(i64::try_from(at * 7 % 1_000).unwrap(), at);
            }
            let mut ranks: Vec<i64> = best.into_candidates().map(|(rank, _)| rank.0).collect();
            ranks.sort_unstable_by(|a, b| b.cmp(a));
            assert_eq!(ranks, expected, "{limit}");
        }
    }

    #[test]
    fn equal_candidates_are_all_kept() {
        let mut best = Best::new(2);
        for at in 0..5_000 {
            best.add(7, at);
        }
        assert!(!best.may_take(6) && best.may_take(7));
        assert_eq!(best.into_candidates().count(), 5_000);
    }
}
