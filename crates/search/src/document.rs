//! Conversion of pages to documents of the index.

use std::borrow::Cow;
use std::collections::HashSet;

use quire_domain::ids::SpaceId;
use tantivy::TantivyDocument;
use tantivy::schema::Field;

use crate::index::IndexedVersion;
use crate::language::Language;
use crate::page::{Page, Section};
use crate::page_text::record;
use crate::schema::{FIELDS, key};
use crate::text::{fold, parts, runs, without_signs};

/// Maximum number of letters of a word's beginning that is a term of its own.
pub(crate) const EDGE: usize = 3;
/// Minimum number of letters of a word that may be a compound.
const COMPOUND: usize = 10;
/// Minimum number of letters of each half of a compound.
const HALF: usize = 4;
/// Number of characters of a title or heading that an exact match compares.
const WHOLE: usize = 300;

/// Returns the document of a page.
pub(crate) fn document(space: SpaceId, page: &Page<'_>, language: Language) -> TantivyDocument {
    let mut document = TantivyDocument::default();
    let fields = &*FIELDS;
    let marked = |text: &str| format!("{}{text}", language.mark());
    document.add_text(fields.title, marked(page.title));
    document.add_text(fields.whole_title, whole(page.title));
    let mut words = Words::default();
    words.add(page.title);
    add_list(&mut document, fields.title_edges, &words.edges());
    for Section { heading, text, .. } in &page.sections {
        if let Some(heading) = heading {
            document.add_text(fields.headings, marked(heading));
            document.add_text(fields.whole_headings, whole(heading));
            words.add(heading);
        }
        document.add_text(fields.body, marked(text));
        words.add(text);
    }
    document.add_text(fields.record, record(page, language));
    add_list(&mut document, fields.edges, &words.edges());
    add_list(&mut document, fields.tails, &words.tails());
    document.add_bytes(fields.space, space.as_uuid().as_bytes());
    document.add_bytes(fields.key, &key(space, page.id));
    add_pair(&mut document, fields.spaces, space.as_uuid().as_u64_pair());
    add_pair(&mut document, fields.pages, page.id.as_uuid().as_u64_pair());
    document
}

/// Returns the document that records the indexed version of a space.
pub(crate) fn state_document(space: SpaceId, held: IndexedVersion) -> TantivyDocument {
    let mut document = TantivyDocument::default();
    document.add_bytes(FIELDS.state, space.as_uuid().as_bytes());
    add_pair(&mut document, FIELDS.spaces, space.as_uuid().as_u64_pair());
    for (field, part) in FIELDS.roots.iter().zip(held.root.as_chunks::<8>().0) {
        document.add_u64(*field, u64::from_be_bytes(*part));
    }
    document.add_u64(FIELDS.language, held.language.code());
    add_pair(&mut document, FIELDS.counts, (held.pages, held.missing));
    document.add_u64(FIELDS.computed, held.computed);
    document
}

fn add_pair(document: &mut TantivyDocument, [high, low]: [Field; 2], pair: (u64, u64)) {
    document.add_u64(high, pair.0);
    document.add_u64(low, pair.1);
}

fn add_list(document: &mut TantivyDocument, field: Field, terms: &HashSet<&str>) {
    let mut list = String::with_capacity(terms.iter().map(|term| term.len() + 1).sum());
    for term in terms {
        list.push_str(term);
        list.push(' ');
    }
    document.add_text(field, list);
}

/// Returns the folded words of a text as one term.
pub(crate) fn whole(text: &str) -> String {
    let end = text.char_indices().nth(WHOLE).map_or(text.len(), |(end, _)| end);
    let mut term = String::with_capacity(end);
    for run in runs(text.get(..end).unwrap_or_default()) {
        if !term.is_empty() {
            term.push(' ');
        }
        crate::text::fold_into(run.text, &mut term);
    }
    term
}

/// Distinct folded words of a page, with their parts.
#[derive(Default)]
struct Words<'p> {
    written: HashSet<&'p str>,
    folded: HashSet<Cow<'p, str>>,
}

impl<'p> Words<'p> {
    fn add(&mut self, text: &'p str) {
        for run in runs(text).filter(|run| !run.is_dense) {
            if !self.written.insert(run.text) {
                continue;
            }
            for part in parts(run.text) {
                self.folded.insert(fold(run.text.get(part).unwrap_or_default()).into());
            }
            if run.text.starts_with('.') || run.text.ends_with(['#', '+']) {
                let folded = fold(run.text);
                self.folded.extend(without_signs(&folded).map(|bare| bare.to_owned().into()));
            }
            let is_folded = run.text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
            let short = run.text.len() <= 100;
            self.folded.insert(if is_folded && short { run.text.into() } else { fold(run.text).into() });
        }
    }

    /// Returns the first letters of the words.
    fn edges(&self) -> HashSet<&str> {
        let edges = |word| cuts(word).take(EDGE).filter_map(move |end| str::get(word, ..end));
        self.folded.iter().flat_map(|word| edges(word)).collect()
    }

    /// Returns the ends of long words.
    fn tails(&self) -> HashSet<&str> {
        let mut tails = HashSet::new();
        for word in &self.folded {
            let count = word.chars().count();
            if count < COMPOUND || !word.chars().all(char::is_alphabetic) {
                continue;
            }
            let starts = cuts(word).skip(HALF - 1).take(count + 1 - 2 * HALF);
            tails.extend(starts.filter_map(|start| word.get(start..)));
        }
        tails
    }
}

/// Returns the byte offsets at which the characters of a word end.
fn cuts(word: &str) -> impl Iterator<Item = usize> {
    word.char_indices().map(|(at, c)| at + c.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::{Words, whole};

    #[test]
    fn edges_and_tails_are_those_of_folded_words() {
        let mut words = Words::default();
        words.add("Über getName 安装 Donaudampfer");
        let mut edges: Vec<&str> = words.edges().into_iter().collect();
        edges.sort_unstable();
        assert_eq!(edges, ["d", "do", "don", "g", "ge", "get", "n", "na", "nam", "u", "ub", "ube"]);
        let mut tails: Vec<&str> = words.tails().into_iter().collect();
        tails.sort_unstable();
        assert_eq!(tails, ["ampfer", "dampfer", "mpfer", "pfer", "udampfer"]);
        assert_eq!(whole("  How-to: *Install* «It»! "), "how to install it");
    }
}
