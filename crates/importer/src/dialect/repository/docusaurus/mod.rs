//! Docusaurus: pages identified by ids, ordered by `sidebars.js` or by their folders
//! (<https://docusaurus.io/docs/sidebar>).

mod blog;
mod options;
mod pages;
mod sidebar;

use std::borrow::Cow;

use quire_markup::dialects::{self, Translated};
use quire_markup::markdown::escaped;
use quire_markup::{FrontMatter, front_matter_flag, slugify};

use self::options::Options;
use self::pages::Pages;
use super::category::{self, numbered};
use super::folder::folder_of;
use super::js::{Scripts, Value};
use super::site_of_mdx::has_math;
use super::{front, parts};
use crate::dialect::route::Routes;
use crate::dialect::site::without_empty_groups;
use crate::dialect::snippets::{Page, Snippet};
use crate::dialect::{Dialect, Site, decoded};
use crate::path;
use crate::report;
use crate::summary::{self, Entry};
use crate::tree::SourceTree;

/// A repository with `docusaurus.config.js`.
#[derive(Debug)]
pub(super) struct Docusaurus {
    /// The folder of the settings.
    base: String,
    /// Folders of pages, that of the main documentation first.
    sets: Vec<Pages>,
    /// Single dollar signs begin formulas.
    has_math: bool,
    site: Site,
}

impl Docusaurus {
    pub(super) fn of(tree: &SourceTree, settings: Option<&str>) -> Self {
        let base = settings.map_or("", path::folder).to_owned();
        let config = settings.and_then(|settings| Scripts::of(tree).exported(settings));
        let options = Options::of(config.as_ref().map(Value::given));
        let main = options.docs();
        let candidates = [main.path.as_deref().unwrap_or("docs"), "docs", "../docs"];
        let root = candidates.into_iter().find_map(|candidate| folder_of(tree, &base, candidate));
        let root = root.filter(|_| settings.is_some()).unwrap_or_else(|| base.clone());
        let mut site = Site::of_pages(settings, &root, Vec::new());
        let mut sets = vec![Pages::of(tree, &root, true)];
        let mut entries = Self::entries(tree, &base, main.sidebars.as_deref(), true, &sets, &mut site);
        let address = options.base_url();
        let route = main.route.as_deref().unwrap_or("docs");
        let bases = [route.to_owned(), format!("{address}/{route}"), format!("{route}/next"), String::new()];
        sets.iter().for_each(|pages| pages.add_routes(&bases, &mut site.routes));
        let category_bases = [route.to_owned(), format!("{address}/{route}")];
        add_categories(&entries, &root, &category_bases, &mut site.routes);
        for more in options.more_docs() {
            let Some(folder) = more.path.as_deref().and_then(|folder| folder_of(tree, &base, folder)) else {
                continue;
            };
            sets.insert(0, Pages::of(tree, &folder, false));
            let listed = Self::entries(tree, &base, more.sidebars.as_deref(), false, &sets, &mut site);
            let pages = sets.remove(0);
            let route = more.route.clone().unwrap_or_else(|| path::name(&folder).to_owned());
            pages.add_routes(&[route.clone(), format!("{address}/{route}")], &mut site.routes);
            let title = more.label.clone().unwrap_or_else(|| crate::plan::names::from_name(&route));
            entries.push(Entry::new(escaped(&title), None, listed));
            site.uses(category::settings(tree, &folder));
            sets.push(pages);
        }
        for blog in options.blogs() {
            entries.extend(blog::entry(tree, &base, &blog, &address, &mut site.routes));
        }
        add_pages(tree, &base, &address, &mut site.routes);
        site.contents = Site::of_pages(settings, &root, summary::parts(entries)).contents;
        if let (Some(layout), Some(settings)) = (&mut site.layout, settings) {
            layout.summary = site.contents.as_ref().map(|_| settings.to_owned());
        }
        site.uses(category::settings(tree, &root));
        site.asset_roots = path::join(&base, "static").into_iter().collect();
        Self { base, sets, has_math: has_math(tree, settings), site }
    }

    /// Returns the entries of the first of these sets of pages: from its sidebars, otherwise from its folders.
    fn entries(
        tree: &SourceTree,
        base: &str,
        sidebars: Option<&str>,
        is_main: bool,
        sets: &[Pages],
        site: &mut Site,
    ) -> Vec<Entry> {
        let Some(pages) = sets.first() else { return Vec::new() };
        let names = ["ts", "js", "cjs", "mjs", "json"].map(|extension| format!("sidebars.{extension}"));
        let spelled = sidebars
            .into_iter()
            .flat_map(|file| ["", ".ts", ".js", ".json"].map(|extension| format!("{file}{extension}")));
        let candidates = spelled.chain(names.into_iter().filter(|_| is_main));
        let file = candidates.filter_map(|name| path::join(base, &name)).find(|file| tree.fits_a_page(file));
        let sidebars = file.as_ref().and_then(|file| Scripts::of(tree).exported(file));
        let read = sidebars.as_ref().filter(|value| !value.entries().is_empty());
        let entries = read.map(|sidebars| sidebar::entries(sidebars, pages, tree)).unwrap_or_default();
        if let Some(file) = file.as_ref().filter(|_| read.is_none_or(Value::has_other)) {
            let message = "parts of it are computed by a program, which an import does not run: they are missing from the order";
            site.notices.push(report::changed(file, message));
        }
        let (entries, empty) = without_empty_groups(entries);
        site.left_out(file.as_deref(), &empty);
        site.uses(file);
        if entries.iter().any(Entry::has_target) { entries } else { pages.folder(tree, pages.root()) }
    }
}

/// Adds routes for the pages in `src/pages`, which are outside of the documentation.
fn add_pages(tree: &SourceTree, base: &str, address: &str, routes: &mut Routes) {
    let Some(folder) = path::join(base, "src/pages") else { return };
    for file in tree.files.keys().filter(|file| path::is_markdown(file)) {
        let Some(page) = path::below(&folder, file) else { continue };
        let plain = page.rsplit_once('.').map_or(page, |(plain, _)| plain);
        let route = if path::index_rank(page).is_some() { path::folder(page) } else { plain };
        for base in ["", address.trim_matches('/')] {
            routes.add(&format!("{base}/{route}"), file);
        }
    }
}

/// Adds routes for the generated pages of categories (`/docs/category/guides`), which lead to the first page of the
/// category.
fn add_categories(entries: &[Entry], root: &str, bases: &[String], routes: &mut Routes) {
    for entry in entries {
        if entry.target.is_none()
            && let Some(first) = first_target(&entry.children)
            && let Some(file) = path::join(root, decoded(first).trim_start_matches('/'))
        {
            let slug = slugify(&crate::plan::names::plain(&entry.title));
            bases.iter().for_each(|base| routes.add(&format!("{base}/category/{slug}"), &file));
        }
        add_categories(&entry.children, root, bases, routes);
    }
}

/// Returns the first file of these entries.
fn first_target(entries: &[Entry]) -> Option<&str> {
    entries.iter().find_map(|entry| {
        let own = entry.target.as_deref().filter(|target| target.starts_with('/'));
        own.or_else(|| first_target(&entry.children))
    })
}

impl Dialect for Docusaurus {
    fn product(&self) -> &'static str {
        "Docusaurus"
    }

    fn site(&self) -> &Site {
        &self.site
    }

    fn site_mut(&mut self) -> Option<&mut Site> {
        Some(&mut self.site)
    }

    fn refusal(&self, file: &str) -> Option<&'static str> {
        if let Some(reason) = self.site.refusal(file) {
            return Some(reason);
        }
        let below = path::below(&self.base, file)?;
        if below.split('/').next().is_some_and(|folder| folder.ends_with("versioned_docs")) {
            return Some("it belongs to an older version of the documentation");
        }
        if below.starts_with("i18n/") {
            return Some(super::languages::REASON);
        }
        let in_pages = |pages: &Pages| {
            let below = path::below(pages.root(), file);
            below.is_some_and(|file| file.split('/').any(|name| name.starts_with('_')))
        };
        let is_part = path::is_markdown(file) && self.sets.iter().any(in_pages);
        is_part.then_some(parts::REASON)
    }

    fn name<'n>(&self, name: &'n str) -> &'n str {
        numbered(name).1
    }

    fn slug(&self, file: &str) -> Option<&str> {
        self.sets.iter().find_map(|pages| pages.slug(file))
    }

    fn uses(&self, property: &str) -> bool {
        matches!(
            property,
            "id" | "slug"
                | "sidebar_position"
                | "sidebar_label"
                | "draft"
                | "unlisted"
                | "date"
                | "displayed_sidebar"
                | "pagination_next"
                | "pagination_prev"
                | "hide_title"
                | "hide_table_of_contents"
                | "sidebar_class_name"
        )
    }

    fn label(&self, _path: &str, properties: &FrontMatter) -> Option<String> {
        front::text_at(properties, "sidebar_label")
    }

    fn hides(&self, properties: &FrontMatter) -> bool {
        properties.extra.iter().any(|(name, value)| {
            matches!(name.as_str(), "draft" | "unlisted") && front_matter_flag(value) == Some(true)
        })
    }

    fn include_marks(&self) -> &'static [&'static str] {
        &["import "]
    }

    fn snippet(&self, page: &Page<'_>, lines: &[&str]) -> Option<(Snippet, usize)> {
        parts::snippet(&[&self.base], page, lines)
    }

    fn translated(&self, _path: &str, text: &str) -> Option<Translated> {
        Some(if self.has_math { dialects::mdx_with_math(text) } else { dialects::mdx(text) })
    }

    fn address<'h>(&self, href: &'h str) -> Cow<'h, str> {
        match href.strip_prefix("@site/") {
            Some(file) => format!("/{}", path::join(&self.base, file).unwrap_or_default()).into(),
            None => href.strip_prefix("pathname://").unwrap_or(href).into(),
        }
    }
}
