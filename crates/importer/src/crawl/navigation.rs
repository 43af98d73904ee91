//! The order that a site's own navigation gives its pages.

use std::collections::BTreeSet;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use quire_markup::html::PageLink;

use crate::summary::{self, Entry, Part};

/// What stays as it is in the address of a file of the import.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.');

/// The table of contents that the navigation of the first page draws; `None` when it names less than two pages. `page` gives the file of
/// the page that a link leads to; `first` is the file of the first page.
pub(super) fn contents(
    links: &[PageLink],
    first: &str,
    page: impl Fn(&str) -> Option<String>,
) -> Option<Vec<Part>> {
    let mut taken = BTreeSet::new();
    let mut flat: Vec<(usize, Entry)> = Vec::new();
    for link in links.iter().filter(|link| link.in_navigation && !link.text.is_empty()) {
        if link.href.contains('#') {
            continue;
        }
        if let Some(file) = page(&link.href).filter(|file| taken.insert(file.clone())) {
            flat.push((link.depth, entry(&link.text, &file)));
        }
    }
    if flat.len() < 2 {
        return None;
    }
    if taken.insert(first.to_owned()) {
        let depth = flat.iter().map(|(depth, _)| *depth).min().unwrap_or_default();
        flat.insert(0, (depth, Entry { title: String::new(), ..entry("", first) }));
    }
    Some(vec![Part { title: None, entries: summary::nest(flat) }])
}

fn entry(text: &str, file: &str) -> Entry {
    let title = text.chars().flat_map(|c| c.is_ascii_punctuation().then_some('\\').into_iter().chain([c]));
    let target = format!("/{}", utf8_percent_encode(file, KEPT));
    Entry { title: title.collect(), target: Some(target), children: Vec::new() }
}
