//! Blocks without an HTML element: `<div data-block="hint" data-properties="…">`. This form is used where block tags
//! are not possible: in cells, captions and other elements. For hints in list items, GitBook has its own element: `<div
//! data-gb-custom-block data-tag="hint" data-style="info">`.

use super::flow::{custom_hint, is_close};
use super::{Element, Flow, Token, properties};
use crate::document::{Block, BlockKind, Children, Fragment, Holds, holds, is_content};
use crate::markdown::HrefKind;
use crate::markdown_html::inlines::resolve;

impl Flow<'_, '_> {
    /// Reads the block of the `div` whose start tag was just consumed. A `div` that names no block is replaced by its
    /// content.
    pub(super) fn block_element(&mut self, element: &Element, depth: usize) -> Vec<Block> {
        let kind = match custom_hint(element) {
            Some(_) => Some(BlockKind::Hint),
            None => element.get("data-block").and_then(BlockKind::from_wire),
        };
        let may_stand = kind.is_some_and(|kind| is_content(kind) || self.expects(kind, depth));
        let (children, fragments) = self.inside(kind, depth);
        let Some(kind) = kind else { return loose(children, fragments) };
        let mut block = Block::void(kind);
        (block.children, block.fragments) = (children, fragments.into());
        if let Some(patch) = element.get(properties::ATTRIBUTE).and_then(properties::from_json) {
            block.data = patch.into();
        }
        if let Some(style) = custom_hint(element) {
            block.data.insert("style".to_owned(), style.into());
        }
        let reference = element.get("data-ref").and_then(|href| resolve(self.refs, href, href_kind(kind)));
        if let Some(reference) = reference {
            block.data.insert("ref".to_owned(), reference.to_value());
        }
        if may_stand && block.is_sound() {
            vec![block]
        } else {
            loose(block.children, block.fragments.into_inner())
        }
    }

    /// Reads the content of the element, including the end tag.
    fn inside(&mut self, kind: Option<BlockKind>, depth: usize) -> (Children, Vec<Fragment>) {
        let held = kind.map_or(Holds::Content, holds);
        if held == Holds::Inlines {
            return (Children::Inlines(self.inlines_until("div", depth)), Vec::new());
        }
        let before = match held {
            Holds::Parts(kinds) => self.expect(depth + 2, kinds),
            _ => self.expect(depth + 2, &[]),
        };
        let (mut blocks, mut fragments) = (Vec::new(), Vec::new());
        while let Some(token) = self.peek().filter(|token| !is_close(token, &["div"])) {
            if let Token::Open(element) = token
                && let Some(role) = element.get("data-fragment").filter(|_| element.name == "div")
            {
                self.advance();
                let nodes = self.blocks(&|token| is_close(token, &["div"]), depth + 2);
                self.close("div");
                fragments.push(Fragment::with_role(role, nodes));
                continue;
            }
            let start = self.position();
            // Same depth as in a tag, which is the form in which such a block is written next.
            blocks.extend(self.blocks(&ends, depth + 2));
            if self.position() == start {
                self.advance();
            }
        }
        self.close("div");
        self.restore(before);
        let is_void = held == Holds::Nothing && blocks.is_empty();
        (if is_void { Children::Void } else { Children::Blocks(blocks) }, fragments)
    }
}

/// Returns the content of an invalid block: its parts are replaced by their content.
fn loose(children: Children, fragments: Vec<Fragment>) -> Vec<Block> {
    let mut blocks = match children {
        Children::Void => Vec::new(),
        Children::Inlines(inlines) if inlines.is_empty() => Vec::new(),
        Children::Inlines(inlines) => vec![Block::paragraph(inlines)],
        Children::Blocks(blocks) => blocks,
    };
    blocks.extend(fragments.into_iter().flat_map(|fragment| fragment.nodes));
    if blocks.iter().all(|block| is_content(block.kind)) {
        return blocks;
    }
    let freed = blocks.into_iter().map(|block| {
        if is_content(block.kind) { vec![block] } else { loose(block.children, block.fragments.into_inner()) }
    });
    freed.flatten().collect()
}

fn ends(token: &Token<'_>) -> bool {
    let is_fragment = matches!(token, Token::Open(element) if element.has("data-fragment"));
    is_fragment || is_close(token, &["div"])
}

fn href_kind(kind: BlockKind) -> HrefKind {
    match kind {
        BlockKind::ReusableContent => HrefKind::Include,
        BlockKind::Image => HrefKind::Image,
        BlockKind::File | BlockKind::Drawing | BlockKind::Swagger => HrefKind::File,
        _ => HrefKind::ContentRef,
    }
}
