//! Links.

use super::model::{Link, Site};
use maud::{Markup, html};

pub(super) fn link(link: &Link) -> Markup {
    html! { a href=(link.href) { (link.title) } }
}

impl Site {
    /// Writes a link of the frame, which may lead to another site.
    pub(super) fn link(&self, link: &Link) -> Markup {
        let opens_tab = self.opens_tab(&link.href);
        html! { a href=(link.href) target=[opens_tab.then_some("_blank")] rel=[opens_tab.then_some("noopener")] { (link.title) } }
    }

    /// Returns whether an address opens in a new tab.
    pub(super) fn opens_tab(&self, address: &str) -> bool {
        self.opens_tabs && (address.starts_with("https://") || address.starts_with("http://"))
    }
}
