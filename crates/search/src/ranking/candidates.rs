//! Pages that were found, segment by segment.

use std::cmp::Reverse;
use std::ops::Range;

use tantivy::DocId;

/// Bits of a score that are left off, since sums may differ in them.
const NOISE: u32 = 8;

/// Pages that were found. Each pass over them reads only the parts that it needs.
#[derive(Default)]
pub(super) struct Candidates {
    scores: Vec<f32>,
    docs: Vec<DocId>,
    /// The positions of their spaces among the searched ones.
    spaces: Vec<u32>,
    /// The position of the first page of each segment.
    starts: Vec<usize>,
}

impl Candidates {
    pub(super) fn len(&self) -> usize {
        self.scores.len()
    }

    /// Begins with the pages of the next segment.
    pub(super) fn begin_segment(&mut self) {
        self.starts.push(self.len());
    }

    /// Makes room for pages of a segment, which has a share of the pages of all segments. If they are the first, as many of
    /// the other segments are expected, since growth copies the pages that were found so far.
    pub(super) fn reserve(&mut self, pages: usize, (of_segment, of_all): (usize, usize)) {
        let is_first = self.len() == 0;
        let expected = pages.saturating_mul(of_all).checked_div(of_segment).filter(|_| is_first);
        let expected = expected.map_or(pages, |expected| expected.clamp(pages, of_all.max(pages)));
        self.scores.reserve(expected);
        self.docs.reserve(expected);
        self.spaces.reserve(expected);
    }

    pub(super) fn push(&mut self, doc: DocId, score: f32, space: u32) {
        self.scores.push(score);
        self.docs.push(doc);
        self.spaces.push(space);
    }

    /// Returns the positions of the pages of each segment.
    pub(super) fn segments(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let ends = self.starts.iter().skip(1).copied().chain([self.len()]);
        self.starts.iter().zip(ends).map(|(start, end)| *start..end)
    }

    /// Returns the number of the segment of a page.
    pub(super) fn segment(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at).saturating_sub(1)
    }

    pub(super) fn doc(&self, at: usize) -> DocId {
        self.docs.get(at).copied().unwrap_or(DocId::MAX)
    }

    pub(super) fn space(&self, at: usize) -> usize {
        self.spaces.get(at).map_or(usize::MAX, |space| index_of(*space))
    }

    pub(super) fn rank(&self, at: usize) -> u32 {
        self.scores.get(at).map_or(0, |score| rank(*score))
    }

    /// Returns the ranks of some pages with their positions.
    pub(super) fn ranks(&self, of: Range<usize>) -> impl Iterator<Item = (usize, u32)> + '_ {
        let scores = self.scores.get(of.clone()).unwrap_or_default();
        of.zip(scores).map(|(at, score)| (at, rank(*score)))
    }

    /// Returns the spaces of some pages with the positions of the pages.
    pub(super) fn spaces(&self, of: Range<usize>) -> impl Iterator<Item = (usize, usize)> + '_ {
        let spaces = self.spaces.get(of.clone()).unwrap_or_default();
        of.zip(spaces).map(|(at, space)| (at, index_of(*space)))
    }

    /// Returns the best rank of each of so many spaces; `None` for a space without pages.
    pub(super) fn best_of_spaces(&self, count: usize) -> Vec<Option<Reverse<u32>>> {
        let mut best: Vec<Option<u32>> = vec![None; count];
        for (score, space) in self.scores.iter().zip(&self.spaces) {
            if let Some(best) = best.get_mut(index_of(*space)) {
                *best = Some(rank(*score)).max(*best);
            }
        }
        best.into_iter().map(|rank| rank.map(Reverse)).collect()
    }

    /// Adds to the score of a page.
    pub(super) fn add(&mut self, at: usize, score: f32) {
        if let Some(sum) = self.scores.get_mut(at) {
            *sum += score;
        }
    }
}

fn rank(score: f32) -> u32 {
    // Bits of positive numbers are in their order.
    score.max(0.0).to_bits() >> NOISE
}

fn index_of(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::{Candidates, rank};

    #[test]
    fn pages_have_their_segments_and_spaces() {
        let mut candidates = Candidates::default();
        candidates.begin_segment();
        candidates.reserve(2, (2, 3));
        candidates.push(5, 1.0, 1);
        candidates.push(9, 2.0, 3);
        candidates.begin_segment();
        candidates.begin_segment();
        candidates.reserve(1, (1, 3));
        candidates.push(0, 4.0, 1);
        candidates.add(0, 2.0);
        assert_eq!(candidates.segments().collect::<Vec<_>>(), [0..2, 2..2, 2..3]);
        assert_eq!(
            [0, 1, 2].map(|at| (candidates.segment(at), candidates.doc(at))),
            [(0, 5), (0, 9), (2, 0)]
        );
        assert_eq!(candidates.ranks(0..2).collect::<Vec<_>>(), [(0, rank(3.0)), (1, rank(2.0))]);
        assert_eq!(candidates.spaces(1..3).collect::<Vec<_>>(), [(1, 3), (2, 1)]);
        let best = [None, Some(Reverse(rank(4.0))), None, Some(Reverse(rank(2.0)))];
        assert_eq!(candidates.best_of_spaces(4), best);
    }
}
