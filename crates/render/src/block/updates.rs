//! Dated updates.

use crate::page::Page;
use crate::words;
use maud::{Markup, html};
use quire_markup::ContentRef;
use quire_markup::document::Block;
use serde_json::Value;

impl<'a> Page<'a> {
    pub(super) fn updates(&self, block: &'a Block) -> Markup {
        let format = block.str("format").unwrap_or("full");
        html! {
            div.updates { @for update in block.child_blocks() { (self.update(update, format)) } }
        }
    }

    pub(super) fn update(&self, block: &'a Block, format: &str) -> Markup {
        let date = block.str("date").unwrap_or_default();
        let tags = block.data.get("tags").and_then(Value::as_array);
        let tags: Vec<ContentRef> = tags.into_iter().flatten().filter_map(ContentRef::from_value).collect();
        html! {
            article.update id=[self.id(date)] {
                div.update-head {
                    time datetime=(date) { (words::date(date, format)) }
                    @for tag in &tags { span.chip { (self.link(tag).title) } }
                }
                div.update-body { (self.blocks(block.child_blocks())) }
            }
        }
    }
}
