//! Docusaurus: pages identified by ids, ordered by `sidebars.js` or by their folders
//! (<https://docusaurus.io/docs/sidebar>).

mod pages;
mod sidebar;

use std::borrow::Cow;

use quire_markup::dialects::{self, Translated};
use quire_markup::{FrontMatter, front_matter_flag};

use self::pages::Pages;
use super::category::{self, numbered};
use super::folder_of;
use super::js::{self, Value};
use crate::dialect::snippets::{Page, Snippet, indent};
use crate::dialect::{Dialect, Site};
use crate::path;
use crate::report;
use crate::summary::{self, Entry};
use crate::tree::SourceTree;

/// A repository with `docusaurus.config.js`.
#[derive(Debug)]
pub(super) struct Docusaurus {
    /// The folder of the settings.
    base: String,
    /// The folder of the pages.
    root: String,
    pages: Pages,
    site: Site,
}

impl Docusaurus {
    pub(super) fn of(tree: &SourceTree, settings: &str) -> Self {
        let text = tree.text(settings).unwrap_or_default();
        let base = path::folder(settings).to_owned();
        let docs = js::after(&text, "docs:");
        let named = docs.as_ref().and_then(|docs| docs.text("path"));
        let candidates = [named.unwrap_or("docs"), "docs", "../docs"];
        let root = candidates.into_iter().find_map(|candidate| folder_of(tree, &base, candidate));
        let root = root.unwrap_or_else(|| base.clone());
        let pages = Pages::of(tree, &root);
        let sidebars = sidebars_of(tree, &base);
        let read = sidebars.as_ref().and_then(|(_, sidebars)| sidebars.as_ref());
        let entries = read.map(|sidebars| sidebar::entries(sidebars, &pages, tree)).unwrap_or_default();
        let is_listed = entries.iter().any(Entry::has_target);
        let entries = if is_listed { entries } else { pages.folder(tree, &root) };
        let mut site = Site::of_generator(settings, &root, summary::parts(entries));
        if let Some((file, _)) = sidebars.as_ref().filter(|_| read.is_none_or(Value::has_other)) {
            let message =
                "parts of it are computed by a program, which is not run: they are missing in the order";
            site.notices.push(report::changed(file, message));
        }
        site.uses(sidebars.map(|(file, _)| file));
        site.uses(category::settings(tree, &root));
        let route = docs.as_ref().and_then(|docs| docs.text("routeBasePath")).unwrap_or("docs");
        let address = js::text_after(&text, "baseUrl:").unwrap_or_default();
        site.routes = pages.routes(&[route, &format!("{}/{route}", address.trim_matches('/')), ""]);
        site.asset_roots = path::join(&base, "static").into_iter().collect();
        Self { base, root, pages, site }
    }
}

/// Returns the file of the sidebars, and its value if that is a literal.
fn sidebars_of(tree: &SourceTree, base: &str) -> Option<(String, Option<Value>)> {
    let names = ["js", "ts", "cjs", "mjs", "json"].map(|extension| format!("sidebars.{extension}"));
    let file = names.iter().filter_map(|name| path::join(base, name)).find(|file| tree.fits_a_page(file))?;
    let text = tree.text(&file)?;
    let marks = ["module.exports =", "export default", "sidebars =", "sidebars:", "sidebar ="];
    let value = marks.iter().find_map(|mark| js::after(&text, mark));
    let value = if path::extension(&file) == "json" { js::read(&text) } else { value };
    Some((file, value))
}

impl Dialect for Docusaurus {
    fn product(&self) -> &'static str {
        "Docusaurus"
    }

    fn site(&self) -> &Site {
        &self.site
    }

    fn refusal(&self, file: &str) -> Option<&'static str> {
        if let Some(reason) = self.site.refusals.get(file) {
            return Some(reason);
        }
        let below = path::below(&self.base, file)?;
        if below.starts_with("versioned_docs/") {
            return Some("it belongs to an older version of the documentation");
        }
        if below.starts_with("i18n/") {
            return Some("it belongs to a translation of the documentation");
        }
        let is_part = path::is_markdown(file)
            && path::below(&self.root, file)
                .is_some_and(|file| file.split('/').any(|name| name.starts_with('_')));
        is_part.then_some("it is part of other pages and not a page itself")
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
        properties.extra.iter().any(|(name, value)| {
            matches!(name.as_str(), "draft" | "unlisted") && front_matter_flag(value) == Some(true)
        })
    }

    fn include_marks(&self) -> &'static [&'static str] {
        &["import "]
    }

    /// Returns the include for `<Part />`, which is imported from a Markdown file.
    fn snippet(&self, page: &Page<'_>, lines: &[&str]) -> Option<(Snippet, usize)> {
        let line = lines.first()?;
        let name = line.trim().strip_prefix('<')?.strip_suffix("/>")?;
        let name = name.split_whitespace().next()?;
        let file = page.imports.get(name)?;
        let candidate = match file.strip_prefix("@site/") {
            Some(file) => path::join(&self.base, file),
            None => path::join(page.folder, file),
        };
        Some((
            Snippet {
                candidates: candidate.into_iter().collect(),
                indent: indent(line),
                ..Snippet::default()
            },
            1,
        ))
    }

    fn translated(&self, text: &str) -> Option<Translated> {
        Some(dialects::docusaurus(text))
    }

    /// Handles routes, and addresses with the prefix of the site's folder: `@site/static/a.png`, `pathname:///a.pdf`.
    fn address<'h>(&self, href: &'h str) -> Cow<'h, str> {
        match href.strip_prefix("@site/") {
            Some(file) => format!("/{}", path::join(&self.base, file).unwrap_or_default()).into(),
            None => href.strip_prefix("pathname://").unwrap_or(href).into(),
        }
    }
}
