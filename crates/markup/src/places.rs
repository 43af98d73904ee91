//! Where links within a page lead: the places that it names, and the headings that they belong to.

use crate::anchors::{anchors, heading_slug};
use crate::document::{ContentRef, Document, is_heading_id};
use crate::limits::document::MAX_ANCHORS;
use crate::links::rewrite_refs;
use std::collections::BTreeMap;

/// The places that a page names, and the headings that they belong to.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// Named places after which no word came yet: they belong to what follows.
    pending: Vec<String>,
    /// Places with the number of their heading.
    places: Vec<(String, usize)>,
    /// How many headings there are so far.
    headings: usize,
    in_heading: bool,
}

impl Places {
    /// A named place.
    pub(crate) fn place(&mut self, id: &str) {
        if !id.is_empty() && self.pending.len() + self.places.len() < MAX_ANCHORS {
            self.pending.push(id.to_owned());
        }
    }

    /// Words: what was named before them is below the last heading.
    pub(crate) fn words(&mut self) {
        if self.in_heading {
            return;
        }
        match self.headings.checked_sub(1) {
            Some(last) => self.places.extend(self.pending.drain(..).map(|id| (id, last))),
            None => self.pending.clear(),
        }
    }

    /// Whether the words that come are a heading's.
    pub(crate) fn is_in_heading(&self) -> bool {
        self.in_heading
    }

    pub(crate) fn begin_heading(&mut self) {
        self.in_heading = true;
    }

    /// The heading has no words, and so is none.
    pub(crate) fn cancel_heading(&mut self) {
        self.in_heading = false;
    }

    /// The heading's words are read; the id that it needs to be found by, if that isn't made of its words anyway.
    pub(crate) fn end_heading(&mut self, words: &str) -> Option<String> {
        self.in_heading = false;
        let ids: Vec<String> = self.pending.drain(..).collect();
        let slug = heading_slug(words);
        let own = ids.iter().rev().filter(|id| !is_generated(id)).map(|id| id.to_lowercase());
        let own = own.filter(|id| is_heading_id(id)).find(|id| *id != slug);
        let is_automatic = ids.iter().any(|id| id.to_lowercase() == slug);
        self.places.extend(ids.into_iter().map(|id| (id, self.headings)));
        self.headings += 1;
        own.filter(|_| !is_automatic)
    }

    /// Brings links within the document to the anchors that its headings have; where each named place leads. `skipped` headings at its beginning
    /// were taken away.
    pub(crate) fn settle(mut self, document: &mut Document, skipped: usize) -> BTreeMap<String, String> {
        self.words();
        let known = anchors(document);
        let mut found = BTreeMap::new();
        for (id, heading) in self.places {
            let anchor = heading.checked_sub(skipped).and_then(|heading| known.get(heading));
            if let Some(anchor) = anchor {
                // Of two places of one name the first counts, as in browsers.
                found.entry(id).or_insert_with(|| anchor.clone());
            }
        }
        rewrite_refs(document, &mut |reference| {
            let written = match reference {
                ContentRef::Anchor { anchor, page: None, space: None } => anchor,
                ContentRef::Url { url } => url.strip_prefix('#')?,
                _ => return None,
            };
            let anchor = found.get(written)?.clone();
            Some(ContentRef::Anchor { anchor, page: None, space: None })
        });
        found
    }
}

/// Ids that programs count up, which say nothing.
fn is_generated(id: &str) -> bool {
    let office = [
        "_Toc",
        "_Ref",
        "_Hlk",
        "_heading",
        "h.",
        "_GoBack",
        "__RefHeading",
        "_bookmark",
        "kix.",
        "OLE_LINK",
    ];
    let is_uuid = id.len() == 36 && id.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    is_uuid || office.iter().any(|prefix| id.starts_with(prefix))
}
