//! Table of contents of an archive, in the dialect of `SUMMARY.md` that imports read.

use quire_domain::ids::PageId;
use quire_markup::exported::{EXACT_ANCHORS, is_absolute};
use quire_markup::{ContentRef, RefPrinter as _};
use quire_revision::{PageKind, PageNode, Tree};

use super::block;
use super::layout::Layout;

/// Path of the table of contents.
pub(crate) const PATH: &str = "SUMMARY.md";

/// Writes the table of contents.
pub(crate) fn print(tree: &Tree, layout: &Layout) -> String {
    let mut out = format!("# Table of contents\n\n{EXACT_ANCHORS}\n\n");
    let mut in_group = false;
    for page in tree.children(None) {
        if page.kind == PageKind::Group {
            out.push_str(&format!(
                "\n## {} <a href=\"#{slug}\" id=\"{slug}\"></a>\n\n",
                escaped(&page.title),
                slug = page.slug
            ));
            in_group = true;
            entries(tree, layout, Some(page.id), 0, &mut out);
            continue;
        }
        if std::mem::take(&mut in_group) {
            // A separator ends the group. Pages after it belong to no group.
            out.push_str("\n---\n\n");
        }
        entry(tree, layout, page, 0, &mut out);
    }
    out
}

fn entries(tree: &Tree, layout: &Layout, parent: Option<PageId>, depth: usize, out: &mut String) {
    for page in tree.children(parent) {
        entry(tree, layout, page, depth, out);
    }
}

fn entry(tree: &Tree, layout: &Layout, page: &PageNode, depth: usize, out: &mut String) {
    if let PageKind::Computed { source, seed } = &page.kind {
        out.push_str(&block::print(page, source, seed, depth));
        return;
    }
    let target = match &page.kind {
        PageKind::Link { target } => link(layout, target),
        _ => layout.page(page.id).map(super::layout::escaped),
    };
    let link_title = link_title(page).filter(|_| target.is_some());
    let link_title = link_title.map(|title| format!(" \"{}\"", quoted(title))).unwrap_or_default();
    let line = format!(
        "{}* [{}]({}{link_title})\n",
        "  ".repeat(depth),
        escaped(&page.title),
        target.unwrap_or_default()
    );
    out.push_str(&line);
    entries(tree, layout, Some(page.id), depth + 1, out);
}

/// Returns the target of a link page. An empty fragment distinguishes a link to a page from the page itself. A broken
/// target is always written in a broken form, because an import would otherwise report a missing page of that name.
fn link(layout: &Layout, target: &serde_json::Value) -> Option<String> {
    let reference = ContentRef::from_value(target)?;
    let refs = layout.refs(PATH);
    let href = refs.href(&reference);
    let path = layout.path_of(&reference).map(super::layout::escaped);
    Some(match (&reference, path) {
        (ContentRef::Page { .. }, Some(path)) => format!("{path}#"),
        (ContentRef::Anchor { anchor, .. }, Some(path)) => {
            format!("{path}#{}", super::layout::escaped(anchor))
        }
        (_, Some(path)) => path,
        _ if href.starts_with('#') || is_absolute(&href) => href,
        _ => refs.broken(&reference),
    })
}

/// Returns the menu title of a page if the table of contents can express it. It is written in quotes after the target,
/// where `mention` has another meaning.
pub(super) fn link_title(page: &PageNode) -> Option<&str> {
    let words = |text: &str| text.split_ascii_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let is_plain = |title: &&str| {
        *title != "mention"
            && !title.contains(|c: char| matches!(c, '<' | '>') || c.is_control())
            && words(title).join(" ") == *title
            && words(title) != words(&page.title)
    };
    let title = page.link_title.as_deref().filter(|title| !title.is_empty()).filter(is_plain);
    title.filter(|_| page.kind == PageKind::Document)
}

/// Escapes a title between quotes.
fn quoted(title: &str) -> String {
    title.chars().flat_map(|c| "\\\"()".contains(c).then_some('\\').into_iter().chain([c])).collect()
}

/// Escapes a title as inline Markdown.
fn escaped(title: &str) -> String {
    let words: Vec<&str> = title.split_ascii_whitespace().collect();
    words
        .join(" ")
        .chars()
        .flat_map(|c| "\\`*_[]<>&#|~$:!".contains(c).then_some('\\').into_iter().chain([c]))
        .collect()
}
