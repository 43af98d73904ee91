//! The order that a site's own navigation gives its pages.

use std::collections::BTreeSet;

use quire_markup::html::PageLink;

use crate::summary::{self, Entry, Part};

/// The table of contents that the navigation of the first page draws, its sections included; `None` when it names less than two pages. `page` gives the file of
/// the page that a link leads to; `first` is the file of the first page.
pub(super) fn contents(
    links: &[PageLink],
    first: &str,
    page: impl Fn(&str) -> Option<String>,
) -> Option<Vec<Part>> {
    let mut taken = BTreeSet::new();
    let mut flat: Vec<(usize, Entry)> = Vec::new();
    for link in links.iter().filter(|link| link.in_navigation && !link.text.is_empty()) {
        if link.href.is_empty() {
            let label = Entry { title: summary::escaped(&link.text), target: None, children: Vec::new() };
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

/// Entries without the sections that hold none of the pages.
fn with_pages(entries: Vec<Entry>) -> Vec<Entry> {
    let children = |entry: Entry| Entry { children: with_pages(entry.children), ..entry };
    entries.into_iter().filter(Entry::has_target).map(children).collect()
}
