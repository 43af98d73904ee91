//! Matching pages of a query, by segment.

use std::cmp::Reverse;
use std::ops::Range;

use tantivy::DocId;

use super::cache::ABSENT;
use crate::segment::Segment;

/// Number of low bits of a score to ignore, in which sums may differ by rounding.
const IGNORED_BITS: u32 = 8;

/// Matching pages. The position of a page is the index of its score in the concatenated scores of all segments.
#[derive(Default)]
pub(super) struct Candidates {
    segments: Vec<Found>,
    /// Position of the first score of each segment.
    starts: Vec<usize>,
    /// Number of scores.
    positions: usize,
    /// Number of pages.
    count: usize,
}

/// Matching pages of a segment.
pub(super) struct Found {
    /// Segment.
    pub(super) segment: Segment,
    /// Index among the searched spaces, for each space of the segment; `None` for one that isn't searched.
    pub(super) numbers: Vec<Option<u32>>,
    /// Pages.
    pub(super) pages: FoundPages,
}

/// Pages of a segment with their scores.
pub(super) struct FoundPages {
    /// Page numbers of the scores; `None` if every page of the segment has a score, in the order of page numbers.
    pub(super) docs: Option<Vec<DocId>>,
    /// Scores; [`ABSENT`] for a page that does not match.
    pub(super) scores: Vec<f32>,
}

impl Candidates {
    /// Returns the number of pages.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Adds the pages of a segment.
    pub(super) fn push(&mut self, found: Found) {
        self.starts.push(self.positions);
        self.positions = self.positions.saturating_add(found.pages.scores.len());
        let count = found.pages.scores.iter().filter(|score| **score >= 0.0).count();
        self.count = self.count.saturating_add(count);
        self.segments.push(found);
    }

    /// Returns the pages of each segment, with the position of its first score.
    pub(super) fn segments(&self) -> impl Iterator<Item = (usize, &Found)> + '_ {
        self.starts.iter().copied().zip(&self.segments)
    }

    /// Returns the number of the segment that contains a page.
    pub(super) fn segment_number(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at).saturating_sub(1)
    }

    /// Returns the segment with this number.
    pub(super) fn segment(&self, number: usize) -> Option<&Segment> {
        self.segments.get(number).map(|found| &found.segment)
    }

    /// Returns the page number within its segment.
    pub(super) fn doc(&self, at: usize) -> DocId {
        self.in_segment(at).map_or(DocId::MAX, |(found, at)| found.pages.doc(at))
    }

    /// Returns the index of a page's space among the searched ones.
    pub(super) fn space(&self, at: usize) -> usize {
        let number = self.in_segment(at).and_then(|(found, at)| {
            let space = found.segment.space_of(found.pages.doc(at))?;
            *found.numbers.get(space)?
        });
        number.map_or(usize::MAX, index_of)
    }

    pub(super) fn rank(&self, at: usize) -> u32 {
        self.in_segment(at).and_then(|(found, at)| found.pages.scores.get(at)).map_or(0, |score| rank(*score))
    }

    /// Returns the best rank in each of the first `count` spaces; `None` for a space without pages.
    pub(super) fn best_of_spaces(&self, count: usize) -> Vec<Option<Reverse<u32>>> {
        let mut best: Vec<Option<u32>> = vec![None; count];
        for found in &self.segments {
            let mut scores = vec![ordered(ABSENT); found.numbers.len()];
            for (space, positions) in found.runs() {
                let of_run = found.pages.scores.get(positions).unwrap_or_default();
                if let Some(best) = scores.get_mut(space) {
                    *best = of_run.iter().map(|score| ordered(*score)).fold(*best, i32::max);
                }
            }
            for (score, number) in scores.into_iter().zip(&found.numbers) {
                let best = number.and_then(|number| best.get_mut(index_of(number)));
                if let Some((best, score)) = best.zip(u32::try_from(score).ok()) {
                    *best = Some(score >> IGNORED_BITS).max(*best);
                }
            }
        }
        best.into_iter().map(|rank| rank.map(Reverse)).collect()
    }

    /// Adds to the score of a page.
    pub(super) fn add(&mut self, at: usize, score: f32) {
        let number = self.segment_number(at);
        let at = self.starts.get(number).and_then(|start| at.checked_sub(*start));
        let found = self.segments.get_mut(number).zip(at);
        if let Some(sum) = found.and_then(|(found, at)| found.pages.scores.get_mut(at)) {
            *sum += score;
        }
    }

    /// Returns the pages of the segment that contains a page, and the index of its score there.
    fn in_segment(&self, at: usize) -> Option<(&Found, usize)> {
        let number = self.segment_number(at);
        let start = self.starts.get(number)?;
        Some((self.segments.get(number)?, at.checked_sub(*start)?))
    }
}

impl Found {
    /// Returns the runs of adjacent scores whose pages have the same space: the index of the space in the segment, and
    /// the range of the scores.
    pub(super) fn runs(&self) -> impl Iterator<Item = (usize, Range<usize>)> + '_ {
        let (of_all, docs) = match &self.pages.docs {
            None => (self.segment.space_runs(), &[][..]),
            Some(docs) => (&[][..], docs.as_slice()),
        };
        let space_of = |doc: &DocId| self.segment.space_of(*doc);
        let mut end = 0;
        let of_docs = docs.chunk_by(move |a, b| space_of(a) == space_of(b)).filter_map(move |run| {
            let start = end;
            end += run.len();
            Some((space_of(run.first()?)?, start..end))
        });
        of_all.iter().map(|run| (run.space, run.pages.clone())).chain(of_docs)
    }
}

impl FoundPages {
    /// Returns the page number of a score.
    pub(super) fn doc(&self, at: usize) -> DocId {
        let doc = match &self.docs {
            None => DocId::try_from(at).ok(),
            Some(docs) => docs.get(at).copied(),
        };
        doc.unwrap_or(DocId::MAX)
    }

    /// Returns the ranks of the matching pages, with the indexes of their scores.
    pub(super) fn ranks(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.ranks_in(0..self.scores.len())
    }

    /// Like [`Self::ranks`], for a range of scores.
    pub(super) fn ranks_in(&self, positions: Range<usize>) -> impl Iterator<Item = (usize, u32)> + '_ {
        let scores = positions.clone().zip(self.scores.get(positions).unwrap_or_default());
        scores.filter(|(_, score)| **score >= 0.0).map(|(at, score)| (at, rank(*score)))
    }

    /// Removes pages for which `wanted` is false.
    pub(super) fn retain(&mut self, mut wanted: impl FnMut(DocId) -> bool) {
        for at in 0..self.scores.len() {
            let doc = self.doc(at);
            if let Some(score) = self.scores.get_mut(at).filter(|score| **score >= 0.0 && !wanted(doc)) {
                *score = ABSENT;
            }
        }
    }
}

/// Returns a number with the same order as a score, negative for [`ABSENT`]. Comparisons of such numbers can be
/// vectorized.
fn ordered(score: f32) -> i32 {
    score.to_bits().cast_signed()
}

/// Returns the rank of a score that is not negative.
pub(super) fn rank(score: f32) -> u32 {
    // The bits of positive floats have the order of their values.
    score.max(0.0).to_bits() >> IGNORED_BITS
}

/// Returns the score of a rank.
pub(super) fn score(rank: u32) -> f32 {
    f32::from_bits(rank << IGNORED_BITS)
}

fn index_of(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
