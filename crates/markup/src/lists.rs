//! Lists built from consecutive items with levels, in the form of office programs.

use crate::document::{Block, BlockKind, Children};
use crate::limits::document::MAX_LIST_LEVEL;

/// Returns whether a block is a list.
pub(crate) fn is_list(block: &Block) -> bool {
    matches!(block.kind, BlockKind::ListOrdered | BlockKind::ListUnordered | BlockKind::ListTasks)
}

/// Adds a list with a level (0 is the outermost) after some blocks. A deeper list goes into the last item of the
/// preceding list, and a list that continues the preceding one adds items to it.
pub(crate) fn append(blocks: &mut Vec<Block>, level: usize, mut list: Block) {
    let Some(last) = blocks.last_mut().filter(|last| is_list(last)) else {
        blocks.push(list);
        return;
    };
    if level == 0 {
        if continues(last, &list) {
            if let (Children::Blocks(items), Children::Blocks(more)) =
                (&mut last.children, &mut list.children)
            {
                items.append(more);
            }
        } else {
            blocks.push(list);
        }
        return;
    }
    let Children::Blocks(items) = &mut last.children else { return };
    if items.is_empty() {
        items.push(Block::blocks(BlockKind::ListItem, Vec::new()));
    }
    if let Some(Children::Blocks(nodes)) = items.last_mut().map(|item| &mut item.children) {
        append(nodes, level.min(MAX_LIST_LEVEL) - 1, list);
    }
}

/// Returns whether a list continues another: it has the same bullets, or the next number.
fn continues(before: &Block, list: &Block) -> bool {
    let start = |list: &Block| list.data.get("start").and_then(serde_json::Value::as_u64).unwrap_or(1);
    let length = u64::try_from(before.child_blocks().len()).unwrap_or(u64::MAX);
    before.kind == list.kind
        && (list.kind != BlockKind::ListOrdered || start(list) == start(before).saturating_add(length))
}

/// Returns a list of one kind. A start of 1 is omitted.
pub(crate) fn list(kind: BlockKind, items: Vec<Block>, start: Option<u32>) -> Block {
    let mut list = Block::blocks(kind, items);
    if let (BlockKind::ListOrdered, Some(start)) = (kind, start.filter(|start| *start != 1)) {
        list.data.insert("start".to_owned(), start.into());
    }
    list
}
