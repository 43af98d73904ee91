//! Preformatted HTML: listings with a title, numbers and highlighted lines.

use super::{Element, Flow, Held, Token};
use crate::document::{Block, Children};
use std::ops::Range;

impl Flow<'_, '_> {
    /// Reads a listing after its start tag. Lines that are entirely bold are highlighted.
    pub(super) fn preformatted(&mut self, pre: &Element) -> Block {
        let mut text = String::new();
        let mut syntax = language(pre);
        let (mut strong, mut begun) = (Vec::new(), None);
        while let Some(token) = self.peek() {
            self.advance();
            match token {
                Token::Close(name) if name == "pre" => break,
                Token::Open(element) if element.name == "code" => syntax = syntax.or(language(element)),
                Token::Open(element) if element.name == "br" => text.push('\n'),
                Token::Open(element) if element.name == "strong" => begun = Some(text.len()),
                Token::Close(name) if name == "strong" => {
                    strong.extend(begun.take().map(|from| from..text.len()));
                }
                Token::Text(raw) => text.push_str(&super::decode(raw)),
                Token::Held(index) => {
                    if let Some(Held::Inline(node)) = self.held.get(*index) {
                        text.push_str(&crate::text::inline_text(&[node.clone().into()]));
                    }
                }
                Token::Open(_) | Token::Close(_) | Token::Comment(_) => {}
            }
        }
        let shown = text.strip_prefix('\n').unwrap_or(&text);
        let from = text.len() - shown.len();
        let shown = shown.strip_suffix('\n').unwrap_or(shown);
        let mut code =
            if shown.is_empty() { Block::code(syntax, []) } else { Block::code(syntax, shown.split('\n')) };
        highlight(&mut code, shown, from, &strong);
        properties(&mut code, pre);
        code
    }
}

fn language(element: &Element) -> Option<&str> {
    let prefixed = |class| ["language-", "lang-"].iter().find_map(|prefix| str::strip_prefix(class, prefix));
    element.get("class")?.split_whitespace().find_map(prefixed)
}

/// Highlights the lines within any of the ranges, which count from `begin`, the offset of the text.
fn highlight(code: &mut Block, text: &str, begin: usize, ranges: &[Range<usize>]) {
    let Children::Blocks(lines) = &mut code.children else { return };
    let mut from = begin;
    let mut ranges = ranges.iter().peekable();
    for (line, words) in lines.iter_mut().zip(text.split('\n')) {
        let to = from + words.len();
        while ranges.next_if(|range| range.end < to).is_some() {}
        if ranges.peek().is_some_and(|range| range.start <= from && to <= range.end && range.end > from) {
            line.data.insert("highlighted".to_owned(), true.into());
        }
        from = to + 1;
    }
}

/// Sets the properties from the attributes of a listing.
fn properties(code: &mut Block, pre: &Element) {
    let mut set = |name: &str, value: serde_json::Value| drop(code.data.insert(name.to_owned(), value));
    if let Some(title) = pre.get("data-title").filter(|title| !title.is_empty()) {
        set("title", title.into());
    }
    if let Some(overflow @ ("wrap" | "scroll")) = pre.get("data-overflow") {
        set("overflow", overflow.into());
    }
    for (attribute, name) in [
        ("data-line-numbers", "lineNumbers"),
        ("data-full-width", "fullWidth"),
        ("data-expandable", "expandable"),
    ] {
        if let Some(value) = pre.get(attribute) {
            set(name, (value != "false").into());
        }
    }
}
