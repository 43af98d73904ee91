//! Scores of frequent words, kept for the next searches.

use std::sync::Arc;

use moka::sync::Cache;
use tantivy::index::SegmentId;

/// The score of a page that lacks the word; all others are at least 0.
pub(super) const ABSENT: f32 = -1.0;

/// The scores that a word gives to the pages of a segment, by their numbers.
pub(super) type WordScores = Arc<[f32]>;

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
