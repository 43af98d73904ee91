//! Anchors that other tools spell differently.
//!
//! A link to `#tls-ssl` means the heading *TLS/SSL*, whose anchor here is `tlsssl`; GitBook writes
//! *`<buffer>`* as `less-than-buffer-greater-than`; mdBook keeps the anchor made of a heading's words beside
//! an explicit one. Such links are brought to the spelling that the page has, where exactly one heading can
//! be meant. A link to the heading that became a page's title means the page.

use std::collections::{BTreeMap, BTreeSet};

use quire_markup::{ContentRef, Document, Section, anchors, rewrite_refs, sections};

use super::types::PlannedPage;

/// Brings the anchors in links between `pages` to the spelling of the headings they mean.
///
/// `places` are those of HTML pages that aren't headings themselves, with the anchors that they lead to, by page.
pub(super) fn settle(pages: &mut [PlannedPage], places: &BTreeMap<String, BTreeMap<String, String>>) {
    let known: BTreeMap<String, Anchors> = pages
        .iter()
        .filter_map(|page| Some((page.id.to_string(), Anchors::of(&page.title, page.document.as_ref()?))))
        .collect();
    for page in pages {
        let own = page.id.to_string();
        let Some(document) = &mut page.document else { continue };
        rewrite_refs(document, &mut |reference| {
            let ContentRef::Anchor { anchor, page, space: None } = reference else { return None };
            let at = page.as_ref().unwrap_or(&own);
            let anchors = known.get(at)?;
            let place = places.get(at).and_then(|places| places.get(anchor));
            if let Some(place) = place.filter(|place| anchors.exact.contains(*place)) {
                return Some(ContentRef::Anchor { anchor: place.clone(), page: page.clone(), space: None });
            }
            if anchors.is_title(anchor) {
                return Some(ContentRef::Page { page: at.clone(), space: None });
            }
            let anchor = anchors.meant_by(anchor)?.to_owned();
            Some(ContentRef::Anchor { anchor, page: page.clone(), space: None })
        });
    }
}

/// The anchors of one page.
struct Anchors {
    exact: BTreeSet<String>,
    /// Anchors by their letters and digits; `None` when several headings share them.
    loose: BTreeMap<String, Option<String>>,
    /// The page's title by its letters and digits.
    title: String,
}

impl Anchors {
    fn of(title: &str, document: &Document) -> Self {
        let exact = anchors(document).into_iter().collect();
        let mut loose: BTreeMap<String, Option<String>> = BTreeMap::new();
        for Section { anchor, heading, .. } in sections(document) {
            let Some(anchor) = anchor else { continue };
            let mut spellings = vec![loosened(&anchor)];
            spellings.extend(heading.as_deref().map(loosened));
            spellings.dedup();
            for spelling in spellings.into_iter().filter(|spelling| !spelling.is_empty()) {
                let meant = loose.entry(spelling);
                meant.and_modify(|meant| *meant = None).or_insert_with(|| Some(anchor.clone()));
            }
        }
        Self { exact, loose, title: loosened(title) }
    }

    /// Whether a link means the title, which no heading of the document is.
    fn is_title(&self, written: &str) -> bool {
        let written_loosely = loosened(written);
        !self.exact.contains(written)
            && !self.loose.contains_key(&written_loosely)
            && !written_loosely.is_empty()
            && written_loosely == self.title
    }

    /// The anchor that a link with another spelling means; `None` when it is right as it is, or nothing fits.
    fn meant_by(&self, written: &str) -> Option<&str> {
        if self.exact.contains(written) {
            return None;
        }
        self.loose.get(&loosened(written))?.as_deref()
    }
}

/// Letters and digits in lower case, without GitBook's words for angle brackets.
fn loosened(text: &str) -> String {
    let text = text.to_lowercase().replace("less-than", "").replace("greater-than", "");
    text.chars().filter(|character| character.is_alphanumeric()).collect()
}
