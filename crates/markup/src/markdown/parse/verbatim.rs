//! Source text that is kept as it was written.

use crate::document::{Block, Inline};

/// HTML that has no blocks of its own, as it is written.
pub(super) fn html_code(literal: &str) -> Block {
    Block::code(Some("html"), literal.trim_matches('\n').split('\n'))
}

/// A paragraph that shows what was written.
pub(super) fn verbatim(text: &str) -> Block {
    Block::paragraph(vec![Inline::text(text.trim())])
}
