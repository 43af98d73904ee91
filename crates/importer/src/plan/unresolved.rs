//! Reports broken links (unresolved relative addresses and missing anchors) and links with disallowed addresses.

use std::collections::BTreeMap;

use quire_domain::imports::ImportReportEntry;
use quire_markup::ContentRef;

use super::facts::Facts;
use super::settle::Settler;
use super::types::PlannedPage;
use crate::report;

/// Maximum number of links of a page in the report.
const NAMED: usize = 10;
/// Maximum number of characters of a link in the report.
const LINK_MAX: usize = 90;

/// Returns an entry for each page with broken links. Its references must be corrected before.
pub(super) fn report(
    pages: &[PlannedPage],
    facts: &BTreeMap<String, Facts>,
    settler: Option<&Settler<'_>>,
) -> Vec<ImportReportEntry> {
    let broken = |page: &PlannedPage| {
        let own = page.id.to_string();
        let links = facts.get(&own).into_iter().flat_map(|facts| &facts.links);
        let broken = |link: &ContentRef| {
            let settled = settler.and_then(|settler| settler.settled(&own, link));
            broken(&own, settled.as_ref().unwrap_or(link), facts)
        };
        links.filter_map(broken).collect::<Vec<_>>()
    };
    pages.iter().filter_map(|page| line(page, &broken(page))).collect()
}

/// Returns a broken link of page `own`, as written.
fn broken(own: &str, link: &ContentRef, facts: &BTreeMap<String, Facts>) -> Option<String> {
    match link {
        // The top of the page.
        ContentRef::Url { url } if url == "#" => None,
        ContentRef::Url { url } => Some(url.clone()),
        ContentRef::Anchor { anchor, page, .. } => {
            let at = facts.get(page.as_deref().unwrap_or(own));
            let leads = at.is_some_and(|facts| facts.anchors.contains(anchor));
            (!leads).then(|| format!("#{anchor}"))
        }
        _ => None,
    }
}

fn line(page: &PlannedPage, broken: &[String]) -> Option<ImportReportEntry> {
    let path = page.source_path.as_ref().filter(|_| !broken.is_empty())?;
    Some(report::broken_links(path, format!("broken links: {}", some_of(broken))))
}

/// Returns an entry for each file with links to disallowed addresses.
pub(super) fn refused(links: &BTreeMap<String, Vec<String>>) -> Vec<ImportReportEntry> {
    let line = |(path, links): (&String, &Vec<String>)| {
        report::changed(path, format!("links were removed and their text kept: {}", some_of(links)))
    };
    links.iter().map(line).collect()
}

/// Returns the first links, and the number of the others.
fn some_of(links: &[String]) -> String {
    let named: Vec<String> =
        links.iter().take(NAMED).map(|link| format!("`{}`", report::shown(link, LINK_MAX))).collect();
    let more = match links.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", named.join(", "))
}
