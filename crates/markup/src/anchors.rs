//! The anchors of headings.

use crate::document::{Block, Document};
use crate::text::inline_text;
use std::collections::HashMap;

/// The anchors of all headings in document order: a heading's own `id`, else its words in small letters with `-` for spaces,
/// as code hosts make them; `-1`, `-2`, … follow when an anchor repeats.
#[must_use]
pub fn anchors(document: &Document) -> Vec<String> {
    of_headings(document)
}

pub(crate) fn of_headings(document: &Document) -> Vec<String> {
    let mut found = Vec::new();
    collect(&document.nodes, &mut found);
    // For each anchor, the next number to try when it comes again.
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut anchors = Vec::with_capacity(found.len());
    for heading in found {
        let wanted = match heading.str("id") {
            Some(id) => id.to_owned(),
            None => heading_slug(&inline_text(heading.child_inlines())),
        };
        let mut number = seen.get(&wanted).copied().unwrap_or(0);
        let mut anchor = if number == 0 { wanted.clone() } else { format!("{wanted}-{number}") };
        while number > 0 && seen.contains_key(&anchor) {
            number += 1;
            anchor = format!("{wanted}-{number}");
        }
        seen.insert(wanted, number + 1);
        seen.entry(anchor.clone()).or_insert(1);
        anchors.push(anchor);
    }
    anchors
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

/// Letters, digits, `-` and `_` stay, spaces become `-`, everything else goes.
pub(crate) fn heading_slug(words: &str) -> String {
    let mut slug = String::new();
    for c in words.trim().chars().flat_map(char::to_lowercase) {
        match c {
            '-' | '_' => slug.push(c),
            c if c.is_alphanumeric() => slug.push(c),
            c if c.is_whitespace() => slug.push('-'),
            _ => {}
        }
    }
    slug
}
