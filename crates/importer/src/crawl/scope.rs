//! The addresses that belong to a crawl, and the paths of their pages in the import.

use url::Url;

use crate::path;

/// Part of a site to crawl: the folder of the start address.
#[derive(Debug, Clone)]
pub(super) struct Scope {
    start: Url,
    /// The folder's path, with a leading and a trailing slash.
    folder: String,
}

impl Scope {
    pub(super) fn below(start: &Url) -> Self {
        let path = start.path();
        let folder = path.rsplit_once('/').map_or("/", |(folder, _)| folder);
        Self { start: start.clone(), folder: format!("{folder}/").replace("//", "/") }
    }

    /// Returns the page that `href` on the page at `base` links to, without fragment, if it belongs to the crawl.
    /// Addresses with a query are excluded: they are views of pages, such as searches, whose number is unlimited.
    pub(super) fn page(&self, base: &Url, href: &str) -> Option<Url> {
        let mut url = base.join(href).ok()?;
        url.set_fragment(None);
        (self.holds(&url) && looks_like_page(&url)).then_some(url)
    }

    /// Returns whether an address is below the folder.
    pub(super) fn holds(&self, url: &Url) -> bool {
        let within = format!("{}/", url.path());
        url.origin() == self.start.origin()
            && url.query().is_none()
            && url.username().is_empty()
            && url.password().is_none()
            && within.starts_with(&self.folder)
    }

    /// Returns the path of a page in the import.
    pub(super) fn path_of(&self, url: &Url) -> Option<String> {
        let below = url.path().strip_prefix(&self.folder).unwrap_or_default();
        let below = percent_encoding::percent_decode_str(below).decode_utf8_lossy();
        let file = match below.as_ref() {
            "" => "index.html".to_owned(),
            folder if folder.ends_with('/') => format!("{folder}index.html"),
            file if path::is_html(file) => file.to_owned(),
            file => format!("{file}.html"),
        };
        path::sanitize(&file).ok()
    }
}

/// Returns whether an address may be a page: its last segment does not have the extension of another type of file.
fn looks_like_page(url: &Url) -> bool {
    let last = url.path_segments().and_then(|mut segments| segments.next_back()).unwrap_or_default();
    match last.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => {
            let is_word = !extension.is_empty() && extension.chars().all(|c| c.is_ascii_alphabetic());
            !is_word
                || matches!(
                    extension.to_ascii_lowercase().as_str(),
                    "html" | "htm" | "xhtml" | "php" | "asp" | "aspx" | "jsp"
                )
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn a_crawl_stays_below_the_folder_it_began_in() {
        let start = url("https://a.example/docs/start");
        let scope = Scope::below(&start);
        for (href, found) in [
            ("install", Some("https://a.example/docs/install")),
            ("/docs/v1.2/#top", Some("https://a.example/docs/v1.2/")),
            ("/docs", Some("https://a.example/docs")),
            ("/blog/", None),
            ("../", None),
            ("https://b.example/docs/x", None),
            ("http://a.example/docs/x", None),
            ("search?q=1", None),
            ("picture.png", None),
            ("mailto:a@b.example", None),
        ] {
            assert_eq!(scope.page(&start, href).map(String::from).as_deref(), found, "{href}");
        }
    }

    #[test]
    fn pages_are_files_of_their_folders() {
        let scope = Scope::below(&url("https://a.example/docs/"));
        for (address, path) in [
            ("https://a.example/docs/", "index.html"),
            ("https://a.example/docs", "index.html"),
            ("https://a.example/docs/install/", "install/index.html"),
            ("https://a.example/docs/install/linux", "install/linux.html"),
            ("https://a.example/docs/a.html", "a.html"),
            ("https://a.example/docs/%C3%BCber%20uns", "über uns.html"),
        ] {
            assert_eq!(scope.path_of(&url(address)).as_deref(), Some(path), "{address}");
        }
        assert_eq!(scope.path_of(&url("https://a.example/docs/%2e%2e%2fetc")), None);
    }
}
