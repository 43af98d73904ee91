//! Pages with their addresses and defaults.

use std::collections::BTreeMap;

use quire_markup::openapi::Json;
use quire_markup::{FrontMatter, slugify};
use serde_json::Value;

use super::super::{permalink, settings};
use crate::path;
use crate::tree::SourceTree;

/// Maximum number of defaults in the settings.
const MAX_DEFAULTS: usize = 1_000;

/// A page's position.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) title: String,
    pub(super) parent: Option<String>,
    pub(super) grandparent: Option<String>,
    pub(super) order: Order,
    /// Collection of the page; empty for a page of the site itself.
    pub(super) collection: String,
    pub(super) is_hidden: bool,
}

/// Position among siblings: numbers first, then words, then pages without a position.
#[derive(Debug, Default, PartialEq)]
pub(super) enum Order {
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

    pub(super) fn rank(&self) -> (u8, f64, &str) {
        match self {
            Self::Number(number) => (0, *number, ""),
            Self::Words(words) => (1, 0.0, words),
            Self::Last => (2, 0.0, ""),
        }
    }
}

/// The pages of a site.
pub(super) struct Pages<'a> {
    pub(super) root: &'a str,
    pub(super) config: &'a Json,
    pub(super) pages: BTreeMap<String, Page>,
    pub(super) routes: BTreeMap<String, String>,
    /// Markdown files that are not pages.
    pub(super) outside: Vec<String>,
}

impl<'a> Pages<'a> {
    pub(super) fn of(tree: &SourceTree, root: &'a str, config: &'a Json) -> Self {
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

    /// Returns the collection of a file: `posts`, one of the settings, or an empty name for a page; `None` for other
    /// files.
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

    /// Returns whether the settings exclude a file.
    fn excludes(&self, below: &str) -> bool {
        /// Folders that Jekyll excludes by default.
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
        for default in self.config.items_of("defaults").iter().take(MAX_DEFAULTS) {
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

    /// Returns whether pages have positions, as in *Just the Docs*.
    pub(super) fn is_ordered(&self) -> bool {
        self.pages.values().any(|page| page.parent.is_some() || page.order != Order::Last)
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

/// Returns a property of a front matter.
pub(super) fn property<'f>(properties: &'f FrontMatter, name: &str) -> Option<&'f Value> {
    properties.extra.iter().find(|(key, _)| key == name).map(|(_, value)| value)
}
