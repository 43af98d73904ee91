//! Expandables (`<details>`) in a cell.

use super::flow::{is_close, stated};
use super::{Element, Flow, Token};
use crate::document::{Block, BlockKind, Fragment};

impl Flow<'_, '_> {
    /// Reads a `<details>` element after its start tag.
    pub(super) fn details(&mut self, element: &Element, depth: usize) -> Block {
        while matches!(self.peek(), Some(Token::Text(text)) if text.trim().is_empty()) {
            self.advance();
        }
        let mut title = Vec::new();
        if matches!(self.peek(), Some(Token::Open(summary)) if summary.name == "summary") {
            self.advance();
            title = self.inlines_until("summary", depth + 1);
        }
        let body = self.blocks(&|token| is_close(token, &["details"]), depth + 2);
        self.close("details");
        let mut block = Block::void(BlockKind::Expandable);
        block.fragments = vec![
            Fragment::with_role("expandable-title", vec![Block::paragraph(title)]),
            Fragment::with_role("expandable-body", body),
        ]
        .into();
        if element.has("open") {
            block.data.insert("defaultExpanded".to_owned(), true.into());
        }
        stated(element, block)
    }
}
