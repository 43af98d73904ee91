//! Jekyll: pages with their addresses, defaults and order by `_config.yml` (<https://jekyllrb.com/docs/configuration/>).

use std::collections::{BTreeMap, BTreeSet};

use quire_markup::dialects::{self, Translated};
use quire_markup::openapi::Json;
use quire_markup::{FrontMatter, slugify};
use serde_json::Value;

use super::{folder::folder_of, permalink, settings};
use crate::dialect::{Dialect, Site};
use crate::path;
use crate::summary::{self, Entry};
use crate::tree::SourceTree;

/// Reason why a Markdown file of the repository is not a page.
const REASON: &str = "the settings leave it out of the site, or it is part of other pages";

/// Depth of pages below others.
const MAX_DEPTH: usize = 16;

/// Properties of a front matter that were used.
const USED: [&str; 16] = [
    "layout",
    "parent",
    "grand_parent",
    "nav_order",
    "nav_exclude",
    "has_children",
    "permalink",
    "redirect_from",
    "published",
    "date",
    "categories",
    "has_toc",
    "search_exclude",
    "sidebar",
    "toc",
    "ancestor",
];

/// Returns whether a file holds settings of Jekyll.
pub(super) fn is_settings(file: &str) -> bool {
    matches!(path::name(file), "_config.yml" | "_config.yaml")
}

/// A repository with settings of Jekyll.
#[derive(Debug)]
pub(super) struct Jekyll {
    config: Json,
    site: Site,
}

impl Jekyll {
    pub(super) fn of(tree: &SourceTree, file: &str) -> Self {
        let config = settings::read(tree, file).unwrap_or_else(|| Json::object([]));
        let base = path::folder(file);
        let root = config.str("source").and_then(|source| folder_of(tree, base, source));
        let root = root.unwrap_or_else(|| base.to_owned());
        let pages = Pages::of(tree, &root, &config);
        let mut site = Site::of_pages(Some(file), &root, summary::parts(pages.entries(tree)));
        // Without an order of its own, the theme decides which pages are shown.
        site.hides_unlisted = pages.is_ordered();
        for file in &pages.outside {
            site.refuse(file, REASON);
        }
        let prefix = config.str("baseurl").unwrap_or_default().trim_matches('/').to_owned();
        for (route, file) in &pages.routes {
            site.routes.add(route, file);
            if !prefix.is_empty() {
                site.routes.add(&format!("{prefix}/{route}"), file);
            }
        }
        Self { config, site }
    }

    /// Returns a value of the settings that a page names: `site.title`.
    fn value(&self, name: &str) -> Option<String> {
        let name = name.strip_prefix("site.")?;
        // Addresses begin at the top of the site.
        if matches!(name, "url" | "baseurl") {
            return Some(String::new());
        }
        let mut value = &self.config;
        for key in name.split('.') {
            value = value.get(key)?;
        }
        settings::scalar(value)
    }
}

impl Dialect for Jekyll {
    fn product(&self) -> &'static str {
        "Jekyll"
    }

    fn site(&self) -> &Site {
        &self.site
    }

    fn site_mut(&mut self) -> Option<&mut Site> {
        Some(&mut self.site)
    }

    fn uses(&self, property: &str) -> bool {
        USED.contains(&property)
    }

    fn hides(&self, properties: &FrontMatter) -> bool {
        flag(properties, "nav_exclude") == Some(true) || flag(properties, "published") == Some(false)
    }

    fn translated(&self, _file: &str, text: &str) -> Option<Translated> {
        let text = dialects::with_values(text, "{{", "}}", &|name| self.value(name));
        Some(dialects::jekyll(&text))
    }
}

fn property<'f>(properties: &'f FrontMatter, name: &str) -> Option<&'f Value> {
    properties.extra.iter().find(|(key, _)| key == name).map(|(_, value)| value)
}

fn flag(properties: &FrontMatter, name: &str) -> Option<bool> {
    property(properties, name).and_then(quire_markup::front_matter_flag)
}

/// A page's position.
#[derive(Debug, Default)]
struct Page {
    title: String,
    parent: Option<String>,
    grandparent: Option<String>,
    order: Order,
    /// The collection of the page; empty for one of the site itself.
    collection: String,
    is_hidden: bool,
}

/// A position among siblings: numbers, then words, then pages without one.
#[derive(Debug, Default, PartialEq)]
enum Order {
    Number(f64),
    Words(String),
    #[default]
    Last,
}

impl Order {
    fn of(value: Option<&Value>) -> Self {
        match value {
            Some(Value::Number(number)) => number.as_f64().map_or(Self::Last, Self::Number),
            Some(Value::String(words)) => {
                words.parse().map_or_else(|_| Self::Words(words.clone()), Self::Number)
            }
            _ => Self::Last,
        }
    }

    fn rank(&self) -> (u8, f64, &str) {
        match self {
            Self::Number(number) => (0, *number, ""),
            Self::Words(words) => (1, 0.0, words),
            Self::Last => (2, 0.0, ""),
        }
    }
}

/// The pages of a site.
struct Pages<'a> {
    root: &'a str,
    config: &'a Json,
    pages: BTreeMap<String, Page>,
    routes: BTreeMap<String, String>,
    /// Markdown files that are not pages.
    outside: Vec<String>,
}

impl<'a> Pages<'a> {
    fn of(tree: &SourceTree, root: &'a str, config: &'a Json) -> Self {
        let mut found =
            Self { root, config, pages: BTreeMap::new(), routes: BTreeMap::new(), outside: Vec::new() };
        for file in tree.files.keys().filter(|file| path::is_markdown(file) && tree.fits_a_page(file)) {
            let Some(below) = path::below(root, file) else { continue };
            match found.collection(below) {
                Some(collection) if !found.excludes(below) => {
                    let properties = tree.text(file).map(|text| FrontMatter::of(&text)).unwrap_or_default();
                    found.add(file, below, collection, &properties);
                }
                _ => found.outside.push(file.clone()),
            }
        }
        found
    }

    /// Returns the collection of a file: `posts`, one of the settings, or an empty name for a page; `None` for a file
    /// that is neither.
    fn collection<'b>(&self, below: &'b str) -> Option<&'b str> {
        let inside = self
            .config
            .str("collections_dir")
            .and_then(|folder| path::below(folder.trim_matches('/'), below));
        let inside = inside.unwrap_or(below);
        let special = |name: &&str| name.starts_with(['_', '#', '~', '.']);
        let Some(name) = below.split('/').find(special) else { return Some("") };
        let (folder, rest) = inside.split_once('/')?;
        let name = name.strip_prefix('_').filter(|_| folder == name || folder.is_empty())?;
        let is_known = name == "posts"
            || self.config.get("collections").is_some_and(|collections| {
                collections.get(name).is_some()
                    || collections.items().iter().any(|one| one.as_str() == Some(name))
            });
        (is_known && !rest.split('/').any(|name| special(&name))).then_some(name)
    }

    /// Returns whether the settings leave a file out.
    fn excludes(&self, below: &str) -> bool {
        /// What Jekyll leaves out without settings.
        const DEFAULTS: [&str; 3] = ["node_modules", "vendor/bundle", "vendor/cache"];
        let listed = self.config.items_of("exclude").iter().filter_map(Json::as_str);
        let matches = |pattern: &str| {
            let pattern = pattern.trim_matches('/');
            match pattern.split_once('*') {
                Some((before, after)) => {
                    let after = after.trim_start_matches('*').trim_start_matches('/');
                    below.starts_with(before) && below.ends_with(after)
                }
                None => !pattern.is_empty() && (below == pattern || path::below(pattern, below).is_some()),
            }
        };
        listed.chain(DEFAULTS).any(matches)
    }

    /// Returns the defaults of the settings for a file, the most specific first.
    fn defaults(&self, below: &str) -> Vec<&Json> {
        let mut found: Vec<(usize, &Json)> = Vec::new();
        for default in self.config.items_of("defaults") {
            let scope = default.get("scope").and_then(|scope| scope.str("path")).unwrap_or_default();
            let scope = scope.trim_matches('/').trim_end_matches(['*', '/']);
            let fits = scope.is_empty() || below == scope || path::below(scope, below).is_some();
            found.extend(default.get("values").filter(|_| fits).map(|values| (scope.len(), values)));
        }
        found.sort_by_key(|(length, _)| std::cmp::Reverse(*length));
        found.into_iter().map(|(_, values)| values).collect()
    }

    fn add(&mut self, file: &str, below: &str, collection: &str, properties: &FrontMatter) {
        let text = |name: &str| {
            let own = property(properties, name)
                .map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
            let default = || {
                self.defaults(below)
                    .into_iter()
                    .find_map(|values| values.get(name))
                    .and_then(settings::scalar)
            };
            own.or_else(default)
        };
        let plain = below.rsplit_once('.').map_or(below, |(plain, _)| plain);
        let (date, name) = dated(path::name(plain));
        let date = text("date").or_else(|| date.map(str::to_owned)).unwrap_or_default();
        let title = properties.title.clone().unwrap_or_else(|| name.replace('-', " "));
        let pattern = text("permalink").or_else(|| {
            let collections = self.config.get("collections").and_then(|all| all.get(collection));
            let own = collections.and_then(|options| options.str("permalink"));
            own.or(self.config.str("permalink").filter(|_| collection == "posts")).map(str::to_owned)
        });
        let pattern = match pattern.as_deref() {
            Some("pretty") => "/:categories/:year/:month/:day/:title/".to_owned(),
            Some("none") => "/:categories/:title".to_owned(),
            Some("date") | None if collection == "posts" => {
                "/:categories/:year/:month/:day/:title".to_owned()
            }
            None if !collection.is_empty() => "/:collection/:path".to_owned(),
            pattern => pattern.unwrap_or_default().to_owned(),
        };
        let inside = plain.split_once(&format!("_{collection}/")).map_or(plain, |(_, inside)| inside);
        let declared = permalink::expanded(&pattern, |part| match part {
            "title" | "slug" => Some(slugify(name)),
            "name" | "basename" => Some(name.to_owned()),
            "path" => {
                Some(if collection.is_empty() { path::folder(plain).to_owned() } else { inside.to_owned() })
            }
            "collection" => Some(collection.to_owned()),
            "output_ext" => Some(String::new()),
            "categories" => Some(text("categories").unwrap_or_default().replace(' ', "/")),
            part => permalink::part_of_date(part, &date),
        });
        let folder = if path::index_rank(file).is_some() { path::folder(plain) } else { plain };
        let former = property(properties, "redirect_from");
        let former =
            former.and_then(Value::as_array).into_iter().flatten().chain(former).filter_map(Value::as_str);
        let post = (collection == "posts").then(|| path::name(plain).to_owned());
        let routes = declared.into_iter().chain(post).chain([plain.to_owned(), folder.to_owned()]);
        let routes: Vec<String> = routes.chain(former.map(str::to_owned)).collect();
        let words = |name: &str| text(name).filter(|words| !words.is_empty());
        let page = Page {
            title,
            parent: words("parent"),
            grandparent: words("grand_parent"),
            order: Order::of(property(properties, "nav_order")),
            collection: collection.to_owned(),
            is_hidden: text("nav_exclude").as_deref() == Some("true")
                || text("published").as_deref() == Some("false"),
        };
        for route in routes {
            let route = route.trim_matches('/').replace("//", "/");
            let route = route.strip_suffix(".html").unwrap_or(&route).to_owned();
            self.routes.entry(route).or_insert_with(|| file.to_owned());
        }
        self.pages.insert(file.to_owned(), page);
    }

    /// Returns whether pages have positions, as those of *Just the Docs* have.
    fn is_ordered(&self) -> bool {
        self.pages.values().any(|page| page.parent.is_some() || page.order != Order::Last)
    }

    fn entries(&self, tree: &SourceTree) -> Vec<Entry> {
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
            let label = options
                .and_then(Json::as_str)
                .map_or_else(|| crate::plan::names::from_name(collection), str::to_owned);
            if !children.is_empty() {
                entries.push(Entry::new(summary::escaped(&label), None, children));
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
                Some(Entry::new(summary::escaped(title), Some(address.to_owned()), Vec::new()))
            }
            None => Some(Entry::new(summary::escaped(title), None, children)),
        }
    }
}

/// Splits the date off the name of a post: `2026-03-09-start`.
fn dated(name: &str) -> (Option<&str>, &str) {
    let is_date = |date: &str| date.chars().all(|c| c.is_ascii_digit() || c == '-');
    match name.split_at_checked(10) {
        Some((date, rest)) if is_date(date) && rest.starts_with('-') => {
            (Some(date), rest.trim_start_matches('-'))
        }
        _ => (None, name),
    }
}
