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
use crate::page::Page;
use maud::{Markup, Render, html};
use quire_markup::BlockKind;
use quire_markup::document::Block;
use serde_json::Value;

/// Writes a block of any type.
pub(crate) fn write<'a>(page: &Page<'a>, block: &'a Block, out: &mut String) {
    page.block(block, out);
}

impl<'a> Page<'a> {
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
            // Stored documents may have parts outside their containers.
            BlockKind::ListItem | BlockKind::TabsItem | BlockKind::StepperStep | BlockKind::Column => {
                self.loose(block)
            }
            BlockKind::CodeLine => html! { p { code { (self.inlines(block.child_inlines())) } } },
        }
        .render_to(out);
    }

    /// Renders a part outside its container: its title and content.
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

/// Returns a class, followed by the class for a width in percent, rounded to steps of five. Pages have no inline
/// styles.
fn classes(class: &str, width: Option<&Value>) -> String {
    let width = width.filter(|width| width.get("unit").and_then(Value::as_str) == Some("%"));
    let hundredths = width.and_then(|width| width.get("value")?.as_f64()).filter(|width| *width > 0.0);
    match hundredths {
        Some(hundredths) => {
            let step = (1..20).find(|step| f64::from(step * 5) + 2.5 > hundredths).unwrap_or(20);
            format!("{class} w-{}", step * 5)
        }
        None => class.to_owned(),
    }
}

/// Returns a length in pixels, unless it is in percent.
fn pixels(value: Option<&Value>) -> Option<u32> {
    let value = value?;
    let is_share = value.get("unit").and_then(Value::as_str) == Some("%");
    let number = value.as_f64().or_else(|| value.get("value")?.as_f64()).filter(|_| !is_share)?;
    let number = number.round();
    // The conversion is exact for a whole number below 10,000.
    (1.0..10_000.0).contains(&number).then(|| format!("{number}").parse().ok()).flatten()
}

/// Returns the value of `data-wide` for a block of full width.
fn is_wide(block: &Block) -> bool {
    block.flag("fullWidth")
}
