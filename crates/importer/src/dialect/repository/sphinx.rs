//! Sphinx with MyST, and Jupyter Book, which is based on it: `toctree` directives or `_toc.yml` define the order of
//! pages (<https://myst-parser.readthedocs.io/en/latest/syntax/organising_content.html>).

use std::collections::{BTreeMap, BTreeSet};

use quire_markup::dialects::{self, Translated};
use url::Url;

use super::toc;
use crate::dialect::snippets::{Page, Part, Snippet, indent};
use crate::dialect::{Dialect, Site, decoded};
use crate::path;
use crate::summary::{self, Entry};
use crate::tree::SourceTree;

/// A repository with `conf.py` or `_toc.yml`.
#[derive(Debug)]
pub(super) struct Sphinx {
    root: String,
    /// Pages by the targets in them.
    labels: BTreeMap<String, String>,
    site: Site,
}

impl Sphinx {
    pub(super) fn of(tree: &SourceTree, settings: &str) -> Self {
        let root = path::folder(settings).to_owned();
        let mut labels = BTreeMap::new();
        for file in
            tree.files.keys().filter(|file| path::is_markdown(file) && path::below(&root, file).is_some())
        {
            let text = tree.text(file).unwrap_or_default();
            for label in text.lines().filter_map(|line| line.strip_prefix('(')?.strip_suffix(")=")) {
                labels.entry(label.to_lowercase()).or_insert_with(|| file.clone());
            }
        }
        let listed = toc::of(tree, &root);
        let parts = match &listed {
            Some(listed) => listed.parts.clone(),
            None => Reader { tree, root: &root, seen: BTreeSet::new() }.contents().unwrap_or_default(),
        };
        let mut site = Site::of_generator(settings, &root, parts);
        site.uses(listed.map(|listed| listed.file));
        Self { root, labels, site }
    }
}

impl Dialect for Sphinx {
    fn product(&self) -> &'static str {
        "MyST"
    }

    fn site(&self) -> &Site {
        &self.site
    }

    fn include_marks(&self) -> &'static [&'static str] {
        &["include}"]
    }

    fn snippet(&self, page: &Page<'_>, lines: &[&str]) -> Option<(Snippet, usize)> {
        snippet(&self.root, page.folder, lines)
    }

    fn translated(&self, text: &str) -> Option<Translated> {
        Some(dialects::myst(text))
    }

    /// Resolves `project:#label` to the page with the label.
    fn page_at(&self, url: &Url) -> Option<String> {
        let label = url.fragment().filter(|_| url.scheme() == "project")?;
        self.labels.get(&decoded(label).to_lowercase()).cloned()
    }
}

/// ```` ```{include} part.md ```` and ```` ```{literalinclude} a.py ````, with their options and end.
fn snippet(root: &str, folder: &str, lines: &[&str]) -> Option<(Snippet, usize)> {
    let line = lines.first()?.trim();
    let rest = line.trim_start_matches(['`', ':']);
    let marks = line.get(..line.len() - rest.len()).filter(|marks| marks.len() >= 3)?;
    let (name, file) = rest.strip_prefix('{')?.split_once('}')?;
    let is_literal = match name {
        "include" => false,
        "literalinclude" => true,
        _ => return None,
    };
    let length = lines.iter().skip(1).position(|line| line.trim() == marks)? + 2;
    let option = |name: &str| {
        let mut options = lines
            .iter()
            .take(length)
            .skip(1)
            .filter_map(|line| line.trim().strip_prefix(':')?.split_once(':'));
        options.find(|(key, _)| *key == name).map(|(_, value)| value.trim())
    };
    let file = file.trim();
    let candidate = match file.strip_prefix('/') {
        Some(file) => path::join(root, file),
        None => path::join(folder, file),
    };
    let language = option("language").map_or_else(|| path::extension(file), str::to_owned);
    let around = is_literal.then(|| (format!("```{language}\n"), "```\n".to_owned()));
    let part = Part::of(option("lines").unwrap_or_default());
    Some((
        Snippet { candidates: candidate.into_iter().collect(), part, around, indent: indent(lines.first()?) },
        length,
    ))
}

/// Reads `toctree` directives, starting from the top page.
struct Reader<'a> {
    tree: &'a SourceTree,
    root: &'a str,
    /// Pages that already have a position.
    seen: BTreeSet<String>,
}

/// A `toctree`: its caption, and its lines.
struct Toctree<'t> {
    caption: Option<&'t str>,
    is_glob: bool,
    lines: Vec<&'t str>,
}

impl Reader<'_> {
    /// Maximum depth of nested lists.
    const MAX_DEPTH: usize = 32;

    fn contents(&mut self) -> Option<Vec<summary::Part>> {
        let top = self.page("", "index")?;
        self.seen.insert(top.clone());
        let text = self.tree.text(&top)?;
        let mut parts = vec![summary::Part { title: None, entries: vec![self.entry("", &top, Vec::new())?] }];
        for toctree in toctrees(&text) {
            let entries = self.entries(&toctree, path::folder(&top), 0);
            parts.push(summary::Part { title: toctree.caption.map(summary::escaped), entries });
        }
        parts.iter().skip(1).any(|part| !part.entries.is_empty()).then_some(parts)
    }

    fn entries(&mut self, toctree: &Toctree<'_>, folder: &str, depth: usize) -> Vec<Entry> {
        let mut entries = Vec::new();
        for line in &toctree.lines {
            let (title, target) = match line.strip_suffix('>').and_then(|line| line.rsplit_once('<')) {
                Some((title, target)) => (title.trim(), target),
                None => ("", *line),
            };
            if target.contains("://") {
                let title = summary::escaped(title);
                entries.push(Entry { title, target: Some(target.to_owned()), children: Vec::new() });
                continue;
            }
            let files = if toctree.is_glob && target.contains('*') {
                self.matching(folder, target)
            } else {
                self.page(folder, target).into_iter().collect()
            };
            for file in files {
                entries.extend(self.listed(title, &file, depth));
            }
        }
        entries
    }

    /// Returns the entry of a page that has no position yet, with the entries that it lists itself.
    fn listed(&mut self, title: &str, file: &str, depth: usize) -> Option<Entry> {
        if depth >= Self::MAX_DEPTH || !self.seen.insert(file.to_owned()) {
            return None;
        }
        let text = self.tree.text(file).unwrap_or_default();
        let folder = path::folder(file);
        let children =
            toctrees(&text).iter().flat_map(|toctree| self.entries(toctree, folder, depth + 1)).collect();
        self.entry(title, file, children)
    }

    fn entry(&self, title: &str, file: &str, children: Vec<Entry>) -> Option<Entry> {
        Some(Entry::of_file(title, path::below(self.root, file)?, children))
    }

    /// Returns the page that a line names, with or without its extension.
    fn page(&self, folder: &str, name: &str) -> Option<String> {
        let candidate = match name.strip_prefix('/') {
            Some(name) => path::join(self.root, name)?,
            None if folder.is_empty() => path::join(self.root, name)?,
            None => path::join(folder, name)?,
        };
        let spelled = ["", ".md", ".ipynb"].map(|extension| format!("{candidate}{extension}"));
        spelled.into_iter().find(|file| path::is_markdown(file) && self.tree.files.contains_key(file))
    }

    /// Returns the pages of a folder that match a pattern with stars in its last segment.
    fn matching(&self, folder: &str, pattern: &str) -> Vec<String> {
        let Some(pattern) = path::join(if folder.is_empty() { self.root } else { folder }, pattern) else {
            return Vec::new();
        };
        let (before, behind) = pattern.split_once('*').unwrap_or((&pattern, ""));
        let behind = behind.trim_start_matches('*');
        let is_match = |file: &&String| {
            let plain = file.rsplit_once('.').map_or(file.as_str(), |(plain, _)| plain);
            let middle = plain.strip_prefix(before).and_then(|rest| rest.strip_suffix(behind));
            path::is_markdown(file) && middle.is_some_and(|middle| !middle.contains('/'))
        };
        self.tree.files.keys().filter(is_match).cloned().collect()
    }
}

/// The `toctree` directives of a page.
fn toctrees(text: &str) -> Vec<Toctree<'_>> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let rest = line.trim().trim_start_matches(['`', ':']);
        let marks = line.trim().strip_suffix(rest).unwrap_or_default();
        if marks.len() < 3 || rest.trim() != "{toctree}" {
            continue;
        }
        let mut toctree = Toctree { caption: None, is_glob: false, lines: Vec::new() };
        for line in lines.by_ref().map(str::trim).take_while(|line| *line != marks) {
            match line.strip_prefix(':').and_then(|option| option.split_once(':')) {
                Some(("caption", caption)) => toctree.caption = Some(caption.trim()),
                Some(("glob", _)) => toctree.is_glob = true,
                Some(_) => {}
                None if line.is_empty() || line == "self" || line.starts_with("---") => {}
                None => toctree.lines.push(line),
            }
        }
        found.push(toctree);
    }
    found
}
