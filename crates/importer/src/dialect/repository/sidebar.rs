//! Sidebars of VitePress and VuePress: links, groups and, in VuePress, addresses of pages and folders.

use std::collections::BTreeSet;

use quire_markup::markdown::escaped;

use super::front;
use super::js::Value;
use crate::dialect::route::Routes;
use crate::path;
use crate::summary::Entry;
use crate::tree::SourceTree;

/// Maximum depth of folders that become groups.
const MAX_DEPTH: usize = 16;

/// Value of a VuePress theme for the pages of a folder in the order of their names.
const FOLDER: &str = "structure";

/// Site whose sidebar is read.
pub(super) struct Pages<'s> {
    pub(super) tree: &'s SourceTree,
    pub(super) routes: &'s Routes,
    /// Folder of the pages.
    pub(super) root: &'s str,
    /// True if addresses are relative to the address where their sidebar is shown.
    pub(super) is_vuepress: bool,
}

impl Pages<'_> {
    /// Returns the home page and the entries of a sidebar; nothing if no entry has a target.
    pub(super) fn listed(&self, sidebar: &Value) -> Vec<Entry> {
        let mut entries = self.groups(sidebar);
        if !entries.iter().any(Entry::has_target) {
            return Vec::new();
        }
        let home = self.routes.get("").map(|home| Entry::of_file("", below(self.root, home), Vec::new()));
        let is_missing =
            |home: &Entry| home.target.as_deref().is_some_and(|target| find(&mut entries, target).is_none());
        let home = home.filter(is_missing);
        entries.splice(..0, home);
        entries
    }

    /// Returns the entries of a sidebar, or of several sidebars by the addresses where they are shown.
    fn groups(&self, sidebar: &Value) -> Vec<Entry> {
        let parts = match sidebar {
            Value::Object(parts) => parts,
            list => return self.entries(list, ""),
        };
        let mut found: Vec<Entry> = Vec::new();
        for (at, (address, part)) in parts.iter().enumerate() {
            // The same sidebar may be shown at several addresses.
            let is_list = !matches!(part, Value::Text(_));
            if is_list && parts.iter().take(at).any(|(_, before)| before == part) {
                continue;
            }
            let base = part.text("base").unwrap_or(if self.is_vuepress { address } else { "" });
            let entries = self.entries(part.get("items").unwrap_or(part), base);
            // A page of another sidebar may lead to this one.
            let page =
                self.file_at(address).map(|file| Entry::of_file("", below(self.root, file), Vec::new()));
            let page = page.and_then(|page| page.target);
            let above = page.as_deref().and_then(|page| find(&mut found, page));
            match above.filter(|above| above.children.is_empty()) {
                Some(above) => {
                    above.children = entries.into_iter().filter(|entry| entry.target != page).collect();
                }
                None => found.extend(entries),
            }
        }
        found
    }

    fn entries(&self, items: &Value, base: &str) -> Vec<Entry> {
        match items {
            Value::Text(kind) if kind == FOLDER => self.folder(base.trim_matches('/'), 0),
            items => items.items().iter().flat_map(|item| self.entry(item, base)).collect(),
        }
    }

    /// Returns the entry of an item, or the entries of a group without a title.
    fn entry(&self, item: &Value, base: &str) -> Vec<Entry> {
        // VuePress names pages by their addresses, or by pairs of an address and a title.
        let (link, title) = match item {
            Value::Text(link) => (Some(link.as_str()), None),
            Value::List(pair) => match pair.as_slice() {
                [Value::Text(link), Value::Text(title)] => (Some(link.as_str()), Some(title.as_str())),
                _ => return Vec::new(),
            },
            item => {
                let link = item.text("link").or_else(|| item.text("path"));
                (link, item.text("text").or_else(|| item.text("title")))
            }
        };
        let prefix = item.text("prefix").map(|prefix| joined(base, prefix));
        let base = item.text("base").unwrap_or(base);
        let children = item.get("items").or_else(|| item.get("children"));
        let children = children.map(|children| self.entries(children, prefix.as_deref().unwrap_or(base)));
        let children = children.unwrap_or_default();
        let link = link.filter(|link| title.is_none() || !link.is_empty());
        let link = link.map(|link| match self.is_vuepress {
            true => joined(base, link),
            false if link.contains("://") => link.to_owned(),
            false => format!("{base}{link}"),
        });
        if let Some(file) = link.as_deref().and_then(|link| self.file_at(link)) {
            return vec![Entry::of_file(title.unwrap_or_default(), below(self.root, file), children)];
        }
        // An address without a title needs a page.
        let is_named = title.is_some() || link.is_some() && !item.entries().is_empty();
        if is_named {
            return vec![Entry::new(escaped(title.unwrap_or_default()), link, children)];
        }
        children
    }

    fn file_at(&self, link: &str) -> Option<&str> {
        let route = link.split(['#', '?']).next().unwrap_or_default();
        let route = [".md", ".html"].iter().find_map(|end| route.strip_suffix(end)).unwrap_or(route);
        self.routes.get(route.trim_matches('/'))
    }

    /// Returns the pages of a folder, its own page first. Front matter may contain their position (`order`).
    fn folder(&self, folder: &str, depth: usize) -> Vec<Entry> {
        let Some(folder) = path::join(self.root, folder).filter(|_| depth < MAX_DEPTH) else {
            return Vec::new();
        };
        let inside = if folder.is_empty() { folder } else { format!("{folder}/") };
        let mut found: Vec<(f64, &str, Entry)> = Vec::new();
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let files = self.tree.files.range(inside.clone()..).map(|(file, _)| file.as_str());
        for file in files.take_while(|file| file.starts_with(&inside)).filter(|file| path::is_markdown(file))
        {
            let rest = file.strip_prefix(&inside).unwrap_or(file);
            match rest.split_once('/') {
                None => {
                    let is_index = path::index_rank(file).is_some();
                    let entry = Entry::of_file("", below(self.root, file), Vec::new());
                    found.push((if is_index { f64::NEG_INFINITY } else { self.order(file) }, rest, entry));
                }
                Some((name, _)) if !name.starts_with('.') && seen.insert(name) => {
                    let inner = format!("{}{name}", below(self.root, &inside));
                    let mut children = self.folder(&inner, depth + 1);
                    let is_own = |page: &&str| path::name(path::folder(page)) == name;
                    let page = self.routes.get(&inner).filter(is_own).filter(|_| !children.is_empty());
                    let entry = match page {
                        Some(_) => Entry { children: children.split_off(1), ..children.remove(0) },
                        None => Entry::new(escaped(name), None, children),
                    };
                    found.push((page.map_or(0.0, |page| self.order(page)), name, entry));
                }
                Some(_) => {}
            }
        }
        found.sort_by(|(one, a, _), (other, b, _)| one.total_cmp(other).then_with(|| a.cmp(b)));
        found.into_iter().map(|(_, _, entry)| entry).collect()
    }

    /// Returns the position of a page in its folder.
    fn order(&self, file: &str) -> f64 {
        let properties = front::of(&self.tree.text(file).unwrap_or_default());
        properties.and_then(|properties| front::number(&properties, "order")).unwrap_or_default()
    }
}

/// Returns an address relative to another, unless it has a scheme or begins with a slash.
fn joined(base: &str, address: &str) -> String {
    if address.starts_with('/') || address.contains("://") || base.is_empty() {
        return address.to_owned();
    }
    format!("{}/{}", base.trim_end_matches('/'), address.trim_start_matches("./"))
}

/// Returns the entry of an address.
fn find<'e>(entries: &'e mut [Entry], target: &str) -> Option<&'e mut Entry> {
    for entry in entries {
        if entry.target.as_deref() == Some(target) {
            return Some(entry);
        }
        if let Some(found) = find(&mut entry.children, target) {
            return Some(found);
        }
    }
    None
}

/// Returns the path of a file relative to the folder of the pages.
fn below<'f>(root: &str, file: &'f str) -> &'f str {
    path::below(root, file).unwrap_or(file)
}
