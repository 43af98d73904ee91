//! Page order: parents and positions of pages, or the lists of a theme.

use std::collections::BTreeSet;

use quire_markup::markdown::escaped;
use quire_markup::openapi::Json;

use super::super::settings;
use super::pages::{Page, Pages};
use crate::path;
use crate::plan::names::from_name;
use crate::summary::Entry;
use crate::tree::SourceTree;

/// Maximum depth of pages.
const MAX_DEPTH: usize = 16;

impl Pages<'_> {
    /// Returns the table of contents.
    pub(super) fn entries(&self, tree: &SourceTree) -> Vec<Entry> {
        if !self.is_ordered() {
            return self.navigation(tree);
        }
        let mut seen = BTreeSet::new();
        let home = self.home();
        let home = home.filter(|home| seen.insert((*home).clone()));
        let home =
            home.map(|home| Entry::of_file("", path::below(self.root, home).unwrap_or(home), Vec::new()));
        let mut entries: Vec<Entry> = home.into_iter().collect();
        entries.extend(self.below(None, "", &mut seen, 0));
        let collections: BTreeSet<&str> = self
            .pages
            .values()
            .map(|page| page.collection.as_str())
            .filter(|name| !name.is_empty())
            .collect();
        for collection in collections {
            let children = self.below(None, collection, &mut seen, 0);
            let options = self.config.pointer(&format!("/just_the_docs/collections/{collection}/name"));
            let label = options.and_then(Json::as_str).map_or_else(|| from_name(collection), str::to_owned);
            if !children.is_empty() {
                entries.push(Entry::new(escaped(&label), None, children));
            }
        }
        entries
    }

    fn home(&self) -> Option<&String> {
        let mut top = self
            .pages
            .keys()
            .filter(|file| path::below(self.root, file).is_some_and(|below| !below.contains('/')));
        top.find(|file| path::stem(file) == "index")
    }

    /// Returns the entries of the pages whose parent is `above`, or that have none.
    fn below<'p>(
        &'p self,
        above: Option<&Page>,
        collection: &str,
        seen: &mut BTreeSet<String>,
        depth: usize,
    ) -> Vec<Entry> {
        let is_below = |page: &Page| match (above, &page.parent) {
            (None, None) => true,
            (Some(above), Some(parent)) => {
                let fits = |title: &String| above.parent.as_ref() == Some(title);
                *parent == above.title && page.grandparent.as_ref().is_none_or(fits)
            }
            // The pages of an unknown parent are at the top.
            (None, Some(parent)) => !self.pages.values().any(|other| other.title == *parent),
            _ => false,
        };
        let mut found: Vec<(&String, &'p Page)> = self
            .pages
            .iter()
            .filter(|(file, page)| {
                page.collection == collection && !page.is_hidden && is_below(page) && !seen.contains(*file)
            })
            .collect();
        found.sort_by(|(_, one), (_, other)| {
            let (a, number, words) = one.order.rank();
            let (b, other_number, other_words) = other.order.rank();
            a.cmp(&b)
                .then_with(|| number.total_cmp(&other_number))
                .then_with(|| words.cmp(other_words))
                .then_with(|| one.title.cmp(&other.title))
        });
        seen.extend(found.iter().map(|(file, _)| (*file).clone()));
        let mut entries = Vec::with_capacity(found.len());
        for (file, page) in found {
            let children = if depth < MAX_DEPTH {
                self.below(Some(page), collection, seen, depth + 1)
            } else {
                Vec::new()
            };
            entries.push(Entry::of_file("", path::below(self.root, file).unwrap_or(file), children));
        }
        entries
    }

    /// Returns the lists of `_data/navigation.yml`, as themes read them.
    fn navigation(&self, tree: &SourceTree) -> Vec<Entry> {
        let names = ["_data/navigation.yml", "_data/navigation.yaml", "_data/toc.yml", "_data/sidebar.yml"];
        let data = names.iter().filter_map(|name| path::join(self.root, name));
        let Some(data) = data.into_iter().find_map(|file| settings::read(tree, &file)) else {
            return Vec::new();
        };
        let lists = data.entries().iter().flat_map(|(_, list)| list.items());
        let mut seen = BTreeSet::new();
        data.items().iter().chain(lists).filter_map(|item| self.item(item, &mut seen, 0)).collect()
    }

    fn item(&self, item: &Json, seen: &mut BTreeSet<String>, depth: usize) -> Option<Entry> {
        let title = ["title", "text", "name"].iter().find_map(|name| item.str(name))?;
        let address = ["url", "link", "href", "path"].iter().find_map(|name| item.str(name));
        let route = address.unwrap_or_default().trim_matches('/');
        let route = route.strip_suffix(".html").or(route.strip_suffix(".md")).unwrap_or(route);
        let file = self.routes.get(route).filter(|_| address.is_some());
        let file = file.filter(|file| seen.insert((*file).clone()));
        let lists = ["children", "items", "subitems", "pages", "docs"];
        let inner = lists.iter().flat_map(|name| item.items_of(name)).filter(|_| depth < MAX_DEPTH);
        let children: Vec<Entry> = inner.filter_map(|item| self.item(item, seen, depth + 1)).collect();
        match file {
            Some(file) => Some(Entry::of_file(title, path::below(self.root, file).unwrap_or(file), children)),
            None if children.is_empty() => {
                let address = address.filter(|address| address.contains("://"))?;
                Some(Entry::new(escaped(title), Some(address.to_owned()), Vec::new()))
            }
            None => Some(Entry::new(escaped(title), None, children)),
        }
    }
}
