//! Differences between two versions of a document, rendered with the elements of a page.
//!
//! Added parts are in `<ins>`, removed ones in `<del>`. Added, removed and moved blocks have a label.

mod sentence;
mod table;

use maud::{Markup, Render, html};
use quire_markup::document::Block;
use quire_markup::{Document, plain_text};
use quire_revision::{DocumentDifference, NodeChange, NodeDifference, WordChange, WordRun};
use serde_json::{Value, json};
use std::ops::Range;

use crate::block;
use crate::limits::MAX_DEPTH;
use crate::page::{Options, Page, Rendered};
use crate::resolve::Resolver;

/// Maximum number of adjacent unchanged blocks that are shown. Longer runs are folded.
const MOST_UNCHANGED: usize = 3;

/// Layout of a difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DifferenceView {
    /// One column, with removed parts before added ones.
    #[default]
    Inline,
    /// Two columns: the earlier version on the left, the later one on the right.
    Split,
}

/// Version of the document in a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Both,
    Before,
    After,
}

/// Renders the difference between two versions of a document as HTML. The limits of pages apply.
#[must_use]
pub fn render_difference(
    difference: &DocumentDifference,
    view: DifferenceView,
    resolver: &dyn Resolver,
    options: &Options<'_>,
) -> Rendered {
    let page = Page::new(resolver, options, block::write);
    let html = match view {
        DifferenceView::Inline => Writer { page: &page, side: Side::Both }.rows(&difference.blocks, 0),
        DifferenceView::Split => split(&page, &difference.blocks),
    };
    let html = html! {
        @if difference.is_coarse { p.muted { "This page differs so much that some parts are shown as replaced." } }
        (html)
    };
    page.finish(html.into_string())
}

/// Splits differences into ranges: one for each change, and one for each run of unchanged blocks.
fn stretches(rows: &[NodeDifference]) -> Vec<Range<usize>> {
    let mut stretches: Vec<Range<usize>> = Vec::new();
    let is_same = |index: usize| rows.get(index).is_some_and(|row| row.change == NodeChange::Unchanged);
    for index in 0..rows.len() {
        match stretches.last_mut() {
            Some(last) if is_same(index) && is_same(last.start) => last.end = index.saturating_add(1),
            _ => stretches.push(index..index.saturating_add(1)),
        }
    }
    stretches
}

fn unchanged(count: usize) -> String {
    format!("{count} unchanged blocks")
}

/// Renders both versions in two columns.
fn split(page: &Page<'_>, rows: &[NodeDifference]) -> Markup {
    let pair = |row: &NodeDifference| {
        html! {
            div.chg-row {
                @for side in [Side::Before, Side::After] { div.chg-side { (Writer { page, side }.row(row, 0, None)) } }
            }
        }
    };
    html! {
        div.chg-split {
            div.chg-row.chg-head { p { "Before" } p { "After" } }
            @for stretch in stretches(rows) {
                @let stretch = rows.get(stretch).unwrap_or_default();
                @if stretch.len() > MOST_UNCHANGED {
                    details.gap { summary { (unchanged(stretch.len())) } @for row in stretch { (pair(row)) } }
                } @else {
                    @for row in stretch { (pair(row)) }
                }
            }
        }
    }
}

/// Renderer of one or both versions.
struct Writer<'p, 'a> {
    page: &'p Page<'a>,
    side: Side,
}

impl Writer<'_, '_> {
    fn shows(&self, change: NodeChange, has_after: bool) -> bool {
        match (self.side, change) {
            (Side::Both, _) | (_, NodeChange::Unchanged | NodeChange::Edited) => true,
            (side, _) => (side == Side::After) == has_after,
        }
    }

    fn rows(&self, rows: &[NodeDifference], depth: usize) -> Markup {
        let keyed = self.keyed(rows, depth);
        html! {
            @for stretch in stretches(rows) {
                @let stretch = keyed.get(stretch).unwrap_or_default();
                @if stretch.len() > MOST_UNCHANGED && depth == 0 && self.side == Side::Both {
                    details.gap {
                        summary { (unchanged(stretch.len())) }
                        @for (row, key) in stretch { (self.row(row, depth, key.as_deref())) }
                    }
                } @else {
                    @for (row, key) in stretch { (self.row(row, depth, key.as_deref())) }
                }
            }
        }
    }

    /// Returns differences with the keys of the blocks in the later version, if keys are rendered. The key of a block
    /// without one is its position.
    fn keyed<'r>(
        &self,
        rows: &'r [NodeDifference],
        depth: usize,
    ) -> Vec<(&'r NodeDifference, Option<String>)> {
        let is_named = depth == 0 && self.side == Side::Both && self.page.names_blocks;
        let mut position = 0_usize;
        let key = |row: &'r NodeDifference| {
            let key = row.after.as_ref().filter(|_| is_named).map(|node| {
                let own = node.get("key").and_then(Value::as_str);
                own.map_or_else(|| position.to_string(), ToOwned::to_owned)
            });
            position = position.saturating_add(usize::from(row.after.is_some()));
            (row, key)
        };
        rows.iter().map(key).collect()
    }

    fn row(&self, row: &NodeDifference, depth: usize, key: Option<&str>) -> Markup {
        let Some(node) = row.node().filter(|_| self.shows(row.change, row.after.is_some())) else {
            return html! {};
        };
        match (row.change, row.after.is_some()) {
            (NodeChange::Unchanged, _) => self.node(node),
            (NodeChange::Added, _) => {
                html! { div.chg.add data-block=[key] { p.tagline { "Added" } ins { (self.node(node)) } } }
            }
            (NodeChange::Removed, _) => {
                html! { div.chg.rem { p.tagline { "Removed" } del { (self.node(node)) } } }
            }
            (NodeChange::Moved, true) => {
                html! { div.chg.mov data-block=[key] { p.tagline { "Moved here" } ins { (self.node(node)) } } }
            }
            (NodeChange::Moved, false) => {
                html! { div.chg.mov.rem { p.tagline { "Moved elsewhere" } del { (self.node(node)) } } }
            }
            (NodeChange::Edited, _) => html! {
                div.chg.mod data-block=[key] {
                    p.tagline { "Edited" @for sentence in sentence::all(&row.attributes) { " · " (sentence) } }
                    (self.edited(row, node, depth))
                }
            },
        }
    }

    /// Renders an edited block. Common parts are rendered once if the type of the block allows it.
    fn edited(&self, row: &NodeDifference, node: &Value, depth: usize) -> Markup {
        let kind = node.get("type").and_then(Value::as_str).unwrap_or_default();
        let inner = depth.saturating_add(1);
        if depth >= MAX_DEPTH {
            return self.versions(row);
        }
        if let Some(rows) = &row.rows {
            return table::table(self, rows, inner);
        }
        if let Some(runs) = &row.words {
            return self.text(kind, runs);
        }
        match (kind, &row.nodes) {
            ("code", Some(lines)) => self.listing(lines),
            ("list-unordered" | "list-tasks", Some(items)) => html! { ul { (self.items(items, inner)) } },
            ("list-ordered", Some(items)) => html! { ol { (self.items(items, inner)) } },
            ("blockquote", Some(nodes)) => html! { blockquote { (self.rows(nodes, inner)) } },
            (_, nodes) if nodes.is_some() || row.fragments.is_some() => {
                let lists = [nodes, &row.fragments].into_iter().flatten();
                html! { div.chg-in { @for list in lists { (self.rows(list, inner)) } } }
            }
            _ => self.versions(row),
        }
    }

    /// Renders a block without comparable parts, such as an image.
    fn versions(&self, row: &NodeDifference) -> Markup {
        let before = row.whole_before().filter(|_| self.side != Side::After);
        let after = row.whole_after().filter(|_| self.side != Side::Before);
        html! {
            @if let Some(before) = &before { del { (self.node(before)) } }
            @if let Some(after) = &after { ins { (self.node(after)) } }
        }
    }

    fn items(&self, items: &[NodeDifference], depth: usize) -> Markup {
        html! {
            @for item in items {
                @if self.shows(item.change, item.after.is_some()) {
                    @let nodes = item.node().map(contents).unwrap_or_default();
                    @match item.change {
                        NodeChange::Unchanged => li { (self.blocks(nodes)) },
                        NodeChange::Edited => li {
                            @for sentence in sentence::all(&item.attributes) { p.tagline { (sentence) } }
                            @match &item.nodes {
                                Some(nodes) => { (self.rows(nodes, depth)) }
                                None => { (self.blocks(nodes)) }
                            }
                        },
                        NodeChange::Removed => li.rem { p.tagline { "Removed" } del { (self.blocks(nodes)) } },
                        NodeChange::Moved if item.after.is_none() => {
                            li.rem { p.tagline { "Moved elsewhere" } del { (self.blocks(nodes)) } }
                        }
                        NodeChange::Moved => li.add { p.tagline { "Moved here" } ins { (self.blocks(nodes)) } },
                        NodeChange::Added => li.add { p.tagline { "Added" } ins { (self.blocks(nodes)) } },
                    }
                }
            }
        }
    }

    /// Renders a text with its differing words marked.
    fn text(&self, kind: &str, runs: &[WordRun]) -> Markup {
        let words = self.runs(runs);
        match kind {
            "heading-1" => html! { h2 { (words) } },
            "heading-2" => html! { h3 { (words) } },
            "heading-3" => html! { h4 { (words) } },
            _ => html! { p { (words) } },
        }
    }

    fn runs(&self, runs: &[WordRun]) -> Markup {
        html! {
            @for run in runs {
                @match (run.change, self.side) {
                    (WordChange::Unchanged, _) => { (self.inlines(&run.nodes)) }
                    (WordChange::Added, Side::Both | Side::After) => ins { (self.inlines(&run.nodes)) },
                    (WordChange::Removed, Side::Both | Side::Before) => del { (self.inlines(&run.nodes)) },
                    _ => {}
                }
            }
        }
    }

    /// Renders a listing line by line, with a sign before differing lines.
    fn listing(&self, lines: &[NodeDifference]) -> Markup {
        let line = |node: Option<Value>| node.map(|node| self.inlines(contents(&node))).unwrap_or_default();
        let removed = |row: &NodeDifference| {
            html! { del.line { span.sign { "− " } (line(row.whole_before())) "\n" } }
        };
        let added =
            |row: &NodeDifference| html! { ins.line { span.sign { "+ " } (line(row.whole_after())) "\n" } };
        html! {
            figure.code {
                pre dir="ltr" tabindex="0" {
                    code {
                        @for row in lines {
                            @if row.change == NodeChange::Unchanged {
                                span.line { span.sign { "  " } (line(row.whole_after())) "\n" }
                            } @else {
                                @if row.before.is_some() && self.side != Side::After { (removed(row)) }
                                @if row.after.is_some() && self.side != Side::Before { (added(row)) }
                            }
                        }
                    }
                }
            }
        }
    }

    fn node(&self, node: &Value) -> Markup {
        match node.get("type").and_then(Value::as_str) {
            // Parts outside their containers.
            Some("list-item" | "tabs-item" | "stepper-step" | "column") => {
                let title = node.get("data").and_then(|data| data.get("title")).and_then(Value::as_str);
                html! { @if let Some(title) = title { p { strong { (title) } } } (self.blocks(contents(node))) }
            }
            None => self.blocks(contents(node)),
            _ => self.blocks(std::slice::from_ref(node)),
        }
    }

    fn blocks(&self, nodes: &[Value]) -> Markup {
        self.typed(nodes, |page, blocks| html! { (page.blocks(blocks)) })
    }

    fn inlines(&self, nodes: &[Value]) -> Markup {
        let paragraph = json!({"object": "block", "type": "paragraph", "data": {}, "nodes": nodes});
        self.typed(&[paragraph], |page, blocks| {
            html! { @for block in blocks { (page.inlines(block.child_inlines())) } }
        })
    }

    /// Renders nodes as a part of the page.
    fn typed(&self, nodes: &[Value], write: impl for<'b> FnOnce(&Page<'b>, &'b [Block]) -> Markup) -> Markup {
        let stored = json!({"object": "document", "data": {}, "nodes": nodes});
        let Ok(document) = Document::from_stored_value(&stored) else {
            return html! { p { "This part can't be shown." } };
        };
        if !self.page.takes_block() {
            return html! {};
        }
        let counted = self.page.counted();
        let inner = self.page.aside();
        let written = write(&inner, &document.nodes);
        self.page.merge_inner(inner);
        let mut html = String::new();
        written.render_to(&mut html);
        self.page.count(counted, html.len());
        written
    }
}

fn contents(node: &Value) -> &[Value] {
    node.get("nodes").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Returns the text of a node.
fn text(nodes: &[Value]) -> String {
    let stored = json!({"object": "document", "data": {}, "nodes": nodes});
    Document::from_stored_value(&stored).map(|document| plain_text(&document)).unwrap_or_default()
}
