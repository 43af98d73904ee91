//! Text and words of a page in the form that the index stores.
//!
//! An answer shows excerpts of the pages that it found. They come from this record, which is read without being parsed,
//! so that neither a document nor the words of a page are needed. It is one string:
//!
//! - the lengths of the title, the path, the description and the ancestors;
//! - the number of sections, and for each the lengths of its heading, text and anchor (0 for an absent heading or
//!   anchor, otherwise one more than the length);
//! - the lengths of the slots of words, and of the runs of scripts without spaces;
//! - the title, the path, the description, and the titles of the ancestors with NUL between them;
//! - the heading, text and anchor of each section;
//! - the words by slots, in alphabetical order: length, word, length of the occurrences, occurrences;
//! - the runs of scripts without spaces: distance from the end of the one before, length.
//!
//! Words are folded. Stems begin with a control character. A slot contains the words with the same first letter.
//! Occurrences are the start offsets of runs in the texts of all sections, each as the distance from the one before.
//! See [`numbers`] for the encoding of numbers.

mod numbers;
mod slots;
mod writer;

use std::ops::Range;

use self::numbers::take;
use self::slots::{SLOTS, WORD_SLOTS, slot};
pub(crate) use self::writer::record;
use crate::language::Language;
use crate::page::{Page, Section};
use crate::text::first_run;

/// Number of texts before the sections.
const NAMES: usize = 4;

/// Text and words of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageText {
    record: String,
    /// Ends of the title, the path, the description and the ancestors, relative to `start`.
    names: [usize; NAMES],
    sections: Vec<Texts>,
    /// Offset of each slot in `record`: the start of the first, then the end of each.
    slots: [usize; SLOTS + 1],
    /// Offset in `record` of the title and the texts after it. Occurrences are relative to it.
    start: usize,
}

/// Ranges of the parts of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Texts {
    heading: Option<Range<usize>>,
    text: Range<usize>,
    anchor: Option<Range<usize>>,
}

impl PageText {
    /// Builds the record of a page. Words are stemmed in the language.
    #[must_use]
    pub fn new(page: &Page<'_>, language: Language) -> Self {
        Self::read(record(page, language)).unwrap_or_default()
    }

    /// Parses a record; `None` if it is invalid.
    pub(crate) fn read(record: String) -> Option<Self> {
        let rest = &mut record.as_bytes();
        let mut names = [0; NAMES];
        let mut end = 0;
        for name in &mut names {
            end += take(rest)?;
            *name = end;
        }
        let count = take(rest)?;
        let mut sections = Vec::with_capacity(count.min(rest.len()));
        let mut part = |length: usize| {
            let start = end;
            end += length;
            start..end
        };
        for _ in 0..count {
            let (heading, text, anchor) = (take(rest)?, take(rest)?, take(rest)?);
            let heading = heading.checked_sub(1).map(&mut part);
            let text = part(text);
            sections.push(Texts { heading, text, anchor: anchor.checked_sub(1).map(&mut part) });
        }
        let mut slots = [0; SLOTS + 1];
        for slot in slots.iter_mut().skip(1) {
            *slot = take(rest)?;
        }
        let start = record.len() - rest.len();
        let mut at = start + end;
        for slot in &mut slots {
            at += *slot;
            *slot = at;
        }
        (at <= record.len()).then_some(Self { record, names, sections, slots, start })
    }

    /// Returns the title.
    #[must_use]
    pub fn title(&self) -> &str {
        let [end, ..] = self.names;
        self.part(0..end)
    }

    /// Returns the path.
    #[must_use]
    pub fn path(&self) -> &str {
        let [start, end, ..] = self.names;
        self.part(start..end)
    }

    /// Returns the description, or an empty string.
    #[must_use]
    pub fn description(&self) -> &str {
        let [_, start, end, _] = self.names;
        self.part(start..end)
    }

    /// Returns the titles of the ancestors, from the top level down.
    pub fn ancestors(&self) -> impl Iterator<Item = &str> {
        let [.., start, end] = self.names;
        let titles = Some(self.part(start..end)).filter(|titles| !titles.is_empty());
        titles.into_iter().flat_map(|titles| titles.split('\0'))
    }

    /// Returns the section at an index.
    #[must_use]
    pub fn section(&self, at: usize) -> Option<Section<'_>> {
        let Texts { heading, text, anchor } = self.sections.get(at)?;
        let part = |range: &Option<Range<usize>>| range.clone().map(|range| self.part(range));
        Some(Section { anchor: part(anchor), heading: part(heading), text: self.part(text.clone()) })
    }

    /// Returns a range of the texts.
    pub(crate) fn part(&self, range: Range<usize>) -> &str {
        self.record.get(self.start + range.start..self.start + range.end).unwrap_or_default()
    }

    /// Returns the range of the text of a section.
    pub(crate) fn text(&self, section: usize) -> Range<usize> {
        self.sections.get(section).map_or(0..0, |texts| texts.text.clone())
    }

    /// Returns the end of the text with this number. Section `n` has the heading `2n` and the text `2n + 1`.
    pub(crate) fn end_of(&self, text: usize) -> Option<usize> {
        let texts = self.sections.get(text / 2)?;
        let heading = texts.heading.as_ref().map_or(texts.text.start, |heading| heading.end);
        Some(if text.is_multiple_of(2) { heading } else { texts.text.end })
    }

    /// Returns the number of the text that contains an offset. The search starts at the text `first`, which must not be
    /// after it.
    pub(crate) fn text_of(&self, place: usize, first: usize) -> usize {
        let mut text = first;
        while self.end_of(text).is_some_and(|end| end <= place) {
            text += 1;
        }
        text
    }

    /// Returns the run that begins at an offset in a text.
    pub(crate) fn run(&self, place: usize, text: usize) -> Range<usize> {
        let rest = self.part(place..self.end_of(text).unwrap_or(place));
        place..place + first_run(rest)
    }

    /// Returns the occurrences of a word.
    pub(crate) fn word(&self, word: &str) -> Occurrences<'_> {
        let mut entries = self.slot(slot(word)).skip_while(|entry| entry.word < word.as_bytes());
        let found = entries.next().filter(|entry| entry.word == word.as_bytes());
        found.map_or(Occurrences::NONE, |entry| entry.occurrences)
    }

    /// Returns the occurrences of each word with a prefix.
    pub(crate) fn beginning<'t>(&'t self, beginning: &'t str) -> impl Iterator<Item = Occurrences<'t>> {
        let entries = self.slot(slot(beginning)).skip_while(|entry| entry.word < beginning.as_bytes());
        let begun = entries.take_while(|entry| entry.word.starts_with(beginning.as_bytes()));
        begun.map(|entry| entry.occurrences)
    }

    /// Returns the words, without stems, with their occurrences.
    pub(crate) fn words(&self) -> impl Iterator<Item = (&str, Occurrences<'_>)> {
        let entries = (0..WORD_SLOTS).flat_map(|number| self.slot(number));
        entries.filter_map(|entry| Some((str::from_utf8(entry.word).ok()?, entry.occurrences)))
    }

    /// Returns the runs of scripts without spaces.
    pub(crate) fn dense(&self) -> impl Iterator<Item = Range<usize>> {
        let [.., start] = self.slots;
        let mut rest = self.record.as_bytes().get(start..).unwrap_or_default();
        let mut end = 0;
        std::iter::from_fn(move || {
            let start = end + take(&mut rest)?;
            end = start + take(&mut rest)?;
            Some(start..end)
        })
    }

    fn slot(&self, number: usize) -> Entries<'_> {
        let bounds = self.slots.get(number).zip(self.slots.get(number + 1));
        let bytes = bounds.and_then(|(start, end)| self.record.as_bytes().get(*start..*end));
        Entries(bytes.unwrap_or_default())
    }
}

impl Default for PageText {
    /// Returns the record of a page without text.
    fn default() -> Self {
        Self {
            record: String::new(),
            names: [0; NAMES],
            sections: Vec::new(),
            slots: [0; SLOTS + 1],
            start: 0,
        }
    }
}

/// Word and its occurrences.
struct Entry<'t> {
    word: &'t [u8],
    occurrences: Occurrences<'t>,
}

/// Encoded words of a slot.
struct Entries<'t>(&'t [u8]);

impl<'t> Iterator for Entries<'t> {
    type Item = Entry<'t>;

    fn next(&mut self) -> Option<Entry<'t>> {
        let length = take(&mut self.0)?;
        let word = self.0.split_off(..length)?;
        let length = take(&mut self.0)?;
        let rest = self.0.split_off(..length)?;
        Some(Entry { word, occurrences: Occurrences { rest, last: 0 } })
    }
}

/// Offsets at which the runs with a word begin, in order.
#[derive(Clone)]
pub(crate) struct Occurrences<'t> {
    rest: &'t [u8],
    last: usize,
}

impl Occurrences<'_> {
    const NONE: Self = Self { rest: &[], last: 0 };
}

impl Iterator for Occurrences<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.last += take(&mut self.rest)?;
        Some(self.last)
    }
}

#[cfg(test)]
mod tests {
    use quire_domain::ids::PageId;
    use uuid::Uuid;

    use super::PageText;
    use crate::language::Language;
    use crate::page::{Context, Page, Section};

    fn page<'t>(sections: &[Section<'t>]) -> Page<'t> {
        let id = PageId::from_uuid(Uuid::nil());
        let context = Context { description: "About it", ancestors: vec!["Guides", "Über"] };
        Page { id, title: "Title", path: "a/path", context, sections: sections.to_vec() }
    }

    fn section<'t>(heading: Option<&'t str>, text: &'t str) -> Section<'t> {
        Section { anchor: heading.map(|_| "anchor"), heading, text }
    }

    #[test]
    fn words_are_found_with_their_runs() {
        let sections = [section(Some("Get names"), "getName 安装 name"), section(None, "Über names")];
        let text = PageText::new(&page(&sections), Language::from_name("english").unwrap());
        let run = |place| text.part(text.run(place, text.text_of(place, 0)));
        let found = |word: &str| -> Vec<&str> { text.word(word).map(run).collect() };
        assert_eq!(found("name"), ["getName", "name"]);
        assert_eq!(found("\u{1}name"), ["names", "getName", "name", "names"]);
        assert_eq!((found("uber"), found("ueber"), found("u")), (vec!["Über"], vec!["Über"], vec![]));
        let begun: Vec<&str> = text.beginning("n").flatten().map(run).collect();
        assert_eq!(begun, ["getName", "name", "names", "names"]);
        let dense: Vec<&str> = text.dense().map(|run| text.part(run)).collect();
        assert_eq!(dense, ["安装"]);
        let all: Vec<&str> = text.words().map(|(word, _)| word).collect();
        assert_eq!(all, ["get", "getname", "name", "names", "uber", "ueber"]);
    }

    #[test]
    fn sections_are_read_back() {
        let sections = [section(None, "Above."), section(Some(""), ""), section(Some("Über"), "安装 it")];
        let text = PageText::new(&page(&sections), Language::SIMPLE);
        let read: Vec<Section<'_>> = (0..).map_while(|at| text.section(at)).collect();
        assert_eq!(read, sections);
        let ends: Vec<usize> = (0..).map_while(|text_number| text.end_of(text_number)).collect();
        // The title, the path, the description and the ancestors have 31 bytes.
        assert_eq!(ends, [31, 37, 37, 37, 48, 57]);
        assert_eq!((text.title(), text.path(), text.description()), ("Title", "a/path", "About it"));
        assert_eq!(text.ancestors().collect::<Vec<_>>(), ["Guides", "Über"]);
        assert_eq!(text.part(text.text(2)), "安装 it");
    }

    #[test]
    fn other_strings_are_no_records() {
        let record = super::record(&page(&[section(Some("A heading"), "and a text")]), Language::SIMPLE);
        assert!(PageText::read(record.clone()).is_some());
        for cut in (0..record.len() - 1).filter_map(|end| record.get(..end)) {
            // A truncated record is invalid, or has fewer parts.
            let read = PageText::read(cut.to_owned());
            let words = read.iter().flat_map(PageText::words).count();
            assert!(words <= 4, "{cut:?}");
        }
        assert_eq!(PageText::read("\u{7f}".repeat(20)), None);
        assert_eq!(PageText::new(&page(&[]), Language::SIMPLE).section(0), None);
        let bare = Page { context: Context::default(), ..page(&[]) };
        assert_eq!(PageText::new(&bare, Language::SIMPLE).ancestors().count(), 0);
    }
}
