//! What references lead to while a page is rendered.

use crate::limits::openapi::{MAX_PAGE_VISITS, MAX_REFERENCE_CHAIN, MAX_REPEATED_TEXT};
use std::cell::Cell;
use std::collections::HashMap;

use super::super::json::{Json, unescape};
use super::super::parts::{holder_of, local};

/// The parts of a page.
pub(super) struct Parts<'a> {
    parts: &'a HashMap<&'a str, &'a Json>,
    page_at: &'a dyn Fn(&str) -> Option<String>,
    /// How much more is looked at.
    visits: Cell<usize>,
    /// How much more text is shown.
    text: Cell<usize>,
}

impl<'a> Parts<'a> {
    pub(super) fn new(
        parts: &'a HashMap<&'a str, &'a Json>,
        page_at: &'a dyn Fn(&str) -> Option<String>,
    ) -> Self {
        Self { parts, page_at, visits: Cell::new(MAX_PAGE_VISITS), text: Cell::new(MAX_REPEATED_TEXT) }
    }

    /// Whether there is room to look at one more thing, which is taken.
    pub(super) fn visit(&self) -> bool {
        let left = self.visits.get();
        self.visits.set(left.saturating_sub(1));
        left > 0
    }

    /// Whether there is room for a text of so many bytes, which is taken.
    pub(super) fn has_room(&self, bytes: usize) -> bool {
        let left = self.text.get();
        self.text.set(left.saturating_sub(bytes));
        left >= bytes
    }

    /// A text of something that may be shown more than once, or an ellipsis where there is no room for it.
    pub(super) fn text<'t>(&self, text: Option<&'t str>) -> Option<&'t str> {
        text.map(|text| if self.has_room(text.len()) { text } else { "…" })
    }

    /// What is meant: where a reference leads, the thing itself otherwise. One that leads nowhere stays.
    pub(super) fn follow<'j>(&'j self, json: &'j Json) -> &'j Json {
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
        let place = holder_of(&pointer)?;
        self.parts.get(place)?.pointer(pointer.get(place.len()..)?)
    }

    /// The part at a place.
    pub(super) fn at(&self, place: &str) -> Option<&Json> {
        self.parts.get(place).copied()
    }

    /// The page of what a reference names.
    pub(super) fn page_of(&self, reference: &str) -> Option<String> {
        (self.page_at)(&local(reference)?)
    }
}

/// What a reference is called: its last token.
pub(super) fn name_of(reference: &str) -> String {
    let pointer = local(reference).unwrap_or_else(|| reference.to_owned());
    let last = pointer.rsplit('/').next().unwrap_or_default();
    unescape(last)
}
