//! The sections of a page that match best.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::Range;

use crate::document::Section;
use crate::excerpt::{Excerpt, excerpt};
use crate::language::Language;
use crate::query::{Query, Word};
use crate::text::{Run, fold_into, fold_umlauts, parts, runs};

/// Sections of a page that are shown.
const SECTIONS: usize = 3;
/// Matches of a section that are looked at.
const MATCHES: usize = 200;
/// Bytes within which words belong to the same excerpt.
const NEAR: usize = 150;

/// A section that matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundSection {
    /// Its position among the given sections.
    pub place: usize,
    /// The words around the match.
    pub excerpt: Excerpt,
}

impl Query {
    /// Returns the best sections of a page, best first. If no word is found as it is written, words with typing errors are.
    #[must_use]
    pub fn sections<'s>(&self, sections: impl Iterator<Item = Section<'s>> + Clone) -> Vec<FoundSection> {
        [false, true]
            .into_iter()
            .map(|is_lenient| Matcher::new(self, is_lenient).best(sections.clone()))
            .find(|found| !found.is_empty())
            .unwrap_or_default()
    }
}

/// The rank of a section. More words of the query come first, whatever they weigh.
struct Rank {
    words: usize,
    score: f32,
}

impl Rank {
    fn cmp(&self, other: &Self) -> Ordering {
        self.words.cmp(&other.words).then(self.score.total_cmp(&other.score))
    }
}

/// A match in a text.
struct Match {
    range: Range<usize>,
    /// The word of the query.
    word: usize,
    /// The position of the run in the text.
    run: usize,
}

struct Matcher<'q> {
    forms: Vec<Form<'q>>,
    words: usize,
    /// ASCII letters and digits that a form begins with.
    first: [bool; 128],
    language: Language,
    is_lenient: bool,
}

/// A form in which a word of the query is found.
struct Form<'q> {
    word: usize,
    text: &'q str,
    stem: Option<String>,
    is_prefix: bool,
    dense: Option<String>,
}

impl<'q> Matcher<'q> {
    fn new(query: &'q Query, is_lenient: bool) -> Self {
        let last = query.words.len().saturating_sub(1);
        let mut forms = Vec::new();
        for (word, asked) in query.words.iter().enumerate() {
            let form = |text: &'q str, is_prefix| Form {
                word,
                text,
                stem: query.language.stem(text).map(|stem| stem.into_owned()),
                is_prefix,
                dense: None,
            };
            match asked {
                Word::Plain(text) => forms.push(form(text, word == last)),
                Word::Compound { parts, whole } => {
                    let ends = |at| word == last && at + 1 == parts.len();
                    forms.extend(parts.iter().enumerate().map(|(at, part)| form(part, ends(at))));
                    forms.extend(whole.iter().map(|whole| form(whole, false)));
                }
                Word::Dense(chars) => {
                    let dense = Some(chars.iter().collect());
                    forms.push(Form { word, text: "", stem: None, is_prefix: false, dense });
                }
            }
        }
        let mut first = [false; 128];
        for byte in forms.iter().filter_map(|form| form.text.bytes().next()) {
            if let Some(first) = first.get_mut(usize::from(byte)) {
                *first = true;
            }
        }
        Self { forms, words: query.words.len(), first, language: query.language, is_lenient }
    }

    fn best<'s>(&self, sections: impl Iterator<Item = Section<'s>>) -> Vec<FoundSection> {
        let mut folded = String::new();
        let mut found: Vec<(Rank, usize, Section<'s>, Vec<Match>)> = Vec::new();
        for (place, section) in sections.enumerate() {
            let heading = section.heading.map_or(Vec::new(), |heading| self.matches(heading, &mut folded));
            let body = self.matches(section.text, &mut folded);
            if !heading.is_empty() || !body.is_empty() {
                let words: BTreeSet<usize> = heading.iter().chain(&body).map(|found| found.word).collect();
                let score = self.score(&heading) * 3.0 + self.score(&body);
                found.push((Rank { words: words.len(), score }, place, section, body));
            }
        }
        found.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        found.truncate(SECTIONS);
        let shown = |(_, place, section, matches): (Rank, usize, Section<'s>, Vec<Match>)| {
            let first = densest(&matches);
            let ranges: Vec<Range<usize>> = matches.into_iter().map(|found| found.range).collect();
            FoundSection { place, excerpt: excerpt(section.text, first, &ranges) }
        };
        found.into_iter().map(shown).collect()
    }

    fn matches(&self, text: &str, folded: &mut String) -> Vec<Match> {
        let mut matches = Vec::new();
        for (place, run) in runs(text).enumerate() {
            if run.is_dense {
                self.dense_matches(&run, place, &mut matches);
            } else if let Some(word) = self.word_of(run.text, folded) {
                let range = run.start..run.start + run.text.len();
                matches.push(Match { range, word, run: place });
            }
            if matches.len() >= MATCHES {
                break;
            }
        }
        matches
    }

    fn dense_matches(&self, run: &Run<'_>, place: usize, matches: &mut Vec<Match>) {
        let known = matches.len();
        for form in &self.forms {
            let Some(wanted) = &form.dense else { continue };
            for (at, found) in run.text.match_indices(wanted.as_str()).take(MATCHES) {
                let start = run.start + at;
                matches.push(Match { range: start..start + found.len(), word: form.word, run: place });
            }
        }
        if let Some(new) = matches.get_mut(known..) {
            new.sort_by_key(|found| found.range.start);
        }
    }

    /// Returns the word of the query that a word of a text is.
    fn word_of(&self, word: &str, folded: &mut String) -> Option<usize> {
        let is_plain = word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
            || (word.is_ascii() && !word.bytes().skip(1).any(|byte| byte.is_ascii_uppercase()));
        if is_plain {
            let first = word.bytes().next()?.to_ascii_lowercase();
            // A letter that is forgotten may be the first.
            if !self.is_lenient && !self.first.get(usize::from(first)).is_some_and(|known| *known) {
                return None;
            }
            return self.form_of(word, folded);
        }
        self.form_of(word, folded)
            .or_else(|| fold_umlauts(word).and_then(|spelled| self.form_of(&spelled, folded)))
            .or_else(|| parts(word).into_iter().find_map(|part| self.form_of(word.get(part)?, folded)))
    }

    fn form_of(&self, word: &str, folded: &mut String) -> Option<usize> {
        folded.clear();
        fold_into(word, folded);
        let mut stem = None;
        let is_found = |form: &&Form<'_>| {
            if form.dense.is_some() {
                return false;
            }
            if folded == form.text || (form.is_prefix && folded.starts_with(form.text)) {
                return true;
            }
            if let Some(wanted) = &form.stem
                && folded.as_bytes().first() == wanted.as_bytes().first()
            {
                let stem =
                    stem.get_or_insert_with(|| self.language.stem(folded).map(|stem| stem.into_owned()));
                return stem.as_ref() == Some(wanted);
            }
            self.is_lenient && is_near(form, folded)
        };
        self.forms.iter().find(is_found).map(|form| form.word)
    }

    /// Counts different words, long ones more, and words that follow each other as in the query.
    fn score(&self, matches: &[Match]) -> f32 {
        let mut seen = vec![false; self.words];
        let mut score = 0.0;
        for found in matches {
            if let Some(seen) = seen.get_mut(found.word)
                && !std::mem::replace(seen, true)
            {
                let length = u16::try_from(found.range.len()).unwrap_or(u16::MAX);
                score += 1.0 + f32::from(length.min(12)) / 4.0;
            }
            score += 0.01;
        }
        let in_a_row = matches.windows(2).filter(
            |pair| matches!(pair, [a, b] if a.run + 1 == b.run && (a.word + 1 == b.word || a.word == b.word)),
        );
        score + f32::from(u16::try_from(in_a_row.count()).unwrap_or(u16::MAX).min(8)) * 2.0
    }
}

/// Reports whether a word of a text is a word of the query with typing errors, or has it as a part.
fn is_near(form: &Form<'_>, word: &str) -> bool {
    let length = form.text.chars().count();
    if length < 4 {
        return false;
    }
    let bound = if length < 8 { 1 } else { 2 };
    word.contains(form.text) || distance(form.text, word, form.is_prefix) <= bound
}

/// Returns the number of letters that are missing, added, replaced or swapped; of the beginning of `word` for a prefix.
fn distance(wanted: &str, word: &str, is_prefix: bool) -> usize {
    let (wanted, word): (Vec<char>, Vec<char>) = (wanted.chars().collect(), word.chars().take(100).collect());
    if word.len() + 2 < wanted.len() || (!is_prefix && wanted.len() + 2 < word.len()) {
        return usize::MAX;
    }
    let at = |row: &[usize], place: usize| row.get(place).copied().unwrap_or(usize::MAX / 2);
    let (mut before, mut last): (Vec<usize>, Vec<usize>) = (Vec::new(), (0..=word.len()).collect());
    for (i, a) in wanted.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in word.iter().enumerate() {
            let mut best =
                (at(&last, j + 1) + 1).min(at(&row, j) + 1).min(at(&last, j) + usize::from(a != b));
            if i > 0 && j > 0 && wanted.get(i - 1) == Some(b) && word.get(j - 1) == Some(a) {
                best = best.min(at(&before, j - 1) + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    if is_prefix { last.iter().min().copied() } else { last.last().copied() }.unwrap_or(usize::MAX)
}

/// Returns where the part of a text begins that has the most different words.
fn densest(matches: &[Match]) -> usize {
    let mut best = (0, 0);
    for (place, first) in matches.iter().enumerate() {
        let near = matches.iter().skip(place).take_while(|other| other.range.end <= first.range.start + NEAR);
        let mut words: Vec<usize> = near.map(|found| found.word).collect();
        let in_a_row = words.windows(2).filter(|pair| matches!(pair, [a, b] if a + 1 == *b)).count();
        words.sort_unstable();
        words.dedup();
        let count = words.len() * 2 + in_a_row;
        if count > best.0 {
            best = (count, first.range.start);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::{FoundSection, distance};
    use crate::document::Section;
    use crate::{Language, Query};

    fn found(language: &str, query: &str, sections: &[(&str, &str)]) -> Vec<FoundSection> {
        let language = Language::from_name(language).unwrap();
        let sections = sections.iter().map(|(heading, text)| Section { heading: Some(heading), text });
        Query::new(query, language).sections(sections)
    }

    fn marked(section: &FoundSection) -> Vec<String> {
        let chars: Vec<char> = section.excerpt.text.chars().collect();
        section.excerpt.marks.iter().map(|mark| chars[mark.clone()].iter().collect()).collect()
    }

    #[test]
    fn the_section_with_most_words_comes_first() {
        let sections =
            [("Start", "Nothing."), ("One", "The binary."), ("Two", "Download the binary and start it.")];
        let sections = found("simple", "start binary", &sections);
        let places: Vec<usize> = sections.iter().map(|section| section.place).collect();
        assert_eq!(places, [2, 0, 1]);
        assert_eq!(marked(&sections[0]), ["binary", "start"]);
    }

    #[test]
    fn forms_of_words_are_marked() {
        for (language, query, text, marks) in [
            ("english", "paints house", "They painted houses.", vec!["painted", "houses"]),
            ("simple", "user", "getUserName is a user_id", vec!["getUserName", "user"]),
            ("simple", "uebersicht", "Die Übersicht", vec!["Übersicht"]),
            ("simple", "ubers", "Die Übersicht", vec!["Übersicht"]),
            ("simple", "安装", "使用Rust安装数据库", vec!["安装"]),
            ("simple", "instalation", "The installation.", vec!["installation"]),
            ("simple", "xuzqi", "Nothing", vec![]),
        ] {
            let sections = found(language, query, &[("", text)]);
            assert_eq!(sections.first().map(marked).unwrap_or_default(), marks, "{query}");
        }
    }

    #[test]
    fn distances_count_letters() {
        for (a, b, expected) in
            [("abc", "abc", 0), ("abc", "abd", 1), ("abcd", "acbd", 1), ("abc", "abcd", 1), ("abcd", "bd", 2)]
        {
            assert_eq!(distance(a, b, false), expected, "{a} {b}");
        }
        assert_eq!(distance("insal", "installation", true), 1);
    }
}
