//! Elements that continue after a blank line. Markdown ends an HTML block there, and the following Markdown belongs to
//! the element:
//!
//! ```html
//! <td>
//!
//! **bold**
//!
//! </td>
//! ```

use crate::document::Block;
use crate::limits::markdown::MAX_OPEN_ELEMENTS;
use crate::markdown_html::{Mixed, Parsed, Spanned, Token};

/// Elements whose parts form one block.
const ROOTS: [&str; 5] = ["table", "ul", "ol", "dl", "blockquote"];

/// Open elements of tables and lists, the innermost last.
#[derive(Debug, Default)]
struct Nest(Vec<String>);

impl Nest {
    /// Processes a token. The start of a part ends the previous part, with or without an end tag.
    fn step(&mut self, token: &Token<'_>) {
        match token {
            Token::Open(element) => self.open(&element.name),
            Token::Close(name) => {
                if let Some(at) = self.0.iter().rposition(|open| open == name) {
                    self.0.truncate(at);
                }
            }
            Token::Text(_) | Token::Comment(_) | Token::Parsed(_) => {}
        }
    }

    fn open(&mut self, name: &str) {
        let outer: &[&str] = match name {
            name if ROOTS.contains(&name) => &[],
            "thead" | "tbody" | "tfoot" => &["table"],
            "tr" => &["table", "thead", "tbody", "tfoot"],
            "td" | "th" => &["table", "thead", "tbody", "tfoot", "tr"],
            "li" => &["ul", "ol"],
            "dt" | "dd" => &["dl"],
            _ => return,
        };
        if !outer.is_empty() {
            let Some(at) = self.0.iter().rposition(|open| outer.contains(&open.as_str())) else { return };
            self.0.truncate(at + 1);
        }
        if self.0.len() < MAX_OPEN_ELEMENTS {
            self.0.push(name.to_owned());
        }
    }
}

/// Open element with the Markdown in it.
#[derive(Debug, Default)]
pub(super) struct Spanning {
    source: String,
    /// Offset of each block in the source.
    offsets: Vec<usize>,
    nest: Nest,
}

impl Spanning {
    /// Returns the index at which an element begins that does not end in these tokens.
    pub(super) fn begins(tokens: &[Spanned<'_>]) -> Option<usize> {
        let mut nest = Nest::default();
        let mut start = None;
        for (at, spanned) in tokens.iter().enumerate() {
            let was_open = !nest.0.is_empty();
            nest.step(&spanned.token);
            if nest.0.is_empty() {
                start = None;
            } else if !was_open {
                start = Some(at);
            }
        }
        start
    }

    /// Consumes tokens up to the end of the element and returns their number; `None` if the element continues after the
    /// last token.
    pub(super) fn take(&mut self, tokens: &[Spanned<'_>]) -> Option<usize> {
        for (at, spanned) in tokens.iter().enumerate() {
            self.source.push_str(spanned.source);
            self.nest.step(&spanned.token);
            if self.nest.0.is_empty() {
                return Some(at + 1);
            }
        }
        None
    }

    /// Records the position of a block.
    pub(super) fn record_block(&mut self) {
        self.offsets.push(self.source.len());
    }

    /// Returns the number of levels between the element and a block added now.
    pub(super) fn levels(&self) -> usize {
        2 * self.nest.0.iter().filter(|open| ROOTS.contains(&open.as_str())).count()
    }

    /// Returns whether these tokens contain the end tag of an element that is open here.
    pub(super) fn is_closed_by(&self, tokens: &[Spanned<'_>]) -> bool {
        let mut inner = Nest::default();
        tokens.iter().any(|spanned| {
            let known = inner.0.len();
            inner.step(&spanned.token);
            matches!(&spanned.token, Token::Close(name) if inner.0.len() == known && self.nest.0.contains(name))
        })
    }

    /// Returns whether indented text is the next part or the end of the element, as opposed to a listing.
    pub(super) fn is_continued_by(&self, tokens: &[Spanned<'_>]) -> bool {
        let is_blank = |token: &Token<'_>| matches!(token, Token::Text(text) if text.trim().is_empty());
        let first = tokens.iter().map(|spanned| &spanned.token).find(|token| !is_blank(token));
        let innermost = self.nest.0.last().map(String::as_str).unwrap_or_default();
        match first {
            Some(Token::Close(name)) => self.nest.0.contains(name),
            Some(Token::Open(element)) => match element.name.as_str() {
                "thead" | "tbody" | "tfoot" | "tr" | "td" | "th" => {
                    matches!(innermost, "table" | "thead" | "tbody" | "tfoot" | "tr")
                }
                "li" => matches!(innermost, "ul" | "ol"),
                "dt" | "dd" => innermost == "dl",
                _ => false,
            },
            _ => false,
        }
    }

    /// Returns the element with its blocks.
    pub(super) fn mixed(self, blocks: Vec<Block>) -> Mixed {
        let mut mixed = Mixed::default();
        let mut from = 0;
        for (offset, block) in self.offsets.into_iter().zip(blocks) {
            mixed.html(self.source.get(from..offset).unwrap_or_default());
            mixed.push_parsed(Parsed::Block(block));
            from = offset;
        }
        mixed.html(self.source.get(from..).unwrap_or_default());
        mixed
    }

    /// Returns the pieces of an unclosed element, each with the block after it.
    pub(super) fn pieces(self, blocks: Vec<Block>) -> Vec<(String, Option<Block>)> {
        let mut pieces = Vec::new();
        let mut from = 0;
        for (offset, block) in self.offsets.into_iter().zip(blocks) {
            pieces.push((self.source.get(from..offset).unwrap_or_default().to_owned(), Some(block)));
            from = offset;
        }
        pieces.push((self.source.get(from..).unwrap_or_default().to_owned(), None));
        pieces
    }
}
