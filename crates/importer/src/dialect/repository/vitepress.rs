//! VitePress: `.vitepress/config` is a program, whose sidebar is nearly always a literal
//! (<https://vitepress.dev/reference/default-theme-sidebar>).

use quire_markup::dialects::{self, Translated};

use super::folder_of;
use super::js::{self, Value};
use crate::dialect::route::Routes;
use crate::dialect::snippets::{Page, Part, Snippet, indent};
use crate::dialect::{Dialect, Site};
use crate::path;
use crate::report;
use crate::summary::{self, Entry};
use crate::tree::SourceTree;

/// A repository with `.vitepress`.
#[derive(Debug)]
pub(super) struct VitePress {
    /// The folder of the pages.
    root: String,
    site: Site,
}

impl VitePress {
    pub(super) fn of(tree: &SourceTree, settings: &str) -> Self {
        let text = tree.text(settings).unwrap_or_default();
        let base = settings.split_once(".vitepress/").map_or("", |(base, _)| base.trim_end_matches('/'));
        let source = js::text_after(&text, "srcDir:").and_then(|folder| folder_of(tree, base, &folder));
        let root = source.unwrap_or_else(|| base.to_owned());
        let routes = routes(tree, &root);
        let sidebar = js::after(&text, "sidebar:");
        let is_computed = text.contains("sidebar:") && sidebar.as_ref().is_none_or(Value::has_other);
        let mut entries = sidebar.map(|sidebar| groups(&sidebar, &routes, &root)).unwrap_or_default();
        if entries.iter().any(Entry::has_target) {
            let home = routes.get("").map(|home| Entry::of_file("", below(&root, home), Vec::new()));
            entries.splice(..0, home);
        } else {
            entries.clear();
        }
        let mut site = Site::of_generator(settings, &root, summary::parts(entries));
        if is_computed {
            let message = "parts of its sidebar are computed by a program, which is not run: their pages are not ordered";
            site.notices.push(report::changed(settings, message));
        }
        site.asset_roots = path::join(&root, "public").into_iter().collect();
        site.routes = routes;
        Self { root, site }
    }
}

/// Returns the pages below `root` by address.
fn routes(tree: &SourceTree, root: &str) -> Routes {
    let mut routes = Routes::default();
    for file in tree.files.keys().filter(|file| path::is_markdown(file)) {
        let Some(page) = path::below(root, file) else { continue };
        routes.add(page.strip_suffix(".md").unwrap_or(page), file);
        if path::stem(page) == "index" {
            routes.add(path::folder(page), file);
        }
    }
    routes
}

impl Dialect for VitePress {
    fn product(&self) -> &'static str {
        "VitePress"
    }

    fn site(&self) -> &Site {
        &self.site
    }

    fn include_marks(&self) -> &'static [&'static str] {
        &["<<<", "@include"]
    }

    fn snippet(&self, page: &Page<'_>, lines: &[&str]) -> Option<(Snippet, usize)> {
        snippet(&self.root, page.folder, lines)
    }

    fn translated(&self, text: &str) -> Option<Translated> {
        Some(dialects::vitepress(text))
    }
}

/// `<<< @/file.js#region{2}` and `<!--@include: ./part.md{2,5}-->`.
fn snippet(root: &str, folder: &str, lines: &[&str]) -> Option<(Snippet, usize)> {
    let line = lines.first()?;
    let candidates =
        |file: &str| match file.trim().strip_prefix("@/").or_else(|| file.trim().strip_prefix('/')) {
            Some(file) => path::join(root, file).into_iter().collect(),
            None => path::join(folder, file.trim()).into_iter().collect::<Vec<_>>(),
        };
    if let Some(named) = line.strip_prefix("<<< ") {
        let (file, rest) = named.split_at_checked(named.find(['#', '{', ' ']).unwrap_or(named.len()))?;
        let region = rest.strip_prefix('#').map(|rest| rest.split(['{', ' ']).next().unwrap_or_default());
        let marks = "```";
        let around = (format!("{marks}{}\n", path::extension(file)), format!("{marks}\n"));
        let part = Part::of(region.unwrap_or_default());
        return Some((Snippet { candidates: candidates(file), part, around: Some(around), indent: 0 }, 1));
    }
    let inside = line.trim().strip_prefix("<!--")?.strip_suffix("-->")?.trim().strip_prefix("@include:")?;
    let (file, part) = inside.split_once(['#', '{']).unwrap_or((inside, ""));
    let part = Part::of(part.trim().trim_end_matches('}'));
    Some((Snippet { candidates: candidates(file), part, indent: indent(line), ..Snippet::default() }, 1))
}

/// Returns the entries of a sidebar, or of several sidebars.
fn groups(sidebar: &Value, routes: &Routes, root: &str) -> Vec<Entry> {
    let of = |value: &Value| {
        let base = value.text("base").unwrap_or_default();
        let items = value.get("items").unwrap_or(value);
        entries(items.items(), base, routes, root)
    };
    match sidebar {
        Value::Object(parts) => parts.iter().flat_map(|(_, part)| of(part)).collect(),
        list => of(list),
    }
}

fn entries(items: &[Value], base: &str, routes: &Routes, root: &str) -> Vec<Entry> {
    let entry = |item: &Value| {
        let base = item.text("base").unwrap_or(base);
        let children = entries(item.get("items").map(Value::items).unwrap_or_default(), base, routes, root);
        let title = item.text("text").unwrap_or_default();
        let link = item
            .text("link")
            .map(|link| if link.contains("://") { link.to_owned() } else { format!("{base}{link}") });
        let link = link.as_deref().unwrap_or_default();
        let is_title = item.text("text").is_some() || !link.is_empty();
        let route = link.split(['#', '?']).next().unwrap_or_default();
        let route = route.strip_suffix(".md").or_else(|| route.strip_suffix(".html")).unwrap_or(route);
        is_title.then(|| match routes.get(route.trim_matches('/')).filter(|_| !link.is_empty()) {
            Some(file) => Entry::of_file(title, below(root, file), children),
            None => {
                let target = Some(link.to_owned()).filter(|link| !link.is_empty());
                Entry { title: summary::escaped(title), target, children }
            }
        })
    };
    items.iter().filter_map(entry).collect()
}

fn below<'f>(root: &str, file: &'f str) -> &'f str {
    path::below(root, file).unwrap_or(file)
}
