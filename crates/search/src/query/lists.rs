//! Posting lists for the words of a query, with the scores that they add.

use tantivy::Term;
use tantivy::query::{Bm25StatisticsProvider, Bm25Weight};
use tantivy::schema::Field;

use super::clauses::is_edge;
use super::{Clauses, Leniency, QueryScope, Word};
use crate::Result;
use crate::analyzer::stem_term;

/// Posting lists of a query of plain words.
///
/// A page matches if it is in a list of each word. Its score is the sum over the lists that contain it.
pub(crate) struct Lists {
    /// Lists of each word.
    pub(crate) words: Vec<WordLists>,
    /// Lists of pages with the whole query as title or heading.
    pub(crate) whole: Vec<List>,
}

/// Lists of a word.
pub(crate) struct WordLists {
    /// Cache key: equal for equal lists with equal scores.
    pub(crate) key: String,
    pub(crate) lists: Vec<List>,
}

/// Pages with a term, or with a term that has a prefix.
pub(crate) enum List {
    /// Pages with a term, scored by its frequency in the page.
    Weighted(Term, Bm25Weight),
    /// Pages with a term, with a constant score.
    Constant(Term, f32),
    /// Pages with a term that has a prefix, with a constant score.
    Beginning(Field, String, f32),
}

impl Clauses<'_> {
    /// Returns the lists that find and rank the same pages as [`Clauses::find`]; `None` if the query has words that are
    /// not plain, or allows errors.
    pub(crate) fn lists(&self, statistics: &dyn Bm25StatisticsProvider) -> Result<Option<Lists>> {
        if self.leniency != Leniency::Exact {
            return Ok(None);
        }
        let last = self.query.words.len().saturating_sub(1);
        let mut words = Vec::with_capacity(self.query.words.len());
        for (index, word) in self.query.words.iter().enumerate() {
            let Word::Plain(word) = word else { return Ok(None) };
            let stem = self.query.language.stem(word).map(|stem| stem_term(&stem));
            let term = stem.as_deref().unwrap_or(word);
            let mut lists = Vec::with_capacity(6);
            let mut key = match self.query.scope {
                QueryScope::Pages => term.to_owned(),
                QueryScope::Titles => format!("title {term}"),
            };
            for &(field, weight) in self.fields() {
                let term = Term::from_field_text(field, term);
                let pages = statistics.doc_freq(&term)?;
                let length = statistics.total_num_tokens(field)? / statistics.total_num_docs()?.max(1);
                let length = u16::try_from(length).map_or(f32::MAX, f32::from);
                let frequencies =
                    Bm25Weight::for_one_term_without_explain(pages, statistics.total_num_docs()?, length);
                lists.push(List::Weighted(term, frequencies.boost_by(weight)));
                key.push_str(&format!(" {pages}"));
            }
            if index == last {
                lists.extend(self.beginnings(word));
                key.push_str(&format!(" {word}"));
            }
            let lists = WordLists { key, lists };
            words.push(lists);
        }
        let whole = self.whole_fields().iter();
        let whole = whole
            .map(|(field, score)| List::Constant(Term::from_field_text(*field, &self.query.whole), *score))
            .collect();
        Ok(Some(Lists { words, whole }))
    }

    /// Returns lists of pages with words that have a prefix.
    fn beginnings(&self, word: &str) -> impl Iterator<Item = List> {
        let is_edge = is_edge(word);
        self.beginning_fields(word).map(move |(field, score)| match is_edge {
            true => List::Constant(Term::from_field_text(field, word), score),
            false => List::Beginning(field, word.to_owned(), score),
        })
    }
}
