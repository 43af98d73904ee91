//! Pages that were found, segment by segment.

use std::cmp::Reverse;
use std::ops::Range;

use tantivy::DocId;

use super::cache::ABSENT;
use crate::segment::Segment;

/// Bits of a score that are left off, since sums may differ in them.
const NOISE: u32 = 8;

/// Pages that were found. The position of a page is that of its score among the scores of all segments.
#[derive(Default)]
pub(super) struct Candidates {
    segments: Vec<Found>,
    /// The position of the first score of each segment.
    starts: Vec<usize>,
    /// Number of scores.
    positions: usize,
    /// Number of pages.
    count: usize,
}

/// Pages of a segment that were found.
pub(super) struct Found {
    /// The segment.
    pub(super) segment: Segment,
    /// For each space of the segment its position among the searched ones; `None` for one that isn't searched.
    pub(super) numbers: Vec<Option<u32>>,
    /// The pages.
    pub(super) pages: FoundPages,
}

/// Pages of a segment with their scores.
pub(super) struct FoundPages {
    /// The pages of the scores; `None` if each page of the segment has one, in the order of their numbers.
    pub(super) docs: Option<Vec<DocId>>,
    /// Scores; [`ABSENT`] for a page that was not found.
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

    /// Returns the pages of each segment, after the position of the first of its scores.
    pub(super) fn segments(&self) -> impl Iterator<Item = (usize, &Found)> + '_ {
        self.starts.iter().copied().zip(&self.segments)
    }

    /// Returns the number of the segment of a page.
    pub(super) fn segment_number(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at).saturating_sub(1)
    }

    /// Returns a segment by its number.
    pub(super) fn segment(&self, number: usize) -> Option<&Segment> {
        self.segments.get(number).map(|found| &found.segment)
    }

    /// Returns the number of a page in its segment.
    pub(super) fn doc(&self, at: usize) -> DocId {
        self.in_segment(at).map_or(DocId::MAX, |(found, at)| found.pages.doc(at))
    }

    /// Returns the position of a page's space among the searched ones.
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

    /// Returns the best rank of each of so many spaces; `None` for a space without pages.
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
                    *best = Some(score >> NOISE).max(*best);
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

    /// Returns the pages of the segment of a page, and the position of its score there.
    fn in_segment(&self, at: usize) -> Option<(&Found, usize)> {
        let number = self.segment_number(at);
        let start = self.starts.get(number)?;
        Some((self.segments.get(number)?, at.checked_sub(*start)?))
    }
}

impl Found {
    /// Returns the positions of the scores of pages that follow each other and have the same space, each after the
    /// position of the space among those of the segment.
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
    /// Returns the page of a score.
    pub(super) fn doc(&self, at: usize) -> DocId {
        let doc = match &self.docs {
            None => DocId::try_from(at).ok(),
            Some(docs) => docs.get(at).copied(),
        };
        doc.unwrap_or(DocId::MAX)
    }

    /// Returns the ranks of the pages with the positions of their scores.
    pub(super) fn ranks(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.ranks_in(0..self.scores.len())
    }

    /// As [`Self::ranks`], of the scores at these positions.
    pub(super) fn ranks_in(&self, positions: Range<usize>) -> impl Iterator<Item = (usize, u32)> + '_ {
        let scores = positions.clone().zip(self.scores.get(positions).unwrap_or_default());
        scores.filter(|(_, score)| **score >= 0.0).map(|(at, score)| (at, rank(*score)))
    }

    /// Removes pages that are not wanted.
    pub(super) fn retain(&mut self, mut wanted: impl FnMut(DocId) -> bool) {
        for at in 0..self.scores.len() {
            let doc = self.doc(at);
            if let Some(score) = self.scores.get_mut(at).filter(|score| **score >= 0.0 && !wanted(doc)) {
                *score = ABSENT;
            }
        }
    }
}

/// Returns a score as a number of the same order, which is negative for [`ABSENT`]. Compilers compare several of these
/// at once.
fn ordered(score: f32) -> i32 {
    score.to_bits().cast_signed()
}

/// Returns the order of a score that is not negative.
pub(super) fn rank(score: f32) -> u32 {
    // Bits of positive numbers are in their order.
    score.max(0.0).to_bits() >> NOISE
}

/// Returns the score of a rank.
pub(super) fn score(rank: u32) -> f32 {
    f32::from_bits(rank << NOISE)
}

fn index_of(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
