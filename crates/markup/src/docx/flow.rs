//! Collects blocks: consecutive paragraphs become a list, a listing, a quotation, a caption.

use super::numbering::Marker;
use crate::document::{Block, BlockKind, Children, Fragment, Inline};
use crate::lists;

/// Blocks collected so far.
#[derive(Default)]
pub(super) struct Flow {
    pub(super) blocks: Vec<Block>,
    /// Consecutive lines of code.
    pub(super) code: Vec<String>,
    pub(super) quote: Vec<Block>,
}

impl Flow {
    pub(super) fn end_code(&mut self) {
        let lines = std::mem::take(&mut self.code);
        if !lines.is_empty() {
            self.blocks.push(Block::code(None, lines.iter().map(String::as_str)));
        }
    }

    pub(super) fn end_quote(&mut self) {
        let quote = std::mem::take(&mut self.quote);
        if !quote.is_empty() {
            self.blocks.push(Block::blocks(BlockKind::Blockquote, quote));
        }
    }

    pub(super) fn end(&mut self) {
        self.end_code();
        self.end_quote();
    }
}

/// Adds an item to the last list, or starts a new list.
pub(super) fn item(
    flow: &mut Flow,
    level: usize,
    marker: Marker,
    checkbox: Option<bool>,
    nodes: Vec<Inline>,
) {
    let content: Vec<Block> = crate::lines::paragraph(nodes).into_iter().collect();
    if marker == Marker::None
        && let Some(list) = flow.blocks.last_mut().filter(|last| lists::is_list(last))
    {
        content.into_iter().for_each(|block| into_last_item(list, block));
        return;
    }
    let mut item = Block::blocks(BlockKind::ListItem, content);
    let (kind, start) = match (marker, checkbox) {
        (_, Some(checked)) => {
            item.data.insert("checked".to_owned(), checked.into());
            (BlockKind::ListTasks, None)
        }
        (Marker::Number(number), None) => (BlockKind::ListOrdered, Some(number)),
        (Marker::Bullet | Marker::None, None) => (BlockKind::ListUnordered, None),
    };
    lists::append(&mut flow.blocks, level, lists::list(kind, vec![item], start));
}

/// Adds a block to the last item of a list, at any depth.
pub(super) fn into_last_item(list: &mut Block, block: Block) {
    let Children::Blocks(items) = &mut list.children else { return };
    let Some(Children::Blocks(nodes)) = items.last_mut().map(|item| &mut item.children) else { return };
    match nodes.last_mut() {
        Some(inner) if lists::is_list(inner) => into_last_item(inner, block),
        _ => nodes.push(block),
    }
}

/// Adds a caption to the preceding image. Returns it if no image precedes.
pub(super) fn caption(flow: &mut Flow, nodes: Vec<Inline>) -> Option<Vec<Inline>> {
    let images = flow.blocks.last_mut().filter(|last| last.kind == BlockKind::Images);
    let Some(Children::Blocks(images)) = images.map(|images| &mut images.children) else {
        return Some(nodes);
    };
    match images.last_mut() {
        Some(image) if image.fragments.is_empty() && !has_nodes(&nodes) => {
            image.fragments.push(Fragment::with_role("caption", vec![Block::paragraph(nodes)]));
            None
        }
        _ => Some(nodes),
    }
}

pub(super) fn has_nodes(nodes: &[Inline]) -> bool {
    nodes.iter().any(|inline| matches!(inline, Inline::Node(_)))
}
