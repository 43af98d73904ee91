//! Scores of frequent words, kept for the next searches.

use std::sync::Arc;

use moka::sync::Cache;
use tantivy::index::SegmentId;

/// The score of a page that lacks the word; all others are at least 0.
pub(super) const ABSENT: f32 = -1.0;

/// Steps of [`WordScore`] in a score of 1.
const STEPS: f32 = 128.0;

/// The score that a word gives to a page, in 128ths. It is half as long as a number with a fraction, so that twice as
/// many words fit into the cache.
///
/// Scores of a word are below 400: see [`Statistics`](crate::statistics::Statistics). Ones above 511 count as 511.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WordScore(u16);

impl WordScore {
    /// Rounds a score; [`ABSENT`] stays what it is.
    #[allow(clippy::as_conversions, reason = "there is no other conversion to the nearest number in bounds")]
    pub(super) fn of(score: f32) -> Self {
        Self((score * STEPS + 1.5) as u16)
    }

    /// Returns the score; a negative number for [`ABSENT`].
    pub(super) fn get(self) -> f32 {
        (f32::from(self.0) - 1.0) / STEPS
    }
}

/// The scores that a word gives to the pages of a segment, by their numbers.
pub(super) type WordScores = Arc<[WordScore]>;

/// Scores of frequent words by segment.
///
/// Segments never change, so that an entry stays right until the segment is merged into another.
#[derive(Clone)]
pub(crate) struct ScoreCache(Cache<(SegmentId, String), WordScores>);

impl ScoreCache {
    /// A cache that takes up to so many bytes.
    pub(crate) fn new(bytes: u64) -> Self {
        let weigh = |(_, word): &(SegmentId, String), scores: &WordScores| {
            u32::try_from(size_of_val(&**scores) + word.len() + 100).unwrap_or(u32::MAX)
        };
        Self(Cache::builder().max_capacity(bytes).weigher(weigh).build())
    }

    pub(super) fn get(&self, segment: SegmentId, word: &str) -> Option<WordScores> {
        self.0.get(&(segment, word.to_owned()))
    }

    pub(super) fn insert(&self, segment: SegmentId, word: &str, scores: WordScores) {
        self.0.insert((segment, word.to_owned()), scores);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_rounded() {
        for (score, rounded) in
            [(0.0, 0.0), (0.003, 0.0), (0.005, 1.0 / 128.0), (366.0, 366.0), (1e9, 65_534.0 / 128.0)]
        {
            assert_eq!(WordScore::of(score).get().to_bits(), f32::to_bits(rounded), "{score}");
        }
        assert!(WordScore::of(ABSENT).get() < 0.0);
    }
}
