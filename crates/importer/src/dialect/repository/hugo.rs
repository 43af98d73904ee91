//! Hugo: pages in `content`, ordered by their weights (<https://gohugo.io/configuration/all/>).

use std::collections::{BTreeMap, BTreeSet};

use quire_markup::FrontMatter;
use quire_markup::dialects::{self, Translated};
use quire_markup::markdown::escaped;
use quire_markup::openapi::Json;
use serde_json::Value;

use super::folder::folder_of;
use super::{languages, permalink, settings};
use crate::dialect::{Dialect, Site};
use crate::path;
use crate::plan::names::from_name;
use crate::summary::{self, Entry};
use crate::tree::SourceTree;

/// Names of settings files, with the older names last.
const NAMES: [&str; 8] = [
    "hugo.toml",
    "hugo.yaml",
    "hugo.yml",
    "hugo.json",
    "config.toml",
    "config.yaml",
    "config.yml",
    "config.json",
];

/// The folder of settings that are split into files.
const FOLDER: &str = "config/_default";

/// Depth of folders: the maximum for paths of an import.
const MAX_DEPTH: usize = 64;

/// Properties of a front matter that were used.
const USED: [&str; 12] = [
    "weight",
    "date",
    "draft",
    "slug",
    "url",
    "aliases",
    "menu",
    "menus",
    "headless",
    "type",
    "linktitle",
    "build",
];

/// Returns whether a file contains the settings of a site whose pages are in the repository.
pub(super) fn is_settings(tree: &SourceTree, file: &str) -> bool {
    if !NAMES.contains(&path::name(file)) {
        return false;
    }
    let is_one = path::stem(file) == "hugo"
        || tree.text(file).is_some_and(|text| text.to_ascii_lowercase().contains("baseurl"));
    is_one && has_content(tree, file)
}

/// Returns whether the folder of the pages, or that of a language, is in the repository.
fn has_content(tree: &SourceTree, file: &str) -> bool {
    let is_there = |name: &str| folder_of(tree, folder(file), name).is_some();
    is_there("content")
        || settings::read(tree, file).is_some_and(|config| {
            let languages = settings::get(&config, "languages").map(Json::entries).unwrap_or_default();
            let own = languages.iter().map(|(_, options)| options).chain([&config]);
            own.filter_map(|options| text(options, "contentDir")).any(|name| is_there(&name))
        })
}

/// Returns the folder of the site with these settings.
pub(super) fn folder(settings: &str) -> &str {
    let folder = path::folder(settings);
    folder.strip_suffix(FOLDER).map_or(folder, |above| above.trim_end_matches('/'))
}

/// A repository with settings of Hugo.
#[derive(Debug, Default)]
pub(super) struct Hugo {
    /// Last segments of addresses that pages declare.
    slugs: BTreeMap<String, String>,
    /// Texts of `params` in the settings, by their names in lower case: `links.main`.
    params: BTreeMap<String, String>,
    site: Site,
}

impl Hugo {
    pub(super) fn of(tree: &SourceTree, file: &str) -> Self {
        let config = settings::read(tree, file).unwrap_or_else(|| Json::object([]));
        let base = folder(file);
        let content = text(&config, "contentDir").unwrap_or_else(|| "content".to_owned());
        let content = folder_of(tree, base, &content).unwrap_or_else(|| base.to_owned());
        let all = settings::get(&config, "languages").map(Json::entries).unwrap_or_default();
        let language = text(&config, "defaultContentLanguage").unwrap_or_else(|| "en".to_owned());
        let root_of = |name: &str, options: Option<&Json>| {
            let named = options.and_then(|options| text(options, "contentDir"));
            named.map_or_else(|| folder_of(tree, &content, name), |named| folder_of(tree, base, &named))
        };
        let own = all.iter().find(|(name, _)| *name == language).map(|(_, options)| options);
        let root = root_of(&language, own).unwrap_or_else(|| content.clone());
        let others: BTreeSet<&str> =
            all.iter().map(|(name, _)| name.as_str()).filter(|name| *name != language).collect();
        let mut pages = Pages::of(tree, &root, &config, &others);
        pages.label(&menu(&config, own));
        let mut site = Site::of_pages(Some(file), &root, summary::parts(pages.entries()));
        site.hides_unlisted = true;
        for other in &others {
            let options = all.iter().find(|(name, _)| name == other).map(|(_, options)| options);
            let folder = root_of(other, options).filter(|folder| *folder != root);
            site.outside.extend(folder.map(|folder| (folder, languages::REASON)));
        }
        for file in &pages.translations {
            site.refuse(file, languages::REASON);
        }
        let is_translation =
            |file: &String| site.outside.iter().any(|(folder, _)| path::below(folder, file).is_some());
        let is_outside = |file: &&String| path::is_markdown(file) && path::below(&root, file).is_none();
        let outside: Vec<&String> =
            tree.files.keys().filter(is_outside).filter(|file| !is_translation(file)).collect();
        for file in outside {
            site.refuse(file, OUTSIDE);
        }
        for (route, file) in &pages.routes {
            site.routes.add(route, file);
            site.routes.add(&format!("{language}/{route}"), file);
        }
        site.asset_roots = ["static", "assets"].iter().filter_map(|name| path::join(base, name)).collect();
        // If the settings are split into files, the parameters are in a file of their own.
        let split = ["toml", "yaml", "yml", "json"].into_iter().find_map(|extension| {
            let file = format!("{}/params.{extension}", path::folder(file));
            let params = file.contains(FOLDER).then(|| settings::read(tree, &file))??;
            site.uses([file]);
            Some(params)
        });
        let mut params = BTreeMap::new();
        for values in settings::get(&config, "params").into_iter().chain(&split) {
            add_params(values, "", 0, &mut params);
        }
        Self { slugs: pages.slugs, params, site }
    }

    /// Substitutes parameters in a text: `{{% param name %}}`. Parameters of the page override those of the settings.
    fn with_params(&self, text: &str) -> String {
        let page = FrontMatter::of(text);
        let value = |call: &str| {
            let name = call.strip_prefix("param ")?.trim().trim_matches(['"', '`']).to_lowercase();
            let own = property(&page, &name)
                .or_else(|| {
                    let params = property(&page, "params")?.as_object()?;
                    params.iter().find(|(key, _)| key.eq_ignore_ascii_case(&name)).map(|(_, value)| value)
                })
                .and_then(Value::as_str)
                .map(str::to_owned);
            own.or_else(|| self.params.get(&name).cloned())
        };
        let text = dialects::with_values(text, "{{%", "%}}", &value);
        dialects::with_values(&text, "{{<", ">}}", &value)
    }
}

/// Adds the texts of an object, recursively.
fn add_params(values: &Json, above: &str, depth: usize, params: &mut BTreeMap<String, String>) {
    for (name, value) in values.entries().iter().filter(|_| depth < MAX_DEPTH) {
        let name = format!("{above}{}", name.to_lowercase());
        add_params(value, &format!("{name}."), depth + 1, params);
        params.extend(settings::scalar(value).map(|value| (name, value)));
    }
}

/// Reason why a Markdown file of the repository is not a page.
const OUTSIDE: &str = "it is outside the folder of pages that the settings name";

impl Dialect for Hugo {
    fn product(&self) -> &'static str {
        "Hugo"
    }

    fn site(&self) -> &Site {
        &self.site
    }

    fn site_mut(&mut self) -> Option<&mut Site> {
        Some(&mut self.site)
    }

    fn is_home(&self, file: &str) -> bool {
        path::stem(file) == "_index"
    }

    fn slug(&self, file: &str) -> Option<&str> {
        self.slugs.get(file).map(String::as_str)
    }

    fn uses(&self, property: &str) -> bool {
        USED.contains(&property.to_ascii_lowercase().as_str())
    }

    fn hides(&self, properties: &FrontMatter) -> bool {
        is_hidden(properties)
    }

    fn translated(&self, _file: &str, text: &str) -> Option<Translated> {
        if text.contains("param ") {
            return Some(dialects::hugo(&self.with_params(text)));
        }
        Some(dialects::hugo(text))
    }
}

fn text(settings: &Json, name: &str) -> Option<String> {
    settings::get(settings, name).and_then(settings::scalar)
}

/// Returns whether a page is a draft, or is excluded from lists.
fn is_hidden(properties: &FrontMatter) -> bool {
    let is_set =
        |name: &str| property(properties, name).and_then(quire_markup::front_matter_flag) == Some(true);
    let list = property(properties, "build").and_then(|build| build.get("list"));
    is_set("draft") || is_set("headless") || list.is_some_and(|list| list == "never")
}

fn property<'f>(properties: &'f FrontMatter, name: &str) -> Option<&'f Value> {
    properties.extra.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// Returns the entries of the main menu: their addresses with labels and weights.
fn menu(config: &Json, language: Option<&Json>) -> BTreeMap<String, (Option<String>, Option<f64>)> {
    let menus = [language, Some(config)].into_iter().flatten();
    let menus = menus.filter_map(|at| settings::get(at, "menus").or_else(|| settings::get(at, "menu")));
    let items = menus.filter_map(|menus| settings::get(menus, "main")).flat_map(Json::items);
    let mut found = BTreeMap::new();
    for item in items {
        let Some(address) = text(item, "pageRef").or_else(|| text(item, "url")) else { continue };
        let weight = text(item, "weight").and_then(|weight| weight.parse().ok());
        found.entry(address.trim_matches('/').to_owned()).or_insert((text(item, "name"), weight));
    }
    found
}

/// A page's position.
#[derive(Debug)]
struct Page {
    label: Option<String>,
    title: String,
    /// Date for sorting; the latest page comes first.
    date: String,
    weight: Option<f64>,
    is_hidden: bool,
}

/// A weight, a date and a title, by which siblings are ordered.
type Position<'p> = (f64, &'p str, String);

impl Page {
    fn position(&self) -> Position<'_> {
        (self.weight.unwrap_or(f64::INFINITY), &self.date, self.title.clone())
    }
}

/// The pages below a folder.
struct Pages<'a> {
    root: &'a str,
    pages: BTreeMap<String, Page>,
    routes: BTreeMap<String, String>,
    slugs: BTreeMap<String, String>,
    translations: Vec<String>,
}

impl<'a> Pages<'a> {
    fn of(tree: &SourceTree, root: &'a str, config: &Json, others: &BTreeSet<&str>) -> Self {
        let mut found = Self {
            root,
            pages: BTreeMap::new(),
            routes: BTreeMap::new(),
            slugs: BTreeMap::new(),
            translations: Vec::new(),
        };
        for file in tree.files.keys().filter(|file| path::is_markdown(file) && tree.fits_a_page(file)) {
            let Some(below) = path::below(root, file) else { continue };
            if languages::of_name(below).is_some_and(|(_, language)| others.contains(language)) {
                found.translations.push(file.clone());
                continue;
            }
            let properties = tree.text(file).map(|text| FrontMatter::of(&text)).unwrap_or_default();
            found.add(file, below, &properties, config);
        }
        found
    }

    fn add(&mut self, file: &str, below: &str, properties: &FrontMatter, config: &Json) {
        let plain = below.rsplit_once('.').map_or(below, |(plain, _)| plain);
        let plain = languages::of_name(below).map_or(plain, |(page, _)| {
            plain
                .rsplit_once('.')
                .filter(|(before, _)| path::name(before) == page)
                .map_or(plain, |(before, _)| before)
        });
        let is_folder = matches!(path::name(plain), "index" | "_index");
        let own = if is_folder { path::folder(plain) } else { plain };
        let text = |name: &str| property(properties, name).and_then(Value::as_str).map(str::to_owned);
        let date = text("date").unwrap_or_default();
        let slug = text("slug").filter(|slug| !slug.is_empty());
        let declared = text("url").or_else(|| {
            let section = own.split('/').next().unwrap_or_default();
            let patterns = settings::get(config, "permalinks")?;
            let patterns = settings::get(patterns, "page").unwrap_or(patterns);
            let pattern = settings::get(patterns, section)?.as_str()?.to_owned();
            permalink::expanded(&pattern, |name| match name {
                "section" => Some(section.to_owned()),
                "sections" => Some(path::folder(own).to_owned()),
                "slug" | "slugorfilename" | "slugorcontentbasename" => {
                    Some(slug.clone().unwrap_or_else(|| path::name(own).to_owned()))
                }
                "filename" | "contentbasename" => Some(path::name(own).to_owned()),
                "title" => properties.title.as_deref().map(quire_markup::slugify),
                name => permalink::part_of_date(name, &date),
            })
        });
        let by_slug = slug.as_ref().and_then(|slug| path::join(path::folder(own), slug));
        let aliases = property(properties, "aliases").and_then(Value::as_array).into_iter().flatten();
        let aliases = aliases.filter_map(Value::as_str).map(str::to_owned);
        let lower = own.to_lowercase();
        for route in declared.into_iter().chain(by_slug).chain([own.to_owned(), lower]).chain(aliases) {
            self.routes.entry(route.trim_matches('/').to_owned()).or_insert_with(|| file.to_owned());
        }
        if let Some(slug) = slug {
            self.slugs.insert(file.to_owned(), slug);
        }
        let menus = property(properties, "menus").or_else(|| property(properties, "menu"));
        let in_menu = menus.and_then(|menus| menus.get("main")?.get("weight")?.as_f64());
        let weight = property(properties, "weight").and_then(Value::as_f64).filter(|weight| *weight != 0.0);
        let page = Page {
            label: None,
            title: properties.link_title.clone().or_else(|| properties.title.clone()).unwrap_or_default(),
            date,
            weight: weight.or(in_menu),
            is_hidden: is_hidden(properties),
        };
        self.pages.insert(file.to_owned(), page);
    }

    /// Sets the labels of a menu on its pages, and its weights on pages without one.
    fn label(&mut self, menu: &BTreeMap<String, (Option<String>, Option<f64>)>) {
        for (route, (label, weight)) in menu {
            let page = self.routes.get(route).and_then(|file| self.pages.get_mut(file));
            if let Some(page) = page.filter(|_| !route.is_empty()) {
                page.label.clone_from(label);
                page.weight = page.weight.or(*weight);
            }
        }
    }

    fn entries(&self) -> Vec<Entry> {
        let home = ["_index", "index"].iter().find_map(|name| self.named(self.root, name));
        let home = home.map(|(file, page)| self.entry(file, page, Vec::new()));
        home.into_iter().chain(self.folder(self.root, 0)).collect()
    }

    fn entry(&self, file: &str, page: &Page, children: Vec<Entry>) -> Entry {
        let label = page.label.as_deref().unwrap_or_default();
        Entry::of_file(label, path::below(self.root, file).unwrap_or(file), children)
    }

    /// Returns the page with a name in a folder.
    fn named(&self, folder: &str, name: &str) -> Option<(&String, &Page)> {
        let file = |extension: &str| path::join(folder, &format!("{name}.{extension}"));
        ["md", "markdown"].into_iter().filter_map(file).find_map(|file| self.pages.get_key_value(&file))
    }

    /// Returns the entries of a folder: by weight, then the latest first, then by title. If the folder has an `index`,
    /// its other pages are below that page.
    fn folder(&self, folder: &str, depth: usize) -> Vec<Entry> {
        let inside = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let files = self.pages.range(inside.clone()..).take_while(|(file, _)| file.starts_with(&inside));
        let mut found: Vec<(Position<'_>, Entry)> = Vec::new();
        let mut folders: BTreeSet<&str> = BTreeSet::new();
        for (file, page) in files.filter(|(_, page)| !page.is_hidden) {
            match file.get(inside.len()..).and_then(|below| below.split_once('/')) {
                Some((name, _)) => drop(folders.insert(name)),
                None if matches!(path::stem(file), "_index" | "index") => {}
                None => found.push((page.position(), self.entry(file, page, Vec::new()))),
            }
        }
        for name in folders.into_iter().filter(|_| depth < MAX_DEPTH) {
            let at = format!("{inside}{name}");
            if let Some((file, page)) = self.named(&at, "index") {
                found.push((page.position(), self.entry(file, page, Vec::new())));
                continue;
            }
            let children = self.folder(&at, depth + 1);
            match self.named(&at, "_index") {
                Some((file, page)) => found.push((page.position(), self.entry(file, page, children))),
                None if children.is_empty() => {}
                None => {
                    let title = from_name(name);
                    let entry = Entry::new(escaped(&title), None, children);
                    found.push(((f64::INFINITY, "", title), entry));
                }
            }
        }
        found.sort_by(|((one, date, title), _), ((other, other_date, other_title), _)| {
            one.total_cmp(other).then_with(|| other_date.cmp(date)).then_with(|| title.cmp(other_title))
        });
        found.into_iter().map(|(_, entry)| entry).collect()
    }
}
