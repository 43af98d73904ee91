//! Mintlify: `docs.json`, earlier `mint.json`, lists the pages (<https://www.mintlify.com/docs/organize/navigation>).

use std::collections::BTreeSet;

use quire_markup::markdown::escaped;
use quire_markup::openapi::Json;

use super::folder::folder_of;
use super::site_of_mdx::MdxSite;
use super::{front, languages};
use crate::dialect::Site;
use crate::path;
use crate::plan::names;
use crate::summary::{self, Entry};
use crate::tree::SourceTree;
use crate::yaml;

/// Keys of lists, with the key that names their items.
const LISTS: [(&str, &str); 9] = [
    ("products", "product"),
    ("versions", "version"),
    ("tabs", "tab"),
    ("dropdowns", "dropdown"),
    ("anchors", "anchor"),
    ("menu", "item"),
    ("groups", "group"),
    ("pages", "page"),
    ("navigation", "group"),
];

/// Depth of a navigation.
const MAX_DEPTH: usize = 32;

/// Maximum number of files with parts of the navigation, since a part may refer to others and to itself.
const MAX_PARTS: usize = 1_000;

/// Maximum number of folder redirects.
const MAX_MOVED: usize = 100;

/// Returns the folders of a redirect from all pages below one folder to the corresponding pages below another:
/// `/old/:slug*`.
fn folders<'r>(source: &'r str, target: &'r str) -> Option<(&'r str, &'r str)> {
    let (from, name) = source.rsplit_once("/:")?;
    let (to, same) = target.rsplit_once("/:")?;
    (name == same && name.ends_with('*')).then_some((from, to))
}

/// Reads a repository with `docs.json` or `mint.json`, or with pages of Mintlify only.
pub(super) fn of(tree: &SourceTree, settings: Option<&str>) -> MdxSite {
    let root = settings.map_or("", path::folder).to_owned();
    let config = settings.and_then(|settings| tree.text(settings)).and_then(|text| yaml::parse(&text));
    let mut reader = Reader {
        tree,
        root: &root,
        seen: BTreeSet::new(),
        hidden: BTreeSet::new(),
        roots: Vec::new(),
        empty: BTreeSet::new(),
        translations: Vec::new(),
        used: Vec::new(),
    };
    let navigation = config.as_ref().and_then(|config| config.get("navigation"));
    let entries = navigation.map(|navigation| reader.node(navigation, 0)).unwrap_or_default();
    let Reader { seen, mut hidden, empty, translations, used, .. } = reader;
    hidden.retain(|file| !seen.contains(file));
    let mut site = Site::of_pages(settings, &root, summary::parts(entries));
    site.uses(used);
    site.left_out(settings, &empty);
    site.outside.extend(translations.into_iter().map(|folder| (folder, languages::REASON)));
    let redirects =
        config.as_ref().and_then(|config| config.get("redirects")).map(Json::items).unwrap_or_default();
    let mut moved: Vec<(&str, String)> = Vec::new();
    for redirect in redirects {
        let (Some(source), Some(target)) = (redirect.str("source"), redirect.str("destination")) else {
            continue;
        };
        let target = target.split(['#', '?']).next().unwrap_or_default();
        if let Some((from, to)) = folders(source, target) {
            moved.push((from, path::join(&root, to).unwrap_or_default()));
        }
        if let Some(file) = page(tree, &root, target) {
            site.routes.add(source, &file);
        }
    }
    for (from, to) in moved.iter().take(MAX_MOVED) {
        for file in tree.files.keys().filter(|file| path::is_markdown(file)) {
            if let Some(below) = path::below(to, file) {
                let plain = below.rsplit_once('.').map_or(below, |(plain, _)| plain);
                let route = plain.strip_suffix("/index").unwrap_or(plain);
                site.routes.add(&format!("{from}/{route}"), file);
            }
        }
    }
    MdxSite {
        product: "Mintlify",
        base: root.clone(),
        root,
        is_mdx_everywhere: true,
        has_math: true,
        hidden,
        used: &["sidebarTitle", "hidden", "mode", "keywords", "boost", "tag", "openapi", "api", "og:title"],
        site,
        ..MdxSite::default()
    }
}

/// Returns the file of a page.
fn page(tree: &SourceTree, root: &str, name: &str) -> Option<String> {
    let spelled = [".mdx", ".md", "", "/index.mdx", "/index.md"];
    let file = spelled.iter().filter_map(|end| path::join(root, &format!("{name}{end}")));
    file.into_iter().find(|file| path::is_markdown(file) && tree.files.contains_key(file))
}

struct Reader<'a> {
    tree: &'a SourceTree,
    root: &'a str,
    seen: BTreeSet<String>,
    /// Pages of parts that are hidden from menus.
    hidden: BTreeSet<String>,
    /// Pages of the enclosing groups.
    roots: Vec<String>,
    /// Groups without pages.
    empty: BTreeSet<String>,
    /// Folders of other languages than the first.
    translations: Vec<String>,
    /// Additional files with parts of the navigation.
    used: Vec<String>,
}

impl Reader<'_> {
    /// Returns the entries of a part of the navigation.
    fn node(&mut self, node: &Json, depth: usize) -> Vec<Entry> {
        if depth > MAX_DEPTH {
            return Vec::new();
        }
        if node.flag("hidden") {
            self.hide(node, depth);
            return Vec::new();
        }
        if let Some(part) = self.part(node) {
            return part.map(|part| self.node(&part, depth + 1)).unwrap_or_default();
        }
        if !node.items().is_empty() {
            return node.items().iter().flat_map(|item| self.item(item, depth)).collect();
        }
        let languages = node.get("languages").map(Json::items).unwrap_or_default();
        let own = languages.iter().find(|one| one.flag("default")).or(languages.first());
        if let Some(own) = own {
            for other in languages.iter().filter(|other| *other != own) {
                // A language may be in a file of its own, with its code as name.
                let code = other.str("language").or_else(|| other.str("$ref").map(path::stem));
                let folder = code.and_then(|code| folder_of(self.tree, self.root, code));
                self.translations.extend(folder.filter(|folder| folder != self.root));
            }
            return self.node(own, depth + 1);
        }
        let mut entries = Vec::new();
        for (list, name) in LISTS {
            let items = node.get(list).map(Json::items).unwrap_or_default();
            let is_single = items.len() == 1 && matches!(list, "tabs" | "versions" | "products");
            for item in items {
                match item.str(name).filter(|_| !is_single) {
                    Some(title) if item.as_str().is_none() => {
                        entries.extend(self.section(title, item, depth));
                    }
                    _ => entries.extend(self.item(item, depth)),
                }
            }
        }
        entries
    }

    /// Returns the part of the navigation in the file that a node refers to; the outer `None` for other nodes.
    fn part(&mut self, node: &Json) -> Option<Option<Json>> {
        let file = node.str("$ref").and_then(|file| path::join(self.root, file))?;
        if self.used.len() >= MAX_PARTS {
            return Some(None);
        }
        let part = self.tree.text(&file).and_then(|text| yaml::parse(&text));
        self.used.push(file);
        Some(part)
    }

    /// Collects the pages of a part that is hidden from menus. It has no entry, and its pages are hidden.
    fn hide(&mut self, node: &Json, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        if let Some(part) = self.part(node) {
            if let Some(part) = part {
                self.hide(&part, depth + 1);
            }
            return;
        }
        let own = node.as_str().or_else(|| node.str("root"));
        self.hidden.extend(own.and_then(|name| page(self.tree, self.root, name)));
        let lists = LISTS.iter().map(|(list, _)| *list).chain(["languages"]);
        let lists = lists.filter_map(|list| node.get(list)).flat_map(Json::items);
        for item in node.items().iter().chain(lists) {
            self.hide(item, depth + 1);
        }
    }

    /// Returns the entry of a part with a name: a group, or a link.
    fn section(&mut self, title: &str, node: &Json, depth: usize) -> Option<Entry> {
        if node.flag("hidden") {
            self.hide(node, depth);
            return None;
        }
        let root = node.str("root").and_then(|root| page(self.tree, self.root, root));
        self.roots.extend(root.clone());
        let children = self.node(node, depth + 1);
        let root = root.inspect(|_| drop(self.roots.pop())).filter(|root| self.seen.insert(root.clone()));
        if let Some(root) = root {
            return Some(Entry::of_file(title, path::below(self.root, &root)?, children));
        }
        let target = node.str("href").or(node.str("url")).filter(|_| children.is_empty()).map(str::to_owned);
        let is_empty = children.is_empty() && target.is_none();
        if is_empty {
            self.empty.insert(title.to_owned());
        }
        (!is_empty).then(|| Entry::new(escaped(title), target, children))
    }

    fn item(&mut self, item: &Json, depth: usize) -> Vec<Entry> {
        if let Some(name) = item.as_str() {
            return self.page(name).into_iter().collect();
        }
        match item.str("group") {
            Some(group) => self.section(group, item, depth).into_iter().collect(),
            None => self.node(item, depth + 1),
        }
    }

    /// Returns the entry of a page. All occurrences but the first are links, since a group may repeat pages of other
    /// groups.
    fn page(&mut self, name: &str) -> Option<Entry> {
        let file = page(self.tree, self.root, name)?;
        // A group often lists its own page.
        if self.roots.contains(&file) {
            return None;
        }
        let is_first = self.seen.insert(file.clone());
        let properties = self.tree.text(&file).and_then(|text| front::of(&text));
        let text = |name: &str| properties.as_ref().and_then(|properties| front::text(properties, name));
        let title = || text("title").unwrap_or_else(|| names::from_name(path::stem(&file)));
        let label = text("sidebarTitle").or_else(|| (!is_first).then(title));
        Some(Entry::of_file(label.as_deref().unwrap_or_default(), path::below(self.root, &file)?, Vec::new()))
    }
}
