//! File names of a site that pages cannot use.

/// Files at the root of a site.
const FILES: [&str; 5] = ["robots.txt", "sitemap.xml", "sitemap-pages.xml", "llms.txt", "llms-full.txt"];
/// Name of the feed below a page.
pub(crate) const FEED: &str = "rss.xml";
/// Path prefix of pages that are addressed by id.
pub(crate) const PAGES: &str = "~quire/pages/";

/// Returns whether a path is the path of a file of the site, which hides a page at that path.
pub(crate) fn is_taken(site_path: &str) -> bool {
    let path = site_path.trim_start_matches('/');
    let name = path.rsplit('/').next().unwrap_or_default();
    name == FEED || name.ends_with(".md") || FILES.contains(&path) || file_number(path).is_some()
}

/// Returns the number in the name of a sitemap file.
pub(crate) fn file_number(path: &str) -> Option<usize> {
    let digits = path.strip_prefix("sitemap-pages-")?.strip_suffix(".xml")?;
    let number: usize = digits.parse().ok()?;
    // Rejects other notations, which would be additional addresses of the same file.
    (number >= 1 && number.to_string() == digits).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::{file_number, is_taken};

    #[test]
    fn paths_of_files_are_no_paths_of_pages() {
        for taken in ["/robots.txt", "/a/b.md", "/rss.xml", "/a/rss.xml", "/sitemap-pages-2.xml", "/llms.txt"]
        {
            assert!(is_taken(taken), "{taken}");
        }
        for free in ["", "/a/robots.txt", "/a.md/b", "/rss", "/md", "/sitemap-pages-x.xml", "/a.mdx"] {
            assert!(!is_taken(free), "{free}");
        }
    }

    #[test]
    fn each_file_has_one_address() {
        let numbers = ["sitemap-pages-1.xml", "sitemap-pages-12.xml"].map(file_number);
        assert_eq!(numbers, [Some(1), Some(12)]);
        for path in
            ["sitemap-pages-0.xml", "sitemap-pages-01.xml", "sitemap-pages-+1.xml", "sitemap-pages-.xml"]
        {
            assert_eq!(file_number(path), None, "{path}");
        }
    }
}
