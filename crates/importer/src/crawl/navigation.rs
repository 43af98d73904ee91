//! Page order from a site's own navigation.

use std::collections::BTreeSet;

use quire_markup::html::PageLink;
use quire_markup::markdown::escaped;

use crate::summary::{self, Entry, Part};

/// Returns the table of contents in the navigation of the first page, with its sections; `None` if it has fewer than
/// two pages. `page` returns the file of a linked page; `first` is the file of the first page.
pub(super) fn contents(
    links: &[PageLink],
    first: &str,
    page: impl Fn(&str) -> Option<String>,
) -> Option<Vec<Part>> {
    let mut taken = BTreeSet::new();
    let mut flat: Vec<(usize, Entry)> = Vec::new();
    for link in links.iter().filter(|link| link.in_navigation && !link.text.is_empty()) {
        if link.href.is_empty() {
            let label = Entry::new(escaped(&link.text), None, Vec::new());
            flat.push((link.depth, label));
            continue;
        }
        if link.href.contains('#') {
            continue;
        }
        if let Some(file) = page(&link.href).filter(|file| taken.insert(file.clone())) {
            flat.push((link.depth, Entry::of_file(&link.text, &file, Vec::new())));
        }
    }
    if taken.len() < 2 {
        return None;
    }
    if taken.insert(first.to_owned()) {
        let depth = flat.iter().map(|(depth, _)| *depth).min().unwrap_or_default();
        flat.insert(0, (depth, Entry::of_file("", first, Vec::new())));
    }
    Some(summary::parts(with_pages(summary::nest(flat))))
}

/// Returns entries without the sections that contain no pages.
fn with_pages(entries: Vec<Entry>) -> Vec<Entry> {
    let children = |entry: Entry| Entry { children: with_pages(entry.children), ..entry };
    entries.into_iter().filter(Entry::has_target).map(children).collect()
}
