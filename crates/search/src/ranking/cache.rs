//! Cache of the scores of frequent words.

use std::sync::Arc;

use quire_cache::Cache;
use tantivy::index::SegmentId;

/// Score of a page that lacks the word. All other scores are at least 0.
pub(super) const ABSENT: f32 = -1.0;

/// Score of a page for a word, in half the bytes of an `f32`, so that twice as many words fit into the cache.
///
/// Consists of the upper bits of an `f32` without its sign and with a shorter exponent: 4 bits of exponent, then 12
/// bits of the fraction. The relative rounding error is at most 1/8192. Scores outside of 2^-6 to 2^10 are clamped:
/// lower ones belong to words that most pages have, and sums are below 400 (see
/// [`Statistics`](crate::statistics::Statistics)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WordScore(u16);

impl WordScore {
    /// Number of lower bits of an `f32` that are dropped.
    const SHIFT: u32 = 11;
    /// Remaining bits of 2^-6. They map to 0, the value of [`ABSENT`].
    const LEAST: u32 = (1_f32 / 64.0).to_bits() >> Self::SHIFT;

    /// Rounds a score; [`ABSENT`] is preserved.
    pub(super) fn of(score: f32) -> Self {
        if score < 0.0 {
            return Self(0);
        }
        let rounded = (score.to_bits() + (1 << (Self::SHIFT - 1))) >> Self::SHIFT;
        let of_found = rounded.saturating_sub(Self::LEAST).max(1);
        Self(u16::try_from(of_found).unwrap_or(u16::MAX))
    }

    /// Returns the score or [`ABSENT`].
    pub(super) fn get(self) -> f32 {
        let score = f32::from_bits((u32::from(self.0) + Self::LEAST) << Self::SHIFT);
        if self.0 == 0 { ABSENT } else { score }
    }
}

/// Scores of the pages of a segment for a word, by page number.
pub(super) type WordScores = Arc<[WordScore]>;

/// Cached scores of frequent words by segment.
///
/// Segments are immutable, so an entry is valid until its segment is merged into another.
#[derive(Clone)]
pub(crate) struct ScoreCache(Cache<(SegmentId, String), WordScores>);

impl ScoreCache {
    /// Creates a cache with this capacity in bytes.
    pub(crate) fn new(bytes: u64) -> Self {
        let weigh = |(_, word): &(SegmentId, String), scores: &WordScores| {
            u32::try_from(size_of_val(&**scores) + word.len() + 100).unwrap_or(u32::MAX)
        };
        Self(Cache::builder().max_capacity(bytes).weigher(weigh).build())
    }

    pub(super) fn get(&self, segment: SegmentId, word: &str) -> Option<WordScores> {
        self.0.get(&(segment, word.to_owned()))
    }

    /// Returns the size of the cached scores in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.weighted_size()
    }

    pub(super) fn insert(&self, segment: SegmentId, word: &str, scores: WordScores) {
        self.0.insert((segment, word.to_owned()), scores);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn scores_have_bounds() {
        assert!(WordScore::of(ABSENT).get() < 0.0);
        for score in [0.0, f32::MIN_POSITIVE, 0.01, 1.0 / 64.0] {
            assert!((0.0156..0.0157).contains(&WordScore::of(score).get()), "{score}");
        }
        for score in [1_024.0, 1e9, f32::INFINITY] {
            assert!((1_023.5..1_024.1).contains(&WordScore::of(score).get()), "{score}");
        }
    }

    proptest! {
        #[test]
        fn rounding_keeps_order_and_value(a in -5.9_f32..9.9, b in -5.9_f32..9.9) {
            let (a, b) = (a.exp2(), b.exp2());
            let (rounded_a, rounded_b) = (WordScore::of(a).get(), WordScore::of(b).get());
            prop_assert!((rounded_a - a).abs() <= a / 8_192.0);
            prop_assert!(a > b || rounded_a <= rounded_b);
        }
    }
}
