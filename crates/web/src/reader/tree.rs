//! Tree of pages.

use super::icon;
use super::model::{Node, NodeKind};
use super::words::PageWords;
use maud::{Markup, html};
use quire_markup::emoji_character;
use std::collections::BTreeSet;

/// Maximum depth of a tree.
const MAX_DEPTH: usize = 32;

pub(super) fn tree(words: &PageWords, nodes: &[Node]) -> Markup {
    level(words, nodes, 0)
}

fn level(words: &PageWords, nodes: &[Node], depth: usize) -> Markup {
    html! {
        @if !nodes.is_empty() && depth < MAX_DEPTH {
            ul { @for node in nodes { li { (item(words, node, depth)) } } }
        }
    }
}

fn item(words: &PageWords, node: &Node, depth: usize) -> Markup {
    let below = level(words, &node.children, depth.saturating_add(1));
    let is_leaf = below.0.is_empty();
    html! {
        @match node.kind {
            NodeKind::Group => { p.group { (label(node)) } (below) }
            NodeKind::Link => { a.elsewhere href=(node.link.href) { (label(node)) } (below) }
            NodeKind::Page if is_leaf => { (page(node)) }
            // The link is outside the control that shows its child pages.
            NodeKind::Page => {
                (page(node))
                details open[node.is_open || node.is_current] {
                    summary aria-label={ (words.pages_below) " " (node.link.title) } {}
                    (below)
                }
            }
        }
    }
}

fn page(node: &Node) -> Markup {
    html! { a class=[node.has_more.then_some("more")] href=(node.link.href) aria-current=[node.is_current.then_some("page")] { (label(node)) } }
}

fn label(node: &Node) -> Markup {
    html! {
        @if let Some(emoji) = &node.emoji { span.icon { (emoji_character(emoji)) } }
        @else if let Some(icon) = &node.icon { (icon::icon(icon)) }
        span { (node.link.title) }
    }
}

/// Collects the names of icons.
pub(super) fn icons(nodes: &[Node], found: &mut BTreeSet<String>) {
    for node in nodes {
        icon::add(node.icon.as_ref(), found);
        icons(&node.children, found);
    }
}
