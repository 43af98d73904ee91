//! `_toc.yml` of Jupyter Book and of Sphinx with `sphinx-external-toc`: the pages in order
//! (<https://sphinx-external-toc.readthedocs.io/en/latest/user_guide/sphinx.html>); and the same in `myst.yml` of MyST
//! and Jupyter Book 2 (<https://mystmd.org/guide/table-of-contents>).

use quire_markup::markdown::escaped;
use quire_markup::openapi::Json;

use super::vitepress;
use crate::summary::{self, Entry, Part};
use crate::tree::SourceTree;
use crate::{path, yaml};

/// Keys whose lists hold entries, or parts of them.
const LISTS: [&str; 7] = ["parts", "subtrees", "chapters", "entries", "sections", "items", "children"];

/// A table of contents and its file.
pub(super) struct Toc {
    pub(super) file: String,
    pub(super) parts: Vec<Part>,
}

/// Returns whether a text is a table of contents in this format.
pub(super) fn is_one(text: &str) -> bool {
    yaml::parse(text).is_some_and(|toc| top(&toc).is_some())
}

/// Reads the table of contents in the folder at `root`.
pub(super) fn of(tree: &SourceTree, root: &str) -> Option<Toc> {
    let files = ["_toc.yml", "_toc.yaml", "myst.yml", "myst.yaml"].map(|name| path::join(root, name));
    let mut files = files.into_iter().flatten().filter(|file| tree.files.contains_key(file));
    files.find_map(|file| {
        let entries = entries(tree, root, &file)?;
        Some(Toc { file, parts: summary::parts(entries) })
    })
}

fn entries(tree: &SourceTree, root: &str, file: &str) -> Option<Vec<Entry>> {
    let text = tree.text(file)?;
    let listed = Listed { tree, root };
    if is_myst(file) {
        let project = yaml::section(&text, "project")?;
        return Some(listed.list(project.get("toc")?.items()));
    }
    let toc = yaml::parse(&text)?;
    let mut entries = listed.list(toc.items());
    if entries.is_empty() {
        entries.extend(listed.page(top(&toc)?, "", Vec::new()));
        entries.extend(listed.below(&toc));
    }
    Some(entries)
}

/// Returns whether a file has the settings of MyST.
pub(super) fn is_myst(file: &str) -> bool {
    path::stem(file) == "myst" && matches!(path::extension(file).as_str(), "yml" | "yaml")
}

/// Returns the top page: `root`, or the first of a list in the format used until 2021.
fn top(toc: &Json) -> Option<&str> {
    toc.str("root").or_else(|| toc.items().first()?.str("file"))
}

struct Listed<'a> {
    tree: &'a SourceTree,
    root: &'a str,
}

impl Listed<'_> {
    fn below(&self, node: &Json) -> Vec<Entry> {
        LISTS.iter().filter_map(|key| node.get(key)).flat_map(|list| self.list(list.items())).collect()
    }

    fn list(&self, items: &[Json]) -> Vec<Entry> {
        let entries =
            items.iter().filter(|item| !item.flag("hidden")).flat_map(|item| match item.str("pattern") {
                Some(pattern) => self.matching(pattern),
                None => self.entry(item).into_iter().collect(),
            });
        entries.collect()
    }

    /// Returns the entries of the pages whose paths match a pattern with stars.
    fn matching(&self, pattern: &str) -> Vec<Entry> {
        let below = self.tree.files.keys().filter_map(|file| path::below(self.root, file));
        let found = below.filter(|file| path::is_markdown(file) && vitepress::matches(pattern, file));
        found.map(|file| Entry::of_file("", file, Vec::new())).collect()
    }

    fn entry(&self, item: &Json) -> Option<Entry> {
        let title = item.str("title").unwrap_or_default();
        let below = self.below(item);
        if let Some(file) = item.str("file") {
            return self.page(file, title, below);
        }
        let title = item.str("caption").or(item.str("part")).unwrap_or(title);
        let target = item.str("url").map(str::to_owned);
        let is_empty = target.is_none() && below.is_empty();
        (!is_empty).then(|| Entry::new(escaped(title), target, below))
    }

    /// Returns the entry of a page, whose extension is optional. Notebooks are not pages.
    fn page(&self, file: &str, title: &str, below: Vec<Entry>) -> Option<Entry> {
        let spelled = ["", ".md"].map(|extension| path::join(self.root, &format!("{file}{extension}")));
        let is_page = |file: &String| path::is_markdown(file) && self.tree.files.contains_key(file);
        let Some(found) = spelled.into_iter().flatten().find(is_page) else {
            let title = if title.is_empty() { path::stem(file) } else { title };
            let is_empty = below.is_empty();
            return (!is_empty).then(|| Entry::new(escaped(title), None, below));
        };
        Some(Entry::of_file(title, path::below(self.root, &found)?, below))
    }
}
