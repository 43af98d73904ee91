//! Sitemaps (<https://www.sitemaps.org/protocol.html>).

use roxmltree::{Document, ParsingOptions};

/// XML nodes of a sitemap: 50,000 addresses, the maximum, with all their attributes.
const MAX_NODES: u32 = 1_000_000;

/// The addresses in a sitemap: pages, or further sitemaps.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sitemap {
    /// Addresses of pages.
    pub(super) pages: Vec<String>,
    /// Addresses of sitemaps.
    pub(super) maps: Vec<String>,
}

/// Reads a sitemap; other text gives an empty one.
pub(super) fn parse(text: &str) -> Sitemap {
    let mut map = Sitemap::default();
    let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let Ok(document) = Document::parse_with_options(text, options) else { return map };
    for entry in document.root_element().children() {
        let location = entry.children().find(|child| child.tag_name().name() == "loc");
        let Some(location) = location.and_then(|location| location.text()) else { continue };
        let location = location.trim().to_owned();
        match entry.tag_name().name() {
            "url" => map.pages.push(location),
            "sitemap" => map.maps.push(location),
            _ => {}
        }
    }
    map
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_and_further_maps_are_listed() {
        let namespace = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";
        let pages = format!(
            "<?xml version=\"1.0\"?><urlset {namespace}><url><loc> https://a.example/x?a=1&amp;b=2 </loc><lastmod>2026</lastmod></url></urlset>"
        );
        assert_eq!(parse(&pages).pages, ["https://a.example/x?a=1&b=2"]);
        let index = format!(
            "<sitemapindex {namespace}><sitemap><loc>https://a.example/1.xml</loc></sitemap></sitemapindex>"
        );
        assert_eq!(parse(&index).maps, ["https://a.example/1.xml"]);
        assert_eq!(parse("<html>"), Sitemap::default());
    }
}
