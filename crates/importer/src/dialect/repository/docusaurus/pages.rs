//! The pages of a site by their ids, with the position in their front matter.

use std::collections::{BTreeMap, BTreeSet};

use quire_markup::markdown::escaped;

use super::super::category::{Category, numbered};
use super::super::front;
use crate::dialect::route::Routes;
use crate::path;
use crate::summary::Entry;
use crate::tree::SourceTree;

/// A page's position.
#[derive(Debug, Default)]
struct Page {
    id: String,
    label: Option<String>,
    position: Option<f64>,
    slug: Option<String>,
}

/// Pages by their files.
#[derive(Debug, Default)]
pub(super) struct Pages {
    root: String,
    /// Paths in the table of contents are relative to this folder, not to the root.
    is_main: bool,
    pages: BTreeMap<String, Page>,
    ids: BTreeMap<String, String>,
}

impl Pages {
    pub(super) fn of(tree: &SourceTree, root: &str, is_main: bool) -> Self {
        let mut pages = Self { root: root.to_owned(), is_main, ..Self::default() };
        for file in tree.files.keys().filter(|file| path::is_markdown(file) && tree.fits_a_page(file)) {
            let Some(below) = path::below(root, file) else { continue };
            if below.split('/').any(|name| name.starts_with('_')) {
                continue;
            }
            let page = page(below, &tree.text(file).unwrap_or_default());
            let plain = below.rsplit_once('.').map_or(below, |(plain, _)| plain);
            for id in [page.id.as_str(), plain] {
                pages.ids.entry(id.to_owned()).or_insert_with(|| file.clone());
            }
            pages.pages.insert(file.clone(), page);
        }
        pages
    }

    /// The folder of the pages.
    pub(super) fn root(&self) -> &str {
        &self.root
    }

    /// Returns the last segment of the address that the page at `file` declares.
    pub(super) fn slug(&self, file: &str) -> Option<&str> {
        let slug = self.pages.get(file)?.slug.as_deref()?;
        slug.rsplit('/').find(|segment| !segment.is_empty())
    }

    /// Adds the files by their routes, below each of `bases`.
    pub(super) fn add_routes(&self, bases: &[String], routes: &mut Routes) {
        for (file, page) in &self.pages {
            let folder = path::folder(&page.id);
            let route = match &page.slug {
                Some(slug) if slug.starts_with('/') => slug.clone(),
                Some(slug) => format!("{folder}/{slug}"),
                None if path::index_rank(file).is_some() => folder.to_owned(),
                None => page.id.clone(),
            };
            for base in bases {
                for route in [&route, &page.id] {
                    routes
                        .add(&format!("{}/{}", base.trim_matches('/'), route.trim_start_matches('/')), file);
                }
            }
        }
    }

    /// The entry of a page by its id.
    pub(super) fn entry(&self, id: &str, label: Option<&str>, children: Vec<Entry>) -> Option<Entry> {
        let file = self.ids.get(id)?;
        let label = label.or(self.pages.get(file)?.label.as_deref()).unwrap_or_default();
        Some(Entry::of_file(
            label,
            if self.is_main { path::below(&self.root, file)? } else { file },
            children,
        ))
    }

    /// The entries of a folder, in the order of their positions, then of their names.
    pub(super) fn folder(&self, tree: &SourceTree, folder: &str) -> Vec<Entry> {
        let mut entries = self.ordered(tree, folder, 0);
        if folder == self.root
            && let Some(at) = entries.iter().position(|entry| self.is_index(entry))
        {
            let index = entries.remove(at);
            entries.insert(0, index);
        }
        entries
    }

    fn is_index(&self, entry: &Entry) -> bool {
        let target = entry.target.as_deref().unwrap_or_default().trim_start_matches('/');
        let file = if self.is_main { Some(target) } else { path::below(&self.root, target) };
        file.is_some_and(|file| !file.contains('/') && path::index_rank(file).is_some())
    }

    fn ordered(&self, tree: &SourceTree, folder: &str, depth: usize) -> Vec<Entry> {
        /// Depth of folders: the maximum for paths of an import.
        const MAX_DEPTH: usize = 64;
        let mut found: Vec<(f64, String, Entry)> = Vec::new();
        let mut folders: BTreeSet<&str> = BTreeSet::new();
        let inside = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let files = self.pages.range(inside.clone()..).take_while(|(file, _)| file.starts_with(&inside));
        for (file, page) in files {
            match file.get(inside.len()..).and_then(|below| below.split_once('/')) {
                Some((name, _)) => drop(folders.insert(name)),
                None if depth > 0 && self.is_page_of(folder, file) => {}
                None => {
                    let entry = self.entry(&page.id, None, Vec::new());
                    let rank = page.position.unwrap_or(f64::INFINITY);
                    found.extend(entry.map(|entry| (rank, path::stem(file).to_owned(), entry)));
                }
            }
        }
        for name in folders.into_iter().filter(|_| depth < MAX_DEPTH) {
            let inside = format!("{inside}{name}");
            let category = Category::of(tree, &inside);
            let children = self.ordered(tree, &inside, depth + 1);
            let position = category.position.or(numbered(name).0).unwrap_or(f64::INFINITY);
            let entry = self.category(&inside, &category, children);
            found.push((position, name.to_owned(), entry));
        }
        found.sort_by(|(one, a, _), (other, b, _)| one.total_cmp(other).then_with(|| a.cmp(b)));
        found.into_iter().map(|(_, _, entry)| entry).collect()
    }

    /// The entry of a folder: its page, or a label.
    fn category(&self, folder: &str, category: &Category, children: Vec<Entry>) -> Entry {
        let own =
            self.pages.iter().find(|(file, _)| path::folder(file) == folder && self.is_page_of(folder, file));
        let id = category.page.as_deref().or(own.map(|(_, page)| page.id.as_str()));
        if let Some(entry) = id.and_then(|id| self.entry(id, category.label.as_deref(), children.clone())) {
            return entry;
        }
        let label = category.label.as_deref().unwrap_or_else(|| numbered(path::name(folder)).1);
        Entry::new(escaped(label), None, children)
    }

    /// Returns whether a page belongs to its folder: named index, README, or like the folder.
    fn is_page_of(&self, folder: &str, file: &str) -> bool {
        path::index_rank(file).is_some() || numbered(path::stem(file)).1 == numbered(path::name(folder)).1
    }
}

/// Reads the position of a page from its path and front matter.
fn page(below: &str, text: &str) -> Page {
    let properties = front::of(text);
    let get = |name: &str| properties.as_ref().and_then(|properties| front::text(properties, name));
    let plain = below.rsplit_once('.').map_or(below, |(plain, _)| plain);
    let mut segments: Vec<String> = plain.split('/').map(|segment| numbered(segment).1.to_owned()).collect();
    if let (Some(last), Some(id)) = (segments.last_mut(), get("id")) {
        *last = id;
    }
    let position = properties.as_ref().and_then(|properties| front::number(properties, "sidebar_position"));
    Page {
        id: segments.join("/"),
        label: get("sidebar_label"),
        position: position.or(numbered(path::stem(below)).0),
        slug: get("slug"),
    }
}
