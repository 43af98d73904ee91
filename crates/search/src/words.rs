//! The words of a page with their occurrences.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::analyzer::stem_term;
use crate::document::Section;
use crate::language::Language;
use crate::text::{Run, fold, fold_joined, fold_umlauts, joined, joined_runs, parts, read_identifier, runs};

/// The words of a page's sections with their occurrences, so that a search finds its matches without reading the text.
#[derive(Debug)]
pub struct PageWords {
    /// Folded words and the terms of their stems in alphabetical order, without separators.
    words: Box<str>,
    /// For each word its end in `words` and the end of its occurrences.
    ends: Box<[(u32, u32)]>,
    /// Numbers of the runs in which words occur.
    occurrences: Box<[u32]>,
    /// The byte range of each run in its text.
    runs: Box<[Range<u32>]>,
    /// Numbers of the runs of scripts without spaces.
    dense: Box<[u32]>,
    /// Number of the first run after each text: headings and texts of sections take turns.
    texts: Box<[u32]>,
}

impl PageWords {
    /// Reads the words of sections. Stems are those of the language.
    #[must_use]
    pub fn new<'s>(sections: impl Iterator<Item = Section<'s>>, language: Language) -> Self {
        let mut reader = Reader { language, ..Reader::default() };
        for section in sections {
            reader.read(section.heading.unwrap_or_default());
            reader.read(section.text);
        }
        reader.finish()
    }

    /// Returns the memory that the words take, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.words.len()
            + size_of_val(&*self.ends)
            + size_of_val(&*self.occurrences)
            + size_of_val(&*self.runs)
            + size_of_val(&*self.dense)
            + size_of_val(&*self.texts)
    }

    /// Returns the numbers of the runs in which a word occurs.
    pub(crate) fn runs_of(&self, word: &str) -> &[u32] {
        let at = self.position(word);
        if self.word(at) == Some(word) { self.runs_at(at) } else { &[] }
    }

    /// Returns the numbers of the runs of each word that begins so.
    pub(crate) fn runs_of_beginning<'w>(&'w self, beginning: &'w str) -> impl Iterator<Item = &'w [u32]> {
        let first = self.position(beginning);
        let begun = (first..self.ends.len())
            .take_while(move |at| self.word(*at).is_some_and(|word| word.starts_with(beginning)));
        begun.map(|at| self.runs_at(at))
    }

    /// Returns the words, without stems, with the numbers of their runs.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &[u32])> {
        // Terms of stems come first, since a control character separates them.
        let words = (0..self.ends.len()).filter_map(|at| Some((self.word(at)?, self.runs_at(at))));
        words.filter(|(word, _)| word.starts_with(char::is_alphanumeric))
    }

    /// Returns the numbers of the runs of scripts without spaces.
    pub(crate) fn dense(&self) -> &[u32] {
        &self.dense
    }

    /// Returns the byte range of a run in its text.
    pub(crate) fn range(&self, run: u32) -> Range<usize> {
        let range = self.runs.get(index(run)).cloned().unwrap_or(0..0);
        index(range.start)..index(range.end)
    }

    /// Returns the number of the text that a run is in.
    pub(crate) fn text_of(&self, run: u32) -> usize {
        self.texts.partition_point(|end| *end <= run)
    }

    /// Returns the position of the first word that is not less than another.
    fn position(&self, wanted: &str) -> usize {
        let (mut low, mut high) = (0, self.ends.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.word(middle).is_some_and(|word| word < wanted) { low = middle + 1 } else { high = middle }
        }
        low
    }

    fn word(&self, at: usize) -> Option<&str> {
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |(end, _)| *end);
        let (end, _) = self.ends.get(at)?;
        self.words.get(index(start)..index(*end))
    }

    fn runs_at(&self, at: usize) -> &[u32] {
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |(_, end)| *end);
        let end = self.ends.get(at).map_or(start, |(_, end)| *end);
        self.occurrences.get(index(start)..index(end)).unwrap_or_default()
    }
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[derive(Default)]
struct Reader {
    language: Language,
    words: BTreeMap<String, Vec<u32>>,
    runs: Vec<Range<u32>>,
    dense: Vec<u32>,
    texts: Vec<u32>,
}

impl Reader {
    fn read(&mut self, text: &str) {
        let (mut runs, mut identifier) = (runs(text).peekable(), Vec::new());
        while read_identifier(&mut runs, &mut identifier) {
            let first = number(self.runs.len());
            for run in &identifier {
                self.read_run(run);
            }
            for (at, joined) in joined_runs(&identifier) {
                let word = fold_joined(joined);
                for (run, _) in (first + number(at)..).zip(joined) {
                    self.add(word.clone(), run);
                }
            }
        }
        self.texts.push(number(self.runs.len()));
    }

    fn read_run(&mut self, run: &Run<'_>) {
        let number_of_run = number(self.runs.len());
        self.runs.push(number(run.start)..number(run.start + run.text.len()));
        if run.is_dense {
            self.dense.push(number_of_run);
            return;
        }
        self.add(fold(run.text), number_of_run);
        if let Some(spelled) = fold_umlauts(run.text) {
            self.add(spelled, number_of_run);
        }
        let parts = parts(run.text);
        let joined = joined(&parts).map(|(_, range)| range);
        for part in parts.iter().cloned().chain(joined) {
            self.add(fold(run.text.get(part).unwrap_or_default()), number_of_run);
        }
    }

    fn add(&mut self, word: String, run: u32) {
        if let Some(stem) = self.language.stem(&word) {
            self.occur(stem_term(&stem), run);
        }
        self.occur(word, run);
    }

    fn occur(&mut self, word: String, run: u32) {
        let runs = self.words.entry(word).or_default();
        if runs.last() != Some(&run) {
            runs.push(run);
        }
    }

    fn finish(self) -> PageWords {
        let mut words = String::with_capacity(self.words.keys().map(String::len).sum());
        let mut ends = Vec::with_capacity(self.words.len());
        let mut occurrences = Vec::with_capacity(self.words.values().map(Vec::len).sum());
        for (word, runs) in self.words {
            words.push_str(&word);
            occurrences.extend(runs);
            ends.push((number(words.len()), number(occurrences.len())));
        }
        PageWords {
            words: words.into(),
            ends: ends.into(),
            occurrences: occurrences.into(),
            runs: self.runs.into(),
            dense: self.dense.into(),
            texts: self.texts.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PageWords;
    use crate::document::Section;
    use crate::language::Language;

    #[test]
    fn words_are_found_with_their_runs() {
        let sections = [
            Section { heading: Some("Get names"), text: "getName 安装 name" },
            Section { heading: None, text: "Über names" },
        ];
        let language = Language::from_name("english").unwrap();
        let words = PageWords::new(sections.into_iter(), language);
        assert_eq!(words.runs_of("name"), [2, 4]);
        assert_eq!(words.runs_of("\u{1}name"), [1, 2, 4, 6]);
        assert_eq!(
            (words.runs_of("uber"), words.runs_of("ueber"), words.runs_of("u")),
            (&[5][..], &[5][..], &[][..])
        );
        let begun: Vec<u32> = words.runs_of_beginning("n").flatten().copied().collect();
        assert_eq!(begun, [2, 4, 1, 6]);
        assert_eq!((words.dense(), words.range(3)), (&[3][..], 8..14));
        assert_eq!([0, 2, 4, 5].map(|run| words.text_of(run)), [0, 1, 1, 3]);
        let all: Vec<&str> = words.all().map(|(word, _)| word).collect();
        assert_eq!(all, ["get", "getname", "name", "names", "uber", "ueber"]);
    }
}
