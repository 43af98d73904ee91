//! Matches of a query in the texts of a page.

use std::ops::Range;

use super::distance::is_near;
use crate::analyzer::stem_term;
use crate::page_text::{Occurrences, PageText};
use crate::query::{Query, Word};
use crate::text::is_blank;

/// Maximum number of matches per text.
const MATCHES: usize = 200;

/// Match in a text. Ranges are relative to the texts of the page.
pub(super) struct Match {
    /// Number of the text: section `n` has the heading `2n` and the text `2n + 1`.
    text: usize,
    /// Run that contains the match.
    run: Range<usize>,
    /// Index of the word of the query.
    pub(super) word: usize,
    pub(super) range: Range<usize>,
    /// The run directly follows the run of the match before.
    pub(super) is_next: bool,
    /// Index of the part of the word.
    part: usize,
    /// The last part of a word of the query, matched as a prefix. It only counts after the part before it, such as the
    /// `t` of `don't`.
    is_begun_part: bool,
}

impl Match {
    /// Returns the index of the section.
    pub(super) fn section(&self) -> usize {
        self.text / 2
    }

    pub(super) fn is_in_heading(&self) -> bool {
        self.text.is_multiple_of(2)
    }

    /// Returns the word as a bit of a set of words.
    pub(super) fn bit(&self) -> u32 {
        u32::try_from(self.word).ok().and_then(|word| 1_u32.checked_shl(word)).unwrap_or(0)
    }
}

/// Forms to search for the words of a query.
pub(super) struct Matcher<'q> {
    forms: Vec<Form<'q>>,
    is_lenient: bool,
}

enum Form<'q> {
    /// A word or its stem.
    Word { word: usize, text: &'q str, stem: Option<String>, is_prefix: bool, part: usize },
    /// Characters of a script without spaces.
    Dense { word: usize, text: String },
}

impl<'q> Matcher<'q> {
    pub(super) fn new(query: &'q Query, is_lenient: bool) -> Self {
        let last = query.words.len().saturating_sub(1);
        let mut forms = Vec::new();
        for (word, asked) in query.words.iter().enumerate() {
            let form = |text: &'q str, is_prefix, part| {
                let stem = query.language.stem(text).map(|stem| stem_term(&stem));
                Form::Word { word, text, stem, is_prefix, part }
            };
            match asked {
                Word::Plain(text) => forms.push(form(text, word == last, 0)),
                Word::Compound { parts, whole } => {
                    let ends = |at| word == last && at + 1 == parts.len();
                    forms.extend(parts.iter().enumerate().map(|(at, part)| form(part, ends(at), at)));
                    forms.extend(whole.iter().map(|whole| form(whole, false, 0)));
                }
                Word::Dense(chars) => forms.push(Form::Dense { word, text: chars.iter().collect() }),
            }
        }
        Self { forms, is_lenient }
    }

    /// Returns the matches in the order of the page.
    pub(super) fn matches(&self, page: &PageText) -> Vec<Match> {
        let mut found = Vec::new();
        for form in &self.forms {
            if let Form::Word { word, text, stem, is_prefix, part } = form {
                let is_begun_part = *is_prefix && *part > 0;
                if is_begun_part {
                    found.extend(page.word(text).map(|place| (place, *word, *part, false)));
                }
                let add = &mut |places: Occurrences<'_>| {
                    found.extend(places.map(|place| (place, *word, *part, is_begun_part)));
                };
                self.places(page, text, stem.as_deref(), *is_prefix, add);
            }
        }
        found.sort_unstable();
        // A run matches only one word of the query, the first in this order.
        found.dedup_by_key(|(place, ..)| *place);
        let mut matches: Vec<Match> = Vec::with_capacity(found.len());
        let (mut text, mut in_text) = (0, 0);
        for (place, word, part, is_begun_part) in found {
            let before = text;
            text = page.text_of(place, before);
            in_text = if before == text { in_text + 1 } else { 1 };
            if in_text <= MATCHES {
                let run = page.run(place, text);
                let range = run.clone();
                matches.push(Match { text, word, range, run, is_next: false, part, is_begun_part });
            }
        }
        if self.add_dense(page, &mut matches) {
            matches.sort_by_key(|found| found.range.start);
        }
        let mut before: Option<(usize, usize, usize)> = None;
        matches.retain_mut(|found| {
            let end = before.map(|(.., end)| end).filter(|end| *end <= found.run.start);
            found.is_next = end.is_some_and(|end| is_blank(page.part(end..found.run.start)));
            let is_after_part =
                before.is_some_and(|(word, part, _)| word == found.word && part + 1 == found.part);
            let is_match = !found.is_begun_part || (found.is_next && is_after_part);
            if is_match {
                before = Some((found.word, found.part, found.run.end));
            }
            is_match
        });
        matches
    }

    fn places(
        &self,
        page: &PageText,
        text: &str,
        stem: Option<&str>,
        is_prefix: bool,
        add: &mut dyn FnMut(Occurrences<'_>),
    ) {
        if is_prefix {
            page.beginning(text).for_each(&mut *add);
        } else {
            add(page.word(text));
        }
        if let Some(stem) = stem {
            add(page.word(stem));
        }
        if self.is_lenient {
            let near = page.words().filter(|(word, _)| is_near(text, word, is_prefix));
            near.for_each(|(_, places)| add(places));
        }
    }

    /// Adds matches in scripts without spaces, and returns whether there are any.
    fn add_dense(&self, page: &PageText, matches: &mut Vec<Match>) -> bool {
        let before = matches.len();
        for form in &self.forms {
            let Form::Dense { word, text: wanted } = form else { continue };
            let mut text = 0;
            for run in page.dense() {
                text = page.text_of(run.start, text);
                for (at, found) in page.part(run.clone()).match_indices(wanted.as_str()).take(MATCHES) {
                    let start = run.start + at;
                    let range = start..start + found.len();
                    let run = run.clone();
                    let (is_next, is_begun_part) = (false, false);
                    matches.push(Match { text, run, word: *word, range, is_next, part: 0, is_begun_part });
                }
            }
        }
        matches.len() > before
    }
}
