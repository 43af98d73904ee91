//! Jekyll: pages whose addresses, defaults and order are defined by `_config.yml`
//! (<https://jekyllrb.com/docs/configuration/>).

mod order;
mod pages;

use quire_markup::FrontMatter;
use quire_markup::dialects::{self, CalloutKind, Translated};
use quire_markup::openapi::Json;

use self::pages::{Pages, property};
use super::folder::folder_of;
use super::settings;
use crate::dialect::{Dialect, Site};
use crate::path;
use crate::summary;
use crate::tree::SourceTree;

/// Reason why a Markdown file of the repository is not a page.
const REASON: &str = "the settings leave it out of the site, or it is part of other pages";

/// Maximum number of kinds of call-outs in the settings.
const MAX_CALLOUTS: usize = 100;

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
    callouts: Vec<CalloutKind>,
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
        // Without an explicit order, the theme decides which pages are shown.
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
        let callouts = callouts(&config);
        Self { config, callouts, site }
    }

    /// Returns a value of the settings that a page refers to: `site.title`.
    fn value(&self, name: &str) -> Option<String> {
        let name = name.strip_prefix("site.")?;
        // Addresses are relative to the root of the site.
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
        Some(dialects::jekyll(&text, &self.callouts))
    }
}

/// Returns the kinds of call-outs that the settings of *Just the Docs* declare.
fn callouts(config: &Json) -> Vec<CalloutKind> {
    let kind = |(name, options): &(String, Json)| {
        let text = |key: &str| options.str(key).unwrap_or_default().to_owned();
        CalloutKind { name: name.clone(), title: text("title"), color: text("color") }
    };
    config.entries_of("callouts").iter().take(MAX_CALLOUTS).map(kind).collect()
}

fn flag(properties: &FrontMatter, name: &str) -> Option<bool> {
    property(properties, name).and_then(quire_markup::front_matter_flag)
}
