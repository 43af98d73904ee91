//! The tree → blocks.

use super::dom::{Data, Dom, Id};
use super::{HtmlOptions, Parsed};
use crate::document::{Block, BlockKind, Document};
use crate::runs::{Format, Runs};

/// Reads a page from its tree.
pub(super) fn read(dom: &Dom, _options: &HtmlOptions<'_>) -> Parsed {
    let mut nodes = Vec::new();
    let mut runs = Runs::default();
    let mut title = None;
    for id in dom.descendants(Dom::ROOT) {
        let silent = dom.ancestors(id).any(|e| matches!(e.name(), "script" | "style" | "head"));
        match dom.data(id) {
            Some(Data::Text(text)) if !silent => runs.collapsed(text, &Format::default()),
            Some(Data::Element(element)) => {
                if matches!(element.name(), "p" | "div" | "li" | "h1" | "h2" | "h3" | "td") {
                    end(&mut runs, &mut nodes);
                }
                if title.is_none() && element.name() == "title" {
                    title = Some(dom.text(id));
                }
            }
            _ => {}
        }
    }
    end(&mut runs, &mut nodes);
    Parsed { document: Document::new(nodes), head_title: title, ..Parsed::default() }
}

fn end(runs: &mut Runs, nodes: &mut Vec<Block>) {
    if !runs.is_empty() {
        nodes.push(Block::inlines(BlockKind::Paragraph, std::mem::take(runs).finish()));
    }
}

#[allow(dead_code)]
fn _unused(_: Id) {}
