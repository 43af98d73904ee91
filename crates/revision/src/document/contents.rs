//! Set of the contents of a document's blocks, to find the edit that made a block.

use std::collections::HashSet;

use serde_json::Value;

use super::alignment::blocks;
use super::conflict::BlockConflict;
use super::keys::without_keys;
use crate::hash::DocumentId;
use crate::merge::Strategy;

/// Contents of the blocks of a document, at all levels, without their keys.
#[derive(Clone, Debug, Default)]
pub struct BlockContents(HashSet<DocumentId>);

impl BlockContents {
    /// Returns the contents of the blocks of a document.
    #[must_use]
    pub fn of(document: &Value) -> Self {
        Self(blocks(document).into_iter().map(|(_, block)| content(block)).collect())
    }

    fn has_all(&self, blocks: &[Value]) -> bool {
        blocks.iter().all(|block| self.0.contains(&content(block)))
    }
}

impl BlockConflict {
    /// Returns whether an edit, given the contents before and after it, made the blocks of a side: only the document
    /// after it has them. If the side removed them, only the document before it has the blocks of the merge base.
    ///
    /// Blocks that also contain merged changes of the other side are in neither document, so no edit made them.
    #[must_use]
    pub fn is_made_between(&self, side: Strategy, before: &BlockContents, after: &BlockContents) -> bool {
        let blocks = match side {
            Strategy::Ours => &self.ours,
            Strategy::Theirs => &self.theirs,
        };
        match blocks.is_empty() {
            false => after.has_all(blocks) && !before.has_all(blocks),
            true => before.has_all(&self.base) && !after.has_all(&self.base),
        }
    }
}

fn content(block: &Value) -> DocumentId {
    DocumentId::of(&without_keys(block))
}
