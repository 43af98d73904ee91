//! Coarse statistics of words.
//!
//! A page must have the same rank on each node, before and after a commit, so that paging through results shows each
//! page once. The index of a node depends on the times of its commits and merges. So only the order of magnitude of a
//! word's frequency counts, and the average lengths of texts are constants.

use tantivy::query::Bm25StatisticsProvider;
use tantivy::schema::Field;
use tantivy::{Searcher, Term};

use crate::schema::FIELDS;

/// Assumed number of pages of the index.
const PAGES: u64 = 1 << 20;

pub(crate) struct Statistics<'s> {
    pub(crate) searchers: Vec<&'s Searcher>,
}

impl Bm25StatisticsProvider for Statistics<'_> {
    fn total_num_tokens(&self, field: Field) -> tantivy::Result<u64> {
        let average = if field == FIELDS.title {
            5
        } else if field == FIELDS.headings {
            30
        } else {
            600
        };
        Ok(PAGES * average)
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        Ok(PAGES)
    }

    /// Titles and headings use the frequency of a word in texts: `and` carries no information there either.
    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        let word = (term.field() != FIELDS.body).then(|| term.value().as_str().map(str::to_owned)).flatten();
        let body = word.map(|word| Term::from_field_text(FIELDS.body, &word));
        let mut with = 0;
        let mut all = 0;
        for searcher in &self.searchers {
            let in_body = body.as_ref().map_or(Ok(0), |term| searcher.doc_freq(term))?;
            with += searcher.doc_freq(term)?.max(in_body);
            all += searcher.segment_readers().iter().map(|segment| u64::from(segment.max_doc())).sum::<u64>();
        }
        let rarity = all.checked_div(with).map_or(PAGES, u64::next_power_of_two);
        Ok((PAGES / rarity.clamp(1, PAGES)).max(1))
    }
}
