//! Nextra and Fumadocs: folders of pages, each ordered by a file in it: `_meta.ts` and its variants, or `meta.json`
//! (<https://nextra.site/docs/file-conventions/meta-file>, <https://fumadocs.dev/docs/page-conventions>).

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use quire_markup::markdown::escaped;

use super::js::{Scripts, Value};
use super::languages;
use super::site_of_mdx::MdxSite;
use super::vault::Vault;
use crate::dialect::Site;
use crate::path;
use crate::plan::names::from_name;
use crate::summary::{self, Entry};
use crate::tree::SourceTree;

/// Folders of the pages, relative to that of the settings.
const ROOTS: [&str; 8] =
    ["content", "src/content", "pages", "src/pages", "app", "src/app", "docs/content", "docs"];

/// Files that order a folder.
const NEXTRA: [&str; 7] =
    ["_meta.ts", "_meta.tsx", "_meta.js", "_meta.jsx", "_meta.json", "_meta.global.ts", "_meta.global.tsx"];
const FUMADOCS: [&str; 2] = ["meta.json", "meta.jsonc"];

/// Depth of folders: the maximum for paths of an import.
const MAX_DEPTH: usize = 64;

/// Returns whether a file orders a folder of Nextra.
pub(super) fn is_nextra(file: &str) -> bool {
    NEXTRA.contains(&path::name(file))
}

/// Reads a repository of Nextra or Fumadocs, which may consist of pages only.
pub(super) fn of(tree: &SourceTree, settings: Option<&str>, is_nextra: bool) -> MdxSite {
    let base = settings.map_or("", path::folder).to_owned();
    let has_pages = |folder: &String| {
        let mut inside = tree.files.range(format!("{folder}/")..).map(|(file, _)| file);
        inside
            .by_ref()
            .take_while(|file| path::below(folder, file).is_some())
            .any(|file| path::is_markdown(file))
    };
    let root = ROOTS.iter().filter_map(|root| path::join(&base, root)).find(has_pages);
    let root = root.unwrap_or_else(|| base.clone());
    let folders = Folders::of(tree, &root, is_nextra);
    let mut entries = folders.entries("", None, 0);
    if !is_nextra && entries.iter().any(|entry| folders.is_folder(entry, "docs")) {
        let others = entries.into_iter().filter(|entry| !folders.is_folder(entry, "docs"));
        entries = folders.entries("docs", None, 0).into_iter().chain(others).collect();
    }
    // The folder `docs` is the documentation: its pages precede the other parts of the site.
    if entries.len() > 1 || entries.iter().all(|entry| entry.target.is_none()) {
        let docs = entries.iter().position(|entry| folders.is_folder(entry, "docs"));
        if let Some(docs) = docs.map(|at| entries.remove(at)) {
            let own = docs.target.map(|target| Entry::new(docs.title, Some(target), Vec::new()));
            entries = own.into_iter().chain(docs.children).chain(entries).collect();
        }
    }
    let used = folders.used.take();
    let mut site = Site::of_pages(settings, &root, summary::parts(entries));
    site.uses(used);
    for (route, file) in &folders.routes {
        site.routes.add(route, file);
    }
    for file in
        tree.files.keys().filter(|file| path::is_markdown(file) && languages::is_translation(tree, file))
    {
        site.refuse(file, languages::REASON);
    }
    // The language is no part of an address.
    let localized = folders.routes.values().filter_map(|file| {
        let (page, _) = languages::of_name(file).filter(|(_, language)| languages::is_english(language))?;
        Some((file.clone(), page.to_owned()))
    });
    let slugs = localized.collect();
    site.asset_roots = path::join(&base, "public").into_iter().collect();
    MdxSite {
        product: if is_nextra { "Nextra" } else { "Fumadocs" },
        vault: (!is_nextra).then(|| Vault::of(tree, &root)),
        base,
        root,
        is_mdx_everywhere: is_nextra,
        used: &["sidebarTitle", "asIndexPage", "searchable", "full", "icon", "index", "preview"],
        index: Some("page"),
        slugs,
        site,
        ..MdxSite::default()
    }
}

/// An entry of a file that orders a folder.
enum Item {
    Page {
        name: String,
        label: Option<String>,
        below: Option<Value>,
    },
    Separator(String),
    Link {
        label: String,
        href: String,
    },
    Group {
        label: String,
        links: Vec<Entry>,
    },
    /// All pages without an explicit position.
    Rest,
    /// The pages of a folder, in place of the folder.
    Spread(String),
    Hidden(String),
}

struct Folders<'a> {
    tree: &'a SourceTree,
    root: &'a str,
    is_nextra: bool,
    /// Names in each folder, relative to the root: pages with their files, and folders.
    names: BTreeMap<String, BTreeMap<String, Named>>,
    routes: BTreeMap<String, String>,
    /// Files that order folders.
    used: RefCell<BTreeSet<String>>,
}

#[derive(Debug, Default)]
struct Named {
    page: Option<String>,
    is_folder: bool,
}

impl<'a> Folders<'a> {
    fn of(tree: &'a SourceTree, root: &'a str, is_nextra: bool) -> Self {
        let mut names: BTreeMap<String, BTreeMap<String, Named>> = BTreeMap::new();
        let mut routes = BTreeMap::new();
        for file in tree.files.keys().filter(|file| path::is_markdown(file)) {
            let Some(below) = path::below(root, file) else { continue };
            if below.split('/').any(|name| name.starts_with(['_', '.']))
                || languages::is_translation(tree, file)
            {
                continue;
            }
            let name = languages::of_name(below).map_or_else(|| path::stem(below), |(name, _)| name);
            let mut folder = path::folder(below);
            // `page.mdx` in a Next.js folder is the page of the folder.
            let name = if name == "page" { "index" } else { name };
            let segments = folder.split('/').filter(|name| !name.starts_with('(') && !name.is_empty());
            let mut route = segments.collect::<Vec<_>>().join("/");
            if name != "index" {
                route = if route.is_empty() { name.to_owned() } else { format!("{route}/{name}") };
            }
            routes.entry(route).or_insert_with(|| file.clone());
            names.entry(folder.to_owned()).or_default().entry(name.to_owned()).or_default().page =
                Some(file.clone());
            while !folder.is_empty() {
                let above = path::folder(folder);
                let known = names.entry(above.to_owned()).or_default();
                known.entry(path::name(folder).to_owned()).or_default().is_folder = true;
                folder = above;
            }
        }
        Self { tree, root, is_nextra, names, routes, used: RefCell::default() }
    }

    /// Returns whether an entry belongs to a folder of the root.
    fn is_folder(&self, entry: &Entry, name: &str) -> bool {
        let is_one =
            self.names.get("").and_then(|names| names.get(name)).is_some_and(|named| named.is_folder);
        let index = entry.target.as_deref().map(|target| target.trim_start_matches('/'));
        let is_index = index.is_some_and(|target| {
            path::folder(target) == name || path::stem(target) == name && path::folder(target).is_empty()
        });
        is_one
            && (is_index
                || entry.target.is_none() && entry.title.eq_ignore_ascii_case(&escaped(&self.title(name))))
    }

    /// Returns the settings of a folder.
    fn settings(&self, folder: &str) -> Option<Value> {
        let names: &[&str] = if self.is_nextra { &NEXTRA } else { &FUMADOCS };
        let inside = path::join(self.root, folder)?;
        // A settings file may be specific to a language.
        let localized = names.iter().filter_map(|name| name.split_once('.')).flat_map(|(stem, end)| {
            ["en", "en-US", "en-GB"].map(|language| format!("{stem}.{language}.{end}"))
        });
        let names = names.iter().map(|name| (*name).to_owned()).chain(localized);
        let file = names
            .filter_map(|name| path::join(&inside, &name))
            .find(|file| self.tree.files.contains_key(file))?;
        let value = Scripts::of(self.tree).exported(&file)?;
        self.used.borrow_mut().insert(file);
        Some(value)
    }

    /// Returns the title of a folder.
    fn title(&self, folder: &str) -> String {
        let settings = if self.is_nextra { None } else { self.settings(folder) };
        let title = settings.as_ref().and_then(|settings| settings.text("title")).map(str::to_owned);
        let name = path::name(folder).trim_start_matches('(').trim_end_matches(')');
        title.unwrap_or_else(|| from_name(name))
    }

    fn items(&self, settings: &Value) -> Vec<Item> {
        if self.is_nextra {
            settings.entries().iter().filter_map(|(name, value)| nextra(name, value)).collect()
        } else {
            let pages = settings.get("pages").map(Value::items).unwrap_or_default();
            pages.iter().filter_map(Value::as_text).map(fumadocs).collect()
        }
    }

    /// Returns the entries of a folder. `given` are settings from the parent folder.
    fn entries(&self, folder: &str, given: Option<&Value>, depth: usize) -> Vec<Entry> {
        let Some(names) = self.names.get(folder).filter(|_| depth < MAX_DEPTH) else { return Vec::new() };
        let own = if given.is_none() { self.settings(folder) } else { None };
        let mut items = given.or(own.as_ref()).map(|settings| self.items(settings)).unwrap_or_default();
        let has_rest =
            items.is_empty() || self.is_nextra || items.iter().any(|item| matches!(item, Item::Rest));
        if has_rest && !items.iter().any(|item| matches!(item, Item::Rest)) {
            items.push(Item::Rest);
        }
        let mut listed: BTreeSet<&str> = BTreeSet::new();
        for item in &items {
            match item {
                Item::Page { name, .. } | Item::Spread(name) | Item::Hidden(name) => {
                    listed.insert(name);
                }
                _ => {}
            }
        }
        let mut entries: Vec<Entry> = Vec::new();
        // Entries after a separator are nested below it.
        let mut group: Option<usize> = None;
        for item in &items {
            let found = match item {
                Item::Separator(label) => {
                    group = None;
                    if !label.is_empty() {
                        group = Some(entries.len());
                        entries.push(Entry::new(escaped(label), None, Vec::new()));
                    }
                    continue;
                }
                Item::Page { name, label, below } => {
                    self.named(folder, name, label.as_deref(), below.as_ref(), depth).into_iter().collect()
                }
                Item::Link { label, href } => {
                    vec![Entry::new(escaped(label), Some(href.clone()), Vec::new())]
                }
                Item::Group { label, links } => {
                    vec![Entry::new(escaped(label), None, links.clone())]
                }
                Item::Spread(name) => self.entries(&inside(folder, name), None, depth + 1),
                Item::Hidden(_) => Vec::new(),
                Item::Rest => {
                    // The page of a folder is its parent, except at the top.
                    let rest = names.keys().filter(|name| !listed.contains(name.as_str()));
                    let rest = rest.filter(|name| *name != "index" || depth == 0);
                    rest.filter_map(|name| self.named(folder, name, None, None, depth)).collect()
                }
            };
            match group.and_then(|at| entries.get_mut(at)) {
                Some(group) => group.children.extend(found),
                None => entries.extend(found),
            }
        }
        entries.retain(|entry| entry.target.is_some() || !entry.children.is_empty());
        let index = entries.iter().position(|entry| depth == 0 && is_index(entry, folder));
        if let Some(index) = index.filter(|index| *index > 0 && group.is_none()) {
            let index = entries.remove(index);
            entries.insert(0, index);
        }
        entries
    }

    /// Returns the entry of a page or folder.
    fn named(
        &self,
        folder: &str,
        name: &str,
        label: Option<&str>,
        below: Option<&Value>,
        depth: usize,
    ) -> Option<Entry> {
        let target = inside(folder, name.trim_start_matches("./"));
        let (above, last) = (path::folder(&target), path::name(&target));
        let named = self.names.get(above)?.get(last)?;
        if last == "index" && depth > 0 {
            return None;
        }
        let index = self.names.get(&target).and_then(|names| names.get("index")?.page.as_ref());
        let children = if named.is_folder { self.entries(&target, below, depth + 1) } else { Vec::new() };
        match named.page.as_ref().or(index) {
            Some(file) => {
                let file = path::below(self.root, file).unwrap_or(file);
                let settings = if self.is_nextra || !named.is_folder { None } else { self.settings(&target) };
                let own = settings.as_ref().and_then(|settings| settings.text("title"));
                Some(Entry::of_file(label.or(own).unwrap_or_default(), file, children))
            }
            None => {
                let title = label
                    .filter(|label| !label.is_empty())
                    .map_or_else(|| self.title(&target), str::to_owned);
                Some(Entry::new(escaped(&title), None, children))
            }
        }
    }
}

/// Returns whether an entry is the page of a folder.
fn is_index(entry: &Entry, folder: &str) -> bool {
    entry.target.as_deref().is_some_and(|target| {
        let file = target.trim_start_matches('/');
        path::folder(file) == folder && path::index_rank(file).is_some()
    })
}

fn inside(folder: &str, name: &str) -> String {
    path::join(folder, name).unwrap_or_default()
}

/// Reads `name: 'Label'` and `name: { title, type, href, display, items }`.
fn nextra(name: &str, value: &Value) -> Option<Item> {
    if name == "*" || name.is_empty() {
        return None;
    }
    let label = |value: &Value| value.text("title").map(str::to_owned).filter(|label| !label.is_empty());
    Some(match (value.text("type"), value.text("href")) {
        _ if value.text("display") == Some("hidden") => Item::Hidden(name.to_owned()),
        (Some("separator"), _) => Item::Separator(label(value)?),
        (Some("menu"), _) => {
            let items = value.get("items").map(Value::entries).unwrap_or_default();
            let link = |(_, value): &(String, Value)| {
                let (label, href) = (label(value)?, value.text("href")?);
                Some(Entry::new(escaped(&label), Some(href.to_owned()), Vec::new()))
            };
            Item::Group { label: label(value)?, links: items.iter().filter_map(link).collect() }
        }
        (_, Some(href)) => {
            let label = label(value).unwrap_or_else(|| href.to_owned());
            Item::Link { label, href: href.to_owned() }
        }
        _ => {
            let own = value.as_text().map(str::to_owned).filter(|label| !label.is_empty());
            Item::Page {
                name: name.to_owned(),
                label: own.or_else(|| label(value)),
                below: value.get("items").cloned(),
            }
        }
    })
}

/// Reads `name`, `...`, `...folder`, `!name`, `---Title---` and `[Title](address)`.
fn fumadocs(item: &str) -> Item {
    if let Some(rest) = item.strip_prefix("---") {
        let label = rest.trim_end_matches('-').trim();
        // An icon precedes the title.
        let label =
            label.strip_prefix('[').and_then(|label| label.split_once(']')).map_or(label, |(_, label)| label);
        return Item::Separator(label.to_owned());
    }
    let address = item.rsplit_once("](").and_then(|(before, href)| Some((before, href.strip_suffix(')')?)));
    if let Some((before, href)) = address {
        let label = before.rsplit_once('[').map_or(before, |(_, label)| label);
        return Item::Link { label: label.to_owned(), href: href.to_owned() };
    }
    match item {
        "..." | "z...a" => Item::Rest,
        item => match (item.strip_prefix("..."), item.strip_prefix('!')) {
            (Some(folder), _) => Item::Spread(folder.to_owned()),
            (_, Some(name)) => Item::Hidden(name.to_owned()),
            _ => Item::Page { name: item.to_owned(), label: None, below: None },
        },
    }
}
