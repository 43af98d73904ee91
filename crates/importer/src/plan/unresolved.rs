//! Links that lead nowhere: relative addresses that stayed addresses, and anchors that their page doesn't have; and those that no
//! document may hold.

use std::collections::{BTreeMap, BTreeSet};

use quire_domain::imports::ImportReportEntry;
use quire_markup::{ContentRef, anchors, links};

use super::PlannedPage;
use crate::report;

/// How many links of a page its line in the report names.
const NAMED: usize = 10;
/// Characters of a link that it names.
const LINK_MAX: usize = 90;

/// A line for each page with links that lead nowhere.
pub(super) fn report(pages: &[PlannedPage]) -> Vec<ImportReportEntry> {
    let known: BTreeMap<String, BTreeSet<String>> = pages
        .iter()
        .map(|page| (page.id.to_string(), page.document.iter().flat_map(anchors).collect()))
        .collect();
    pages.iter().filter_map(|page| line(page, &broken(page, &known))).collect()
}

/// The links of a page that lead nowhere, as they are written.
fn broken(page: &PlannedPage, known: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let links = page.document.iter().flat_map(links);
    links
        .filter_map(|link| match link.reference {
            ContentRef::Url { url } if !has_scheme(&url) => Some(url),
            ContentRef::Anchor { anchor, page: at, .. } => {
                let at = at.unwrap_or_else(|| page.id.to_string());
                let leads = known.get(&at).is_some_and(|anchors| anchors.contains(&anchor));
                (!leads).then(|| format!("#{anchor}"))
            }
            _ => None,
        })
        .collect()
}

/// Whether an address says by itself how it is reached (RFC 3986, 3.1; `//host` leans on the scheme of the reader's page).
fn has_scheme(url: &str) -> bool {
    let scheme = url.split_once(':').map(|(scheme, _)| scheme);
    url.starts_with("//")
        || scheme.is_some_and(|scheme| {
            scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        })
}

fn line(page: &PlannedPage, broken: &[String]) -> Option<ImportReportEntry> {
    let path = page.source_path.as_ref().filter(|_| !broken.is_empty())?;
    Some(report::broken_links(path, format!("links lead nowhere: {}", some_of(broken))))
}

/// A line for each file with links that no document may hold.
pub(super) fn refused(links: &BTreeMap<String, Vec<String>>) -> Vec<ImportReportEntry> {
    let line = |(path, links): (&String, &Vec<String>)| {
        report::changed(path, format!("links were taken out and their text kept: {}", some_of(links)))
    };
    links.iter().map(line).collect()
}

/// The first links, and how many more there are.
fn some_of(links: &[String]) -> String {
    let named: Vec<String> =
        links.iter().take(NAMED).map(|link| format!("`{}`", report::shown(link, LINK_MAX))).collect();
    let more = match links.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", named.join(", "))
}

#[cfg(test)]
mod tests {
    use super::has_scheme;

    #[test]
    fn only_addresses_with_a_scheme_lead_out() {
        for outside in ["https://a.example/", "mailto:a@b.example", "//cdn.example/x.png", "tel:123"] {
            assert!(has_scheme(outside), "{outside}");
        }
        for inside in ["a.md", "../b/c.md#d:e", "/x", "?q=a:b"] {
            assert!(!has_scheme(inside), "{inside}");
        }
    }
}
