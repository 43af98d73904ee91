//! What references lead to while a page is rendered.

use std::collections::HashMap;

use super::super::json::{Json, unescape};
use super::super::parts::{holder_of, local};

/// How many references in a row are followed: `$ref` to `$ref` to `$ref`.
const MAX_CHAIN: usize = 16;

/// The parts of a page.
pub(super) struct Parts<'a> {
    parts: &'a HashMap<&'a str, &'a Json>,
    page_at: &'a dyn Fn(&str) -> Option<String>,
}

impl<'a> Parts<'a> {
    pub(super) fn new(
        parts: &'a HashMap<&'a str, &'a Json>,
        page_at: &'a dyn Fn(&str) -> Option<String>,
    ) -> Self {
        Self { parts, page_at }
    }

    /// What is meant: where a reference leads, the thing itself otherwise. One that leads nowhere stays.
    pub(super) fn follow<'j>(&'j self, json: &'j Json) -> &'j Json {
        let mut json = json;
        for _ in 0..MAX_CHAIN {
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
