//! DocFX: pages in the order of `toc.yml`, which may lead to those of other folders
//! (<https://dotnet.github.io/docfx/docs/table-of-contents.html>).

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use quire_markup::dialects::{self, Translated};
use quire_markup::markdown::escaped;
use quire_markup::openapi::Json;

use super::{front, settings, vitepress};
use crate::dialect::snippets::{self, Page, Part, Snippet, indent};
use crate::dialect::{Dialect, Site};
use crate::include::Expansion;
use crate::path;
use crate::summary::{self, Entry};
use crate::tree::SourceTree;

/// Maximum depth of tables of contents that lead to others.
const MAX_DEPTH: usize = 16;

/// Reason why a file is not a page.
const EXCLUDED: &str = "the settings exclude it, or other pages include it";

/// A repository with `docfx.json`.
#[derive(Debug)]
pub(super) struct DocFx {
    /// Pages by the names that they declare (`uid`), as addresses.
    names: BTreeMap<String, String>,
    site: Site,
}

/// Returns whether a file has the settings of DocFX.
pub(super) fn is_settings(tree: &SourceTree, file: &str) -> bool {
    path::name(file) == "docfx.json" && tree.text(file).is_some_and(|text| text.contains("\"build\""))
}

impl DocFx {
    pub(super) fn of(tree: &SourceTree, file: &str) -> Self {
        let config = settings::read(tree, file);
        let content = config.as_ref().and_then(|config| config.get("build")?.get("content"));
        let base = path::folder(file);
        let root = root(tree, base, content);
        let mut contents = Contents { tree, root: &root, used: BTreeSet::new() };
        let entries = contents.folder(&root, 0);
        let used = contents.used;
        let mut site = Site::of_pages(Some(file), &root, summary::parts(entries));
        site.hides_unlisted = site.contents.is_some();
        site.uses(used);
        let mut names = BTreeMap::new();
        let excluded = excluded(content);
        for page in tree.files.keys().filter(|file| path::is_markdown(file)) {
            let Some(below) = path::below(&root, page) else { continue };
            let is_part = below.split('/').any(|folder| matches!(folder, "includes" | "_includes"));
            if is_part || excluded.iter().any(|pattern| vitepress::matches(pattern, below)) {
                site.refuse(page, EXCLUDED);
            } else if let Some(properties) = tree.text(page).and_then(|text| front::of(&text))
                && let Some(name) = front::text(&properties, "uid")
            {
                names.entry(name).or_insert_with(|| format!("/{}", summary::address(below)));
            }
        }
        Self { names, site }
    }
}

impl Dialect for DocFx {
    fn product(&self) -> &'static str {
        "DocFX"
    }

    fn site(&self) -> &Site {
        &self.site
    }

    fn site_mut(&mut self) -> Option<&mut Site> {
        Some(&mut self.site)
    }

    fn uses(&self, property: &str) -> bool {
        property == "uid"
    }

    fn address<'h>(&self, href: &'h str) -> Cow<'h, str> {
        href.strip_prefix("~/").map_or(Cow::Borrowed(href), |rest| Cow::Owned(format!("/{rest}")))
    }

    fn include_marks(&self) -> &'static [&'static str] {
        &["[!"]
    }

    fn snippet(&self, page: &Page<'_>, lines: &[&str]) -> Option<(Snippet, usize)> {
        if page.in_code { None } else { snippet(self.root(), page.folder, lines.first()?) }
    }

    fn expand(&self, text: String, at: Expansion<'_>) -> String {
        if !text.contains("[!") && !text.contains(":::code") {
            return text;
        }
        let Expansion { tree, source, budget, report } = at;
        let mut find = |name: &str| {
            let file = file_of(self.root(), path::folder(source), name)?;
            let text = budget.read(tree, &file)?;
            let text = quire_markup::without_front_matter(&text).trim();
            // A part with several blocks cannot be within a line.
            let is_line = !text.is_empty() && !text.contains("\n\n") && !text.contains("\r\n\r\n");
            (is_line && budget.add(text.len())).then(|| text.lines().collect::<Vec<_>>().join(" "))
        };
        let text = with_parts(&text, &mut find);
        let at = Expansion { tree, source, budget, report };
        snippets::expand(&text, at, &|page, lines| self.snippet(page, lines))
    }

    fn translated(&self, _path: &str, text: &str) -> Option<Translated> {
        Some(dialects::docfx(text, &|name| self.names.get(name).cloned()))
    }
}

impl DocFx {
    fn root(&self) -> &str {
        self.site.layout.as_ref().map_or("", |layout| layout.root.as_str())
    }
}

/// Returns the folder of the pages: that of the settings, or the first source folder with a table of contents.
fn root(tree: &SourceTree, base: &str, content: Option<&Json>) -> String {
    let has_contents = |folder: &String| toc(tree, folder).is_some();
    let groups = content.map(Json::items).unwrap_or_default();
    let sources = groups.iter().filter_map(|group| path::join(base, group.str("src")?));
    let mut folders = std::iter::once(base.to_owned()).chain(sources);
    folders.find(has_contents).unwrap_or_else(|| base.to_owned())
}

/// Returns the patterns of files that the settings exclude.
fn excluded(content: Option<&Json>) -> Vec<&str> {
    let groups = content.map(Json::items).unwrap_or_default();
    groups.iter().flat_map(|group| group.items_of("exclude")).filter_map(Json::as_str).collect()
}

/// Returns the table of contents of a folder.
fn toc(tree: &SourceTree, folder: &str) -> Option<String> {
    let mut files = ["toc.yml", "TOC.yml"].into_iter().filter_map(|name| path::join(folder, name));
    files.find(|file| tree.files.contains_key(file))
}

struct Contents<'a> {
    tree: &'a SourceTree,
    root: &'a str,
    /// Tables of contents that were read.
    used: BTreeSet<String>,
}

impl Contents<'_> {
    /// Returns the entries of the table of contents of a folder.
    fn folder(&mut self, folder: &str, depth: usize) -> Vec<Entry> {
        let Some(file) = toc(self.tree, folder).filter(|_| depth < MAX_DEPTH) else { return Vec::new() };
        // A table of contents may lead to itself.
        if !self.used.insert(file.clone()) {
            return Vec::new();
        }
        let Some(contents) = settings::read(self.tree, &file) else { return Vec::new() };
        let items = contents.get("items").unwrap_or(&contents);
        self.list(items.items(), folder, depth)
    }

    fn list(&mut self, items: &[Json], folder: &str, depth: usize) -> Vec<Entry> {
        items.iter().filter_map(|item| self.entry(item, folder, depth)).collect()
    }

    fn entry(&mut self, item: &Json, folder: &str, depth: usize) -> Option<Entry> {
        let title = item.str("name").or_else(|| item.str("displayName")).unwrap_or_default();
        let href = item.str("href").unwrap_or_default();
        let mut children = match depth < MAX_DEPTH {
            true => self.list(item.items_of("items"), folder, depth.saturating_add(1)),
            false => Vec::new(),
        };
        let other = item.str("tocHref").unwrap_or(href);
        let other = other.strip_suffix("toc.yml").or_else(|| other.strip_suffix("TOC.yml")).unwrap_or(other);
        if other.is_empty() || other.ends_with('/') {
            let below = path::join(folder, other).filter(|below| below != folder);
            children
                .extend(below.map(|below| self.folder(&below, depth.saturating_add(1))).unwrap_or_default());
        }
        if href.contains("://") {
            return Some(Entry::new(escaped(title), Some(href.to_owned()), children));
        }
        let page =
            ["topicHref", "homepage", "href"].into_iter().find_map(|key| self.page(folder, item.str(key)?));
        match page {
            Some(page) => Some(Entry::of_file(title, path::below(self.root, &page)?, children)),
            None => (!children.is_empty()).then(|| Entry::new(escaped(title), None, children)),
        }
    }

    fn page(&self, folder: &str, href: &str) -> Option<String> {
        let href = href.split(['#', '?']).next().unwrap_or_default();
        let file = file_of(self.root, folder, href)?;
        (path::is_markdown(&file) && self.tree.files.contains_key(&file)).then_some(file)
    }
}

/// Returns the file that a page or a table of contents in a folder names. A tilde is the root.
fn file_of(root: &str, folder: &str, name: &str) -> Option<String> {
    match name.strip_prefix("~/").or_else(|| name.strip_prefix('/')) {
        Some(name) => path::join(root, name),
        None => path::join(folder, name),
    }
}

/// Replaces includes within lines: `Use [!INCLUDE [words](product.md)] now.`
fn with_parts(text: &str, find: &mut dyn FnMut(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if included(line).is_some() {
            out.push_str(line);
            continue;
        }
        let mut rest = line;
        while let Some((before, behind)) = rest.split_once("[!") {
            out.push_str(before);
            let part = behind
                .split_once(")]")
                .and_then(|(inside, after)| Some((find(included(&format!("[!{inside})]"))?)?, after)));
            match part {
                Some((part, after)) => {
                    out.push_str(&part);
                    rest = after;
                }
                None => {
                    out.push_str("[!");
                    rest = behind;
                }
            }
        }
        out.push_str(rest);
    }
    out
}

/// Returns the file of an include that is alone on its line: `[!INCLUDE [words](file.md)]`.
fn included(line: &str) -> Option<&str> {
    let (kind, inside) = extension(line)?;
    kind.eq_ignore_ascii_case("include").then(|| target(inside)).flatten()
}

/// Splits an extension of Markdown into its kind and the rest.
fn extension(line: &str) -> Option<(&str, &str)> {
    let inside = line.trim().strip_prefix("[!")?.strip_suffix(']')?;
    let end = inside.find(['[', ' '])?;
    inside.split_at_checked(end)
}

/// Returns the address in `[words](address "title")`.
fn target(link: &str) -> Option<&str> {
    let (words, address) = link.trim().strip_prefix('[')?.strip_suffix(')')?.split_once("](")?;
    let is_one = !words.contains("](") && !address.contains("](");
    address.split_whitespace().next().filter(|_| is_one)
}

/// Returns the snippet of an include, of `[!code-csharp[words](file.cs?name=part)]` or of
/// `:::code source="file.cs":::`.
fn snippet(root: &str, folder: &str, line: &str) -> Option<(Snippet, usize)> {
    let of = |file: &str, part, around, has_own_links| {
        let candidates = file_of(root, folder, file).into_iter().collect();
        Some((Snippet { candidates, part, around, indent: indent(line), has_own_links }, 1))
    };
    if let Some(file) = included(line) {
        return of(file, Part::All, None, true);
    }
    let around = |language: &str, file: &str| {
        let language = if language.is_empty() { path::extension(file) } else { language.to_owned() };
        Some((format!("```{language}\n"), "```\n".to_owned()))
    };
    if let Some(inside) = line.trim().strip_prefix(":::code ").and_then(|line| line.strip_suffix(":::")) {
        let value = |name: &str| {
            let (_, behind) = inside.split_once(&format!("{name}=\""))?;
            behind.split_once('"').map(|(value, _)| value)
        };
        let file = value("source")?;
        let part = value("range").or_else(|| value("id")).map(Part::of).unwrap_or_default();
        return of(file, part, around(value("language").unwrap_or_default(), file), false);
    }
    let (kind, link) = extension(line)?;
    let language = kind.strip_prefix("code").or_else(|| kind.strip_prefix("Code"))?.trim_start_matches('-');
    let (file, options) = target(link)?.split_once(['?', '#']).unwrap_or((target(link)?, ""));
    let value =
        |name: &str| options.split('&').find_map(|option| option.strip_prefix(name)?.strip_prefix('='));
    let lines = options.strip_prefix('L').map(|lines| lines.replace('L', ""));
    let part = match (value("range").or_else(|| value("name")), lines) {
        (Some(part), _) => Part::of(part),
        (None, Some(lines)) => Part::of(&lines),
        (None, None) if !options.contains('=') => Part::of(options),
        (None, None) => Part::All,
    };
    of(file, part, around(language, file), false)
}
