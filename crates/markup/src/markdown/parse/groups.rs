//! Blocks that consist of items, such as tabs and steps.

use super::verbatim::verbatim;
use crate::document::{Block, BlockKind, Children};

/// Builds a block of items. Content between the items becomes an item too.
pub(super) fn group(kind: BlockKind, item: BlockKind, content: Vec<Block>) -> Block {
    let mut items: Vec<Block> = Vec::new();
    let mut last_is_stray = false;
    for block in content {
        let is_stray = block.kind != item;
        match items.last_mut().filter(|_| is_stray && last_is_stray) {
            Some(Block { children: Children::Blocks(blocks), .. }) => blocks.push(block),
            _ if is_stray => items.push(Block::blocks(item, vec![block])),
            _ => items.push(block),
        }
        last_is_stray = is_stray;
    }
    Block::blocks(kind, items)
}

/// Returns the content of the items of a block that was never closed.
pub(super) fn ungroup(content: Vec<Block>) -> Vec<Block> {
    let mut blocks = Vec::new();
    for block in content {
        if !matches!(
            block.kind,
            BlockKind::TabsItem | BlockKind::StepperStep | BlockKind::Column | BlockKind::Update
        ) {
            blocks.push(block);
            continue;
        }
        if let Some(title) = block.str("title").or_else(|| block.str("date")) {
            blocks.push(verbatim(title));
        }
        if let Children::Blocks(inner) = block.children {
            blocks.extend(inner);
        }
    }
    blocks
}
