//! Correction of anchors that other tools spell differently.
//!
//! A link to `#tls-ssl` refers to the heading *TLS/SSL*, whose anchor here is `tlsssl`; GitBook writes *`<buffer>`* as
//! `less-than-buffer-greater-than`; mdBook also accepts the anchor derived from a heading's words if it has an explicit
//! one. Such links get the page's own spelling if exactly one heading matches. A link to the heading that became a
//! page's title refers to the page.

use std::collections::BTreeMap;
use std::io;

use quire_markup::{ContentRef, rewrite_refs};

use super::document::PlannedDocument;
use super::facts::Facts;
use super::types::PlannedPage;
use crate::spool::Spool;

/// Replaces anchors in links between pages with those of the matching headings.
pub(super) struct Settler<'a> {
    /// Facts of the pages that have a document.
    pub(super) facts: &'a BTreeMap<String, Facts>,
    /// Link targets of HTML pages other than headings, with their anchors, by page.
    pub(super) spellings: &'a BTreeMap<String, BTreeMap<String, String>>,
}

impl Settler<'_> {
    /// Corrects the references in a page's document. The document is only written again if a reference changes.
    pub(super) fn settle(&self, page: &mut PlannedPage, spool: &mut Spool) -> io::Result<()> {
        let own = page.id.to_string();
        let Some(planned) = &mut page.document else { return Ok(()) };
        let links = self.facts.get(&own).filter(|facts| facts.has_anchors());
        if links.is_none_or(|facts| facts.links.iter().all(|link| self.settled(&own, link).is_none())) {
            return Ok(());
        }
        let mut document = planned.read()?;
        rewrite_refs(&mut document, &mut |reference| self.settled(&own, reference));
        *planned = PlannedDocument::keep(&document, spool);
        Ok(())
    }

    /// Returns the corrected form of a reference on page `own`; `None` if it needs no correction.
    pub(super) fn settled(&self, own: &str, reference: &ContentRef) -> Option<ContentRef> {
        let ContentRef::Anchor { anchor, page, space: None } = reference else { return None };
        let at = page.as_deref().unwrap_or(own);
        let anchors = &self.facts.get(at)?.anchors;
        if anchors.contains(anchor) {
            return None;
        }
        let target = self.spellings.get(at).and_then(|spellings| spellings.get(anchor));
        if target.is_some_and(String::is_empty) {
            return Some(ContentRef::Page { page: at.to_owned(), space: None });
        }
        if let Some(target) = target.filter(|target| anchors.contains(target)) {
            return Some(ContentRef::Anchor { anchor: target.clone(), page: page.clone(), space: None });
        }
        // Without a heading of this name, browsers scroll to the top.
        if anchors.is_title(target.unwrap_or(anchor)) || anchors.is_top(anchor) {
            return Some(ContentRef::Page { page: at.to_owned(), space: None });
        }
        let anchor = anchors.meant_by(anchor)?.to_owned();
        Some(ContentRef::Anchor { anchor, page: page.clone(), space: None })
    }
}
