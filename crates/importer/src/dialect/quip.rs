//! Quip: documents that link to each other by addresses that end with their titles.

use quire_markup::slugify;
use url::Url;

use super::keys::Keys;
use super::{Dialect, decoded, is_of, last_segment};
use crate::tree::SourceTree;

/// Documents by their titles.
#[derive(Debug)]
pub(super) struct Quip {
    keys: Keys,
}

impl Quip {
    pub(super) fn of(tree: &SourceTree) -> Self {
        Self { keys: Keys::of_slugs(tree) }
    }
}

impl Dialect for Quip {
    fn product(&self) -> &'static str {
        "Quip"
    }

    fn page_at(&self, url: &Url) -> Option<String> {
        is_of(url, &["quip.com"]).then(|| self.keys.get(&slugify(&decoded(last_segment(url)))))?
    }
}
