//! Sections of a document, for search.

use crate::document::Document;
use crate::text::{block_words, inline_text};

/// Section of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Anchor of the heading; `None` for the text before the first heading.
    pub anchor: Option<String>,
    /// Text of the heading.
    pub heading: Option<String>,
    /// Text below the heading, one block per line.
    pub text: String,
}

/// Splits a document before each top-level heading, for search. A document without headings is one section.
#[must_use]
pub fn sections(document: &Document) -> Vec<Section> {
    let mut anchors = crate::anchors::of_headings(document).into_iter();
    let mut sections = vec![Section { anchor: None, heading: None, text: String::new() }];
    for node in &document.nodes {
        // Headings inside other blocks have anchors too, which are skipped with their block.
        let nested = crate::anchors::count_headings(node);
        if node.heading_rank().is_some() {
            let heading = Some(inline_text(node.child_inlines())).filter(|text| !text.is_empty());
            sections.push(Section { anchor: anchors.next(), heading, text: String::new() });
            continue;
        }
        anchors.by_ref().take(nested).for_each(drop);
        if let Some(section) = sections.last_mut() {
            block_words(node, &mut section.text);
        }
    }
    sections.retain(|section| section.anchor.is_some() || !section.text.trim().is_empty());
    for section in &mut sections {
        section.text.truncate(section.text.trim_end().len());
    }
    sections
}
