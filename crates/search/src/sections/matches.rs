//! Matches of a query in the texts of a page.

use std::ops::Range;

use super::distance::is_near;
use crate::analyzer::stem_term;
use crate::document::Section;
use crate::query::{Query, Word};
use crate::words::PageWords;

/// Matches of a text that are looked at.
const MATCHES: usize = 200;

/// A match in a text.
pub(super) struct Match {
    /// Headings and texts of sections take turns.
    text: usize,
    /// The position of the run among those of the page.
    pub(super) run: u32,
    /// The word of the query.
    pub(super) word: usize,
    /// The matching bytes of the text.
    pub(super) range: Range<usize>,
}

impl Match {
    /// Returns the position of the section.
    pub(super) fn section(&self) -> usize {
        self.text / 2
    }

    pub(super) fn is_in_heading(&self) -> bool {
        self.text.is_multiple_of(2)
    }

    /// Returns the bit of the word in a set of words.
    pub(super) fn bit(&self) -> u32 {
        u32::try_from(self.word).ok().and_then(|word| 1_u32.checked_shl(word)).unwrap_or(0)
    }
}

/// The forms in which the words of a query are found.
pub(super) struct Matcher<'q> {
    forms: Vec<Form<'q>>,
    is_lenient: bool,
}

enum Form<'q> {
    /// A word or its stem.
    Word { word: usize, text: &'q str, stem: Option<String>, is_prefix: bool },
    /// Characters of a script without spaces.
    Dense { word: usize, text: String },
}

impl<'q> Matcher<'q> {
    pub(super) fn new(query: &'q Query, is_lenient: bool) -> Self {
        let last = query.words.len().saturating_sub(1);
        let mut forms = Vec::new();
        for (word, asked) in query.words.iter().enumerate() {
            let form = |text: &'q str, is_prefix| {
                let stem = query.language.stem(text).map(|stem| stem_term(&stem));
                Form::Word { word, text, stem, is_prefix }
            };
            match asked {
                Word::Plain(text) => forms.push(form(text, word == last)),
                Word::Compound { parts, whole } => {
                    let ends = |at| word == last && at + 1 == parts.len();
                    forms.extend(parts.iter().enumerate().map(|(at, part)| form(part, ends(at))));
                    forms.extend(whole.iter().map(|whole| form(whole, false)));
                }
                Word::Dense(chars) => forms.push(Form::Dense { word, text: chars.iter().collect() }),
            }
        }
        Self { forms, is_lenient }
    }

    /// Returns the matches in the order of the page.
    pub(super) fn matches<'s>(
        &self,
        words: &PageWords,
        section: &impl Fn(usize) -> Option<Section<'s>>,
    ) -> Vec<Match> {
        let mut found = Vec::new();
        for form in &self.forms {
            match form {
                Form::Word { word, text, stem, is_prefix } => {
                    let add = &mut |runs: &[u32]| found.extend(runs.iter().map(|run| (*run, *word)));
                    self.runs(words, text, stem.as_deref(), *is_prefix, add);
                }
                Form::Dense { .. } => {}
            }
        }
        found.sort_unstable();
        // A run is one word of the query, the first that it is.
        found.dedup_by_key(|(run, _)| *run);
        let mut matches: Vec<Match> = Vec::with_capacity(found.len());
        let mut in_text = (usize::MAX, 0);
        for (run, word) in found {
            let text = words.text_of(run);
            in_text = if in_text.0 == text { (text, in_text.1 + 1) } else { (text, 1) };
            if in_text.1 <= MATCHES {
                matches.push(Match { text, run, word, range: words.range(run) });
            }
        }
        if self.add_dense(words, section, &mut matches) {
            matches.sort_by_key(|found| (found.run, found.range.start));
        }
        matches
    }

    fn runs(
        &self,
        words: &PageWords,
        text: &str,
        stem: Option<&str>,
        is_prefix: bool,
        add: &mut dyn FnMut(&[u32]),
    ) {
        if is_prefix {
            words.runs_of_beginning(text).for_each(&mut *add);
        } else {
            add(words.runs_of(text));
        }
        if let Some(stem) = stem {
            add(words.runs_of(stem));
        }
        if self.is_lenient {
            words.all().filter(|(word, _)| is_near(text, word, is_prefix)).for_each(|(_, runs)| add(runs));
        }
    }

    /// Adds matches in scripts without spaces; returns false if there are none.
    fn add_dense<'s>(
        &self,
        words: &PageWords,
        section: &impl Fn(usize) -> Option<Section<'s>>,
        matches: &mut Vec<Match>,
    ) -> bool {
        let before = matches.len();
        for form in &self.forms {
            let Form::Dense { word, text: wanted } = form else { continue };
            for run in words.dense() {
                let (text, range) = (words.text_of(*run), words.range(*run));
                let Some(found) = section(text / 2) else { continue };
                let whole =
                    if text.is_multiple_of(2) { found.heading.unwrap_or_default() } else { found.text };
                let part = whole.get(range.clone()).unwrap_or_default();
                for (at, found) in part.match_indices(wanted.as_str()).take(MATCHES) {
                    let start = range.start + at;
                    let range = start..start + found.len();
                    matches.push(Match { text, run: *run, word: *word, range });
                }
            }
        }
        matches.len() > before
    }
}
