//! Scores of the pages of a segment, list by list.
//!
//! Words that most pages have make long lists. Adding up a list at a time in an array costs a few nanoseconds for each
//! entry, where a tree of scorers passes each page through several layers. The sums of frequent words are kept for the
//! next searches. They are the same whether they are kept or not, since the scores of a word are always summed up first.

use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, SegmentReader, TERMINATED, Term};

use super::cache::{ABSENT, ScoreCache, WordScores};
use super::lists::{OpenLists, for_each_block};
use crate::Result;
use crate::query::{Lists, WordLists};

/// A space with less than one in so many pages of a segment is looked up page by page in each list.
const SPARSE: usize = 8;
/// Marks a page that is not searched: no query has so many words.
const SKIPPED: u8 = u8::MAX;
/// Pages of the smallest segment whose scores are kept.
const KEPT: DocId = 1_000;
/// A word is frequent if its lists have an entry for one in so many pages.
const FREQUENT: u64 = 8;

/// Pages of a segment to be searched.
pub(super) enum SearchedPages<'s> {
    /// All of them.
    All,
    /// Those with this term.
    Term(&'s Term),
}

/// Scores of pages of a segment.
struct Scores<'s> {
    segment: &'s SegmentReader,
    cache: &'s ScoreCache,
    /// The pages to look up in each list; `None` for all of the segment.
    wanted: Option<Vec<DocId>>,
    /// Number of words that each page has.
    words: Vec<u8>,
    scores: Vec<f32>,
    /// Scores of the current word, and the positions of the pages that have it.
    word: Vec<f32>,
    touched: Vec<usize>,
}

/// Calls `found` with each page of a segment that is on a list of each word, and its score.
pub(super) fn for_each_page(
    segment: &SegmentReader,
    cache: &ScoreCache,
    lists: &Lists,
    wanted: &SearchedPages<'_>,
    mut found: impl FnMut(DocId, f32),
) -> Result<()> {
    let Some(mut scores) = Scores::of(segment, cache, wanted)? else { return Ok(()) };
    let mut count = 0;
    for word in &lists.words {
        scores.add_word(word, count)?;
        count += 1;
    }
    let whole = OpenLists::open(segment, &lists.whole)?;
    scores.add(&whole, count, count)?;
    for (at, (words, score)) in scores.words.iter().zip(&scores.scores).enumerate() {
        if *words == count {
            found(scores.doc(at), *score);
        }
    }
    Ok(())
}

impl<'s> Scores<'s> {
    /// Returns empty scores; `None` if the segment has no pages to search.
    fn of(
        segment: &'s SegmentReader,
        cache: &'s ScoreCache,
        wanted: &SearchedPages<'_>,
    ) -> Result<Option<Self>> {
        let all = usize::try_from(segment.max_doc()).unwrap_or(usize::MAX);
        let empty = |wanted, words: Vec<u8>| {
            let (scores, word) = (vec![0.0; words.len()], vec![ABSENT; words.len()]);
            Some(Self { segment, cache, wanted, words, scores, word, touched: Vec::new() })
        };
        let SearchedPages::Term(space) = wanted else { return Ok(empty(None, vec![0; all])) };
        let index = segment.inverted_index(space.field())?;
        let Some(mut postings) = index.read_block_postings(space, IndexRecordOption::Basic)? else {
            return Ok(None);
        };
        let mut wanted = Vec::with_capacity(usize::try_from(postings.doc_freq()).unwrap_or(0));
        for_each_block(&mut postings, |docs, _| wanted.extend_from_slice(docs));
        if wanted.len() * SPARSE < all {
            let words = vec![0; wanted.len()];
            return Ok(empty(Some(wanted), words));
        }
        let mut words = vec![SKIPPED; all];
        for doc in wanted {
            if let Some(words) = words.get_mut(index_of(doc)) {
                *words = 0;
            }
        }
        Ok(empty(None, words))
    }

    fn doc(&self, at: usize) -> DocId {
        let wanted = self.wanted.as_ref().map(|wanted| wanted.get(at).copied().unwrap_or(TERMINATED));
        wanted.unwrap_or_else(|| DocId::try_from(at).unwrap_or(TERMINATED))
    }

    /// Adds the scores of a word to the pages that have the words before it.
    fn add_word(&mut self, word: &WordLists, before: u8) -> Result<()> {
        if self.segment.max_doc() < KEPT || self.wanted.is_some() {
            let lists = OpenLists::open(self.segment, &word.lists)?;
            return self.add(&lists, before, before + 1);
        }
        if let Some(scores) = self.cache.get(self.segment.segment_id(), &word.key) {
            self.add_kept(&scores, before);
            return Ok(());
        }
        let lists = OpenLists::open(self.segment, &word.lists)?;
        if lists.entries().saturating_mul(FREQUENT) < u64::from(self.segment.max_doc()) {
            return self.add(&lists, before, before + 1);
        }
        let scores = self.sum(&lists)?;
        self.add_kept(&scores, before);
        self.cache.insert(self.segment.segment_id(), &word.key, scores);
        Ok(())
    }

    /// Adds the scores of lists to their pages that have `before` words, and notes that they have `after` words.
    fn add(&mut self, lists: &OpenLists<'_>, before: u8, after: u8) -> Result<()> {
        let Self { words, word, touched, .. } = self;
        let mut add = |at: usize, score: f32| {
            if let (Some(words), Some(sum)) = (words.get(at), word.get_mut(at))
                && *words == before
            {
                if *sum < 0.0 {
                    *sum = 0.0;
                    touched.push(at);
                }
                *sum += score;
            }
        };
        let max_doc = self.segment.max_doc();
        match &self.wanted {
            None => lists.each(max_doc, |doc, score| add(index_of(doc), score))?,
            Some(pages) => lists.each_of(pages, max_doc, add)?,
        }
        for at in self.touched.drain(..) {
            if let (Some(words), Some(score), Some(sum)) =
                (self.words.get_mut(at), self.scores.get_mut(at), self.word.get_mut(at))
            {
                *words = after;
                *score += std::mem::replace(sum, ABSENT);
            }
        }
        Ok(())
    }

    /// Returns the scores of a word for all pages of the segment.
    fn sum(&self, lists: &OpenLists<'_>) -> Result<WordScores> {
        let mut scores = vec![ABSENT; self.words.len()];
        lists.each(self.segment.max_doc(), |doc, score| {
            if let Some(sum) = scores.get_mut(index_of(doc)) {
                *sum = sum.max(0.0) + score;
            }
        })?;
        Ok(scores.into())
    }

    fn add_kept(&mut self, word: &[f32], before: u8) {
        let sums = self.words.iter_mut().zip(&mut self.scores);
        for ((words, sum), score) in sums.zip(word) {
            let has_all = *words == before && *score >= 0.0;
            *words += u8::from(has_all);
            *sum += if has_all { *score } else { 0.0 };
        }
    }
}

fn index_of(doc: DocId) -> usize {
    usize::try_from(doc).unwrap_or(usize::MAX)
}
