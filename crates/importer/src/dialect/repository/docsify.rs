//! Docsify: pages that a script in `index.html` shows, in the order of `_sidebar.md`
//! (<https://docsify.js.org/#/more-pages>).

use std::borrow::Cow;

use quire_markup::dialects::{self, Translated};

use super::folder::folder_of;
use super::js::{Scripts, Value};
use crate::dialect::Dialect;
use crate::dialect::route::Routes;
use crate::dialect::site::{SETTINGS, Site};
use crate::dialect::snippets::{Page, Part, Snippet, indent};
use crate::path;
use crate::summary::{self, Entry};
use crate::tree::SourceTree;

/// Name of the script's settings in `index.html`.
const SETTING: &str = "$docsify";

/// Reason why files such as `_coverpage.md` are not pages.
const AROUND: &str = "the site shows it around its pages; it is not a page itself";

/// A repository with an `index.html` of Docsify.
#[derive(Debug)]
pub(super) struct Docsify {
    site: Site,
}

/// Returns whether a file is an `index.html` that shows Markdown files.
pub(super) fn is_settings(tree: &SourceTree, file: &str) -> bool {
    // Only the pages in folders with Markdown are read.
    let names = ["README.md", "_sidebar.md", "index.md", "_coverpage.md", "home.md"];
    let mut names = names.into_iter().filter_map(|name| path::join(path::folder(file), name));
    path::name(file) == "index.html"
        && names.any(|name| tree.files.contains_key(&name))
        && tree.text(file).is_some_and(|text| text.contains(SETTING))
}

impl Docsify {
    pub(super) fn of(tree: &SourceTree, settings: &str) -> Self {
        let options = Scripts::of(tree).assigned_in_page(settings, SETTING).unwrap_or(Value::Other);
        let base = path::folder(settings);
        let root = options.text("basePath").and_then(|folder| folder_of(tree, base, folder));
        let root = root.unwrap_or_else(|| base.to_owned());
        let routes = routes(tree, &root);
        let named = options.text("loadSidebar").filter(|name| path::is_markdown(name));
        let sidebar = path::join(&root, named.unwrap_or("_sidebar.md"));
        let sidebar = sidebar.filter(|sidebar| tree.files.contains_key(sidebar));
        let parts = sidebar.as_ref().and_then(|sidebar| tree.text(sidebar)).map(|text| summary::parse(&text));
        let mut parts = parts.unwrap_or_default();
        for part in &mut parts {
            resolve(&mut part.entries, &root, &routes);
        }
        parts.retain(|part| part.entries.iter().any(Entry::has_target));
        let mut site = Site::of_pages(Some(settings), &root, parts);
        site.hides_unlisted = site.contents.is_some();
        let readme = options.text("homepage").and_then(|home| path::join(&root, home));
        if let Some(layout) = &mut site.layout {
            layout.readme = readme.filter(|readme| tree.files.contains_key(readme));
        }
        for file in
            tree.files.keys().filter(|file| path::name(file).starts_with('_') && path::is_markdown(file))
        {
            site.refuse(file, if Some(file) == sidebar.as_ref() { SETTINGS } else { AROUND });
        }
        site.routes = routes;
        Self { site }
    }
}

impl Dialect for Docsify {
    fn product(&self) -> &'static str {
        "Docsify"
    }

    fn site(&self) -> &Site {
        &self.site
    }

    fn site_mut(&mut self) -> Option<&mut Site> {
        Some(&mut self.site)
    }

    fn include_marks(&self) -> &'static [&'static str] {
        &[":include"]
    }

    fn snippet(&self, page: &Page<'_>, lines: &[&str]) -> Option<(Snippet, usize)> {
        if page.in_code { None } else { snippet(self.root(), page.folder, lines.first()?) }
    }

    fn address<'h>(&self, href: &'h str) -> Cow<'h, str> {
        // Anchors are a parameter.
        match href.split_once("?id=") {
            Some((before, id)) => {
                Cow::Owned(format!("{before}#{}", id.split('&').next().unwrap_or_default()))
            }
            None => Cow::Borrowed(href),
        }
    }

    fn translated(&self, _path: &str, text: &str) -> Option<Translated> {
        Some(dialects::docsify(text))
    }
}

impl Docsify {
    fn root(&self) -> &str {
        self.site.layout.as_ref().map_or("", |layout| layout.root.as_str())
    }
}

/// Returns the pages by their addresses.
fn routes(tree: &SourceTree, root: &str) -> Routes {
    let mut routes = Routes::default();
    for file in tree.files.keys().filter(|file| path::is_markdown(file)) {
        let Some(page) = path::below(root, file) else { continue };
        // Links may be relative to the root, with and without the extension.
        routes.add(page, file);
        routes.add(page.strip_suffix(".md").unwrap_or(page), file);
        if path::stem(page).eq_ignore_ascii_case("readme") {
            routes.add(path::folder(page), file);
        }
    }
    routes
}

/// Replaces the addresses of the sidebar, which are relative to the root, by files.
fn resolve(entries: &mut [Entry], root: &str, routes: &Routes) {
    for entry in entries {
        if let Some(target) = entry.target.as_deref().filter(|target| !target.contains("://")) {
            let route = target.trim_start_matches('#').split(['?', '#']).next().unwrap_or_default();
            let route = route.trim_matches('/').trim_end_matches(".md");
            if let Some(file) = routes.get(route).and_then(|file| path::below(root, file)) {
                entry.target = Some(format!("/{}", summary::address(file)));
            }
        }
        resolve(&mut entry.children, root, routes);
    }
}

/// Returns the snippet of `[words](file.md ':include')`, alone on its line.
fn snippet(root: &str, folder: &str, line: &str) -> Option<(Snippet, usize)> {
    let inside = line.trim().strip_prefix('[')?.strip_suffix(')')?;
    let (file, options) = inside.split_once("](")?.1.split_once(char::is_whitespace)?;
    let options = options.trim().trim_matches(['\'', '"']);
    if !options.starts_with(":include") || file.contains("://") {
        return None;
    }
    let value = |name: &str| options.split_whitespace().find_map(|option| option.strip_prefix(name));
    let kind = value(":type=");
    if kind.is_some_and(|kind| !matches!(kind, "code" | "markdown")) {
        return None;
    }
    let candidates = match file.strip_prefix('/') {
        Some(file) => path::join(root, file),
        None => path::join(folder, file),
    };
    let part = value(":fragment=").map(|name| {
        let mark = format!("[{name}]");
        Part::Between(format!("/// {mark}"), format!("/// {mark}"))
    });
    let is_code = kind == Some("code") || kind.is_none() && !path::is_markdown(file);
    let snippet = Snippet {
        candidates: candidates.into_iter().collect(),
        part: part.unwrap_or_default(),
        around: is_code.then(|| (format!("```{}\n", path::extension(file)), "```\n".to_owned())),
        indent: indent(line),
        has_own_links: !is_code,
    };
    Some((snippet, 1))
}
