//! Lists.

use crate::page::Page;
use maud::{Markup, html};
use quire_markup::BlockKind;
use quire_markup::document::Block;
use serde_json::Value;

impl<'a> Page<'a> {
    pub(super) fn list(&self, block: &'a Block) -> Markup {
        let items = block.child_blocks();
        match block.kind {
            BlockKind::ListOrdered => {
                let start = block.data.get("start").and_then(Value::as_u64).filter(|start| *start != 1);
                html! {
                    ol start=[start.map(|start| start.min(1 << 31))] {
                        @for item in items { li { (self.flow(item.child_blocks())) } }
                    }
                }
            }
            BlockKind::ListTasks => html! {
                ul.tasks {
                    @for item in items {
                        @let is_done = item.flag("checked");
                        li {
                            input type="checkbox" disabled checked[is_done]
                                aria-label=(if is_done { self.words.done } else { self.words.open });
                            div { (self.flow(item.child_blocks())) }
                        }
                    }
                }
            },
            _ => html! { ul { @for item in items { li { (self.flow(item.child_blocks())) } } } },
        }
    }
}
