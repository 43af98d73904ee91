//! Dropbox Paper: documents that link to each other by addresses with their titles in them.

use quire_markup::slugify;
use url::Url;

use super::keys::Keys;
use super::{Dialect, decoded, is_of, last_segment};
use crate::tree::SourceTree;

/// Documents by their titles.
#[derive(Debug)]
pub(super) struct Paper {
    keys: Keys,
}

impl Paper {
    pub(super) fn of(tree: &SourceTree) -> Self {
        Self { keys: Keys::of_slugs(tree) }
    }
}

impl Dialect for Paper {
    fn product(&self) -> &'static str {
        "Dropbox Paper"
    }

    fn page_at(&self, url: &Url) -> Option<String> {
        let is_own = is_of(url, &["paper.dropbox.com", "dropbox.com"]);
        is_own.then(|| self.keys.longest_prefix(&slugify(&decoded(last_segment(url)))))?
    }
}
