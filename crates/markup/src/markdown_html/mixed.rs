//! HTML interleaved with content that is already read: Markdown between its tags, notes of footnotes.

use super::{Spanned, Token, tokens};
use crate::document::{Block, InlineNode};

/// Content that is already read.
#[derive(Debug, Clone)]
pub(crate) enum Held {
    Block(Block),
    Inline(InlineNode),
}

/// HTML with content that is already read.
#[derive(Debug, Default)]
pub(crate) struct Mixed {
    source: String,
    /// The offset of each of `held` in the source.
    offsets: Vec<usize>,
    pub(crate) held: Vec<Held>,
}

impl Mixed {
    /// Adds HTML.
    pub(crate) fn html(&mut self, html: &str) {
        self.source.push_str(html);
    }

    /// Adds content that is already read.
    pub(crate) fn hold(&mut self, held: Held) {
        self.offsets.push(self.source.len());
        self.held.push(held);
    }

    /// Returns all of it as tokens. A tag never spans held content.
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
