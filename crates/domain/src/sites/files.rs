//! Files of sites.

/// Returns whether the name is reserved for a file of the site, such as `robots.txt`. A page with this slug cannot be
/// found at its path.
#[must_use]
pub fn is_site_file(name: &str) -> bool {
    let is_map = name.starts_with("sitemap") && name.ends_with(".xml");
    is_map || name.ends_with(".md") || matches!(name, "robots.txt" | "llms.txt" | "llms-full.txt" | "rss.xml")
}
