//! HTML that alternates with content that was read before: Markdown between its tags, notes of footnotes.

use super::{Spanned, Token, tokens};
use crate::document::{Block, InlineNode};

/// Content that was read before.
#[derive(Debug, Clone)]
pub(crate) enum Held {
    Block(Block),
    Inline(InlineNode),
}

/// HTML with content that was read before.
#[derive(Debug, Default)]
pub(crate) struct Mixed {
    source: String,
    /// Offset in the source of each item of `held`.
    offsets: Vec<usize>,
    pub(crate) held: Vec<Held>,
}

impl Mixed {
    /// Adds HTML.
    pub(crate) fn html(&mut self, html: &str) {
        self.source.push_str(html);
    }

    /// Adds content that was read before, at the current offset.
    pub(crate) fn hold(&mut self, held: Held) {
        self.offsets.push(self.source.len());
        self.held.push(held);
    }

    /// Returns the HTML as tokens. No tag spans the position of held content.
    pub(crate) fn tokens(&self) -> Vec<Spanned<'_>> {
        let mut all = Vec::new();
        let mut from = 0;
        for (index, offset) in self.offsets.iter().enumerate() {
            all.extend(tokens(self.source.get(from..*offset).unwrap_or_default()));
            all.push(Spanned { token: Token::Held(index), source: "" });
            from = *offset;
        }
        all.extend(tokens(self.source.get(from..).unwrap_or_default()));
        all
    }
}
