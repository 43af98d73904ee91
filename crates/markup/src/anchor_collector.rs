//! Link targets within a page, and the headings that they belong to.

use crate::anchors::{anchors, heading_slug};
use crate::document::{ContentRef, Document, is_heading_id};
use crate::limits::document::MAX_ANCHORS;
use crate::links::rewrite_refs;
use std::collections::BTreeMap;

/// Named targets of a page, and the headings that they belong to.
#[derive(Debug, Default)]
pub(crate) struct AnchorCollector {
    /// Targets without words after them yet. They belong to the next content.
    pending: Vec<String>,
    /// Targets with the number of their heading; `None` for those before the first heading.
    placed: Vec<(String, Option<usize>)>,
    /// Number of headings so far.
    headings: usize,
    in_heading: bool,
}

impl AnchorCollector {
    /// Adds a target at the current position.
    pub(crate) fn add(&mut self, id: &str) {
        if !id.is_empty() && self.pending.len() + self.placed.len() < MAX_ANCHORS {
            self.pending.push(id.to_owned());
        }
    }

    /// Records that words follow: the targets before them belong to the last heading.
    pub(crate) fn words(&mut self) {
        if self.in_heading {
            return;
        }
        let last = self.headings.checked_sub(1);
        self.placed.extend(self.pending.drain(..).map(|id| (id, last)));
    }

    /// Returns whether a heading has begun and not ended.
    pub(crate) fn is_in_heading(&self) -> bool {
        self.in_heading
    }

    /// Begins a heading.
    pub(crate) fn begin_heading(&mut self) {
        self.in_heading = true;
    }

    /// Ends a heading without words, which is removed.
    pub(crate) fn cancel_heading(&mut self) {
        self.in_heading = false;
    }

    /// Ends a heading. Returns the id that it needs, unless it equals the one derived from its words.
    pub(crate) fn end_heading(&mut self, words: &str) -> Option<String> {
        self.in_heading = false;
        let ids: Vec<String> = self.pending.drain(..).collect();
        let slug = heading_slug(words);
        let own = ids.iter().rev().filter(|id| !is_generated(id)).map(|id| id.to_lowercase());
        let own = own.filter(|id| is_heading_id(id)).find(|id| *id != slug);
        let is_automatic = ids.iter().any(|id| id.to_lowercase() == slug);
        self.placed.extend(ids.into_iter().map(|id| (id, Some(self.headings))));
        self.headings += 1;
        own.filter(|_| !is_automatic)
    }

    /// Counts headings that have their own targets, such as those of an inserted file.
    pub(crate) fn skip_headings(&mut self, headings: usize) {
        self.words();
        self.headings += headings;
    }

    /// Rewrites links within the document to the anchors of its headings, and returns the anchor of each target; an
    /// empty anchor for targets above the first heading. The first `skipped` headings were removed.
    pub(crate) fn settle(mut self, document: &mut Document, skipped: usize) -> BTreeMap<String, String> {
        self.words();
        let known = anchors(document);
        let mut found = BTreeMap::new();
        for (id, heading) in self.placed {
            let anchor = match heading.and_then(|heading| heading.checked_sub(skipped)) {
                Some(heading) => known.get(heading).cloned(),
                None => Some(String::new()),
            };
            if let Some(anchor) = anchor {
                // Of two equal names the first one wins, as in browsers.
                found.entry(id).or_insert(anchor);
            }
        }
        rewrite_refs(document, &mut |reference| {
            let written = match reference {
                ContentRef::Anchor { anchor, page: None, space: None } => anchor,
                ContentRef::Url { url } => url.strip_prefix('#')?,
                _ => return None,
            };
            let anchor = found.get(written).filter(|anchor| !anchor.is_empty())?.clone();
            Some(ContentRef::Anchor { anchor, page: None, space: None })
        });
        found
    }
}

/// Returns whether a program generated the id, so that it has no meaning for readers.
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
