//! Text of a document, as a whole and by node.

use crate::document::{Block, BlockKind, Cell, Children, Document, Fragment, Inline, InlineNode, TableView};
use crate::document::{InlineKind, MAX_DEPTH};
use crate::limits::document::MAX_PREVIEW_CHARS;
use serde_json::Value;

/// Returns all visible text of a document, one block per line: text, titles, captions, alternative texts, formulas,
/// addresses of embeds.
#[must_use]
pub fn plain_text(document: &Document) -> String {
    let mut out = String::new();
    blocks(&document.nodes, &mut out);
    out.truncate(out.trim_end().len());
    out
}

/// Returns the text of a node, at most 200 characters; `None` if no node has this key. See [`node_keys`].
#[must_use]
pub fn node_preview(document: &Document, key: &str) -> Option<String> {
    let block = find(document, key)?;
    let mut text = String::new();
    block_words(block, &mut text);
    let words: Vec<&str> = text.split_whitespace().collect();
    Some(words.join(" ").chars().take(MAX_PREVIEW_CHARS).collect())
}

/// Returns the identifier of each block in document order: its own key, or its path. `0.2` is the third child of the
/// first block, `0.f1.0` the first block of its second fragment (a cell, a caption, a title), and `0.n0.0` the first
/// block of the first note in its text.
#[must_use]
pub fn node_keys(document: &Document) -> Vec<String> {
    let mut keys = Vec::new();
    crate::paths::walk(&document.nodes, "", &mut |path, block| {
        keys.push(block.key.as_deref().unwrap_or(path).to_owned());
        false
    });
    keys
}

/// Returns the text of a block, without the trailing line feed.
pub(crate) fn plain_block_text(node: &Block) -> String {
    block_text(node).trim_end().to_owned()
}

/// Returns the text of a block.
pub(crate) fn block_text(node: &Block) -> String {
    let mut out = String::new();
    block_words(node, &mut out);
    out
}

fn find<'d>(document: &'d Document, key: &str) -> Option<&'d Block> {
    let mut found = None;
    crate::paths::walk(&document.nodes, "", &mut |path, block| {
        let hit = block.key.as_deref().map_or(path == key, |own| own == key);
        if hit {
            found = Some(block);
        }
        hit
    });
    found
}

/// Returns the text of inline content.
#[must_use]
pub fn inline_text(nodes: &[Inline]) -> String {
    let mut out = String::new();
    inlines(nodes, &mut out);
    out
}

/// Maximum number of letters of a text that determine its direction.
const MAX_DIRECTION_LETTERS: usize = 2_000;

/// Returns whether a text is read from right to left. The majority of its letters decides, since names and code in
/// other scripts may begin a sentence.
#[must_use]
pub fn is_right_to_left(text: &str) -> bool {
    let is_letter_from_right =
        |c: &char| matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}');
    let letters = || text.chars().filter(|c| c.is_alphabetic()).take(MAX_DIRECTION_LETTERS);
    letters().filter(is_letter_from_right).count() > letters().count() / 2
}

/// Returns the language of a text that is read from right to left, guessed from its letters: Hebrew, Persian or Arabic.
#[must_use]
pub fn language_from_right(text: &str) -> &'static str {
    let letters = || text.chars().take(MAX_DIRECTION_LETTERS);
    let count = |is_of: fn(&char) -> bool| letters().filter(is_of).count();
    let hebrew = count(|c| matches!(c, '\u{590}'..='\u{5ff}' | '\u{fb1d}'..='\u{fb4f}'));
    if hebrew > count(|c| matches!(c, '\u{600}'..='\u{8ff}')) {
        "he"
    } else if count(|c| matches!(c, 'پ' | 'چ' | 'ژ' | 'گ' | 'ک' | 'ی'))
        > count(|c| matches!(c, 'ك' | 'ي' | 'ة' | 'ى'))
    {
        "fa"
    } else {
        "ar"
    }
}

fn blocks(nodes: &[Block], out: &mut String) {
    nodes.iter().for_each(|node| block_words(node, out));
}

/// Appends the text of a block and its descendants, one block per line.
pub(crate) fn block_words(node: &Block, out: &mut String) {
    for name in ["title", "description", "name", "formula", "url", "path", "alt", "date"] {
        if let Some(words) = node.str(name) {
            line(words, out);
        }
    }
    match node.kind {
        BlockKind::Table => table(node, out),
        BlockKind::Integration => props(node.data.get("props"), 0, out),
        BlockKind::OpenApiSchemas => props(node.data.get("schemas"), 0, out),
        _ => {}
    }
    match &node.children {
        Children::Inlines(nodes) => line(&inline_text(nodes), out),
        Children::Blocks(nodes) => blocks(nodes, out),
        Children::Void => {}
    }
    if node.kind != BlockKind::Table {
        fragments(&node.fragments, out);
    }
}

fn fragments(fragments: &[Fragment], out: &mut String) {
    fragments.iter().for_each(|fragment| blocks(&fragment.nodes, out));
}

fn table(node: &Block, out: &mut String) {
    let Some(table) = TableView::new(node) else { return };
    let columns = table.columns();
    for (_, column) in &columns {
        line(column.get("title").and_then(Value::as_str).unwrap_or_default(), out);
    }
    for record in table.records() {
        for (id, column) in &columns {
            match table.cell(record, id) {
                Cell::Empty | Cell::Reference(_) => {}
                Cell::Names(names) => {
                    names.iter().filter_map(|name| label(column, name)).for_each(|label| line(label, out))
                }
                Cell::Content(nodes) => blocks(nodes, out),
                Cell::Image { alt, .. } => line(alt.unwrap_or_default(), out),
                Cell::Value(Value::String(words)) => line(words, out),
                Cell::Value(value) => line(&value.to_string(), out),
            }
        }
    }
}

/// Returns the label of an option of a column.
fn label<'c>(column: &'c Value, name: &str) -> Option<&'c str> {
    let options = column.get("options").and_then(Value::as_array)?;
    options
        .iter()
        .find(|option| option.get("value").is_some_and(|value| value == name))?
        .get("label")?
        .as_str()
}

/// Appends the strings of free-form properties.
fn props(value: Option<&Value>, depth: usize, out: &mut String) {
    match value {
        Some(Value::String(words)) => line(words, out),
        Some(Value::Array(values)) if depth < MAX_DEPTH => {
            values.iter().for_each(|value| props(Some(value), depth + 1, out));
        }
        Some(Value::Object(object)) if depth < MAX_DEPTH => {
            object.values().for_each(|value| props(Some(value), depth + 1, out));
        }
        _ => {}
    }
}

fn line(words: &str, out: &mut String) {
    if !words.is_empty() {
        out.push_str(words);
        out.push('\n');
    }
}

fn inlines(nodes: &[Inline], out: &mut String) {
    for node in nodes {
        match node {
            Inline::Text(text) => text.leaves.iter().for_each(|leaf| out.push_str(&leaf.text)),
            Inline::Node(node) => inline_node(node, out),
        }
    }
}

fn inline_node(node: &InlineNode, out: &mut String) {
    let word = |name: &str| node.str(name).unwrap_or_default();
    match node.kind {
        InlineKind::Link => inlines(&node.nodes, out),
        InlineKind::Annotation => {
            inlines(&node.nodes, out);
            let mut note = String::new();
            fragments(&node.fragments, &mut note);
            out.push_str(&format!(" ({}) ", note.trim()));
        }
        InlineKind::Emoji => out.push_str(&crate::emoji::character(word("code"))),
        InlineKind::Expression => out.push_str(word("expression")),
        InlineKind::InlineMath => out.push_str(word("formula")),
        InlineKind::InlineImage => {
            let words = [word("alt"), word("caption")].join(" ");
            out.push_str(&format!(" {} ", words.trim()));
        }
        InlineKind::Mention => out.push_str(word("text")),
        InlineKind::Button => out.push_str(word("label")),
        InlineKind::Icon => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_letter_gives_the_direction() {
        for (text, expected) in [
            ("שלום", true),
            ("1. مرحبا", true),
            ("a שלום", true),
            ("", false),
            ("漢字", false),
            ("The שם here", false),
            ("Docker هو برنامج مفيد", true),
            ("ab שם", false),
        ] {
            assert_eq!(is_right_to_left(text), expected, "{text}");
        }
        for (text, language) in [("שלום", "he"), ("هو برنامج مفيد في كل", "ar"), ("این یک برنامه است", "fa")]
        {
            assert_eq!(language_from_right(text), language);
        }
    }
}
