//! Lists of pages for the words of a query, with the scores that they add.

use tantivy::Term;
use tantivy::query::{Bm25StatisticsProvider, Bm25Weight};
use tantivy::schema::Field;

use super::clauses::{fields, score};
use super::{Clauses, Leniency, Word};
use crate::Result;
use crate::analyzer::stem_term;
use crate::document::EDGE;
use crate::schema::FIELDS;

/// The lists of a query of plain words.
///
/// A page is found if it is on a list of each word. Its score is the sum over the lists that it is on.
pub(crate) struct Lists {
    /// The lists of each word.
    pub(crate) words: Vec<Vec<List>>,
    /// Lists of pages that have the whole query as title or heading.
    pub(crate) whole: Vec<List>,
}

/// Pages with a term or with the beginning of one.
pub(crate) enum List {
    /// Pages with a term, by how often they have it.
    Weighted(Term, Bm25Weight),
    /// Pages with a term.
    Constant(Term, f32),
    /// Pages with a term that begins so.
    Beginning(Field, String, f32),
}

impl Clauses<'_> {
    /// Returns the lists that find and rank the same pages as [`Clauses::find`]; `None` if the query has other words than
    /// plain ones or may have errors.
    pub(crate) fn lists(&self, statistics: &dyn Bm25StatisticsProvider) -> Result<Option<Lists>> {
        if self.leniency != Leniency::Exact {
            return Ok(None);
        }
        let last = self.query.words.len().saturating_sub(1);
        let mut words = Vec::with_capacity(self.query.words.len());
        for (place, word) in self.query.words.iter().enumerate() {
            let Word::Plain(word) = word else { return Ok(None) };
            let mut lists = Vec::with_capacity(6);
            for (field, weight) in fields() {
                let term = match self.query.language.stem(word) {
                    Some(stem) => Term::from_field_text(field, &stem_term(&stem)),
                    None => Term::from_field_text(field, word),
                };
                let frequencies = Bm25Weight::for_terms(statistics, std::slice::from_ref(&term))?;
                lists.push(List::Weighted(term, frequencies.boost_by(weight)));
            }
            if place == last {
                lists.extend(beginnings(word));
            }
            words.push(lists);
        }
        let whole = [(FIELDS.whole_title, score::WHOLE_TITLE), (FIELDS.whole_headings, score::WHOLE_HEADING)];
        let whole = whole
            .map(|(field, score)| List::Constant(Term::from_field_text(field, &self.query.whole), score))
            .into();
        Ok(Some(Lists { words, whole }))
    }
}

/// Lists of pages with words that begin so.
fn beginnings(word: &str) -> Vec<List> {
    if word.chars().count() <= EDGE {
        return [(FIELDS.title_edges, score::TITLE), (FIELDS.edges, score::BODY)]
            .map(|(field, weight)| List::Constant(Term::from_field_text(field, word), score::PREFIX * weight))
            .into();
    }
    fields().map(|(field, weight)| List::Beginning(field, word.to_owned(), score::PREFIX * weight)).into()
}
