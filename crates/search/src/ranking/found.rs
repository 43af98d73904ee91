//! Ranking of the matching pages.

use std::cmp::{Ordering, Reverse};
use std::sync::OnceLock;

use quire_domain::ids::{PageId, SpaceId};
use uuid::Uuid;

use super::best::Best;
use super::candidates::{Candidates, score};
use crate::Result;
use crate::page_text::PageText;

/// Matching page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Quality of the match. Higher ranks come first, equal ranks are in the order of page ids.
    pub rank: i64,
    /// Space of the page.
    pub space: SpaceId,
    /// Id of the page.
    pub page: PageId,
    /// Location of the page in the index.
    at: DocAddress,
}

impl Hit {
    /// Returns the score that the rank was computed from.
    #[must_use]
    pub fn score(&self) -> f32 {
        score_of(self.rank)
    }
}

/// Returns the score of a rank; 0 for an invalid rank.
#[must_use]
pub fn score_of(rank: i64) -> f32 {
    u32::try_from(rank).map_or(0.0, score)
}

/// Segment and page number in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DocAddress {
    segment: usize,
    doc: u32,
}

/// Space with matching pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpaceHits {
    /// Rank of the best page.
    pub rank: i64,
    /// Id of the space.
    pub space: SpaceId,
    /// Index among the scopes of the search.
    pub scope: usize,
    /// Best pages.
    pub pages: Vec<Hit>,
}

/// All pages that match a query.
#[derive(Default)]
pub struct Ranking {
    pub(super) found: Candidates,
    spaces: Vec<SpaceId>,
    /// Rank of the best page of each space, computed on first use.
    best_of_spaces: OnceLock<Vec<Option<Reverse<u32>>>>,
}

impl Ranking {
    /// Returns an empty ranking for some spaces.
    pub(super) fn of_spaces(spaces: Vec<SpaceId>) -> Self {
        Self { spaces, ..Self::default() }
    }

    /// Returns the number of matching pages.
    #[must_use]
    pub fn pages_count(&self) -> usize {
        self.found.len()
    }

    /// Returns the best pages after a rank and id, which need not exist.
    #[must_use]
    pub fn pages(&self, after: Option<(i64, PageId)>, limit: usize) -> Vec<Hit> {
        let follows = |at: usize, rank: u32| {
            after.is_none_or(|(after, page)| match i64::from(rank).cmp(&after) {
                Ordering::Less => true,
                Ordering::Equal => self.page(at) > page,
                Ordering::Greater => false,
            })
        };
        let best = self.choose(follows, limit);
        self.in_order(best, limit).into_iter().map(|at| self.hit(at)).collect()
    }

    /// Returns the positions of hits among all pages by rank, from 1. Pages of equal rank share a position.
    #[must_use]
    pub fn positions(&self, hits: &[Hit]) -> Vec<u64> {
        let mut ranks: Vec<i64> = hits.iter().map(|hit| hit.rank).collect();
        ranks.sort_unstable();
        ranks.dedup();
        let Some(least) = ranks.first().copied() else { return Vec::new() };
        // Number of pages that are better than a rank and not better than the next one.
        let mut better = vec![0_u64; ranks.len()];
        for (_, found) in self.found.segments() {
            for (_, rank) in found.pages.ranks() {
                let rank = i64::from(rank);
                if rank > least {
                    let below = ranks.partition_point(|of_hit| *of_hit < rank);
                    if let Some(better) = below.checked_sub(1).and_then(|last| better.get_mut(last)) {
                        *better += 1;
                    }
                }
            }
        }
        let mut sum = 0;
        for better in better.iter_mut().rev() {
            sum += *better;
            *better = sum;
        }
        let position = |hit: &Hit| {
            let at = ranks.binary_search(&hit.rank).ok();
            at.and_then(|at| better.get(at)).map_or(1, |better| better + 1)
        };
        hits.iter().map(position).collect()
    }

    /// Returns the number of spaces with matching pages.
    #[must_use]
    pub fn spaces_count(&self) -> usize {
        self.best_of_spaces().iter().flatten().count()
    }

    /// Returns the best spaces after a rank and id, each with its best pages.
    #[must_use]
    pub fn spaces(&self, after: Option<(i64, SpaceId)>, limit: usize, pages: usize) -> Vec<SpaceHits> {
        let ranked = self.best_of_spaces().iter().zip(&self.spaces).enumerate();
        let ranked = ranked.filter_map(|(scope, (rank, space))| Some(((*rank)?, *space, scope)));
        let mut spaces: Vec<(Reverse<u32>, SpaceId, usize)> = ranked
            .filter(|(Reverse(rank), space, _)| {
                let rank = i64::from(*rank);
                after.is_none_or(|(after, last)| rank < after || (rank == after && *space > last))
            })
            .collect();
        spaces.sort_unstable();
        spaces.truncate(limit);
        let best = self.best_of_each(spaces.iter().map(|(.., scope)| *scope), pages);
        let of = |((Reverse(rank), space, scope), best)| {
            let pages = self.in_order(best, pages).into_iter().map(|at| self.hit(at));
            SpaceHits { rank: i64::from(rank), space, scope, pages: pages.collect() }
        };
        spaces.into_iter().zip(best).map(of).collect()
    }

    /// Returns the rank of the best page of each space, computed once.
    fn best_of_spaces(&self) -> &[Option<Reverse<u32>>] {
        self.best_of_spaces.get_or_init(|| self.found.best_of_spaces(self.spaces.len()))
    }

    /// Returns the positions of the best pages, in any order.
    pub(super) fn best(&self, limit: usize) -> Vec<usize> {
        let mut best = self.choose(|_, _| true, limit);
        if best.len() > limit {
            best = self.in_order(best, limit).into_iter().map(|at| (Reverse(0), at)).collect();
        }
        best.into_iter().map(|(_, at)| at).collect()
    }

    /// Returns the best pages of each segment, in any order. They include the best pages of all segments.
    fn choose(&self, wanted: impl Fn(usize, u32) -> bool, limit: usize) -> Vec<(Reverse<u32>, usize)> {
        let mut chosen = Vec::new();
        let mut best = Best::new(limit);
        for (start, found) in self.found.segments() {
            for (at, rank) in found.pages.ranks() {
                let position = start.saturating_add(at);
                if best.may_take(rank) && wanted(position, rank) {
                    best.add((Reverse(rank), found.segment.position(found.pages.doc(at))), position);
                }
            }
            chosen.extend(best.take());
        }
        chosen
    }

    /// Like [`Self::choose`], for each of some spaces.
    fn best_of_each(
        &self,
        scopes: impl ExactSizeIterator<Item = usize>,
        limit: usize,
    ) -> Vec<Vec<(Reverse<u32>, usize)>> {
        let mut chosen = vec![Vec::new(); scopes.len()];
        let mut best = vec![Best::new(limit); scopes.len()];
        let mut positions = vec![usize::MAX; self.spaces.len()];
        for (scope, position) in scopes.zip(0..) {
            if let Some(of_space) = positions.get_mut(scope) {
                *of_space = position;
            }
        }
        for (start, found) in self.found.segments() {
            let of_space = |number: &Option<u32>| {
                number
                    .and_then(|number| positions.get(usize::try_from(number).ok()?))
                    .map_or(usize::MAX, |at| *at)
            };
            let positions: Vec<usize> = found.numbers.iter().map(of_space).collect();
            for (space, run) in found.runs() {
                let Some(best) = positions.get(space).and_then(|position| best.get_mut(*position)) else {
                    continue;
                };
                for (at, rank) in found.pages.ranks_in(run) {
                    if best.may_take(rank) {
                        let key = (Reverse(rank), found.segment.position(found.pages.doc(at)));
                        best.add(key, start.saturating_add(at));
                    }
                }
            }
            for (chosen, best) in chosen.iter_mut().zip(&mut best) {
                chosen.extend(best.take());
            }
        }
        chosen
    }

    /// Sorts pages by rank and id.
    fn in_order(&self, mut chosen: Vec<(Reverse<u32>, usize)>, limit: usize) -> Vec<usize> {
        if let Some(last) = limit.checked_sub(1).filter(|last| *last < chosen.len()) {
            // Ids are only read for pages whose rank is high enough.
            let (_, (last, _), _) = chosen.select_nth_unstable(last);
            let last = *last;
            chosen.retain(|(rank, _)| *rank <= last);
        }
        let mut best: Vec<_> = chosen.into_iter().map(|(rank, at)| (rank, self.page(at), at)).collect();
        best.sort_unstable();
        best.truncate(limit);
        best.into_iter().map(|(.., at)| at).collect()
    }

    /// Reads the text of a hit of this ranking.
    pub fn text(&self, hit: &Hit) -> Result<PageText> {
        let segment = self.found.segment(hit.at.segment);
        segment.map_or_else(|| Ok(PageText::default()), |segment| segment.text(hit.at.doc))
    }

    fn page(&self, at: usize) -> PageId {
        let segment = self.found.segment(self.found.segment_number(at));
        let page = segment.map(|segment| segment.page(self.found.doc(at)));
        page.unwrap_or_else(|| PageId::from_uuid(Uuid::nil()))
    }

    fn hit(&self, at: usize) -> Hit {
        let space = self.spaces.get(self.found.space(at)).copied();
        let space = space.unwrap_or_else(|| SpaceId::from_uuid(Uuid::nil()));
        let place = DocAddress { segment: self.found.segment_number(at), doc: self.found.doc(at) };
        Hit { rank: i64::from(self.found.rank(at)), space, page: self.page(at), at: place }
    }
}
