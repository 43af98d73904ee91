//! Pages that were found, segment by segment.

use std::cmp::Reverse;

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
            let mut scores = vec![ABSENT; found.numbers.len()];
            found.each_space(|_, score, space| {
                if let Some(best) = scores.get_mut(space) {
                    *best = best.max(score);
                }
            });
            for (score, number) in scores.into_iter().zip(&found.numbers).filter(|(score, _)| *score >= 0.0) {
                if let Some(best) = number.and_then(|number| best.get_mut(index_of(number))) {
                    *best = Some(rank(score)).max(*best);
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
    /// Calls `page` with the position of each page's score, the score, and the position of the page's space among those of
    /// the segment.
    pub(super) fn each_space(&self, mut page: impl FnMut(usize, f32, usize)) {
        let spaces = self.segment.spaces_of_pages();
        let scores = self.pages.scores.iter().copied().enumerate();
        match &self.pages.docs {
            None => {
                for ((at, score), space) in scores.zip(spaces).filter(|((_, score), _)| *score >= 0.0) {
                    page(at, score, index_of(*space));
                }
            }
            Some(docs) => {
                for ((at, score), doc) in scores.zip(docs).filter(|((_, score), _)| *score >= 0.0) {
                    if let Some(space) = spaces.get(index_of(*doc)) {
                        page(at, score, index_of(*space));
                    }
                }
            }
        }
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
        let scores = self.scores.iter().enumerate();
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

/// Returns the order of a score that is not negative.
pub(super) fn rank(score: f32) -> u32 {
    // Bits of positive numbers are in their order.
    score.max(0.0).to_bits() >> NOISE
}

fn index_of(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
