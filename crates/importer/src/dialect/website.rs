//! Crawled websites: their navigation, and titles with the name of the site.

use quire_markup::html::Extract;

use super::{Contents, Dialect, Site};
use crate::tree::SourceTree;

/// The pages of a site.
#[derive(Debug)]
pub(super) struct Website {
    site: Site,
}

impl Website {
    pub(super) fn of(tree: &SourceTree) -> Self {
        let contents = tree.contents.clone().map(|parts| Contents { path: String::new(), parts });
        Self { site: Site::of_list(contents) }
    }
}

impl Dialect for Website {
    fn product(&self) -> &'static str {
        "the website"
    }

    fn site(&self) -> &Site {
        &self.site
    }

    fn extract(&self) -> Extract {
        Extract::Article
    }

    fn head_title(&self, head_title: &str) -> String {
        without_site(head_title).to_owned()
    }
}

/// Returns the page's part of a head title: the text before the last separator.
pub(super) fn without_site(title: &str) -> &str {
    let separators = [" | ", " – ", " — ", " · ", " • ", " - "];
    let cut = separators.iter().find_map(|separator| title.rsplit_once(separator));
    cut.map(|(page, _)| page.trim()).filter(|page| !page.is_empty()).unwrap_or(title)
}
