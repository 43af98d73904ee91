//! Docusaurus: pages known by ids, ordered by `sidebars.js` or by their folders
//! (<https://docusaurus.io/docs/sidebar>).

mod pages;
mod sidebar;

use std::borrow::Cow;

use quire_domain::imports::ImportReportEntry;
use quire_markup::{FrontMatter, dialects};
use url::Url;

use self::pages::Pages;
use super::category::numbered;
use super::js::{self, Value};
use super::route::Routes;
use super::snippets::{Find, Page, Snippet, Snippets, indent};
use super::{folder_of, left};
use crate::dialect::{Contents, Dialect};
use crate::include::Budget;
use crate::layout::Layout;
use crate::path;
use crate::report;
use crate::summary::{self, Entry};
use crate::tree::SourceTree;

/// A repository with `docusaurus.config.js`.
#[derive(Debug)]
pub(super) struct Docusaurus {
    /// The folder of the settings.
    site: String,
    /// The folder of the pages.
    root: String,
    assets: Vec<String>,
    pages: Pages,
    routes: Routes,
    contents: Option<Contents>,
    notices: Vec<ImportReportEntry>,
}

impl Docusaurus {
    pub(super) fn of(tree: &SourceTree, settings: &str) -> Self {
        let text = tree.text(settings).unwrap_or_default();
        let site = path::folder(settings).to_owned();
        let docs = js::after(&text, "docs:");
        let named = docs.as_ref().and_then(|docs| docs.text("path"));
        let places = [named.unwrap_or("docs"), "docs", "../docs"];
        let root = places.into_iter().find_map(|place| folder_of(tree, &site, place));
        let root = root.unwrap_or_else(|| site.clone());
        let pages = Pages::of(tree, &root);
        let route = docs.as_ref().and_then(|docs| docs.text("routeBasePath")).unwrap_or("docs");
        let base = js::text_after(&text, "baseUrl:").unwrap_or_default();
        let routes = pages.routes(&[route, &format!("{}/{route}", base.trim_matches('/')), ""]);
        let mut notices = Vec::new();
        let entries = sidebar_of(tree, &site).map(|(file, sidebars)| {
            if sidebars.as_ref().is_none_or(Value::has_other) {
                let message =
                    "parts of it are computed by a program, which is not run: they are missing in the order";
                notices.push(report::changed(&file, message));
            }
            sidebars.map(|sidebars| sidebar::entries(&sidebars, &pages, tree)).unwrap_or_default()
        });
        let entries = entries.filter(|entries| entries.iter().any(Entry::has_target));
        let entries = entries.unwrap_or_else(|| pages.folder(tree, &root));
        let contents = (!entries.is_empty())
            .then(|| Contents { path: settings.to_owned(), parts: summary::parts(entries) });
        let assets = path::join(&site, "static").into_iter().collect();
        Self { site, root, assets, pages, routes, contents, notices }
    }
}

/// The file of the sidebars, and what it says if that is a literal.
fn sidebar_of(tree: &SourceTree, site: &str) -> Option<(String, Option<Value>)> {
    let names = ["js", "ts", "cjs", "mjs", "json"].map(|extension| format!("sidebars.{extension}"));
    let file = names.iter().filter_map(|name| path::join(site, name)).find(|file| tree.fits_a_page(file))?;
    let text = tree.text(&file)?;
    let marks = ["module.exports =", "export default", "sidebars =", "sidebars:", "sidebar ="];
    let value = marks.iter().find_map(|mark| js::after(&text, mark));
    let value = if path::extension(&file) == "json" { js::read(&text) } else { value };
    Some((file, value))
}

impl Dialect for Docusaurus {
    fn layout(&self, _: &SourceTree) -> Layout {
        let summary = self.contents.as_ref().map(|contents| contents.path.clone());
        Layout { root: self.root.clone(), summary, ..Layout::default() }
    }

    fn contents(&self) -> Option<&Contents> {
        self.contents.as_ref()
    }

    fn hides_unlisted(&self) -> bool {
        true
    }

    fn refusal(&self, file: &str) -> Option<&'static str> {
        let below = path::below(&self.site, file)?;
        if below.starts_with("versioned_docs/") {
            return Some("it belongs to an older version of the documentation");
        }
        if below.starts_with("i18n/") {
            return Some("it belongs to a translation of the documentation");
        }
        let is_part = path::is_markdown(file)
            && path::below(&self.root, file)
                .is_some_and(|file| file.split('/').any(|name| name.starts_with('_')));
        is_part.then_some("it is a part of other pages and no page itself")
    }

    fn asset_roots(&self) -> &[String] {
        &self.assets
    }

    fn notices(&self) -> &[ImportReportEntry] {
        &self.notices
    }

    fn name<'n>(&self, name: &'n str) -> &'n str {
        numbered(name).1
    }

    fn slug(&self, file: &str) -> Option<&str> {
        self.pages.slug(file)
    }

    fn uses(&self, property: &str) -> bool {
        matches!(property, "id" | "slug" | "sidebar_position" | "sidebar_label" | "draft" | "unlisted")
    }

    fn hides(&self, properties: &FrontMatter) -> bool {
        let is_set = |(name, raw): &(String, String)| {
            matches!(name.as_str(), "draft" | "unlisted") && raw.trim() == "true"
        };
        properties.extra.iter().any(is_set)
    }

    fn expand(
        &self,
        tree: &SourceTree,
        source: &str,
        text: String,
        budget: &mut Budget,
        report: &mut Vec<ImportReportEntry>,
    ) -> String {
        if !text.contains("import ") {
            return text;
        }
        let find: &Find<'_> = &|page, lines| self.snippet(page, lines);
        Snippets { tree, budget, find }.expand(source, text, report)
    }

    fn text<'t>(&self, path: &str, text: &'t str, notes: &mut Vec<String>) -> Cow<'t, str> {
        if !path::is_markdown(path) {
            return Cow::Borrowed(text);
        }
        let page = dialects::docusaurus(text);
        left("Docusaurus", &page.left, notes);
        Cow::Owned(page.text)
    }

    /// Routes, and the addresses of files that begin with the site's folder: `@site/static/a.png`, `pathname:///a.pdf`.
    fn address<'h>(&self, href: &'h str) -> Cow<'h, str> {
        match href.strip_prefix("@site/") {
            Some(file) => format!("/{}", path::join(&self.site, file).unwrap_or_default()).into(),
            None => href.strip_prefix("pathname://").unwrap_or(href).into(),
        }
    }

    fn page_at(&self, url: &Url) -> Option<String> {
        self.routes.file_at(url)
    }
}

impl Docusaurus {
    /// The part of a page that `<Part />` shows, which is imported from a file of Markdown.
    fn snippet(&self, page: &Page<'_>, lines: &[&str]) -> Option<(Snippet, usize)> {
        let line = lines.first()?;
        let name = line.trim().strip_prefix('<')?.strip_suffix("/>")?;
        let name = name.split_whitespace().next()?;
        let file = page.imports.get(name)?;
        let place = match file.strip_prefix("@site/") {
            Some(file) => path::join(&self.site, file),
            None => path::join(page.folder, file),
        };
        Some((Snippet { places: place.into_iter().collect(), indent: indent(line), ..Snippet::default() }, 1))
    }
}
