//! VitePress: `.vitepress/config` is a script, whose sidebar is nearly always a literal
//! (<https://vitepress.dev/reference/default-theme-sidebar>).

use quire_markup::FrontMatter;
use quire_markup::dialects::{self, Translated};
use quire_markup::markdown::escaped;

use super::folder::folder_of;
use super::js::{Scripts, Value};
use super::{home, languages};
use crate::dialect::route::Routes;
use crate::dialect::snippets::{Page, Part, Snippet, indent};
use crate::dialect::{Dialect, Home, Site};
use crate::path;
use crate::report;
use crate::summary::{self, Entry};
use crate::tree::SourceTree;

/// A repository with `.vitepress`.
#[derive(Debug)]
pub(super) struct VitePress {
    /// The folder of the pages.
    root: String,
    /// True if a single dollar begins a formula.
    has_math: bool,
    site: Site,
}

impl VitePress {
    pub(super) fn of(tree: &SourceTree, settings: Option<&str>) -> Self {
        let base = settings.and_then(|settings| settings.split_once(".vitepress/"));
        let base = base.map_or("", |(base, _)| base.trim_end_matches('/'));
        let exported = settings.and_then(|settings| Scripts::of(tree).exported(settings));
        let config = exported.as_ref().map_or(&Value::Other, Value::given);
        let source = config.text("srcDir").and_then(|folder| folder_of(tree, base, folder));
        let root = source.unwrap_or_else(|| base.to_owned());
        let locales = config.get("locales").map(Value::entries).unwrap_or_default();
        let translations: Vec<String> = locales
            .iter()
            .filter(|(locale, _)| locale != "root")
            .filter_map(|(locale, _)| folder_of(tree, &root, locale.trim_matches('/')))
            .filter(|folder| *folder != root)
            .collect();
        let own = locales.iter().find(|(locale, _)| locale == "root").map(|(_, locale)| locale);
        let moved = moved(tree, &root, config);
        let routes = routes(tree, &root, moved.as_deref());
        // The pages of the main language may have separate settings.
        let more = moved.iter().chain([&root]).find_map(|folder| {
            let files = ["ts", "mts", "js", "mjs"].map(|extension| format!("{folder}/config.{extension}"));
            let file = files.into_iter().find(|file| tree.files.contains_key(file))?;
            Scripts::of(tree).exported(&file)
        });
        let sidebar =
            [Some(config), own, more.as_ref().map(Value::given)].into_iter().flatten().find_map(|part| {
                let theme = part.get("themeConfig")?.given();
                theme.get("sidebar").filter(|sidebar| !matches!(sidebar, Value::Flag(false)))
            });
        let is_unread = exported.as_ref().is_none_or(|config| matches!(config.given(), Value::Other));
        let is_computed = settings.is_some() && (is_unread || sidebar.is_some_and(Value::has_other));
        let mut entries = sidebar.map(|sidebar| groups(sidebar, &routes, &root)).unwrap_or_default();
        if entries.iter().any(Entry::has_target) {
            let home = routes.get("").map(|home| Entry::of_file("", below(&root, home), Vec::new()));
            entries.splice(..0, home);
        } else {
            entries.clear();
        }
        let mut site = Site::of_pages(settings, &root, summary::parts(entries));
        if let Some(settings) = settings.filter(|_| is_computed) {
            let message = "parts of its sidebar are computed by a program, which an import does not run: \
                           their pages are not ordered";
            site.notices.push(report::changed(settings, message));
        }
        site.outside.extend(translations.into_iter().map(|folder| (folder, languages::REASON)));
        let public = path::join(&root, "public").unwrap_or_default();
        site.outside.push((public.clone(), "it is a file of the site and not a page"));
        let excluded = config.get("srcExclude").map(Value::items).unwrap_or_default();
        let patterns: Vec<&str> = excluded.iter().filter_map(Value::as_text).collect();
        for file in tree.files.keys().filter(|file| path::is_markdown(file)) {
            let below = path::below(&root, file).unwrap_or(file);
            if patterns.iter().any(|pattern| matches(pattern, below)) {
                site.refuse(file, "the settings exclude it");
            }
        }
        site.asset_roots = vec![public];
        site.routes = routes;
        let has_math =
            config.get("markdown").and_then(|markdown| markdown.get("math")) == Some(&Value::Flag(true));
        Self { root, has_math, site }
    }
}

/// Returns the folder whose pages are served at the root: `rewrites: { 'en/:rest*': ':rest*' }`.
fn moved(tree: &SourceTree, root: &str, config: &Value) -> Option<String> {
    let rewrites = config.get("rewrites").map(Value::entries).unwrap_or_default();
    let (from, _) = rewrites.iter().find(|(from, to)| {
        let behind = from.split_once("/:").map(|(_, name)| format!(":{name}"));
        behind.is_some() && to.as_text() == behind.as_deref()
    })?;
    folder_of(tree, root, from.split("/:").next()?)
}

/// Returns whether a path matches a pattern with stars: `**/README.md`, `drafts/**`, `*.draft.md`.
fn matches(pattern: &str, path: &str) -> bool {
    let pattern = pattern.trim_start_matches("./");
    match pattern.split_once("**") {
        Some((before, behind)) => {
            let behind = behind.trim_start_matches('/');
            let rest = path.strip_prefix(before);
            let end = |rest: &str| {
                behind.is_empty()
                    || rest == behind
                    || rest.ends_with(&format!("/{behind}"))
                    || behind.strip_prefix('*').is_some_and(|end| rest.ends_with(end))
            };
            rest.is_some_and(end)
        }
        None => match pattern.split_once('*') {
            Some((before, end)) => {
                let middle = path.strip_prefix(before).and_then(|rest| rest.strip_suffix(end));
                middle.is_some_and(|middle| !middle.contains('/'))
            }
            None => path == pattern,
        },
    }
}

/// Returns the pages below `root` by address. Pages of the folder `moved` are also at the root.
fn routes(tree: &SourceTree, root: &str, moved: Option<&str>) -> Routes {
    let mut routes = Routes::default();
    for top in moved.into_iter().chain([root]) {
        for file in tree.files.keys().filter(|file| path::is_markdown(file)) {
            let Some(page) = path::below(top, file) else { continue };
            routes.add(page.strip_suffix(".md").unwrap_or(page), file);
            if path::stem(page) == "index" {
                routes.add(path::folder(page), file);
            }
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

    fn site_mut(&mut self) -> Option<&mut Site> {
        Some(&mut self.site)
    }

    fn home(&self, properties: &FrontMatter) -> Option<Home> {
        home::of(properties)
    }

    fn include_marks(&self) -> &'static [&'static str] {
        &["<<<", "@include"]
    }

    fn uses(&self, property: &str) -> bool {
        matches!(
            property,
            "layout" | "hero" | "features" | "outline" | "sidebar" | "aside" | "prev" | "next" | "head"
        )
    }

    fn snippet(&self, page: &Page<'_>, lines: &[&str]) -> Option<(Snippet, usize)> {
        if page.in_code { None } else { snippet(&self.root, page, lines) }
    }

    fn translated(&self, _path: &str, text: &str) -> Option<Translated> {
        Some(dialects::vitepress(text, self.has_math))
    }
}

/// Returns the snippet of `<<< @/file.js#region{2}` or `<!--@include: ./part.md{2,5}-->`.
fn snippet(root: &str, page: &Page<'_>, lines: &[&str]) -> Option<(Snippet, usize)> {
    let folder = page.folder;
    let line = lines.first()?;
    let candidates =
        |file: &str| match file.trim().strip_prefix("@/").or_else(|| file.trim().strip_prefix('/')) {
            Some(file) => path::join(root, file).into_iter().collect(),
            None => path::join(folder, file.trim()).into_iter().collect::<Vec<_>>(),
        };
    if let Some(named) = line.trim_start().strip_prefix("<<< ") {
        let (file, rest) = named.split_at_checked(named.find(['#', '{', ' ']).unwrap_or(named.len()))?;
        let region = rest.strip_prefix('#').map(|rest| rest.split(['{', ' ']).next().unwrap_or_default());
        let marks = "```";
        // Braces contain lines to highlight, a language, or both; brackets contain the name of a tab.
        let braces =
            rest.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map(|(inside, _)| inside);
        let words: Vec<&str> = braces.unwrap_or_default().split_whitespace().collect();
        let is_lines = |word: &&&str| word.starts_with(|c: char| c.is_ascii_digit());
        let highlighted = words.iter().find(is_lines).map(|lines| format!("{{{lines}}}")).unwrap_or_default();
        let language = words.iter().find(|word| !is_lines(word)).and_then(|word| word.split(':').next());
        let language =
            language.filter(|name| !name.is_empty()).map_or_else(|| path::extension(file), str::to_owned);
        let named = rest.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map(|(name, _)| name);
        let label =
            if page.in_group { format!(" [{}]", named.unwrap_or(path::name(file))) } else { String::new() };
        let around = (format!("{marks}{language}{highlighted}{label}\n"), format!("{marks}\n"));
        let part = Part::of(region.unwrap_or_default());
        return Some((
            Snippet {
                candidates: candidates(file),
                part,
                around: Some(around),
                indent: indent(line),
                ..Snippet::default()
            },
            1,
        ));
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
                Entry::new(escaped(title), target, children)
            }
        })
    };
    items.iter().filter_map(entry).collect()
}

fn below<'f>(root: &str, file: &'f str) -> &'f str {
    path::below(root, file).unwrap_or(file)
}
