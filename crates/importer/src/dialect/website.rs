//! Websites that a crawl has read: their navigation, and titles that name the site.

use quire_markup::html::Extract;

use super::{Contents, Dialect};
use crate::tree::SourceTree;

/// The pages of a site.
#[derive(Debug)]
pub(super) struct Website {
    contents: Option<Contents>,
}

impl Website {
    pub(super) fn of(tree: &SourceTree) -> Self {
        Self { contents: tree.contents.clone().map(|parts| Contents { path: String::new(), parts }) }
    }
}

impl Dialect for Website {
    fn contents(&self) -> Option<&Contents> {
        self.contents.as_ref()
    }

    fn extract(&self) -> Extract {
        Extract::Article
    }

    fn head_title(&self, head_title: &str) -> String {
        without_site(head_title).to_owned()
    }
}

/// The part of a head's title that is the page's: what precedes the last separator.
pub(super) fn without_site(title: &str) -> &str {
    let separators = [" | ", " – ", " — ", " · ", " • ", " - "];
    let cut = separators.iter().find_map(|separator| title.rsplit_once(separator));
    cut.map(|(page, _)| page.trim()).filter(|page| !page.is_empty()).unwrap_or(title)
}
