//! Pages that were found, by rank.

use std::cmp::Ordering;

use quire_domain::ids::{PageId, SpaceId};
use uuid::Uuid;

use super::best::Best;
use crate::Result;
use crate::page_text::PageText;
use crate::segment::Segment;

/// Bits of a score that are left off, since sums may differ in them.
const NOISE: u32 = 8;

/// A page that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Quality of the match; better ones come first, and equal ones by their ids.
    pub rank: i64,
    /// Its space.
    pub space: SpaceId,
    /// The page.
    pub page: PageId,
    /// Its place in the ranking.
    at: Place,
}

/// A segment and the number of a page in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    segment: u32,
    doc: u32,
}

/// A space in which pages were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpaceHits {
    /// The rank of its best page.
    pub rank: i64,
    /// The space.
    pub space: SpaceId,
    /// Its best pages.
    pub pages: Vec<Hit>,
}

/// All pages that a query finds.
pub struct Ranking {
    pub(super) found: Vec<Candidate>,
    pub(super) segments: Vec<Segment>,
    pub(super) spaces: Vec<SpaceId>,
}

#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) score: f32,
    pub(super) doc: u32,
    pub(super) segment: u32,
    pub(super) space: u32,
}

impl Candidate {
    fn rank(&self) -> i64 {
        // Bits of positive numbers are in their order.
        i64::from(self.score.max(0.0).to_bits() >> NOISE)
    }
}

impl Ranking {
    /// Returns how many pages were found.
    #[must_use]
    pub fn pages_count(&self) -> usize {
        self.found.len()
    }

    /// Returns the best pages after one, which need not exist.
    #[must_use]
    pub fn pages(&self, after: Option<(i64, PageId)>, limit: usize) -> Vec<Hit> {
        let follows = |candidate: &Candidate| {
            after.is_none_or(|(rank, page)| match candidate.rank().cmp(&rank) {
                Ordering::Less => true,
                Ordering::Equal => self.page(candidate) > page,
                Ordering::Greater => false,
            })
        };
        let indexes = self.select(follows, limit);
        indexes.into_iter().filter_map(|index| self.found.get(index)).map(|found| self.hit(found)).collect()
    }

    /// Returns how many spaces have pages that were found.
    #[must_use]
    pub fn spaces_count(&self) -> usize {
        self.best_of_spaces().iter().flatten().count()
    }

    /// Returns the spaces with the best pages after one, each with its best pages.
    #[must_use]
    pub fn spaces(&self, after: Option<(i64, SpaceId)>, limit: usize, pages: usize) -> Vec<SpaceHits> {
        let best = self.best_of_spaces();
        let ranked = best.iter().zip(&self.spaces).enumerate();
        let ranked = ranked.filter_map(|(index, (rank, space))| Some(((*rank)?, *space, index)));
        let mut spaces: Vec<(i64, SpaceId, usize)> = ranked
            .filter(|(rank, space, _)| {
                after.is_none_or(|(after, last)| *rank < after || (*rank == after && *space > last))
            })
            .collect();
        spaces.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        spaces.truncate(limit);
        let mut best_of: Vec<Option<Best>> = vec![None; self.spaces.len()];
        for (_, _, index) in &spaces {
            if let Some(best) = best_of.get_mut(*index) {
                *best = Some(Best::new(pages));
            }
        }
        for (at, candidate) in self.found.iter().enumerate() {
            let best = usize::try_from(candidate.space).ok().and_then(|index| best_of.get_mut(index));
            if let Some(Some(best)) = best {
                best.add(candidate.rank(), at);
            }
        }
        let of = |(rank, space, index): (i64, SpaceId, usize)| {
            let best = best_of.get_mut(index).and_then(Option::take).map(|best| self.in_order(best, pages));
            let hits = best.unwrap_or_default();
            let hits = hits.into_iter().filter_map(|at| self.found.get(at)).map(|found| self.hit(found));
            SpaceHits { rank, space, pages: hits.collect() }
        };
        spaces.into_iter().map(of).collect()
    }

    /// Returns the rank of the best page of each space.
    fn best_of_spaces(&self) -> Vec<Option<i64>> {
        let mut best = vec![None; self.spaces.len()];
        for candidate in &self.found {
            if let Some(best) = usize::try_from(candidate.space).ok().and_then(|index| best.get_mut(index)) {
                *best = Some(candidate.rank()).max(*best);
            }
        }
        best
    }

    /// Returns the positions of the best candidates, best first.
    pub(super) fn select(&self, wanted: impl Fn(&Candidate) -> bool, limit: usize) -> Vec<usize> {
        let mut best = Best::new(limit);
        for (at, candidate) in self.found.iter().enumerate() {
            let rank = candidate.rank();
            if best.may_take(rank) && wanted(candidate) {
                best.add(rank, at);
            }
        }
        self.in_order(best, limit)
    }

    /// Orders candidates by rank and id. Ids are read only of those that they may decide about.
    fn in_order(&self, best: Best, limit: usize) -> Vec<usize> {
        let id = |at: usize| self.found.get(at).map(|candidate| self.page(candidate));
        let mut best: Vec<_> = best.into_candidates().map(|(rank, at)| (rank, id(at), at)).collect();
        best.sort_unstable();
        best.truncate(limit);
        best.into_iter().map(|(.., at)| at).collect()
    }

    /// Reads the text of a hit of this ranking.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn text(&self, hit: &Hit) -> Result<PageText> {
        let segment = usize::try_from(hit.at.segment).ok().and_then(|number| self.segments.get(number));
        segment.map_or_else(|| Ok(PageText::default()), |segment| segment.text(hit.at.doc))
    }

    fn segment(&self, candidate: &Candidate) -> Option<&Segment> {
        self.segments.get(usize::try_from(candidate.segment).ok()?)
    }

    fn page(&self, candidate: &Candidate) -> PageId {
        let page = self.segment(candidate).map(|segment| segment.page(candidate.doc));
        page.unwrap_or_else(|| PageId::from_uuid(Uuid::nil()))
    }

    fn hit(&self, candidate: &Candidate) -> Hit {
        let space = usize::try_from(candidate.space).ok().and_then(|index| self.spaces.get(index));
        let space = space.copied().unwrap_or_else(|| SpaceId::from_uuid(Uuid::nil()));
        let at = Place { segment: candidate.segment, doc: candidate.doc };
        Hit { rank: candidate.rank(), space, page: self.page(candidate), at }
    }
}
