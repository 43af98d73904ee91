//! Blocks.

mod boxes;
mod cards;
mod cell;
mod code;
pub(crate) mod embed;
mod lists;
mod media;
mod reference;
mod table;
mod text;
mod updates;

use crate::api;
pub(crate) use code::plain_listing as listing;
use crate::limits::{MAX_DEPTH, STACK};
use crate::page::Page;
use maud::{Markup, Render, html};
use quire_markup::document::Block;
use quire_markup::{BlockKind, Document, plain_text};
use serde_json::Value;

/// Blocks that are written when the template around them is.
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
                stacker::maybe_grow(red_zone, size, || self.page.block(block, out));
            } else {
                let words = plain_text(&Document::new(vec![block.clone()]));
                html! { p { (words) } }.render_to(out);
            }
            self.page.count(counted, out.len().saturating_sub(length));
        }
        self.page.depth.set(depth);
    }
}

impl<'a> Page<'a> {
    pub(crate) fn blocks<'p>(&'p self, blocks: &'a [Block]) -> Blocks<'p, 'a> {
        Blocks { page: self, blocks }
    }

    /// Blocks in a line of their own, such as a list item or cell: a single paragraph is its text.
    pub(crate) fn flow(&self, blocks: &'a [Block]) -> Markup {
        let is_plain =
            |block: &Block| block.kind == BlockKind::Paragraph && block.str("align").is_none_or(|align| align == "start");
        let others = |rest: &[Block]| rest.iter().all(|block| block.kind != BlockKind::Paragraph);
        match blocks {
            [first, rest @ ..] if is_plain(first) && others(rest) && self.takes_block() => {
                html! { (self.inlines(first.child_inlines())) (self.blocks(rest)) }
            }
            blocks => html! { (self.blocks(blocks)) },
        }
    }

    fn block(&self, block: &'a Block, out: &mut String) {
        match block.kind {
            BlockKind::Paragraph => self.paragraph(block),
            BlockKind::Heading1 | BlockKind::Heading2 | BlockKind::Heading3 => self.heading(block),
            BlockKind::ListOrdered | BlockKind::ListUnordered | BlockKind::ListTasks => self.list(block),
            BlockKind::Divider => html! { hr; },
            BlockKind::Blockquote => html! { blockquote { (self.blocks(block.child_blocks())) } },
            BlockKind::Hint => self.hint(block),
            BlockKind::Code => self.code(block),
            BlockKind::Math => self.math(block),
            BlockKind::Images => self.images(block),
            BlockKind::Image => self.image(block),
            BlockKind::File => self.file(block),
            BlockKind::Drawing => self.drawing(block),
            BlockKind::Embed => self.embed(block),
            BlockKind::Expandable => self.expandable(block),
            BlockKind::Tabs => self.tabs(block),
            BlockKind::Table => self.table(block),
            BlockKind::ContentRef => self.content_ref(block),
            BlockKind::ReusableContent => self.reusable_content(block),
            BlockKind::Stepper => self.stepper(block),
            BlockKind::Columns => self.columns(block),
            BlockKind::If => self.condition(block),
            BlockKind::Prompt => self.prompt(block),
            BlockKind::Updates => self.updates(block),
            BlockKind::Update => self.update(block, "full"),
            BlockKind::Integration => self.integration(block),
            BlockKind::Swagger | BlockKind::OpenApiOperation | BlockKind::OpenApiWebhook => {
                api::operation_block(self, block)
            }
            BlockKind::OpenApiSchemas => api::schemas_block(self, block),
            // Parts outside of their wholes, which stored documents may have.
            BlockKind::ListItem | BlockKind::TabsItem | BlockKind::StepperStep | BlockKind::Column => {
                self.loose(block)
            }
            BlockKind::CodeLine => html! { p { code { (self.inlines(block.child_inlines())) } } },
        }
        .render_to(out);
    }

    /// A part without its whole: its title and content.
    fn loose(&self, block: &'a Block) -> Markup {
        html! {
            @if let Some(title) = block.str("title") { p { strong { (title) } } }
            (self.blocks(block.child_blocks()))
        }
    }

    fn condition(&self, block: &'a Block) -> Markup {
        let is_shown = block.str("expression").is_none_or(|expression| self.resolver.shows(expression));
        html! { @if is_shown { (self.blocks(block.child_blocks())) } }
    }
}

/// The class of a width in hundredths, in steps of five, as a page has no inline styles.
pub(crate) fn width_class(value: Option<&Value>) -> Option<String> {
    let value = value?;
    let unit = value.get("unit").and_then(Value::as_str);
    let hundredths = match (unit, value) {
        (Some("%"), value) => value.get("value")?.as_f64()?,
        _ => return None,
    };
    let step = (1..20).find(|step| f64::from(step * 5) + 2.5 > hundredths).unwrap_or(20);
    (hundredths > 0.0).then(|| format!("w-{}", step * 5))
}

/// Pixels of a length that isn't in hundredths.
pub(crate) fn pixels(value: Option<&Value>) -> Option<u32> {
    let value = value?;
    let is_share = value.get("unit").and_then(Value::as_str) == Some("%");
    let number = value.as_f64().or_else(|| value.get("value")?.as_f64()).filter(|_| !is_share)?;
    let number = number.round();
    // Exact: a whole number below 10,000.
    (1.0..10_000.0).contains(&number).then(|| format!("{number}").parse().ok()).flatten()
}

/// The value of `data-wide` of a block that asks for the full width.
pub(crate) fn is_wide(block: &Block) -> bool {
    block.flag("fullWidth")
}
