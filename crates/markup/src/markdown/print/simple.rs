//! Conditions for the short Markdown forms of blocks.

use super::inlines::is_blank;
use crate::document::{Block, BlockKind};

/// Returns whether `![]()` can express all of an image.
pub(super) fn is_simple_image(image: &Block) -> bool {
    let is_plain = image.data.keys().all(|name| name == "ref" || name == "alt");
    is_plain
        && image.fragment("caption").is_empty()
        && !image.str("alt").unwrap_or_default().contains(char::is_control)
}

/// Returns whether a paragraph has neither content nor attributes.
pub(super) fn is_empty_paragraph(block: &Block) -> bool {
    block.kind == BlockKind::Paragraph && block.data.is_empty() && is_blank(block.child_inlines())
}
