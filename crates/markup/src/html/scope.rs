//! Properties that an element inherits from its ancestors.

use crate::inline_builder::Format;
use crate::limits::document::MAX_BLOCK_NESTING;

/// Inherited properties of an element's content.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    /// Marks and link around the content.
    pub(super) format: Format,
    /// Nesting depth of the enclosing blocks.
    pub(super) depth: usize,
    /// The content is in a heading, which has its own look.
    pub(super) heading: bool,
}

impl Scope {
    /// Returns the scope of blocks that are `levels` deeper.
    pub(super) fn deeper(&self, levels: usize) -> Self {
        Self { depth: self.depth + levels, ..self.clone() }
    }

    pub(super) fn with_format(&self, format: Format) -> Self {
        Self { format, ..self.clone() }
    }

    /// Returns whether another container block may start at this depth.
    pub(super) fn has_room(&self) -> bool {
        self.depth < MAX_BLOCK_NESTING
    }
}
