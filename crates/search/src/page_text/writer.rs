//! Writer of records.

use std::collections::HashMap;

use super::numbers::push;
use super::slots::{SLOTS, slot};
use crate::analyzer::stem_term;
use crate::language::Language;
use crate::page::{Page, Section};
use crate::text::{
    Run, fold, fold_joined, fold_umlauts, joined, joined_runs, parts, read_identifier, runs, without_signs,
};

/// Returns the record of a page. Words are stemmed in the language.
pub(crate) fn record(page: &Page<'_>, language: Language) -> String {
    let Page { title, path, context, sections, .. } = page;
    let ancestors = context.ancestors.join("\0");
    let names = [*title, *path, context.description, &ancestors];
    let mut writer = Writer { language, ..Writer::default() };
    let bytes: usize = sections.iter().map(|section| section.text.len()).sum();
    let mut record = String::with_capacity(bytes * 2 + 1_000);
    for name in names {
        push(name.len(), &mut record);
    }
    push(sections.len(), &mut record);
    let mut texts = String::with_capacity(bytes + 1_000);
    texts.extend(names);
    for Section { heading, text, anchor } in sections {
        let present = |part: Option<&str>| part.map_or(0, |part| part.len() + 1);
        push(present(*heading), &mut record);
        push(text.len(), &mut record);
        push(present(*anchor), &mut record);
        for part in [heading.unwrap_or_default(), text] {
            writer.read(part, texts.len());
            texts.push_str(part);
        }
        texts.push_str(anchor.unwrap_or_default());
    }
    writer.write(&mut record, &texts);
    record
}

#[derive(Default)]
struct Writer<'t> {
    language: Language,
    /// Distinct runs in their original spelling, with their indexes in `occurrences`.
    written: HashMap<&'t str, usize>,
    /// Offsets of runs in order, for each distinct run and for each identifier.
    occurrences: Vec<Vec<usize>>,
    /// Words with their slots and indexes in `occurrences`.
    words: Vec<(usize, String, usize)>,
    /// Offsets and lengths of the runs of scripts without spaces.
    dense: Vec<(usize, usize)>,
}

impl<'t> Writer<'t> {
    /// Reads the words of a text at an offset in all texts.
    fn read(&mut self, text: &'t str, place: usize) {
        let (mut runs, mut identifier) = (runs(text).peekable(), Vec::new());
        while read_identifier(&mut runs, &mut identifier) {
            for run in &identifier {
                self.read_run(run, place + run.start);
            }
            for (_, joined) in joined_runs(&identifier) {
                let at = self.occurrences.len();
                self.occurrences.push(joined.iter().map(|run| place + run.start).collect());
                self.add(fold_joined(joined), at);
            }
        }
    }

    fn read_run(&mut self, run: &Run<'t>, start: usize) {
        if run.is_dense {
            self.dense.push((start, run.text.len()));
            return;
        }
        if let Some(known) = self.written.get(run.text).and_then(|at| self.occurrences.get_mut(*at)) {
            known.push(start);
            return;
        }
        let at = self.occurrences.len();
        self.written.insert(run.text, at);
        self.occurrences.push(vec![start]);
        let folded = fold(run.text);
        if let Some(bare) = without_signs(&folded) {
            self.add(bare.to_owned(), at);
        }
        self.add(folded, at);
        if let Some(spelled) = fold_umlauts(run.text) {
            self.add(spelled, at);
        }
        let parts = parts(run.text);
        let joined = joined(&parts).map(|(_, range)| range);
        for part in parts.iter().cloned().chain(joined) {
            self.add(fold(run.text.get(part).unwrap_or_default()), at);
        }
    }

    fn add(&mut self, word: String, at: usize) {
        if word.is_empty() {
            return;
        }
        if let Some(stem) = self.language.stem(&word) {
            let stem = stem_term(&stem);
            self.words.push((slot(&stem), stem, at));
        }
        self.words.push((slot(&word), word, at));
    }

    /// Appends the lengths of the slots, the texts, the words and the dense runs.
    fn write(mut self, record: &mut String, texts: &str) {
        self.words.sort_unstable();
        let mut lengths = [0; SLOTS];
        let mut words = String::with_capacity(texts.len());
        let (mut places, mut distances): (Vec<usize>, String) = (Vec::new(), String::new());
        for same in self.words.chunk_by(|a, b| a.1 == b.1) {
            let Some((slot, word, _)) = same.first() else { continue };
            places.clear();
            places.extend(same.iter().filter_map(|(_, _, at)| self.occurrences.get(*at)).flatten());
            if same.len() > 1 {
                places.sort_unstable();
                places.dedup();
            }
            distances.clear();
            let mut last = 0;
            for place in &places {
                push(place - last, &mut distances);
                last = *place;
            }
            let before = words.len();
            push(word.len(), &mut words);
            words.push_str(word);
            push(distances.len(), &mut words);
            words.push_str(&distances);
            if let Some(length) = lengths.get_mut(*slot) {
                *length += words.len() - before;
            }
        }
        for length in lengths {
            push(length, record);
        }
        record.push_str(texts);
        record.push_str(&words);
        let mut end = 0;
        for (start, length) in self.dense {
            push(start - end, record);
            push(length, record);
            end = start + length;
        }
    }
}
