//! Posting lists of a segment for a word of a query.

use std::sync::Arc;

use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::{BlockSegmentPostings, Postings as _, TermInfo};
use tantivy::query::Bm25Weight;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{BitSet, DocId, DocSet as _, InvertedIndexReader, SegmentReader};

use crate::Result;
use crate::query::List;

/// Opened posting lists of one word.
pub(super) struct OpenLists<'q>(Vec<OpenList<'q>>);

/// Posting list of a segment: the entries of one term, or of all terms with a prefix.
struct OpenList<'q> {
    index: Arc<InvertedIndexReader>,
    terms: Vec<TermInfo>,
    score: Score<'q>,
}

enum Score<'q> {
    Weighted(&'q Bm25Weight, FieldNormReader),
    /// A page counts once, even if it has several of the terms.
    Constant(f32),
}

impl<'q> OpenLists<'q> {
    pub(super) fn open(segment: &SegmentReader, lists: &'q [List]) -> Result<Self> {
        let lists = lists.iter().map(|list| OpenList::open(segment, list));
        Ok(Self(lists.collect::<Result<_>>()?))
    }

    /// Returns the number of entries.
    pub(super) fn entries(&self) -> u64 {
        self.0.iter().flat_map(|list| &list.terms).map(|info| u64::from(info.doc_freq)).sum()
    }

    /// Calls `add` with the page and the score of each entry.
    pub(super) fn each(&self, max_doc: DocId, mut add: impl FnMut(DocId, f32)) -> Result<()> {
        for OpenList { index, terms, score } in &self.0 {
            let mut seen = CountedPages::of(terms, max_doc);
            for info in terms {
                let mut postings = index.read_block_postings_from_terminfo(info, score.option())?;
                for_each_block(&mut postings, |docs, frequencies| match score {
                    Score::Weighted(weight, norms) => {
                        for (doc, frequency) in docs.iter().zip(frequencies) {
                            add(*doc, weight.score(norms.fieldnorm_id(*doc), *frequency));
                        }
                    }
                    Score::Constant(score) => {
                        docs.iter().filter(|doc| seen.is_new(**doc)).for_each(|doc| add(*doc, *score));
                    }
                });
            }
        }
        Ok(())
    }

    /// Like [`Self::each`], for some pages in the order of their numbers. Calls `add` with the index of the page.
    pub(super) fn each_of(
        &self,
        pages: &[DocId],
        max_doc: DocId,
        mut add: impl FnMut(usize, f32),
    ) -> Result<()> {
        for OpenList { index, terms, score } in &self.0 {
            let mut seen = CountedPages::of(terms, max_doc);
            for info in terms {
                let mut postings = index.read_postings_from_terminfo(info, score.option())?;
                for (at, doc) in pages.iter().enumerate() {
                    if postings.doc() < *doc {
                        postings.seek(*doc);
                    }
                    if postings.doc() != *doc {
                        continue;
                    }
                    match score {
                        Score::Weighted(weight, norms) => {
                            add(at, weight.score(norms.fieldnorm_id(*doc), postings.term_freq()));
                        }
                        Score::Constant(score) if seen.is_new(*doc) => add(at, *score),
                        Score::Constant(_) => {}
                    }
                }
            }
        }
        Ok(())
    }
}

impl<'q> OpenList<'q> {
    fn open(segment: &SegmentReader, list: &'q List) -> Result<Self> {
        Ok(match list {
            List::Weighted(term, weight) => {
                let index = segment.inverted_index(term.field())?;
                let terms = index.get_term_info(term)?.into_iter().collect();
                let norms = segment.get_fieldnorms_reader(term.field())?;
                Self { index, terms, score: Score::Weighted(weight, norms) }
            }
            List::Constant(term, score) => {
                let index = segment.inverted_index(term.field())?;
                let terms = index.get_term_info(term)?.into_iter().collect();
                Self { index, terms, score: Score::Constant(*score) }
            }
            List::Beginning(field, beginning, score) => {
                let (index, terms) = begun(segment, *field, beginning)?;
                Self { index, terms, score: Score::Constant(*score) }
            }
        })
    }
}

impl Score<'_> {
    fn option(&self) -> IndexRecordOption {
        match self {
            Self::Weighted(..) => IndexRecordOption::WithFreqs,
            Self::Constant(_) => IndexRecordOption::Basic,
        }
    }
}

/// Pages that a list of several terms has counted.
struct CountedPages(Option<BitSet>);

impl CountedPages {
    fn of(terms: &[TermInfo], max_doc: DocId) -> Self {
        Self((terms.len() > 1).then(|| BitSet::with_max_value(max_doc)))
    }

    fn is_new(&mut self, doc: DocId) -> bool {
        let Some(seen) = &mut self.0 else { return true };
        let is_new = !seen.contains(doc);
        seen.insert(doc);
        is_new
    }
}

/// Returns the terms with a non-empty prefix.
fn begun(
    segment: &SegmentReader,
    field: Field,
    beginning: &str,
) -> Result<(Arc<InvertedIndexReader>, Vec<TermInfo>)> {
    let index = segment.inverted_index(field)?;
    let mut after = beginning.as_bytes().to_vec();
    // No byte of UTF-8 is 255, so this cannot overflow.
    if let Some(last) = after.last_mut() {
        *last = last.saturating_add(1);
    }
    let mut infos = Vec::new();
    let mut terms = index.terms().range().ge(beginning).lt(after).into_stream()?;
    while terms.advance() {
        infos.push(terms.value().clone());
    }
    drop(terms);
    Ok((index, infos))
}

/// Calls `work` with the pages of each block of a posting list and the frequencies of the term in them.
pub(super) fn for_each_block(postings: &mut BlockSegmentPostings, mut work: impl FnMut(&[DocId], &[u32])) {
    while !postings.docs().is_empty() {
        work(postings.docs(), postings.freqs());
        postings.advance();
    }
}
