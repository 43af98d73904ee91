//! Files of sites.

/// Returns `true` for the name of a file that sites have. A page of that slug can't be found at its path.
#[must_use]
pub fn is_site_file(name: &str) -> bool {
    let is_map = name.starts_with("sitemap") && name.ends_with(".xml");
    is_map || name.ends_with(".md") || matches!(name, "robots.txt" | "llms.txt" | "llms-full.txt" | "rss.xml")
}
