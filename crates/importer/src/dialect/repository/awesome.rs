//! The plugins awesome-pages and awesome-nav of MkDocs: `.pages` or `.nav.yml` in a folder orders its pages
//! (<https://github.com/lukasgeiter/mkdocs-awesome-nav>).

use quire_markup::markdown::escaped;
use quire_markup::openapi::Json;

use crate::plan::names::from_name;
use crate::summary::Entry;
use crate::tree::SourceTree;
use crate::{path, yaml};

/// Names of settings files.
const NAMES: [&str; 2] = [".nav.yml", ".pages"];

/// Depth of folders: the maximum for paths of an import.
const MAX_DEPTH: usize = 64;

/// The order of pages, and the settings files that define it.
#[derive(Debug, Default)]
pub(super) struct Order {
    pub(super) entries: Vec<Entry>,
    pub(super) settings: Vec<String>,
}

/// Reads the order of the pages below `root`; empty if no folder there has such settings.
pub(super) fn of(tree: &SourceTree, root: &str) -> Order {
    let is_one = |file: &&String| NAMES.contains(&path::name(file)) && path::below(root, file).is_some();
    let settings: Vec<String> = tree.files.keys().filter(is_one).cloned().collect();
    let entries = if settings.is_empty() { Vec::new() } else { Folder::of(tree, root, root, 0).entries() };
    Order { entries, settings }
}

/// A folder and the remaining names in it, in the order of MkDocs.
struct Folder<'a> {
    tree: &'a SourceTree,
    root: &'a str,
    path: &'a str,
    depth: usize,
    settings: Json,
    rest: Vec<&'a str>,
}

impl<'a> Folder<'a> {
    fn of(tree: &'a SourceTree, root: &'a str, folder: &'a str, depth: usize) -> Self {
        let text = NAMES.iter().find_map(|name| tree.text(&path::join(folder, name)?));
        let settings = text.and_then(|text| yaml::parse(&text)).unwrap_or(Json::Null);
        let pages = tree.files.keys().filter(|file| path::is_markdown(file));
        let inside = pages.filter_map(|file| path::below(folder, file));
        let mut rest: Vec<&str> = inside.map(|file| file.split('/').next().unwrap_or(file)).collect();
        rest.dedup();
        rest.retain(|name| !name.starts_with('.'));
        rest.sort_by_key(|name| path::index_rank(name).is_none());
        Self { tree, root, path: folder, depth, settings, rest }
    }

    fn entries(mut self) -> Vec<Entry> {
        let settings = std::mem::replace(&mut self.settings, Json::Null);
        let list = settings.get("nav").or(settings.get("arrange")).map(Json::items).unwrap_or_default();
        self.take(list);
        let mut entries = self.list(list);
        // Unlike `nav`, `arrange` and an absent order append the remaining names.
        if settings.get("nav").is_none() {
            entries.extend(self.others());
        }
        entries
    }

    /// Removes the names in a list from the remaining ones.
    fn take(&mut self, list: &[Json]) {
        for item in list {
            let targets =
                item.as_str().into_iter().chain(item.entries().iter().filter_map(|(_, to)| to.as_str()));
            let names: Vec<&str> = targets.map(|name| name.trim_matches(['.', '/'])).collect();
            self.rest.retain(|name| !names.contains(name));
            item.entries().iter().for_each(|(_, section)| self.take(section.items()));
        }
    }

    fn list(&mut self, list: &[Json]) -> Vec<Entry> {
        let mut entries = Vec::new();
        for item in list {
            match item.as_str() {
                Some(rest) if rest.starts_with("...") || rest.contains('*') => entries.extend(self.others()),
                Some(name) => entries.extend(self.entry("", name)),
                None => entries.extend(item.entries().iter().filter_map(|(title, to)| match to.as_str() {
                    Some(name) => self.entry(title, name),
                    None => Some(Entry::new(escaped(title), None, self.list(to.items()))),
                })),
            }
        }
        entries
    }

    fn others(&mut self) -> Vec<Entry> {
        let rest = std::mem::take(&mut self.rest);
        rest.into_iter().filter_map(|name| self.entry("", name)).collect()
    }

    /// Returns the entry of a page, a folder or an address.
    fn entry(&self, title: &str, name: &str) -> Option<Entry> {
        if name.contains("://") {
            return Some(Entry::new(escaped(title), Some(name.to_owned()), Vec::new()));
        }
        let target = path::join(self.path, name)?;
        if self.tree.files.contains_key(&target) {
            return Some(Entry::of_file(title, path::below(self.root, &target)?, Vec::new()));
        }
        let folder = Folder::of(self.tree, self.root, &target, self.depth + 1);
        let is_there = !folder.rest.is_empty() && self.depth < MAX_DEPTH;
        is_there.then(|| {
            let named = folder.settings.str("title").map(str::to_owned);
            let title = if title.is_empty() {
                named.unwrap_or_else(|| from_name(path::name(&target)))
            } else {
                title.to_owned()
            };
            let mut children = folder.entries();
            // The page of a folder belongs to the folder's entry.
            let is_index = |entry: &Entry| {
                entry.title.is_empty()
                    && entry.target.as_deref().is_some_and(|file| path::index_rank(file).is_some())
            };
            let index = if children.first().is_some_and(is_index) { children.remove(0).target } else { None };
            Entry::new(escaped(&title), index, children)
        })
    }
}
