//! Page order of a book in HTML files: its first page lists the others, or each page names the next one.

use std::collections::{BTreeMap, BTreeSet};

use quire_markup::StableRefs;
use quire_markup::html::{self, Extract, HtmlOptions};

use super::{Contents, decoded, pages};
use crate::layout::Layout;
use crate::path;
use crate::summary::{self, Entry, Part};
use crate::tree::SourceTree;

/// Returns the table of contents in the lists of the first HTML page, completed with the pages that follow listed ones;
/// `None` if another file defines the order, or if fewer than half of the pages would have a position.
pub(super) fn contents(tree: &SourceTree) -> Option<Contents> {
    let (all, html) = (pages(tree).count(), pages(tree).filter(|page| path::is_html(page)).count());
    if html < 3 || html * 2 < all || Layout::find(tree).summary.is_some() {
        return None;
    }
    let first = first(tree)?;
    let mut flat = listed(tree, first);
    add_following(tree, first, &mut flat);
    if flat.len() * 2 < html {
        return None;
    }
    let top = flat.iter().map(|listed| listed.depth).min()?;
    flat.retain(|listed| listed.file != first);
    flat.insert(0, Listed { depth: top, text: String::new(), file: first.to_owned() });
    let entry = |Listed { depth, text, file }| (depth, Entry::of_file(&text, &file, Vec::new()));
    let entries = summary::nest(flat.into_iter().map(entry).collect());
    Some(Contents { path: String::new(), parts: vec![Part { title: None, entries }] })
}

/// Page with its position.
struct Listed {
    /// Nesting depth of its list.
    depth: usize,
    /// Text of the link.
    text: String,
    /// The file.
    file: String,
}

/// Returns the index nearest to the top, if it is the only one at its depth.
fn first(tree: &SourceTree) -> Option<&str> {
    let is_index =
        |file: &&String| matches!(path::name(file).to_ascii_lowercase().as_str(), "index.html" | "index.htm");
    let depth = |file: &&String| file.matches('/').count();
    let found: Vec<&String> = pages(tree).filter(is_index).collect();
    let nearest = found.iter().map(depth).min()?;
    let mut nearest = found.into_iter().filter(|file| depth(file) == nearest);
    nearest.next().filter(|_| nearest.next().is_none()).map(String::as_str)
}

/// Returns the pages in the lists of a page, without duplicates. A link to a part of a page does not define its
/// position.
fn listed(tree: &SourceTree, first: &str) -> Vec<Listed> {
    let text = tree.text(first).unwrap_or_default();
    let options = HtmlOptions { refs: &StableRefs, extract: Extract::Everything };
    let links = html::try_parse(&text, &options, &|| false).map(|page| page.links).unwrap_or_default();
    let mut taken = BTreeSet::new();
    let links = links.into_iter().filter(|link| link.depth > 0 && !link.href.contains('#'));
    links
        .filter_map(|link| {
            let file = file_at(tree, first, &link.href)?;
            taken.insert(file.clone()).then_some(Listed { depth: link.depth, text: link.text, file })
        })
        .collect()
}

/// Adds the pages that follow others and are in no list: below the listed page before them, or as a flat list if there
/// are no lists.
fn add_following(tree: &SourceTree, first: &str, flat: &mut Vec<Listed>) {
    let mut seen: BTreeSet<String> = BTreeSet::from([first.to_owned()]);
    let positions: BTreeMap<String, usize> =
        flat.iter().enumerate().map(|(at, listed)| (listed.file.clone(), at)).collect();
    // Pages after each listed one; the key is `None` for pages before the first.
    let mut behind: BTreeMap<Option<usize>, Vec<Listed>> = BTreeMap::new();
    let (mut page, mut at) = (first.to_owned(), None);
    while let Some(next) = following(tree, &page).filter(|next| seen.insert(next.clone())) {
        match positions.get(&next) {
            Some(position) => at = Some(*position),
            None => {
                let above = at.and_then(|at| flat.get(at)).map(|listed| listed.depth);
                let depth = above.map_or(1, |above| above + 1);
                behind.entry(at).or_default().push(Listed { depth, text: String::new(), file: next.clone() });
            }
        }
        page = next;
    }
    let mut all = behind.remove(&None).unwrap_or_default();
    for (position, listed) in std::mem::take(flat).into_iter().enumerate() {
        all.push(listed);
        all.extend(behind.remove(&Some(position)).unwrap_or_default());
    }
    *flat = all;
}

/// Returns the page that follows another one.
fn following(tree: &SourceTree, page: &str) -> Option<String> {
    file_at(tree, page, &html::next_address(&tree.text(page)?)?)
}

/// Returns the HTML file at an address in a page.
fn file_at(tree: &SourceTree, page: &str, href: &str) -> Option<String> {
    let address = href.split(['#', '?']).next().filter(|address| !address.is_empty())?;
    let file = path::join(path::folder(page), &decoded(address))?;
    (path::is_html(&file) && tree.files.contains_key(&file)).then_some(file)
}
