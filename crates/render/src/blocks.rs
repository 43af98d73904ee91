//! Sequences of blocks, within the limits of a page.

use crate::limits::{MAX_DEPTH, STACK};
use crate::page::Page;
use maud::{Markup, PreEscaped, Render, html};
use quire_markup::document::Block;
use quire_markup::{BlockKind, Document, plain_text};

/// Blocks that are rendered into the surrounding template.
pub(crate) struct Blocks<'p, 'a> {
    pub(crate) page: &'p Page<'a>,
    pub(crate) blocks: &'a [Block],
}

impl Render for Blocks<'_, '_> {
    fn render_to(&self, out: &mut String) {
        let depth = self.page.depth.get();
        self.page.depth.set(depth.saturating_add(1));
        for block in self.blocks {
            if !self.page.takes_block() {
                break;
            }
            let (counted, length) = (self.page.counted(), out.len());
            if depth < MAX_DEPTH {
                let (red_zone, size) = STACK;
                stacker::maybe_grow(red_zone, size, || self.page.write(block, out));
            } else {
                let words = plain_text(&Document::new(vec![block.clone()]));
                html! { p { (words) } }.render_to(out);
            }
            if depth == 0
                && self.page.names_blocks
                && let Some(key) = &block.key
            {
                name(out, length, key);
            }
            self.page.count(counted, out.len().saturating_sub(length));
        }
        self.page.depth.set(depth);
    }
}

/// Adds the key of a block, as an attribute, to the element that starts at an offset.
fn name(out: &mut String, start: usize, key: &str) {
    let Some([b'<', rest @ ..]) = out.as_bytes().get(start..) else { return };
    let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    if length > 0 {
        let (open, close) = (PreEscaped(" data-block=\""), PreEscaped("\""));
        let attribute = html! { (open) (key) (close) }.into_string();
        out.insert_str(start.saturating_add(1).saturating_add(length), &attribute);
    }
}

impl<'a> Page<'a> {
    pub(crate) fn blocks<'p>(&'p self, blocks: &'a [Block]) -> Blocks<'p, 'a> {
        Blocks { page: self, blocks }
    }

    /// Renders the blocks of a container such as a list item or cell. A single paragraph is rendered as its text.
    pub(crate) fn flow(&self, blocks: &'a [Block]) -> Markup {
        let is_plain = |block: &Block| {
            block.kind == BlockKind::Paragraph && block.str("align").is_none_or(|align| align == "start")
        };
        let others = |rest: &[Block]| rest.iter().all(|block| block.kind != BlockKind::Paragraph);
        match blocks {
            [first, rest @ ..] if is_plain(first) && others(rest) && self.takes_block() => {
                html! { (self.inlines(first.child_inlines())) (self.blocks(rest)) }
            }
            blocks => html! { (self.blocks(blocks)) },
        }
    }
}
