//! Elements that go on behind a blank line. Markdown ends a piece of HTML there, and what follows is Markdown in the element:
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
use crate::markdown_html::{Held, Mixed, Spanned, Token};

/// Elements whose parts make up one block.
const ROOTS: [&str; 4] = ["table", "ul", "ol", "blockquote"];

/// The elements of tables and lists that are open, the innermost last.
#[derive(Debug, Default)]
struct Nest(Vec<String>);

impl Nest {
    /// Follows a token. Parts end those before them, with or without an end tag.
    fn step(&mut self, token: &Token<'_>) {
        match token {
            Token::Open(element) => self.open(&element.name),
            Token::Close(name) => {
                if let Some(at) = self.0.iter().rposition(|open| open == name) {
                    self.0.truncate(at);
                }
            }
            Token::Text(_) | Token::Comment(_) | Token::Held(_) => {}
        }
    }

    fn open(&mut self, name: &str) {
        let outer: &[&str] = match name {
            name if ROOTS.contains(&name) => &[],
            "thead" | "tbody" | "tfoot" => &["table"],
            "tr" => &["table", "thead", "tbody", "tfoot"],
            "td" | "th" => &["table", "thead", "tbody", "tfoot", "tr"],
            "li" => &["ul", "ol"],
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

/// An element that is open, with the Markdown in it.
#[derive(Debug, Default)]
pub(super) struct Spanning {
    source: String,
    /// The offset of each block in the source.
    places: Vec<usize>,
    nest: Nest,
}

impl Spanning {
    /// Finds the start of an element that doesn't end in these tokens.
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

    /// Takes tokens in, up to the end of the element: how many they were. `None`: all, and it goes on.
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

    /// Remembers the place of a block.
    pub(super) fn place(&mut self) {
        self.places.push(self.source.len());
    }

    /// The number of levels between the element and a block that is added now.
    pub(super) fn levels(&self) -> usize {
        2 * self.nest.0.iter().filter(|open| ROOTS.contains(&open.as_str())).count()
    }

    /// Returns whether these tokens have the end tag of an element that is open here.
    pub(super) fn is_closed_by(&self, tokens: &[Spanned<'_>]) -> bool {
        let mut inner = Nest::default();
        tokens.iter().any(|spanned| {
            let known = inner.0.len();
            inner.step(&spanned.token);
            matches!(&spanned.token, Token::Close(name) if inner.0.len() == known && self.nest.0.contains(name))
        })
    }

    /// Returns whether indented text is the next part of the element, or its end, and not a listing.
    pub(super) fn goes_on_with(&self, tokens: &[Spanned<'_>]) -> bool {
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
                _ => false,
            },
            _ => false,
        }
    }

    /// The element with the blocks in it.
    pub(super) fn mixed(self, blocks: Vec<Block>) -> Mixed {
        let mut mixed = Mixed::default();
        let mut from = 0;
        for (place, block) in self.places.into_iter().zip(blocks) {
            mixed.html(self.source.get(from..place).unwrap_or_default());
            mixed.hold(Held::Block(block));
            from = place;
        }
        mixed.html(self.source.get(from..).unwrap_or_default());
        mixed
    }

    /// The pieces of an element that never ends, each with the block behind it.
    pub(super) fn pieces(self, blocks: Vec<Block>) -> Vec<(String, Option<Block>)> {
        let mut pieces = Vec::new();
        let mut from = 0;
        for (place, block) in self.places.into_iter().zip(blocks) {
            pieces.push((self.source.get(from..place).unwrap_or_default().to_owned(), Some(block)));
            from = place;
        }
        pieces.push((self.source.get(from..).unwrap_or_default().to_owned(), None));
        pieces
    }
}
