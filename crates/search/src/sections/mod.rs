//! Best matching sections of a page.

mod distance;
mod matches;

use std::cmp::Ordering;
use std::ops::Range;

use self::matches::{Match, Matcher};
use crate::excerpt::{Excerpt, excerpt};
use crate::page_text::PageText;
use crate::query::Query;

/// Maximum number of sections of a page in an answer.
const SECTIONS: usize = 3;
/// Maximum distance in bytes of words in the same excerpt.
const NEAR: usize = 150;

/// Matching section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundSection {
    /// Index among the sections of the page.
    pub index: usize,
    /// Words around the match.
    pub excerpt: Excerpt,
}

/// Search for the best sections of pages.
pub struct SectionFinder<'q> {
    exact: Matcher<'q>,
    lenient: Matcher<'q>,
}

impl Query {
    /// Returns a search for sections with the words of the query.
    #[must_use]
    pub fn section_finder(&self) -> SectionFinder<'_> {
        SectionFinder { exact: Matcher::new(self, false), lenient: Matcher::new(self, true) }
    }
}

impl SectionFinder<'_> {
    /// Returns the best sections of a page, best first. Words with typing errors only match if no word matches exactly.
    /// The text must have been built in the language of the query.
    #[must_use]
    pub fn find(&self, page: &PageText) -> Vec<FoundSection> {
        let mut found = self.exact.matches(page);
        if found.is_empty() {
            found = self.lenient.matches(page);
        }
        best(&found, page)
    }
}

/// Rank of a section. The number of different words takes precedence over their score.
struct Rank {
    words: u32,
    score: f32,
}

impl Rank {
    fn cmp(&self, other: &Self) -> Ordering {
        self.words.cmp(&other.words).then(self.score.total_cmp(&other.score))
    }
}

/// Returns the best sections, given the matches in the order of the page.
fn best(matches: &[Match], page: &PageText) -> Vec<FoundSection> {
    let mut found: Vec<(Rank, usize, &[Match])> = Vec::new();
    for matches in matches.chunk_by(|a, b| a.section() == b.section()) {
        let (heading, body) = matches.split_at(matches.partition_point(Match::is_in_heading));
        let words = matches.iter().fold(0_u32, |words, found| words | found.bit()).count_ones();
        let score = score(heading) * 3.0 + score(body);
        if let Some(first) = matches.first() {
            found.push((Rank { words, score }, first.section(), body));
        }
    }
    found.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    found.truncate(SECTIONS);
    let shown = |(_, index, matches): (Rank, usize, &[Match])| {
        let text = page.text(index);
        let place = |place: usize| place.saturating_sub(text.start);
        let range = |found: &Match| place(found.range.start)..place(found.range.end);
        let ranges: Vec<Range<usize>> = matches.iter().map(range).collect();
        FoundSection { index, excerpt: excerpt(page.part(text.clone()), place(densest(matches)), &ranges) }
    };
    found.into_iter().map(shown).collect()
}

/// Scores different words, longer ones higher, and words that follow each other as in the query.
fn score(matches: &[Match]) -> f32 {
    let (mut seen, mut score) = (0_u32, 0.0);
    for found in matches {
        if seen & found.bit() == 0 {
            seen |= found.bit();
            let length = u16::try_from(found.range.len()).unwrap_or(u16::MAX);
            score += 1.0 + f32::from(length.min(12)) / 4.0;
        }
        score += 0.01;
    }
    let in_a_row = matches
        .windows(2)
        .filter(|pair| matches!(pair, [a, b] if b.is_next && (a.word + 1 == b.word || a.word == b.word)));
    score + f32::from(u16::try_from(in_a_row.count()).unwrap_or(u16::MAX).min(8)) * 2.0
}

/// Returns the start of the part of a text with the most different words.
fn densest(matches: &[Match]) -> usize {
    let mut best = (0, 0);
    let mut end = 0;
    for (index, first) in matches.iter().enumerate() {
        let bound = first.range.start + NEAR;
        let added = matches.iter().skip(end).take_while(|other| other.range.end <= bound).count();
        end = (end + added).max(index);
        let near = matches.get(index..end).unwrap_or_default();
        let words = near.iter().fold(0_u32, |words, found| words | found.bit()).count_ones();
        let in_a_row = near.windows(2).filter(|pair| matches!(pair, [a, b] if a.word + 1 == b.word));
        let count = usize::try_from(words).unwrap_or(0) * 2 + in_a_row.count();
        if count > best.0 {
            best = (count, first.range.start);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use quire_domain::ids::PageId;
    use uuid::Uuid;

    use super::FoundSection;
    use crate::page::{Context, Page, Section};
    use crate::{Language, PageText, Query};

    fn found(language: &str, query: &str, sections: &[(&str, &str)]) -> Vec<FoundSection> {
        let language = Language::from_name(language).unwrap();
        let sections = sections.iter();
        let sections =
            sections.map(|(heading, text)| Section { anchor: None, heading: Some(*heading), text });
        let sections = sections.collect();
        let page = Page {
            id: PageId::from_uuid(Uuid::nil()),
            title: "",
            path: "",
            context: Context::default(),
            sections,
        };
        Query::new(query, language).section_finder().find(&PageText::new(&page, language))
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
        let indexes: Vec<usize> = sections.iter().map(|section| section.index).collect();
        assert_eq!(indexes, [2, 0, 1]);
        assert_eq!(marked(&sections[0]), ["binary", "start"]);
    }

    #[test]
    fn forms_of_words_are_marked() {
        for (language, query, text, marks) in [
            ("english", "paints house", "They painted houses.", vec!["painted", "houses"]),
            // A name that matches by its beginning is marked completely.
            ("simple", "user", "getUserName is a user_id", vec!["getUserName", "user", "id"]),
            ("simple", "username", "Set user_name.", vec!["user", "name"]),
            ("simple", "user_name", "Set username.", vec!["username"]),
            ("simple", "uebersicht", "Die Übersicht", vec!["Übersicht"]),
            ("simple", "ubers", "Die Übersicht", vec!["Übersicht"]),
            ("simple", "安装", "使用Rust安装数据库", vec!["安装"]),
            ("simple", "instalation", "The installation.", vec!["installation"]),
            ("simple", "xuzqi", "Nothing", vec![]),
            // The last part only matches as a prefix after the parts before it.
            ("simple", "don't", "The time when they don't.", vec!["don", "t"]),
            ("simple", "it's", "Some say it's so.", vec!["it", "s"]),
            ("simple", "getNa", "Names are read by getName.", vec!["getName"]),
            ("simple", "quire.to", "Take quire.toml to it.", vec!["quire", "toml", "to"]),
        ] {
            let sections = found(language, query, &[("", text)]);
            assert_eq!(sections.first().map(marked).unwrap_or_default(), marks, "{query}");
        }
    }
}
