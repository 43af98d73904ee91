//! Where links within a page lead.

use crate::anchors::heading_slug;
use crate::document::is_heading_id;

/// The places that a page names, and the headings that they belong to.
#[derive(Debug, Default)]
pub(super) struct Anchors {
    /// Named places after which no word came yet: they belong to what follows.
    pending: Vec<String>,
    /// Places with the number of their heading.
    places: Vec<(String, usize)>,
    /// How many headings there are so far.
    headings: usize,
    in_heading: bool,
}

/// More places than this aren't kept.
const MAX_PLACES: usize = 100_000;

impl Anchors {
    /// A named place.
    pub(super) fn place(&mut self, id: &str) {
        if !id.is_empty() && self.pending.len() + self.places.len() < MAX_PLACES {
            self.pending.push(id.to_owned());
        }
    }

    /// Words: what was named before them is below the last heading.
    pub(super) fn words(&mut self) {
        if self.in_heading {
            return;
        }
        match self.headings.checked_sub(1) {
            Some(last) => self.places.extend(self.pending.drain(..).map(|id| (id, last))),
            None => self.pending.clear(),
        }
    }

    pub(super) fn begin_heading(&mut self) {
        self.in_heading = true;
    }

    /// The heading has no words, and so is none.
    pub(super) fn cancel_heading(&mut self) {
        self.in_heading = false;
    }

    /// The heading's words are read; the id that it needs to be found by, if that isn't made of its words anyway.
    pub(super) fn end_heading(&mut self, words: &str) -> Option<String> {
        self.in_heading = false;
        let ids: Vec<String> = self.pending.drain(..).collect();
        let own = ids.iter().rev().filter(|id| !is_generated(id)).map(|id| id.to_lowercase());
        let own = own.filter(|id| is_heading_id(id)).find(|id| *id != heading_slug(words));
        let is_automatic = ids.iter().any(|id| id.to_lowercase() == heading_slug(words));
        self.places.extend(ids.into_iter().map(|id| (id, self.headings)));
        self.headings += 1;
        own.filter(|_| !is_automatic)
    }

    /// The places, each with the number of its heading.
    pub(super) fn finish(mut self) -> Vec<(String, usize)> {
        self.words();
        self.places
    }
}

/// Ids that programs count up, which say nothing.
fn is_generated(id: &str) -> bool {
    let office = ["_Toc", "_Ref", "_Hlk", "_heading", "h.", "_GoBack", "__RefHeading", "_bookmark", "kix."];
    let is_uuid = id.len() == 36 && id.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    is_uuid || office.iter().any(|prefix| id.starts_with(prefix))
}
