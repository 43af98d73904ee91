//! Embeds the content of one page in another.

use quire_markup::document::Children;
use quire_markup::{Block, BlockKind, Inline, Mark};

/// Returns the content of a page below a heading with its title. Its own headings move one level down.
#[must_use]
pub fn titled(title: &str, id: &str, nodes: &[Block]) -> Vec<Block> {
    let heading = Block::inlines(BlockKind::Heading1, vec![Inline::text(title)]).with("id", id);
    let mut content = vec![heading];
    content.extend(nodes.iter().cloned().map(lowered));
    content
}

/// Returns a block with its headings one level lower. Headings of level three become bold text. The headings keep their
/// anchors as explicit ids, because derived anchors belong to the headings of the surrounding document.
fn lowered(mut block: Block) -> Block {
    match block.kind {
        BlockKind::Heading1 | BlockKind::Heading2 => {
            let is_first = block.kind == BlockKind::Heading1;
            block.kind = if is_first { BlockKind::Heading2 } else { BlockKind::Heading3 };
            block.data.extend(block.key.as_deref().map(|key| ("id".to_owned(), key.into())));
        }
        BlockKind::Heading3 => {
            let mut words = block.child_inlines().to_vec();
            embolden(&mut words);
            return Block { key: block.key, ..Block::paragraph(words) };
        }
        _ => {}
    }
    if let Children::Blocks(inner) = &mut block.children {
        *inner = std::mem::take(inner).into_iter().map(lowered).collect();
    }
    for fragment in &mut block.fragments {
        fragment.nodes = std::mem::take(&mut fragment.nodes).into_iter().map(lowered).collect();
    }
    block
}

fn embolden(inlines: &mut [Inline]) {
    for inline in inlines {
        match inline {
            Inline::Node(node) => embolden(&mut node.nodes),
            Inline::Text(text) => {
                for leaf in text.leaves.iter_mut().filter(|leaf| !leaf.marks.contains(&Mark::Bold)) {
                    leaf.marks.insert(0, Mark::Bold);
                }
            }
        }
    }
}
