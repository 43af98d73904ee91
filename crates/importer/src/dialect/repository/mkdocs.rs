//! MkDocs: `mkdocs.yml` names the folder of the pages and their order
//! (<https://www.mkdocs.org/user-guide/configuration/>). Its successor Zensical reads the same settings, also as TOML.

use quire_markup::dialects::{self, MkDocsOptions, Translated};
use quire_markup::markdown::escaped;
use quire_markup::openapi::Json;

use super::autorefs::References;
use super::awesome;
use super::folder::folder_of;
use super::settings;
use crate::dialect::snippets::{Page, Part, Snippet, indent};
use crate::dialect::{Dialect, Site};
use crate::path;
use crate::summary::{self, Entry};
use crate::tree::SourceTree;
use crate::yaml;

/// Plugins that evaluate templates in pages, and settings of programs that may replace expressions.
const TEMPLATES: [&str; 5] = ["macros", "include-markdown", "table-reader", "jinja", "\nhooks:"];

/// Plugins that resolve references by name.
const REFERENCES: [&str; 2] = ["mkdocstrings", "autorefs"];

/// Maximum number of lines of a tag that includes a file.
const MAX_TAG_LINES: usize = 20;

/// A repository with `mkdocs.yml`.
#[derive(Debug)]
pub(super) struct MkDocs {
    /// The folder of the settings.
    base: String,
    /// The folder of the pages.
    root: String,
    options: MkDocsOptions,
    /// Targets of references by name; `None` without a plugin that resolves them.
    references: Option<References>,
    site: Site,
}

impl MkDocs {
    pub(super) fn of(tree: &SourceTree, settings: Option<&str>) -> Self {
        let text = settings.and_then(|settings| tree.text(settings)).unwrap_or_default();
        let base = settings.map_or("", path::folder).to_owned();
        let is_toml = settings.is_some_and(|settings| path::extension(settings) == "toml");
        let project = settings.filter(|_| is_toml).and_then(|file| settings::read(tree, file));
        let section = |key: &str| match &project {
            Some(project) => project.get("project")?.get(key).cloned(),
            None => yaml::section(&text, key),
        };
        let named = section("docs_dir");
        let named = named.as_ref().and_then(Json::as_str).unwrap_or("docs");
        let root =
            folder_of(tree, &base, named).filter(|_| settings.is_some()).unwrap_or_else(|| base.clone());
        let nav = section("nav").map(|nav| entries(&nav)).unwrap_or_default();
        let ordered = if nav.is_empty() { awesome::of(tree, &root) } else { awesome::Order::default() };
        let entries = if nav.is_empty() { ordered.entries } else { nav };
        let mut site = Site::of_pages(settings, &root, summary::parts(entries));
        site.uses(ordered.settings);
        // Settings may extend others.
        let parent = section("INHERIT");
        let parent = parent.as_ref().and_then(Json::as_str).and_then(|file| path::join(&base, file));
        let parent = parent.and_then(|file| tree.text(&file)).unwrap_or_default();
        let uses = |names: &[&str]| names.iter().any(|name| text.contains(name) || parent.contains(name));
        let options = MkDocsOptions { has_math: uses(&["arithmatex"]), has_templates: uses(&TEMPLATES) };
        let references = uses(&REFERENCES).then(|| References::of(tree, &root));
        Self { base, root, options, references, site }
    }
}

impl Dialect for MkDocs {
    fn product(&self) -> &'static str {
        "MkDocs"
    }

    fn site(&self) -> &Site {
        &self.site
    }

    fn site_mut(&mut self) -> Option<&mut Site> {
        Some(&mut self.site)
    }

    fn include_marks(&self) -> &'static [&'static str] {
        &["8<-", "{* ", "include"]
    }

    /// Returns the snippet of a scissors line (`--8<-- "file.md:section"`) or of a tag (`{% include "file.md" %}`).
    fn snippet(&self, page: &Page<'_>, lines: &[&str]) -> Option<(Snippet, usize)> {
        let line = lines.first()?;
        if let Some(inside) = line.trim().strip_prefix("{* ").and_then(|rest| rest.strip_suffix(" *}")) {
            return Some((self.listing(inside, line)?, 1));
        }
        if line.trim_start().starts_with("{%") && !page.in_code {
            return self.included(page, lines);
        }
        let scissors =
            line.trim().strip_prefix("--8<--").or_else(|| line.trim().strip_prefix("-8<-"))?.trim();
        let named = scissors.trim_matches(['"', '\'']);
        if named.is_empty() || named.starts_with('[') || named.len() == scissors.len() {
            return None;
        }
        let (file, part) = named.split_once(':').unwrap_or((named, ""));
        let folders = [self.base.as_str(), &self.root, page.folder, "includes", "snippets"];
        let candidates = folders.iter().filter_map(|folder| path::join(folder, file)).collect();
        Some((Snippet { candidates, part: Part::of(part), indent: indent(line), ..Snippet::default() }, 1))
    }

    fn translated(&self, _path: &str, text: &str) -> Option<Translated> {
        let mut page = dialects::mkdocs(text, self.options);
        if let Some(references) = self.references.as_ref().filter(|_| page.text.contains("][")) {
            let Translated { text, left } =
                dialects::with_references(&page.text, &|name| references.address(name));
            page.text = text;
            page.left.extend(left);
        }
        Some(page)
    }
}

impl MkDocs {
    /// Returns the file of `{% include-markdown "file.md" start="…" end="…" %}`, whose tag may take several lines.
    fn included(&self, page: &Page<'_>, lines: &[&str]) -> Option<(Snippet, usize)> {
        let count = lines.iter().take(MAX_TAG_LINES).position(|line| line.contains("%}"))? + 1;
        let tag: Vec<&str> = lines.iter().take(count).map(|line| line.trim()).collect();
        let tag = tag.join(" ");
        let inside = tag.strip_prefix("{%")?.strip_suffix("%}")?.trim().trim_matches('-').trim();
        let rest = ["include-markdown ", "include "].iter().find_map(|name| inside.strip_prefix(name))?;
        let quoted = |text: &str| {
            let quote = text.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
            text.get(1..)?.split_once(quote).map(|(inside, _)| inside.to_owned())
        };
        let file = quoted(rest.trim_start())?;
        let option = |name: &str| {
            let value = rest.split_once(&format!(" {name}=")).and_then(|(_, value)| quoted(value));
            value.unwrap_or_default()
        };
        let part = Part::Between(option("start"), option("end"));
        let folders = [page.folder, self.root.as_str(), self.base.as_str()];
        let candidates = folders.iter().filter_map(|folder| path::join(folder, &file)).collect();
        let indent = indent(lines.first()?);
        // The other tag includes a template, whose text becomes part of the page.
        let has_own_links =
            inside.starts_with("include-markdown") && !rest.contains("rewrite-relative-urls=false");
        Some((Snippet { candidates, part, indent, has_own_links, ..Snippet::default() }, count))
    }

    /// Returns the listing of `{* ../src/x.py ln[1:5] hl[2] *}`, whose file is relative to the settings.
    fn listing(&self, inside: &str, line: &str) -> Option<Snippet> {
        let inside = inside.trim();
        let (file, mut rest) = inside.split_once(' ').unwrap_or((inside, ""));
        let mut part = Part::default();
        let mut options = String::new();
        while let Some((name, behind)) = rest.split_once('[') {
            let (value, after) = behind.split_once(']')?;
            rest = after;
            match name.trim() {
                "ln" => {
                    let first = value.split([':', ',']).next()?;
                    let last = value.rsplit([':', ',']).next()?;
                    part = Part::of(&format!("{}:{}", first.trim(), last.trim()));
                }
                "hl" => options.push_str(&format!(" {{{}}}", value.replace(':', "-").replace(' ', ""))),
                "title" => options.push_str(&format!(" title=\"{}\"", value.trim_matches('"'))),
                _ => {}
            }
        }
        let around = (format!("```{}{options}\n", path::extension(file)), "```\n".to_owned());
        let candidates =
            [self.base.as_str(), &self.root].into_iter().filter_map(|folder| path::join(folder, file));
        Some(Snippet {
            candidates: candidates.collect(),
            part,
            around: Some(around),
            indent: indent(line),
            ..Snippet::default()
        })
    }
}

/// Returns the entries of `nav`: files, and titles of files, addresses and sections.
fn entries(nav: &Json) -> Vec<Entry> {
    nav.items().iter().flat_map(entry).collect()
}

fn entry(item: &Json) -> Vec<Entry> {
    if let Some(file) = item.as_str() {
        return vec![leaf("", file)];
    }
    let section = |(title, value): &(String, Json)| match value.as_str() {
        Some(target) => leaf(title, target),
        None => {
            let mut children = entries(value);
            // The page of a section is its first entry without a title.
            let is_index = |entry: &Entry| {
                let file = entry.target.as_deref().unwrap_or_default();
                entry.title.is_empty() && path::index_rank(file).is_some()
            };
            let index = if children.first().is_some_and(is_index) { children.remove(0).target } else { None };
            Entry::new(escaped(title), index, children)
        }
    };
    item.entries().iter().map(section).collect()
}

fn leaf(title: &str, target: &str) -> Entry {
    if target.contains("://") || target.starts_with("mailto:") {
        return Entry::new(escaped(title), Some(target.to_owned()), Vec::new());
    }
    Entry::of_file(title, target.trim_start_matches("./"), Vec::new())
}
