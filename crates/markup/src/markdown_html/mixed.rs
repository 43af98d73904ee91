//! HTML that alternates with content that is already parsed: Markdown between its tags, notes of footnotes.

use super::{Spanned, Token, tokens};
use crate::document::{Block, InlineNode};

/// Content that is already parsed.
#[derive(Debug, Clone)]
pub(crate) enum Parsed {
    Block(Block),
    Inline(InlineNode),
}

/// HTML with content that is already parsed.
#[derive(Debug, Default)]
pub(crate) struct Mixed {
    source: String,
    /// Offset in the source of each item of `parsed`.
    offsets: Vec<usize>,
    pub(crate) parsed: Vec<Parsed>,
}

impl Mixed {
    /// Adds HTML.
    pub(crate) fn html(&mut self, html: &str) {
        self.source.push_str(html);
    }

    /// Adds content that is already parsed, at the current offset.
    pub(crate) fn push_parsed(&mut self, parsed: Parsed) {
        self.offsets.push(self.source.len());
        self.parsed.push(parsed);
    }

    /// Returns the HTML as tokens. No tag spans the position of parsed content.
    pub(crate) fn tokens(&self) -> Vec<Spanned<'_>> {
        let mut all = Vec::new();
        let mut from = 0;
        for (index, offset) in self.offsets.iter().enumerate() {
            all.extend(tokens(self.source.get(from..*offset).unwrap_or_default()));
            all.push(Spanned { token: Token::Parsed(index), source: "" });
            from = *offset;
        }
        all.extend(tokens(self.source.get(from..).unwrap_or_default()));
        all
    }
}
