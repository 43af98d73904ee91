//! MkDocs: `mkdocs.yml` names the folder of the pages and their order
//! (<https://www.mkdocs.org/user-guide/configuration/>).

use quire_markup::dialects::{self, Translated};
use quire_markup::openapi::Json;

use super::{awesome, folder_of, yaml};
use crate::dialect::snippets::{Page, Part, Snippet, indent};
use crate::dialect::{Dialect, Site};
use crate::path;
use crate::summary::{self, Entry};
use crate::tree::SourceTree;

/// A repository with `mkdocs.yml`.
#[derive(Debug)]
pub(super) struct MkDocs {
    /// The folder of the settings.
    base: String,
    /// The folder of the pages.
    root: String,
    site: Site,
}

impl MkDocs {
    pub(super) fn of(tree: &SourceTree, settings: &str) -> Self {
        let text = tree.text(settings).unwrap_or_default();
        let base = path::folder(settings).to_owned();
        let named = yaml::section(&text, "docs_dir");
        let named = named.as_ref().and_then(Json::as_str).unwrap_or("docs");
        let root = folder_of(tree, &base, named).unwrap_or_else(|| base.clone());
        let nav = yaml::section(&text, "nav").map(|nav| entries(&nav)).unwrap_or_default();
        let ordered = if nav.is_empty() { awesome::of(tree, &root) } else { awesome::Order::default() };
        let entries = if nav.is_empty() { ordered.entries } else { nav };
        let mut site = Site::of_generator(settings, &root, summary::parts(entries));
        site.uses(ordered.settings);
        Self { base, root, site }
    }
}

impl Dialect for MkDocs {
    fn product(&self) -> &'static str {
        "MkDocs"
    }

    fn site(&self) -> &Site {
        &self.site
    }

    fn include_marks(&self) -> &'static [&'static str] {
        &["8<-"]
    }

    /// Returns the snippet of a scissors line: `--8<-- "file.md:section"`.
    fn snippet(&self, page: &Page<'_>, lines: &[&str]) -> Option<(Snippet, usize)> {
        let line = lines.first()?;
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

    fn translated(&self, text: &str) -> Option<Translated> {
        Some(dialects::mkdocs(text))
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
            // The page of a section is its first entry, without a title.
            let is_index = |entry: &Entry| {
                let file = entry.target.as_deref().unwrap_or_default();
                entry.title.is_empty() && path::index_rank(file).is_some()
            };
            let index = if children.first().is_some_and(is_index) { children.remove(0).target } else { None };
            Entry { title: summary::escaped(title), target: index, children }
        }
    };
    item.entries().iter().map(section).collect()
}

fn leaf(title: &str, target: &str) -> Entry {
    if target.contains("://") || target.starts_with("mailto:") {
        return Entry {
            title: summary::escaped(title),
            target: Some(target.to_owned()),
            children: Vec::new(),
        };
    }
    Entry::of_file(title, target.trim_start_matches("./"), Vec::new())
}
