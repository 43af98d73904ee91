//! Lookup of pages by the keys in a product's own addresses.

use std::collections::BTreeMap;

use quire_markup::slugify;

use super::pages;
use crate::path;
use crate::tree::SourceTree;

/// Pages by their keys; `None` when several pages share one.
#[derive(Debug, Default)]
pub(super) struct Keys(BTreeMap<String, Option<String>>);

impl Keys {
    /// Returns the pages of a tree by the slugs of their names.
    pub(super) fn of_slugs(tree: &SourceTree) -> Self {
        let mut keys = Self::default();
        for page in pages(tree) {
            keys.add(slugify(path::stem(page)), page);
        }
        keys
    }

    pub(super) fn add(&mut self, key: String, page: &str) {
        self.0.entry(key).and_modify(|one| *one = None).or_insert_with(|| Some(page.to_owned()));
    }

    pub(super) fn get(&self, key: &str) -> Option<String> {
        self.0.get(key)?.clone()
    }

    /// Returns the page with the longest key that is a prefix of the slug in an address. The product's id follows the
    /// key.
    pub(super) fn longest_prefix(&self, slug: &str) -> Option<String> {
        let begins = |key: &&String| slug.strip_prefix(key.as_str()).is_some_and(|id| id.starts_with('-'));
        let key = self.0.keys().filter(begins).max_by_key(|key| key.len())?;
        self.get(key)
    }
}
