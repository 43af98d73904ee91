//! VitePress and VuePress: `.vitepress/config` is a script, whose sidebar is nearly always a literal
//! (<https://vitepress.dev/reference/default-theme-sidebar>).

use quire_markup::FrontMatter;
use quire_markup::dialects::{self, Translated};

use super::folder::folder_of;
use super::js::{Scripts, Value};
use super::sidebar::Pages;
use super::{home, languages};
use crate::dialect::route::Routes;
use crate::dialect::site::without_empty_groups;
use crate::dialect::snippets::{Page, Part, Snippet, indent};
use crate::dialect::{Dialect, Home, Site};
use crate::path;
use crate::report;
use crate::summary;
use crate::tree::SourceTree;

/// Folders of settings. VuePress has the same syntax, except for its own containers.
pub(super) const FOLDERS: [&str; 2] = [".vitepress", ".vuepress"];

/// A repository with `.vitepress` or `.vuepress`.
#[derive(Debug)]
pub(super) struct VitePress {
    /// The folder of the pages in all languages.
    root: String,
    /// True if a single dollar begins a formula.
    has_math: bool,
    is_vuepress: bool,
    site: Site,
}

/// Splits the path of settings into the folder of the pages, and the rest after [`FOLDERS`].
pub(super) fn split(settings: &str) -> Option<(&str, &str)> {
    FOLDERS.iter().find_map(|name| {
        let (folder, file) = settings.split_once(&format!("{name}/"))?;
        (folder.is_empty() || folder.ends_with('/')).then(|| (folder.trim_end_matches('/'), file))
    })
}

impl VitePress {
    pub(super) fn of(tree: &SourceTree, settings: Option<&str>) -> Self {
        let base = settings.and_then(split).map_or("", |(base, _)| base);
        let is_vuepress = settings.is_some_and(|settings| settings.contains(".vuepress/"));
        let exported = settings.and_then(|settings| Scripts::of(tree).exported(settings));
        let config = exported.as_ref().map_or(&Value::Other, Value::given);
        let source = config.text("srcDir").and_then(|folder| folder_of(tree, base, folder));
        let top = source.unwrap_or_else(|| base.to_owned());
        let locales = config.get("locales").map(Value::entries).unwrap_or_default();
        let main = main_locale(tree, &top, locales);
        let own = locales.iter().find(|(locale, _)| main == Some(locale)).map(|(_, locale)| locale);
        let folder = |locale: &str| folder_of(tree, &top, locale.trim_matches('/'));
        let root = main.filter(|locale| !is_main(locale)).and_then(|locale| folder(locale));
        let root = root.unwrap_or_else(|| top.clone());
        let translations: Vec<String> = locales
            .iter()
            .filter(|(locale, _)| !is_main(locale))
            .filter_map(|(locale, _)| folder(locale))
            .filter(|folder| *folder != root && *folder != top)
            .collect();
        let moved = moved(tree, &root, config);
        let routes = routes(tree, moved.iter().map(String::as_str).chain([root.as_str(), &top]));
        // The pages of the main language may have separate settings.
        let more = moved.iter().chain([&root]).find_map(|folder| {
            let files = ["ts", "mts", "js", "mjs"].map(|extension| format!("{folder}/config.{extension}"));
            let file = files.into_iter().find(|file| tree.files.contains_key(file))?;
            Scripts::of(tree).exported(&file)
        });
        let sidebar =
            [Some(config), own, more.as_ref().map(Value::given)].into_iter().flatten().find_map(sidebar_of);
        let is_unread = exported.as_ref().is_none_or(|config| matches!(config.given(), Value::Other));
        let is_computed = settings.is_some() && (is_unread || sidebar.is_some_and(Value::has_other));
        let pages = Pages { tree, routes: &routes, root: &root, is_vuepress };
        let entries = sidebar.map(|sidebar| pages.listed(sidebar)).unwrap_or_default();
        let (entries, empty) = without_empty_groups(entries);
        let mut site = Site::of_pages(settings, &root, summary::parts(entries));
        site.left_out(settings, &empty);
        if let Some(settings) = settings.filter(|_| is_computed) {
            let message = "parts of its sidebar are computed by a program, which an import does not run: \
                           their pages are not ordered";
            site.notices.push(report::changed(settings, message));
        }
        site.outside.extend(translations.into_iter().map(|folder| (folder, languages::REASON)));
        let public = if is_vuepress { ".vuepress/public" } else { "public" };
        let public = path::join(&top, public).unwrap_or_default();
        site.outside.push((public.clone(), "it is a file of the site and not a page"));
        refuse_excluded(&mut site, tree, &top, config);
        site.asset_roots = vec![public];
        site.routes = routes;
        let flag = config.get("markdown").and_then(|markdown| markdown.get("math"));
        let has_math = flag == Some(&Value::Flag(true)) || is_vuepress && names_math(tree, settings);
        Self { root: top, has_math, is_vuepress, site }
    }
}

/// Refuses the pages that the settings exclude.
fn refuse_excluded(site: &mut Site, tree: &SourceTree, top: &str, config: &Value) {
    let excluded = config.get("srcExclude").map(Value::items).unwrap_or_default();
    let patterns: Vec<&str> = excluded.iter().filter_map(Value::as_text).collect();
    for file in tree.files.keys().filter(|file| path::is_markdown(file)) {
        let below = path::below(top, file).unwrap_or(file);
        if patterns.iter().any(|pattern| matches(pattern, below)) {
            site.refuse(file, "the settings exclude it");
        }
    }
}

/// Returns whether a script of VuePress's settings names a program that shows formulas.
fn names_math(tree: &SourceTree, settings: Option<&str>) -> bool {
    let folder = settings.map_or("", path::folder);
    let scripts = ["theme.ts", "theme.js", "plugins.ts", "plugins.js"].map(|name| format!("{folder}/{name}"));
    let mut scripts = settings.map(str::to_owned).into_iter().chain(scripts);
    scripts.any(|file| {
        let text = tree.text(&file).unwrap_or_default().to_lowercase();
        ["katex", "mathjax", "math:"].iter().any(|name| text.contains(name))
    })
}

/// Returns whether the key of a locale is that of the main language.
fn is_main(locale: &str) -> bool {
    matches!(locale, "root" | "/")
}

/// Returns the key of the main locale. If nearly all pages are in the folder of a language, it is the one with the most
/// pages, and among equals the first.
fn main_locale<'l>(tree: &SourceTree, top: &str, locales: &'l [(String, Value)]) -> Option<&'l String> {
    let named = locales.iter().map(|(locale, _)| locale).find(|locale| is_main(locale));
    if named.is_some() {
        return named;
    }
    let folder = |(locale, _): &'l (String, Value)| {
        Some((locale, 0_usize, folder_of(tree, top, locale.trim_matches('/'))?))
    };
    let mut counts: Vec<(&String, usize, String)> = locales.iter().filter_map(folder).collect();
    let mut others = 0_usize;
    for file in tree.files.keys().filter(|file| path::is_markdown(file) && path::below(top, file).is_some()) {
        match counts.iter_mut().find(|(_, _, folder)| path::below(folder, file).is_some()) {
            Some((_, count, _)) => *count += 1,
            None => others += 1,
        }
    }
    let (locale, count, _) = counts.into_iter().rev().max_by_key(|(_, count, _)| *count)?;
    (count > others).then_some(locale)
}

/// Returns the sidebar of a theme. In VuePress, the theme is a call, and may have its own locales.
fn sidebar_of(config: &Value) -> Option<&Value> {
    let theme = config.get("themeConfig").or_else(|| config.get("theme"))?.given();
    let locales = theme.get("locales").map(Value::entries).unwrap_or_default();
    let own = locales.iter().find(|(locale, _)| is_main(locale)).map(|(_, locale)| locale);
    let found = [Some(theme), own].into_iter().flatten().find_map(|theme| theme.get("sidebar"));
    found.filter(|sidebar| !matches!(sidebar, Value::Flag(false))).map(|sidebar| match sidebar {
        Value::Call(..) => sidebar.given(),
        sidebar => sidebar,
    })
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
pub(super) fn matches(pattern: &str, path: &str) -> bool {
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

/// Returns the pages by their addresses below each of these folders, of which the first takes precedence.
fn routes<'f>(tree: &SourceTree, tops: impl Iterator<Item = &'f str>) -> Routes {
    let mut routes = Routes::default();
    for top in tops {
        for file in tree.files.keys().filter(|file| path::is_markdown(file)) {
            let Some(page) = path::below(top, file) else { continue };
            routes.add(page.strip_suffix(".md").unwrap_or(page), file);
            if matches!(path::stem(page), "index" | "README" | "readme") {
                routes.add(path::folder(page), file);
            }
        }
    }
    routes
}

impl Dialect for VitePress {
    fn product(&self) -> &'static str {
        if self.is_vuepress { "VuePress" } else { "VitePress" }
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
        &["<<<", "@include", "@[code"]
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

/// Returns the snippet of `@[code{2-5} ts{1}](./file.ts)`, given its text after `@[code`.
fn code(named: &str, line: &str, candidates: impl Fn(&str) -> Vec<String>) -> Option<Snippet> {
    let (options, file) = named.trim_end().strip_suffix(')')?.split_once("](")?;
    let (part, language) = match options.strip_prefix('{') {
        Some(rest) => rest.split_once('}').unwrap_or((rest, "")),
        None => match options.strip_prefix('#') {
            Some(rest) => rest.split_once(' ').unwrap_or((rest, "")),
            None => ("", options),
        },
    };
    let language = language.trim();
    let language = if language.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        language.to_owned()
    } else {
        format!("{}{language}", path::extension(file))
    };
    Some(Snippet {
        candidates: candidates(file),
        part: Part::of(part),
        around: Some((format!("```{language}\n"), "```\n".to_owned())),
        indent: indent(line),
        ..Snippet::default()
    })
}

/// Returns the snippet of `<<< @/file.js#region{2}`, `@[code](file.js)` or `<!--@include: ./part.md{2,5}-->`.
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
    if let Some(named) = line.trim_start().strip_prefix("@[code") {
        return Some((code(named, line, candidates)?, 1));
    }
    let inside = line.trim().strip_prefix("<!--")?.strip_suffix("-->")?.trim().strip_prefix("@include:")?;
    let (file, part) = inside.split_once(['#', '{']).unwrap_or((inside, ""));
    let part = Part::of(part.trim().trim_end_matches('}'));
    Some((Snippet { candidates: candidates(file), part, indent: indent(line), ..Snippet::default() }, 1))
}
