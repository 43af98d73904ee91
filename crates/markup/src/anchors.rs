//! Anchors of headings.

use crate::document::{Block, Document};
use crate::text::inline_text;
use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Returns the anchors of all headings in document order: the heading's `id` if it has one, otherwise its words in
/// lower case with `-` for spaces, as on code hosts. Repeated anchors get the suffix `-1`, `-2`, ….
#[must_use]
pub fn anchors(document: &Document) -> Vec<String> {
    of_headings(document)
}

/// Returns the headings of a document in document order, each with its anchor.
#[must_use]
pub fn anchored_headings(document: &Document) -> Vec<(&Block, String)> {
    let mut found = Vec::new();
    collect(&document.nodes, &mut found);
    let anchors = anchors_of(&found);
    found.into_iter().zip(anchors).collect()
}

pub(crate) fn of_headings(document: &Document) -> Vec<String> {
    let mut found = Vec::new();
    collect(&document.nodes, &mut found);
    anchors_of(&found)
}

fn anchors_of(headings: &[&Block]) -> Vec<String> {
    let mut names = AnchorNames::default();
    let wanted = headings.iter().map(|heading| match heading.str("id") {
        Some(id) => id.to_owned(),
        None => heading_slug(&inline_text(heading.child_inlines())),
    });
    wanted.map(|wanted| names.take(wanted)).collect()
}

/// Anchors in use, with the next number to try for each.
#[derive(Default)]
pub(crate) struct AnchorNames(HashMap<String, usize>);

impl AnchorNames {
    /// Takes an anchor, with a numeric suffix if it is in use.
    pub(crate) fn take(&mut self, wanted: String) -> String {
        let mut number = self.0.get(&wanted).copied().unwrap_or(0);
        let mut anchor = if number == 0 { wanted.clone() } else { format!("{wanted}-{number}") };
        while number > 0 && self.0.contains_key(&anchor) {
            number += 1;
            anchor = format!("{wanted}-{number}");
        }
        self.0.insert(wanted, number + 1);
        self.0.entry(anchor.clone()).or_insert(1);
        anchor
    }
}

pub(crate) fn count_headings(block: &Block) -> usize {
    let mut found = Vec::new();
    collect(std::slice::from_ref(block), &mut found);
    found.len()
}

fn collect<'d>(blocks: &'d [Block], found: &mut Vec<&'d Block>) {
    for block in blocks {
        if block.heading_rank().is_some() {
            found.push(block);
        }
        collect(block.child_blocks(), found);
        for fragment in &block.fragments {
            collect(&fragment.nodes, found);
        }
    }
}

/// Keeps letters with their marks, digits, `-` and `_`, turns spaces into `-` and drops all other characters. Letters
/// are normalized to NFC, so that equal words have equal anchors.
pub(crate) fn heading_slug(words: &str) -> String {
    let mut slug = String::new();
    for c in words.trim().nfc().flat_map(char::to_lowercase) {
        match c {
            '-' | '_' => slug.push(c),
            c if c.is_alphanumeric() || is_combining_mark(c) => slug.push(c),
            c if c.is_whitespace() => slug.push('-'),
            _ => {}
        }
    }
    slug
}
