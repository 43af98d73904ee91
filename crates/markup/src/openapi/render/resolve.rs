//! Resolution of references during the rendering of a page.

use crate::limits::openapi::{MAX_PAGE_VISITS, MAX_REFERENCE_CHAIN, MAX_REPEATED_TEXT};
use std::cell::Cell;
use std::collections::HashMap;

use super::super::json::{Json, unescape};
use super::super::parts::{holder_of, local};

/// Parts of a page, with its remaining limits.
pub struct Parts<'a> {
    parts: &'a HashMap<&'a str, &'a Json>,
    page_at: &'a dyn Fn(&str) -> Option<String>,
    /// Remaining number of visits.
    visits: Cell<usize>,
    /// Remaining bytes of repeated text.
    text: Cell<usize>,
}

impl<'a> Parts<'a> {
    /// Creates the lookup of the parts that a page's piece of the specification refers to, by pointer. `page_at`
    /// returns the id of the page at a pointer, if it exists.
    #[must_use]
    pub fn new(parts: &'a HashMap<&'a str, &'a Json>, page_at: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self { parts, page_at, visits: Cell::new(MAX_PAGE_VISITS), text: Cell::new(MAX_REPEATED_TEXT) }
    }

    /// Counts a visit, and returns whether it is within the limit.
    #[must_use]
    pub fn visit(&self) -> bool {
        let left = self.visits.get();
        self.visits.set(left.saturating_sub(1));
        left > 0
    }

    /// Counts bytes of text, and returns whether they are within the limit.
    #[must_use]
    pub fn has_room(&self, bytes: usize) -> bool {
        let left = self.text.get();
        self.text.set(left.saturating_sub(bytes));
        left >= bytes
    }

    /// Returns a text that may be shown repeatedly, or an ellipsis if the limit is reached.
    #[must_use]
    pub fn text<'t>(&self, text: Option<&'t str>) -> Option<&'t str> {
        text.map(|text| if self.has_room(text.len()) { text } else { "…" })
    }

    /// Follows references to their target. Values without a reference and unresolved references are returned unchanged.
    #[must_use]
    pub fn follow<'j>(&'j self, json: &'j Json) -> &'j Json {
        let mut json = json;
        for _ in 0..MAX_REFERENCE_CHAIN {
            match json.str("$ref").and_then(|reference| self.target(reference)) {
                Some(target) => json = target,
                None => break,
            }
        }
        json
    }

    fn target(&self, reference: &str) -> Option<&Json> {
        let pointer = local(reference)?.replace('\0', "\u{fffd}");
        let holder = holder_of(&pointer)?;
        self.parts.get(holder)?.pointer(pointer.get(holder.len()..)?)
    }

    /// Returns the part at a JSON pointer.
    #[must_use]
    pub fn at(&self, pointer: &str) -> Option<&Json> {
        self.parts.get(pointer).copied()
    }

    /// Returns the page of a reference's target.
    #[must_use]
    pub fn page_of(&self, reference: &str) -> Option<String> {
        (self.page_at)(&local(reference)?)
    }
}

/// Returns the last token of a reference as a name.
#[must_use]
pub fn name_of(reference: &str) -> String {
    let pointer = local(reference).unwrap_or_else(|| reference.to_owned());
    let last = pointer.rsplit('/').next().unwrap_or_default();
    unescape(last)
}
