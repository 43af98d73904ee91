//! Preformatted HTML: listings with a title, numbers and highlighted lines.

use super::{Element, Flow, Parsed, Token};
use crate::document::{Block, Children};
use crate::text::block_text;
use std::ops::Range;

/// Elements whose start or end tag ends a listing, with or without an end tag of its own.
const OUTER: [&str; 6] = ["table", "thead", "tbody", "tr", "td", "th"];

impl Flow<'_, '_> {
    /// Reads a listing after its start tag. Lines that are entirely bold are highlighted. Markdown reads the lines
    /// after a blank one as blocks, whose text belongs to the listing too.
    pub(super) fn preformatted(&mut self, pre: &Element) -> Block {
        let mut text = String::new();
        let mut syntax = language(pre);
        let (mut strong, mut begun) = (Vec::new(), None);
        while let Some(token) = self.peek().filter(|token| !is_outer(token)) {
            self.advance();
            match token {
                Token::Close(name) if *name == pre.name => break,
                Token::Open(element) if element.name == "code" => syntax = syntax.or(language(element)),
                Token::Open(element) if element.name == "br" => text.push('\n'),
                Token::Open(element) if element.name == "strong" => begun = Some(text.len()),
                Token::Close(name) if name == "strong" => {
                    strong.extend(begun.take().map(|from| from..text.len()));
                }
                Token::Text(raw) => text.push_str(&super::decode(raw)),
                Token::Parsed(index) => match self.parsed.get(*index) {
                    Some(Parsed::Inline(node)) => {
                        text.push_str(&crate::text::inline_text(&[node.clone().into()]));
                    }
                    Some(Parsed::Block(block)) => {
                        text.push_str(if text.ends_with('\n') { "\n" } else { "\n\n" });
                        let words = block_text(block);
                        // In a paragraph, the end tag is text.
                        if let Some(last) = words.trim_end().strip_suffix("</pre>") {
                            text.push_str(last.trim_end());
                            break;
                        }
                        text.push_str(&words);
                    }
                    None => {}
                },
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

fn is_outer(token: &Token<'_>) -> bool {
    match token {
        Token::Open(Element { name, .. }) | Token::Close(name) => OUTER.contains(&name.as_str()),
        Token::Text(_) | Token::Comment(_) | Token::Parsed(_) => false,
    }
}

fn language(element: &Element) -> Option<&str> {
    let prefixed = |class| ["language-", "lang-"].iter().find_map(|prefix| str::strip_prefix(class, prefix));
    element.get("class")?.split_whitespace().find_map(prefixed)
}

/// Highlights the lines within any of the ranges, which are relative to the same origin as `begin`, the offset of the
/// text.
fn highlight(code: &mut Block, text: &str, begin: usize, ranges: &[Range<usize>]) {
    let Children::Blocks(lines) = &mut code.children else { return };
    let mut from = begin;
    let mut ranges = ranges.iter().peekable();
    for (line, words) in lines.iter_mut().zip(text.split('\n')) {
        let to = from + words.len();
        // A range has the line feed of its last line. The one before an empty line ends where that line starts.
        while ranges.next_if(|range| range.end < to || range.end <= from).is_some() {}
        if ranges.peek().is_some_and(|range| range.start <= from && to <= range.end) {
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
