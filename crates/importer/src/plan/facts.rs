//! Facts about a planned page that other pages are checked against, since documents are not kept in memory.

use quire_markup::{ContentRef, Document, links};

use super::anchors::Anchors;

/// Facts of one page.
pub(super) struct Facts {
    pub(super) anchors: Anchors,
    /// Possibly broken references, in document order: to anchors, and addresses without a scheme.
    pub(super) links: Vec<ContentRef>,
}

impl Facts {
    pub(super) fn of(title: &str, document: &Document) -> Self {
        let may_be_broken = |reference: &ContentRef| match reference {
            ContentRef::Url { url } => !has_scheme(url),
            ContentRef::Anchor { .. } => true,
            _ => false,
        };
        let links = links(document).into_iter().map(|link| link.reference).filter(may_be_broken);
        Self { anchors: Anchors::of(title, document), links: links.collect() }
    }

    /// Returns whether the page refers to an anchor.
    pub(super) fn has_anchors(&self) -> bool {
        self.links.iter().any(|link| matches!(link, ContentRef::Anchor { .. }))
    }
}

/// Returns whether an address has a scheme (RFC 3986, 3.1). `//host` has the scheme of the page.
fn has_scheme(url: &str) -> bool {
    let scheme = url.split_once(':').map(|(scheme, _)| scheme);
    url.starts_with("//")
        || scheme.is_some_and(|scheme| {
            scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        })
}

#[cfg(test)]
mod tests {
    use super::has_scheme;

    #[test]
    fn only_addresses_with_a_scheme_lead_out() {
        for outside in ["https://a.example/", "mailto:a@b.example", "//cdn.example/x.png", "tel:123"] {
            assert!(has_scheme(outside), "{outside}");
        }
        for inside in ["a.md", "../b/c.md#d:e", "/x", "?q=a:b"] {
            assert!(!has_scheme(inside), "{inside}");
        }
    }
}
