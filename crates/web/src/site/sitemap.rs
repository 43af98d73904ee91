//! Sitemap of a site (<https://www.sitemaps.org/protocol.html>): one file, or an index of several.

use maud::{Markup, PreEscaped, html};
use quire_server::ApiResult;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::links::site_path_of;
use super::load::Loader;
use super::machine::listed;
use crate::body::{Body, TEXT_POLICY};

/// Limits of the protocol.
const BOUNDS: Bounds = Bounds { urls: 50_000, bytes: 50_000_000 - FRAME };
/// Length in characters from which a sitemap must not list a URL.
const LONGEST_URL: usize = 2_048;
/// Maximum number of bytes of a file apart from its entries.
const FRAME: usize = 1_000;
/// Minimum number of entries of a full file, whatever the length of its URLs.
const MIN_URLS: usize = 20_000;

const DECLARATION: PreEscaped<&str> = PreEscaped("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// Maximum size of a file, without its frame.
#[derive(Clone, Copy)]
struct Bounds {
    urls: usize,
    bytes: usize,
}

/// Splits entries into files, and keeps the entries of one of them.
struct Files {
    bounds: Bounds,
    /// Number of the file to keep, counted from 1.
    wanted: usize,
    /// Number of files so far, and the entries of the last one.
    count: usize,
    urls: usize,
    bytes: usize,
    kept: String,
}

impl Files {
    fn new(bounds: Bounds, wanted: usize) -> Self {
        Self { bounds, wanted, count: 1, urls: 0, bytes: 0, kept: String::new() }
    }

    fn add(&mut self, entry: &str) {
        if self.urls >= self.bounds.urls || self.bytes.saturating_add(entry.len()) > self.bounds.bytes {
            self.count = self.count.saturating_add(1);
            (self.urls, self.bytes) = (0, 0);
        }
        self.urls = self.urls.saturating_add(1);
        self.bytes = self.bytes.saturating_add(entry.len());
        if self.count == self.wanted {
            self.kept += entry;
        }
    }
}

impl Loader<'_, '_> {
    /// Returns the sitemap of the site: all visible pages, or an index of the files that list them.
    pub(crate) fn sitemap(self) -> ApiResult<Body> {
        let visit = self.visit;
        let Some(Files { count, kept, .. }) = self.files(1)? else { return Ok(map(String::new())) };
        if count == 1 {
            return Ok(map(kept));
        }
        let index = html! {
            (DECLARATION)
            sitemapindex xmlns=(NAMESPACE) {
                @for number in 1..=count {
                    sitemap { loc { (visit.url(&format!("/sitemap-pages-{number}.xml"))) } }
                }
            }
        };
        Ok(xml(index))
    }

    /// Returns a file of the sitemap by its number, counted from 1. `None` if there are fewer files.
    pub(crate) fn sitemap_file(self, number: usize) -> ApiResult<Option<Body>> {
        let files = self.files(number)?.filter(|files| number <= files.count);
        Ok(files.map(|files| map(files.kept)))
    }

    /// Writes one file of the sitemap and counts all. Returns `None` if there are too few pages for it.
    fn files(mut self, wanted: usize) -> ApiResult<Option<Files>> {
        let visit = self.visit;
        let trees = self.all_trees()?;
        let pages = trees.iter().fold(0_usize, |sum, (_, tree)| sum.saturating_add(tree.page_count()));
        if wanted > pages.div_euclid(MIN_URLS).saturating_add(1) {
            return Ok(None);
        }
        let mut files = Files::new(BOUNDS, wanted);
        for (space, tree) in &trees {
            for page in listed(tree) {
                let Some(site_path) = site_path_of(visit, space, tree, page) else { continue };
                let url = visit.url(&site_path);
                if url.len() < LONGEST_URL {
                    let time = page.updated_at.and_then(moment);
                    let entry =
                        html! { url { loc { (url) } @if let Some(time) = time { lastmod { (time) } } } };
                    files.add(&entry.into_string());
                }
            }
        }
        Ok(Some(files))
    }
}

fn map(entries: String) -> Body {
    xml(html! { (DECLARATION) urlset xmlns=(NAMESPACE) { (PreEscaped(entries)) } })
}

fn xml(text: Markup) -> Body {
    Body::new(text.into_string(), "application/xml; charset=utf-8", TEXT_POLICY.to_owned())
}

fn moment(millis: i64) -> Option<String> {
    OffsetDateTime::from_unix_timestamp(millis.div_euclid(1_000)).ok()?.format(&Rfc3339).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(bounds: Bounds, entries: &[&str]) -> Vec<String> {
        let file = |wanted| {
            let mut files = Files::new(bounds, wanted);
            entries.iter().for_each(|entry| files.add(entry));
            files
        };
        (1..=file(1).count).map(|number| file(number).kept).collect()
    }

    #[test]
    fn files_are_bounded_by_entries_and_by_bytes() {
        let bounds = Bounds { urls: 2, bytes: 6 };
        assert_eq!(files(bounds, &[]), [""]);
        assert_eq!(files(bounds, &["a", "b"]), ["ab"]);
        assert_eq!(files(bounds, &["a", "b", "c", "d", "e"]), ["ab", "cd", "e"]);
        assert_eq!(files(bounds, &["aaa", "bbb", "cccc", "ddd"]), ["aaabbb", "cccc", "ddd"]);
    }

    #[test]
    fn a_full_file_has_the_fewest_entries_or_more() {
        let longest = html! { url { loc { ("&".repeat(LONGEST_URL)) } lastmod { (moment(0).unwrap()) } } };
        // Characters of a URL that XML would escape are percent-encoded already.
        let longest = longest.into_string().replace("&amp;", "&");
        assert!(BOUNDS.bytes.div_euclid(longest.len()) > MIN_URLS);
    }
}
