//! Ranks of headings. In Markdown and HTML the first rank is the page's title, which documents do not contain: `##` and
//! `h2` are `heading-1`.

use crate::document::{Block, BlockKind, Children, Document, Inline};
use serde_json::Value;

/// Returns the kind of a heading of this rank. Additional first-rank headings below the title are treated as second
/// rank.
pub(crate) fn kind_of(rank: u8) -> BlockKind {
    match rank {
        0..=2 => BlockKind::Heading1,
        3 => BlockKind::Heading2,
        _ => BlockKind::Heading3,
    }
}

/// Returns the rank that a heading of a document has in Markdown and HTML.
pub(crate) fn rank_of(block: &Block) -> usize {
    usize::from(block.heading_rank().unwrap_or(1)) + 1
}

/// Temporary `meta` key for the rank of a heading until [`settle`] is called.
const RANK: &str = "rank";

/// Returns a heading whose kind is decided after the whole page is read.
pub(crate) fn unsettled(rank: u8, nodes: Vec<Inline>) -> Block {
    let mut block = Block::inlines(kind_of(rank), nodes);
    block.meta = Some(Box::new([(RANK.to_owned(), Value::from(rank))].into_iter().collect()));
    block
}

/// Removes the heading used as the page's title, and decides the kinds of the others: on a page with one first-rank
/// heading they count from the second rank, otherwise from the first.
pub(crate) fn settle(document: &mut Document) -> Option<Block> {
    let mut titles = 0_usize;
    visit(&mut document.nodes, &mut |block| titles += usize::from(rank(block) == Some(1)));
    let title = document.nodes.first().is_some_and(|first| rank(first) == Some(1));
    let mut title = title.then(|| document.nodes.remove(0));
    let lower = u8::from(titles > 1);
    visit(&mut document.nodes, &mut |block| {
        if let Some(rank) = rank(block) {
            block.kind = kind_of(rank.saturating_add(lower));
            block.meta = None;
        }
    });
    if let Some(title) = &mut title {
        title.meta = None;
    }
    title
}

fn rank(block: &Block) -> Option<u8> {
    let rank = block.meta.as_ref()?.get(RANK)?.as_u64()?;
    u8::try_from(rank).ok()
}

/// Visits all blocks.
fn visit(blocks: &mut [Block], see: &mut dyn FnMut(&mut Block)) {
    for block in blocks {
        see(block);
        match &mut block.children {
            Children::Void => {}
            Children::Blocks(inner) => visit(inner, see),
            Children::Inlines(inlines) => visit_notes(inlines, see),
        }
        for fragment in &mut block.fragments {
            visit(&mut fragment.nodes, see);
        }
    }
}

fn visit_notes(inlines: &mut [Inline], see: &mut dyn FnMut(&mut Block)) {
    for inline in inlines {
        if let Inline::Node(node) = inline {
            visit_notes(&mut node.nodes, see);
            for note in &mut node.fragments {
                visit(&mut note.nodes, see);
            }
        }
    }
}
