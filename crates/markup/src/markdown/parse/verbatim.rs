//! Source text kept as written.

use crate::document::{Block, Inline};

/// Returns HTML without an equivalent block as a code block.
pub(super) fn html_code(literal: &str) -> Block {
    Block::code(Some("html"), literal.trim_matches('\n').split('\n'))
}

/// Returns a paragraph with the source text.
pub(super) fn verbatim(text: &str) -> Block {
    Block::paragraph(vec![Inline::text(text.trim())])
}
