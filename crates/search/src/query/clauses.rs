//! Query clauses of the engine for the words of a query.

use std::sync::LazyLock;

use tantivy::Term;
use tantivy::query::{
    BooleanQuery, BoostQuery, ConstScoreQuery, FuzzyTermQuery, Occur, PhrasePrefixQuery, PhraseQuery,
    Query as Clause, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};

use super::{Leniency, Query, QueryScope, Word};
use crate::analyzer::stem_term;
use crate::document::EDGE;
use crate::schema::FIELDS;

/// Minimum number of letters of a word that may have a typing error.
const ONE_ERROR: usize = 4;
/// Minimum number of letters of a word that may have two typing errors.
const TWO_ERRORS: usize = 8;
/// Maximum number of terms that the beginning of a compound's last part expands to.
const EXPANSIONS: u32 = 200;

/// Score constants for matches that do not depend on statistics of words.
pub(super) mod score {
    pub(in crate::query) const TITLE: f32 = 8.0;
    pub(in crate::query) const HEADING: f32 = 3.0;
    pub(in crate::query) const BODY: f32 = 1.0;
    /// Match by the beginning of a word or with an error; multiplied by the weight of the field.
    pub(in crate::query) const PREFIX: f32 = 1.5;
    pub(super) const ERROR: f32 = 1.0;
    pub(in crate::query) const WHOLE_TITLE: f32 = 300.0;
    pub(in crate::query) const WHOLE_HEADING: f32 = 80.0;
    /// All words of the query in a row.
    pub(in crate::query) const PHRASE: f32 = 50.0;
    /// Two words of the query in a row, in any order.
    pub(in crate::query) const PAIR: f32 = 4.0;
}

/// Builder of the clauses of a query.
pub(crate) struct Clauses<'q> {
    pub(super) query: &'q Query,
    pub(super) leniency: Leniency,
}

impl<'q> Clauses<'q> {
    pub(crate) fn new(query: &'q Query, leniency: Leniency) -> Self {
        Self { query, leniency }
    }

    /// Returns the clause that finds and ranks pages, without the scores of words in a row.
    pub(crate) fn find(&self, filter: Option<Term>) -> BooleanQuery {
        let last = self.query.words.len().saturating_sub(1);
        let words = self.query.words.iter().enumerate();
        let mut clauses: Vec<(Occur, Box<dyn Clause>)> =
            words.map(|(index, word)| (Occur::Must, self.word(word, index == last))).collect();
        if let Some(space) = filter {
            let clause = TermQuery::new(space, IndexRecordOption::Basic);
            clauses.push((Occur::Must, constant(Box::new(clause), 0.0)));
        }
        for &(field, score) in self.whole_fields() {
            let clause = term(field, &self.query.whole, IndexRecordOption::Basic);
            clauses.push((Occur::Should, constant(clause, score)));
        }
        BooleanQuery::new(clauses)
    }

    fn word(&self, word: &Word, is_last: bool) -> Box<dyn Clause> {
        let mut clauses: Vec<Box<dyn Clause>> = Vec::new();
        match word {
            Word::Plain(word) => {
                for &(field, weight) in self.fields() {
                    clauses.push(boosted(self.exact(field, word), weight));
                }
                if is_last {
                    clauses.extend(self.prefixes(word));
                }
                if self.leniency > Leniency::Exact {
                    clauses.extend(self.errors(word, is_last));
                }
            }
            Word::Compound { parts, whole } => {
                for &(field, weight) in self.fields() {
                    clauses.push(boosted(compound(field, parts, is_last), weight));
                    if let Some(whole) = whole {
                        clauses.push(boosted(exact(field, whole), weight));
                    }
                }
                // A number such as 1.22 is one word, not two words at any positions.
                if self.leniency > Leniency::Exact && !word.is_number() {
                    let parts = parts.iter().map(|part| self.word(&Word::Plain(part.clone()), false));
                    clauses.push(Box::new(BooleanQuery::intersection(parts.collect())));
                }
            }
            Word::Dense(chars) => {
                for &(field, weight) in self.fields() {
                    clauses.push(boosted(dense(field, chars), weight));
                }
            }
        }
        Box::new(BooleanQuery::union(clauses))
    }

    fn exact(&self, field: Field, word: &str) -> Box<dyn Clause> {
        match self.query.language.stem(word) {
            Some(stem) => exact(field, &stem_term(&stem)),
            None => exact(field, word),
        }
    }

    /// Returns clauses for words that are a part of a compound or differ by a typing error.
    fn errors(&self, word: &str, is_last: bool) -> Vec<Box<dyn Clause>> {
        let length = word.chars().count();
        let errors = match self.leniency {
            _ if length < ONE_ERROR => 0,
            Leniency::TwoErrors if length >= TWO_ERRORS => 2,
            _ => 1,
        };
        let mut clauses: Vec<Box<dyn Clause>> = Vec::new();
        if errors == 0 {
            return clauses;
        }
        if self.query.scope == QueryScope::Pages {
            let tail = FuzzyTermQuery::new_prefix(Term::from_field_text(FIELDS.tails, word), 0, true);
            clauses.push(constant(Box::new(tail), score::ERROR));
        }
        for &(field, weight) in self.fields() {
            let term = Term::from_field_text(field, word);
            let found = FuzzyTermQuery::new(term.clone(), errors, true);
            clauses.push(constant(Box::new(found), score::ERROR * weight));
            if is_last && length > ONE_ERROR {
                let begun = FuzzyTermQuery::new_prefix(term, errors, true);
                clauses.push(constant(Box::new(begun), score::ERROR * weight));
            }
        }
        clauses
    }

    /// Returns clauses for words with a prefix.
    fn prefixes(&self, word: &str) -> Vec<Box<dyn Clause>> {
        let begun = |(field, score): (Field, f32)| {
            if is_edge(word) {
                return constant(term(field, word, IndexRecordOption::Basic), score);
            }
            let begun = FuzzyTermQuery::new_prefix(Term::from_field_text(field, word), 0, true);
            constant(Box::new(begun), score)
        };
        self.beginning_fields(word).map(begun).collect()
    }

    /// Returns the fields of words with their weights.
    pub(super) fn fields(&self) -> &'static [(Field, f32)] {
        self.in_scope(&WORD_FIELDS)
    }

    /// Returns the fields of whole titles and headings with their scores.
    pub(super) fn whole_fields(&self) -> &'static [(Field, f32)] {
        self.in_scope(&WHOLE_FIELDS)
    }

    /// Returns the fields for matches of a prefix, with the scores of a match.
    pub(super) fn beginning_fields(&self, word: &str) -> impl Iterator<Item = (Field, f32)> {
        let fields = if is_edge(word) { self.in_scope(&EDGE_FIELDS) } else { self.fields() };
        fields.iter().map(|(field, weight)| (*field, score::PREFIX * weight))
    }

    /// Returns only the first field, which is the one of titles, for a query of titles; otherwise all.
    fn in_scope<const N: usize>(
        &self,
        fields: &'static LazyLock<[(Field, f32); N]>,
    ) -> &'static [(Field, f32)] {
        match self.query.scope {
            QueryScope::Pages => fields.as_slice(),
            QueryScope::Titles => fields.get(..1).unwrap_or_default(),
        }
    }
}

/// Fields of words with their weights. The first field of each list is the one of titles.
static WORD_FIELDS: LazyLock<[(Field, f32); 3]> = LazyLock::new(|| {
    [(FIELDS.title, score::TITLE), (FIELDS.headings, score::HEADING), (FIELDS.body, score::BODY)]
});
/// Fields of whole titles and headings with their scores.
static WHOLE_FIELDS: LazyLock<[(Field, f32); 2]> = LazyLock::new(|| {
    [(FIELDS.whole_title, score::WHOLE_TITLE), (FIELDS.whole_headings, score::WHOLE_HEADING)]
});
/// Fields of the first letters of words with their weights.
static EDGE_FIELDS: LazyLock<[(Field, f32); 2]> =
    LazyLock::new(|| [(FIELDS.title_edges, score::TITLE), (FIELDS.edges, score::BODY)]);

/// Returns whether a prefix is short enough to be a term of its own.
pub(super) fn is_edge(word: &str) -> bool {
    word.chars().count() <= EDGE
}

impl Word {
    /// Returns whether the word is a number with several parts, such as a version.
    pub(crate) fn is_number(&self) -> bool {
        let is_digits = |part: &String| part.bytes().all(|byte| byte.is_ascii_digit());
        matches!(self, Self::Compound { parts, .. } if parts.iter().all(is_digits))
    }

    /// Returns the number of positions that the word takes in a text.
    pub(super) fn positions(&self) -> usize {
        match self {
            Self::Plain(_) => 1,
            Self::Compound { parts, .. } => parts.len(),
            Self::Dense(chars) => chars.len(),
        }
    }
}

fn compound(field: Field, parts: &[String], is_last: bool) -> Box<dyn Clause> {
    let terms = parts.iter().map(|part| Term::from_field_text(field, part)).collect();
    if is_last {
        let mut begun = PhrasePrefixQuery::new(terms);
        begun.set_max_expansions(EXPANSIONS);
        return Box::new(begun);
    }
    Box::new(PhraseQuery::new(terms))
}

fn dense(field: Field, chars: &[char]) -> Box<dyn Clause> {
    match bigrams(chars).as_slice() {
        [(_, only)] => exact(field, only),
        pairs => phrase(field, pairs),
    }
}

/// Returns the pairs of characters with their positions; for a single character, the character itself.
pub(super) fn bigrams(chars: &[char]) -> Vec<(usize, String)> {
    if let [only] = chars {
        return vec![(0, only.to_string())];
    }
    chars.windows(2).map(|pair| pair.iter().collect()).enumerate().collect()
}

fn phrase(field: Field, tokens: &[(usize, String)]) -> Box<dyn Clause> {
    let terms = tokens.iter().map(|(at, token)| (*at, Term::from_field_text(field, token)));
    Box::new(PhraseQuery::new_with_offset(terms.collect()))
}

fn exact(field: Field, word: &str) -> Box<dyn Clause> {
    term(field, word, IndexRecordOption::WithFreqs)
}

fn term(field: Field, word: &str, option: IndexRecordOption) -> Box<dyn Clause> {
    Box::new(TermQuery::new(Term::from_field_text(field, word), option))
}

fn boosted(clause: Box<dyn Clause>, boost: f32) -> Box<dyn Clause> {
    Box::new(BoostQuery::new(clause, boost))
}

fn constant(clause: Box<dyn Clause>, score: f32) -> Box<dyn Clause> {
    Box::new(ConstScoreQuery::new(clause, score))
}
