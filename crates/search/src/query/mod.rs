//! Queries: parsing of the user's text, and its translation for the engine.
//!
//! A page matches if it has each word. Words joined by punctuation, such as `a.b.c`, are one word of several parts,
//! which must follow each other in the page. The last word may be a prefix.

mod clauses;
mod lists;
mod rows;

pub(crate) use clauses::Clauses;
pub(crate) use lists::{List, Lists, WordLists};
pub(crate) use rows::Rows;

use crate::language::Language;
use crate::text::{Run, dense_chars, fold, fold_joined, parts, runs};

/// Maximum number of words of a query; further words are ignored.
const WORDS: usize = 16;
/// Maximum number of words and parts of a query that allows errors, since each is compared with the whole dictionary.
const MAX_FUZZY_WORDS: usize = 12;
/// Maximum number of characters of a word; further ones are ignored.
const WORD_CHARS: usize = 100;

/// Parsed query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    pub(crate) words: Vec<Word>,
    /// Folded words as one term, in the form of the fields of whole titles.
    pub(crate) whole: String,
    pub(crate) language: Language,
    pub(crate) scope: QueryScope,
}

/// Parts of pages that a query searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum QueryScope {
    /// Titles, headings and text.
    #[default]
    Pages,
    /// Titles only.
    Titles,
}

/// Word of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// Letters and digits, folded.
    Plain(String),
    /// Folded words that must follow each other. `whole` is the word that they are parts of.
    Compound { parts: Vec<String>, whole: Option<String> },
    /// Characters of a script without spaces.
    Dense(Vec<char>),
}

/// Allowed differences between a word and its matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Leniency {
    /// The word itself, or its stem.
    Exact,
    /// One typing error, or a part of a compound.
    OneError,
    /// Two typing errors in long words.
    TwoErrors,
}

impl Query {
    /// Parses a query. `language` must be the language that the searched pages were indexed in.
    #[must_use]
    pub fn new(text: &str, language: Language) -> Self {
        let words: Vec<Word> = text.split_whitespace().flat_map(words_of).take(WORDS).collect();
        Self { words, whole: crate::document::whole(text), language, scope: QueryScope::Pages }
    }

    /// Parses a query for the titles of pages.
    #[must_use]
    pub fn for_titles(text: &str, language: Language) -> Self {
        Self { scope: QueryScope::Titles, ..Self::new(text, language) }
    }

    /// Returns the language for stemming.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    /// Returns whether the query has too many words to allow errors.
    pub(crate) fn is_long(&self) -> bool {
        self.words.iter().map(Word::positions).sum::<usize>() > MAX_FUZZY_WORDS
    }

    /// Returns whether the query has no word, and so no matches.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

/// Returns the words of a text without white space.
fn words_of(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut joined: Vec<Run<'_>> = Vec::new();
    for run in runs(text) {
        if run.is_dense {
            words.extend(joined_word(&joined));
            joined.clear();
            words.push(Word::Dense(dense_chars(run.text).take(WORD_CHARS).collect()));
        } else {
            joined.push(run);
        }
    }
    words.extend(joined_word(&joined));
    words
}

/// Returns the word for runs that are only separated by punctuation.
fn joined_word(joined: &[Run<'_>]) -> Option<Word> {
    let pieces = joined.iter().flat_map(|run| {
        let ranges = parts(run.text);
        if ranges.is_empty() {
            return vec![fold(run.text)];
        }
        ranges.into_iter().filter_map(|range| run.text.get(range)).map(fold).collect()
    });
    let mut pieces: Vec<String> = pieces.filter(|piece| !piece.is_empty()).take(WORDS).collect();
    if pieces.len() > 1 {
        let is_identifier = joined.iter().skip(1).all(|run| run.is_joined);
        let whole = is_identifier.then(|| fold_joined(joined));
        return Some(Word::Compound { parts: pieces, whole });
    }
    pieces.pop().map(Word::Plain)
}

#[cfg(test)]
mod tests {
    use super::{Query, Word};
    use crate::language::Language;

    #[test]
    fn words_are_plain_compound_or_dense() {
        let compound = |parts: &[&str], whole: Option<&str>| Word::Compound {
            parts: parts.iter().map(|part| (*part).to_owned()).collect(),
            whole: whole.map(str::to_owned),
        };
        let query = Query::new(" \"How\" quire.toml? getName user_id rust安装 & ", Language::SIMPLE);
        assert_eq!(
            query.words,
            [
                Word::Plain("how".to_owned()),
                compound(&["quire", "toml"], Some("quiretoml")),
                compound(&["get", "name"], Some("getname")),
                compound(&["user", "id"], Some("userid")),
                Word::Plain("rust".to_owned()),
                Word::Dense(vec!['安', '装']),
            ]
        );
        assert!(Query::new("??? \u{301}", Language::SIMPLE).is_empty());
        assert_eq!(Query::new(&"ab ".repeat(99), Language::SIMPLE).words.len(), 16);
    }
}
