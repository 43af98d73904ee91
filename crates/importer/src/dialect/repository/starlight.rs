//! Starlight: pages in `src/content/docs`, ordered by `sidebar` in the settings of Astro, or by their folders
//! (<https://starlight.astro.build/guides/sidebar/>).

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use quire_markup::markdown::escaped;
use quire_markup::slugify;

use super::aliases::Aliases;
use super::folder::folder_of;
use super::front;
use super::js::{Scripts, Value};
use super::languages;
use super::site_of_mdx::MdxSite;
use crate::dialect::Site;
use crate::path;
use crate::plan::names::from_name;
use crate::report;
use crate::summary::{self, Entry};
use crate::tree::SourceTree;

/// Folder of the pages, relative to that of the settings.
const CONTENT: &str = "src/content/docs";

/// Reads a repository with `astro.config`, or with pages of Starlight only.
pub(super) fn of(tree: &SourceTree, settings: Option<&str>) -> MdxSite {
    let base = settings.map_or("", path::folder).to_owned();
    let config = settings.and_then(|settings| Scripts::of(tree).exported(settings));
    let integrations = config.as_ref().and_then(|config| config.given().get("integrations")).cloned();
    let options =
        integrations.as_ref().and_then(|list| list.call("starlight")).and_then(|given| given.first());
    let top = folder_of(tree, &base, CONTENT).unwrap_or_else(|| base.clone());
    let mut translations: Vec<String> = Vec::new();
    let locales = options.and_then(|options| options.get("locales")).map(Value::entries).unwrap_or_default();
    let default = options.and_then(|options| options.text("defaultLocale")).unwrap_or("root");
    let default = if locales.iter().any(|(name, _)| name == default) { default } else { "root" };
    for (locale, _) in locales.iter().filter(|(locale, _)| locale != "root" && locale != default) {
        translations.extend(path::join(&top, locale));
    }
    let root = match default {
        "root" => top.clone(),
        locale => folder_of(tree, &top, locale).unwrap_or_else(|| top.clone()),
    };
    let pages = Pages::of(tree, &root, &translations);
    let sidebar = options.and_then(|options| options.get("sidebar").or_else(|| topics(options)));
    let mut entries = sidebar.map(|sidebar| pages.items(sidebar.items(), 0)).unwrap_or_default();
    if !entries.iter().any(Entry::has_target) {
        entries = pages.folder("", 0);
    } else if let Some(home) = pages.routes.get("") {
        entries.insert(0, Entry::of_file("", path::below(&root, home).unwrap_or(home), Vec::new()));
    }
    let mut site = Site::of_pages(settings, &root, summary::parts(entries));
    if let Some(settings) = settings.filter(|_| sidebar.is_some_and(Value::has_other) || options.is_none()) {
        let message = "parts of its sidebar are computed by a program, which an import does not run: their pages are not ordered";
        site.notices.push(report::changed(settings, message));
    }
    site.left_out(settings, &pages.empty.take());
    site.outside.extend(translations.into_iter().map(|folder| (folder, languages::REASON)));
    site.asset_roots = path::join(&base, "public").into_iter().collect();
    let prefix = path::below(&top, &root).filter(|prefix| !prefix.is_empty());
    for (route, file) in &pages.routes {
        site.routes.add(route, file);
        if let Some(prefix) = prefix {
            site.routes.add(&format!("{prefix}/{route}"), file);
        }
    }
    let hidden =
        pages.pages.iter().filter(|(_, page)| page.is_hidden).map(|(file, _)| file.clone()).collect();
    MdxSite {
        product: "Starlight",
        aliases: Aliases::of(tree, &base),
        base,
        root,
        hidden,
        used: &[
            "sidebar",
            "slug",
            "template",
            "draft",
            "hero",
            "editUrl",
            "head",
            "tableOfContents",
            "pagefind",
            "prev",
            "next",
            "banner",
            "lastUpdated",
        ],
        site,
        ..MdxSite::default()
    }
}

/// Returns the topics of `starlight-sidebar-topics`, a plugin with a sidebar for each part of the site. They are known
/// by their form, because a plugin may be imported under any name.
fn topics(options: &Value) -> Option<&Value> {
    let plugins = options.get("plugins").map(Value::items).unwrap_or_default();
    let mut lists = plugins.iter().filter_map(|plugin| match plugin {
        Value::Call(_, arguments) => arguments.first(),
        _ => None,
    });
    let is_topic = |topic: &Value| topic.text("link").is_some() && topic.get("items").is_some();
    lists.find(|list| list.items().iter().any(is_topic))
}

/// A page's position.
#[derive(Debug, Default)]
struct Page {
    label: Option<String>,
    order: Option<f64>,
    is_hidden: bool,
}

/// The pages below a folder.
struct Pages<'a> {
    root: &'a str,
    pages: BTreeMap<String, Page>,
    /// Files by their routes.
    routes: BTreeMap<String, String>,
    /// Labels of the sidebar whose pages are not in the repository.
    empty: RefCell<BTreeSet<String>>,
}

impl<'a> Pages<'a> {
    fn of(tree: &SourceTree, root: &'a str, translations: &[String]) -> Self {
        let mut found =
            Self { root, pages: BTreeMap::new(), routes: BTreeMap::new(), empty: RefCell::default() };
        for file in tree.files.keys().filter(|file| path::is_markdown(file) && tree.fits_a_page(file)) {
            let Some(below) = path::below(root, file) else { continue };
            let is_translated = translations.iter().any(|folder| path::below(folder, file).is_some());
            if is_translated || below.split('/').any(|name| name.starts_with('_')) {
                continue;
            }
            let properties = tree.text(file).and_then(|text| front::of(&text));
            let sidebar = properties.as_ref().and_then(|properties| properties.get("sidebar"));
            let slug = properties.as_ref().and_then(|properties| front::text(properties, "slug"));
            let page = Page {
                label: sidebar.and_then(|sidebar| front::text(sidebar, "label")),
                order: sidebar.and_then(|sidebar| front::number(sidebar, "order")),
                is_hidden: sidebar.is_some_and(|sidebar| front::flag(sidebar, "hidden")),
            };
            let plain = below.rsplit_once('.').map_or(below, |(plain, _)| plain);
            let is_index = path::stem(below) == "index";
            let route = if is_index { path::folder(below) } else { plain };
            let slugs: Vec<String> = route.split('/').map(slugify).collect();
            for route in [slug.as_deref().unwrap_or(route), route, &route.to_lowercase(), &slugs.join("/")] {
                found.routes.entry(route.trim_matches('/').to_owned()).or_insert_with(|| file.clone());
            }
            found.pages.insert(file.clone(), page);
        }
        found
    }

    fn entry(&self, file: &str, label: Option<&str>) -> Entry {
        let own = self.pages.get(file).and_then(|page| page.label.as_deref());
        Entry::of_file(
            label.or(own).unwrap_or_default(),
            path::below(self.root, file).unwrap_or(file),
            Vec::new(),
        )
    }

    /// Returns the entries of a list in the settings.
    fn items(&self, items: &[Value], depth: usize) -> Vec<Entry> {
        items.iter().flat_map(|item| self.item(item, depth)).collect()
    }

    fn item(&self, item: &Value, depth: usize) -> Vec<Entry> {
        let page = |slug: &str| self.routes.get(slug.trim_matches('/'));
        if let Some(slug) = item.as_text() {
            return page(slug).map(|file| self.entry(file, None)).into_iter().collect();
        }
        // The label of a topic has a text for each language.
        let translated = || item.get("label")?.entries().first()?.1.as_text();
        let label = item.text("label").or_else(translated);
        let items = item.get("items").map(Value::items).unwrap_or_default();
        if let Some(slug) = item.text("slug") {
            return page(slug).map(|file| self.entry(file, label)).into_iter().collect();
        }
        if let Some(link) = item.text("link").filter(|_| items.is_empty()) {
            let route = link.split(['#', '?']).next().unwrap_or_default();
            return vec![match page(route).filter(|_| !link.contains("://") && !link.contains('#')) {
                Some(file) => self.entry(file, label),
                None => Entry::new(escaped(label.unwrap_or(link)), Some(link.to_owned()), Vec::new()),
            }];
        }
        let generated = item.get("autogenerate").and_then(|options| options.text("directory"));
        let children = match generated {
            Some(directory) => self.folder(directory.trim_matches('/'), depth + 1),
            None => self.items(items, depth + 1),
        };
        match label {
            _ if children.is_empty() => {
                self.empty.borrow_mut().extend(label.map(str::to_owned));
                Vec::new()
            }
            Some(label) => vec![Entry::new(escaped(label), None, children)],
            None => children,
        }
    }

    /// Returns the entries of a folder: pages by their order, then by their names.
    fn folder(&self, folder: &str, depth: usize) -> Vec<Entry> {
        /// Depth of folders: the maximum for paths of an import.
        const MAX_DEPTH: usize = 64;
        let at = path::join(self.root, folder).unwrap_or_default();
        let inside = if at.is_empty() { String::new() } else { format!("{at}/") };
        let mut found: Vec<(f64, String, Entry)> = Vec::new();
        let mut folders: BTreeSet<&str> = BTreeSet::new();
        for (file, page) in
            self.pages.range(inside.clone()..).take_while(|(file, _)| file.starts_with(&inside))
        {
            match file.get(inside.len()..).and_then(|below| below.split_once('/')) {
                Some((name, _)) => drop(folders.insert(name)),
                None if page.is_hidden => {}
                None => {
                    // The page of a folder is first.
                    let rank = if path::stem(file) == "index" { f64::NEG_INFINITY } else { f64::INFINITY };
                    found.push((
                        page.order.unwrap_or(rank),
                        path::stem(file).to_owned(),
                        self.entry(file, None),
                    ));
                }
            }
        }
        for name in folders.into_iter().filter(|_| depth < MAX_DEPTH) {
            let inner = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
            let children = self.folder(&inner, depth + 1);
            if !children.is_empty() {
                let title = escaped(&from_name(name));
                found.push((f64::INFINITY, name.to_owned(), Entry::new(title, None, children)));
            }
        }
        found.sort_by(|(one, a, _), (other, b, _)| one.total_cmp(other).then_with(|| a.cmp(b)));
        found.into_iter().map(|(_, _, entry)| entry).collect()
    }
}
