//! Titles in the heads of pages, to which sites add their own name.

/// The part of a head's title that is the page's: what stands before the last separator.
pub(super) fn without_site(title: &str) -> &str {
    let separators = [" | ", " – ", " — ", " · ", " • ", " - "];
    let cut = separators.iter().find_map(|separator| title.rsplit_once(separator));
    cut.map(|(page, _)| page.trim()).filter(|page| !page.is_empty()).unwrap_or(title)
}
