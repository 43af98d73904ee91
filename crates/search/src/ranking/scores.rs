//! Scoring of the pages of a segment, list by list.
//!
//! Words that most pages have make long lists. Summing one list at a time in an array takes a few nanoseconds per
//! entry, while a tree of scorers passes each page through several layers. The sums of frequent words are cached for
//! later searches. The cache does not affect results, since the scores of a word are always summed first and then
//! rounded.

use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, SegmentReader, Term};

use super::cache::{ABSENT, ScoreCache, WordScore, WordScores};
use super::candidates::FoundPages;
use super::lists::{OpenLists, for_each_block};
use crate::Result;
use crate::query::{Lists, WordLists};

/// A space with less than one in this many pages of a segment is looked up page by page in each list.
const SPARSE: usize = 8;
/// Minimum number of pages of a segment whose scores are cached.
const KEPT: DocId = 1_000;
/// A word is frequent if its lists have at least one entry per this many pages.
const FREQUENT: u64 = 8;

/// Pages of a segment to search.
pub(super) enum SearchedPages<'s> {
    /// All pages.
    All,
    /// Pages with this term.
    Term(&'s Term),
}

/// Scores of pages of a segment.
struct Scores<'s> {
    segment: &'s SegmentReader,
    cache: &'s ScoreCache,
    /// Pages to look up in each list; `None` for all pages of the segment.
    wanted: Option<Vec<DocId>>,
    /// Sums of the words so far; [`ABSENT`] for a page that lacks one of them or is not searched.
    sums: Vec<f32>,
    /// Scores of the current word.
    word: Vec<f32>,
}

/// Returns the pages of a segment that are in a list of each word; `None` if no page is searched.
pub(super) fn pages_of_lists(
    segment: &SegmentReader,
    cache: &ScoreCache,
    lists: &Lists,
    wanted: &SearchedPages<'_>,
) -> Result<Option<FoundPages>> {
    let Some(mut scores) = Scores::of(segment, cache, wanted)? else { return Ok(None) };
    for word in &lists.words {
        scores.add_word(word)?;
    }
    let whole = OpenLists::open(segment, &lists.whole)?;
    let Scores { wanted: pages, mut sums, .. } = scores;
    each(segment, pages.as_deref(), &whole, |at, score| {
        if let Some(sum) = sums.get_mut(at).filter(|sum| **sum >= 0.0) {
            *sum += score;
        }
    })?;
    Ok(Some(FoundPages { docs: pages, scores: sums }))
}

impl<'s> Scores<'s> {
    /// Returns zero scores for the searched pages; `None` if there are none.
    fn of(
        segment: &'s SegmentReader,
        cache: &'s ScoreCache,
        wanted: &SearchedPages<'_>,
    ) -> Result<Option<Self>> {
        let all = index_of(segment.max_doc());
        let of = |wanted, sums| Some(Self { segment, cache, wanted, sums, word: Vec::new() });
        let SearchedPages::Term(space) = wanted else { return Ok(of(None, vec![0.0; all])) };
        let index = segment.inverted_index(space.field())?;
        let Some(mut postings) = index.read_block_postings(space, IndexRecordOption::Basic)? else {
            return Ok(None);
        };
        let mut wanted = Vec::with_capacity(index_of(postings.doc_freq()));
        for_each_block(&mut postings, |docs, _| wanted.extend_from_slice(docs));
        if wanted.len() * SPARSE < all {
            let sums = vec![0.0; wanted.len()];
            return Ok(of(Some(wanted), sums));
        }
        let mut sums = vec![ABSENT; all];
        for doc in wanted {
            if let Some(sum) = sums.get_mut(index_of(doc)) {
                *sum = 0.0;
            }
        }
        Ok(of(None, sums))
    }

    /// Adds the scores of a word to the pages that have all words before it.
    fn add_word(&mut self, word: &WordLists) -> Result<()> {
        if self.segment.max_doc() < KEPT || self.wanted.is_some() {
            let lists = OpenLists::open(self.segment, &word.lists)?;
            return self.add(&lists);
        }
        let id = self.segment.segment_id();
        if let Some(scores) = self.cache.get(id, &word.key) {
            add_all(&mut self.sums, &scores, |score| score.get());
            return Ok(());
        }
        let lists = OpenLists::open(self.segment, &word.lists)?;
        if lists.entries().saturating_mul(FREQUENT) < u64::from(self.segment.max_doc()) {
            return self.add(&lists);
        }
        let scores = self.sum(&lists)?;
        add_all(&mut self.sums, &scores, |score| score.get());
        self.cache.insert(id, &word.key, scores);
        Ok(())
    }

    /// Adds the scores of a word's lists.
    fn add(&mut self, lists: &OpenLists<'_>) -> Result<()> {
        let Self { segment, wanted, sums, word, .. } = self;
        word.clear();
        word.resize(sums.len(), ABSENT);
        each(segment, wanted.as_deref(), lists, |at, score| add_to(word, at, score))?;
        add_all(sums, word, |score| WordScore::of(*score).get());
        Ok(())
    }

    /// Returns the scores of a word for all pages of the segment.
    fn sum(&self, lists: &OpenLists<'_>) -> Result<WordScores> {
        let mut scores = vec![ABSENT; self.sums.len()];
        each(self.segment, None, lists, |at, score| add_to(&mut scores, at, score))?;
        Ok(scores.into_iter().map(WordScore::of).collect())
    }
}

/// Calls `add` with the index and the score of each entry of lists, for all pages of a segment or for some.
fn each(
    segment: &SegmentReader,
    pages: Option<&[DocId]>,
    lists: &OpenLists<'_>,
    mut add: impl FnMut(usize, f32),
) -> Result<()> {
    match pages {
        None => lists.each(segment.max_doc(), |doc, score| add(index_of(doc), score)),
        Some(pages) => lists.each_of(pages, segment.max_doc(), add),
    }
}

/// Adds the score of one list of a word.
fn add_to(word: &mut [f32], at: usize, score: f32) {
    if let Some(sum) = word.get_mut(at) {
        *sum = sum.max(0.0) + score;
    }
}

/// Adds the scores of a word to sums. The loop is written to be vectorized.
fn add_all<T>(sums: &mut [f32], word: &[T], score: impl Fn(&T) -> f32) {
    for (sum, score) in sums.iter_mut().zip(word.iter().map(score)) {
        *sum = if sum.min(score) < 0.0 { ABSENT } else { *sum + score };
    }
}

fn index_of(doc: DocId) -> usize {
    usize::try_from(doc).unwrap_or(usize::MAX)
}
