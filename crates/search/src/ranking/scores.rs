//! Scores of the pages of a segment, list by list.
//!
//! Words that most pages have make long lists. Adding up a list at a time in an array costs a few nanoseconds for each
//! entry, where a tree of scorers passes each page through several layers.

use std::cell::RefCell;

use tantivy::postings::{BlockSegmentPostings, Postings as _, TermInfo};
use tantivy::schema::IndexRecordOption;
use tantivy::{BitSet, DocId, DocSet as _, InvertedIndexReader, SegmentReader, TERMINATED, Term};

use crate::Result;
use crate::query::{List, Lists};

/// Lists that are at least so many times longer than the pages of a space are not read as a whole.
const SPARSE: usize = 8;
/// Marks a page that is not searched: no query has so many words.
const SKIPPED: u8 = u8::MAX;

/// Scores of pages of a segment.
struct Scores<'s> {
    segment: &'s SegmentReader,
    /// The pages to look up in each list; `None` for all of the segment.
    wanted: Option<Vec<DocId>>,
    /// Number of words that each page has.
    words: Vec<u8>,
    scores: Vec<f32>,
}

/// Calls `found` with each page of a segment that is on a list of each word, and its score. `space` is the term of the
/// only space to search.
pub(super) fn for_each_page(
    segment: &SegmentReader,
    lists: &Lists,
    space: Option<&Term>,
    mut found: impl FnMut(DocId, f32),
) -> Result<()> {
    let Some(mut scores) = Scores::of(segment, space)? else { return Ok(()) };
    let mut count = 0;
    for word in &lists.words {
        for list in word {
            scores.add(list, count, count + 1)?;
        }
        count += 1;
    }
    for list in &lists.whole {
        scores.add(list, count, count)?;
    }
    for (at, (words, score)) in scores.words.iter().zip(&scores.scores).enumerate() {
        if *words == count {
            found(scores.doc(at), *score);
        }
    }
    Ok(())
}

impl<'s> Scores<'s> {
    /// Returns empty scores; `None` if the segment has no pages to search.
    fn of(segment: &'s SegmentReader, space: Option<&Term>) -> Result<Option<Self>> {
        let all = usize::try_from(segment.max_doc()).unwrap_or(usize::MAX);
        let Some(space) = space else {
            return Ok(Some(Self { segment, wanted: None, words: vec![0; all], scores: vec![0.0; all] }));
        };
        let index = segment.inverted_index(space.field())?;
        let Some(mut postings) = index.read_block_postings(space, IndexRecordOption::Basic)? else {
            return Ok(None);
        };
        let mut wanted = Vec::with_capacity(usize::try_from(postings.doc_freq()).unwrap_or(0));
        for_each_block(&mut postings, |docs, _| wanted.extend_from_slice(docs));
        if wanted.len() * SPARSE < all {
            let (words, scores) = (vec![0; wanted.len()], vec![0.0; wanted.len()]);
            return Ok(Some(Self { segment, wanted: Some(wanted), words, scores }));
        }
        let mut words = vec![SKIPPED; all];
        for doc in wanted {
            if let Some(words) = words.get_mut(index_of(doc)) {
                *words = 0;
            }
        }
        Ok(Some(Self { segment, wanted: None, words, scores: vec![0.0; all] }))
    }

    fn doc(&self, at: usize) -> DocId {
        let wanted = self.wanted.as_ref().map(|wanted| wanted.get(at).copied().unwrap_or(TERMINATED));
        wanted.unwrap_or_else(|| DocId::try_from(at).unwrap_or(TERMINATED))
    }

    /// Adds the scores of a list to its pages that have `before` words, and notes that they have `after` words.
    fn add(&mut self, list: &List, before: u8, after: u8) -> Result<()> {
        let step = (before, after);
        match list {
            List::Weighted(term, weight) => {
                let index = self.segment.inverted_index(term.field())?;
                if let Some(info) = index.get_term_info(term)? {
                    let norms = self.segment.get_fieldnorms_reader(term.field())?;
                    let score = |doc, frequency| weight.score(norms.fieldnorm_id(doc), frequency);
                    self.each(&index, &info, IndexRecordOption::WithFreqs, step, score)?;
                }
            }
            List::Constant(term, score) => {
                let index = self.segment.inverted_index(term.field())?;
                if let Some(info) = index.get_term_info(term)? {
                    self.each(&index, &info, IndexRecordOption::Basic, step, |_, _| *score)?;
                }
            }
            List::Beginning(field, beginning, score) => {
                let index = self.segment.inverted_index(*field)?;
                // A page counts once, however many words begin so.
                let seen = RefCell::new(BitSet::with_max_value(self.segment.max_doc()));
                let mut terms = index.terms().range().ge(beginning).lt(after_all(beginning)).into_stream()?;
                while terms.advance() {
                    self.each(&index, terms.value(), IndexRecordOption::Basic, step, |doc, _| {
                        let mut seen = seen.borrow_mut();
                        let is_new = !seen.contains(doc);
                        seen.insert(doc);
                        if is_new { *score } else { 0.0 }
                    })?;
                }
            }
        }
        Ok(())
    }

    /// Adds the score of each entry of a list.
    fn each(
        &mut self,
        index: &InvertedIndexReader,
        info: &TermInfo,
        option: IndexRecordOption,
        step: (u8, u8),
        score: impl Fn(DocId, u32) -> f32,
    ) -> Result<()> {
        let (all_words, scores) = (&mut self.words, &mut self.scores);
        let mut add = |at: usize, doc: DocId, frequency: u32| {
            if let (Some(words), Some(sum)) = (all_words.get_mut(at), scores.get_mut(at))
                && (*words == step.0 || *words == step.1)
            {
                *words = step.1;
                *sum += score(doc, frequency);
            }
        };
        match &self.wanted {
            None => {
                let mut postings = index.read_block_postings_from_terminfo(info, option)?;
                for_each_block(&mut postings, |docs, frequencies| {
                    for (at, doc) in docs.iter().enumerate() {
                        // Lists that are read without frequencies have none.
                        let frequency = frequencies.get(at).copied().unwrap_or(1);
                        add(index_of(*doc), *doc, frequency);
                    }
                });
            }
            Some(wanted) => {
                let mut postings = index.read_postings_from_terminfo(info, option)?;
                for (at, doc) in wanted.iter().enumerate() {
                    if postings.doc() < *doc {
                        postings.seek(*doc);
                    }
                    if postings.doc() == *doc {
                        add(at, *doc, postings.term_freq());
                    }
                }
            }
        }
        Ok(())
    }
}

/// Calls `work` with the pages of each block of a list and how often they have the term.
fn for_each_block(postings: &mut BlockSegmentPostings, mut work: impl FnMut(&[DocId], &[u32])) {
    while !postings.docs().is_empty() {
        work(postings.docs(), postings.freqs());
        postings.advance();
    }
}

/// Returns the first text after all that begin with a non-empty text.
fn after_all(beginning: &str) -> Vec<u8> {
    let mut after = beginning.as_bytes().to_vec();
    // No byte of UTF-8 is 255.
    if let Some(last) = after.last_mut() {
        *last = last.saturating_add(1);
    }
    after
}

fn index_of(doc: DocId) -> usize {
    usize::try_from(doc).unwrap_or(usize::MAX)
}
