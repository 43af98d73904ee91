//! Paragraphs, headings, hints and formulas.

use crate::math;
use crate::page::Page;
use maud::{Markup, Render, html};
use quire_markup::document::Block;
use quire_markup::{BlockKind, Inline, Mark, inline_text};

impl<'a> Page<'a> {
    pub(super) fn paragraph(&self, block: &'a Block) -> Markup {
        let nodes = block.child_inlines();
        html! { p data-align=[alignment(block)] dir=[self.direction(&words_of(nodes))] { (self.inlines(nodes)) } }
    }

    /// Renders a heading below the page's title. The element's level follows the rank but skips no level; `data-rank`
    /// determines the style.
    pub(super) fn heading(&self, block: &'a Block) -> Markup {
        let nodes = block.child_inlines();
        let title = inline_text(nodes);
        let rank = block.heading_rank().unwrap_or(1);
        let level = rank.saturating_add(1).min(self.level.get().saturating_add(1));
        self.level.set(level);
        let anchor = self.anchor(block, title.trim());
        let (align, dir) = (alignment(block), self.direction(&words_of(nodes)));
        let rank = (level != rank.saturating_add(1)).then_some(rank);
        let content = html! {
            (self.inlines(nodes))
            @if let Some(anchor) = anchor.as_ref().filter(|_| self.links_headings) {
                a.anchor href={ "#" (anchor) } aria-label=(self.words.link_to) {}
            }
        };
        match level {
            2 => html! { h2 id=[anchor] data-rank=[rank] data-align=[align] dir=[dir] { (content) } },
            3 => html! { h3 id=[anchor] data-rank=[rank] data-align=[align] dir=[dir] { (content) } },
            _ => html! { h4 id=[anchor] data-rank=[rank] data-align=[align] dir=[dir] { (content) } },
        }
    }

    pub(super) fn hint(&self, block: &'a Block) -> Markup {
        let style = block.str("style").unwrap_or("info");
        let (label, icon) = match style {
            "success" => (self.words.success, "q-success"),
            "warning" => (self.words.warning, "q-warning"),
            "danger" => (self.words.danger, "q-danger"),
            _ => (self.words.info, "q-info"),
        };
        let icon = block.str("icon").filter(|icon| !icon.is_empty()).unwrap_or(icon);
        let has_title = starts_with_title(block.child_blocks());
        html! {
            div.hint data-style=(style) role="note" aria-label=(label) {
                (self.icon(icon))
                div {
                    @if !has_title { p.hint-label { (label) } }
                    (self.blocks(block.child_blocks()))
                }
            }
        }
    }

    pub(super) fn math(&self, block: &Block) -> Markup {
        let formula = block.str("formula").unwrap_or_default();
        html! { div.math tabindex="0" { (math::display(formula)) } }
    }
}

/// Returns whether content begins with a title of its own: a heading, or a line in bold.
fn starts_with_title(blocks: &[Block]) -> bool {
    let Some(first) = blocks.first() else { return false };
    if first.heading_rank().is_some() {
        return true;
    }
    let Some(Inline::Text(text)) = first.child_inlines().first() else { return false };
    let is_bold = text.leaves.iter().find(|leaf| !leaf.text.is_empty());
    first.kind == BlockKind::Paragraph && is_bold.is_some_and(|leaf| leaf.marks.contains(&Mark::Bold))
}

/// Returns the value of `data-align`, unless it is the default.
fn alignment(block: &Block) -> Option<&str> {
    block.str("align").filter(|align| *align != "start")
}

/// Returns the text that determines the direction of a line: all but code.
fn words_of(nodes: &[Inline]) -> String {
    let mut words = String::new();
    for node in nodes {
        match node {
            Inline::Text(text) => {
                let spoken = text.leaves.iter().filter(|leaf| !leaf.marks.contains(&Mark::Code));
                spoken.for_each(|leaf| words.push_str(&leaf.text));
            }
            Inline::Node(node) => words.push_str(&words_of(&node.nodes)),
        }
    }
    words
}

/// Renders plain text.
pub(super) fn words(text: &str) -> Markup {
    let mut out = String::new();
    text.render_to(&mut out);
    maud::PreEscaped(out)
}
