//! Tables of contents in `toctree` directives.

use std::collections::BTreeSet;

use quire_markup::markdown::escaped;

use crate::dialect::snippets::indent;
use crate::path;
use crate::summary::{self, Entry};
use crate::tree::SourceTree;

/// Returns the parts that the `toctree` directives list, starting from the top page of the folder `root`.
pub(super) fn contents(tree: &SourceTree, root: &str) -> Option<Vec<summary::Part>> {
    Reader { tree, root, seen: BTreeSet::new() }.contents()
}

/// Reads `toctree` directives.
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
            parts.push(summary::Part { title: toctree.caption.map(escaped), entries });
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
                let title = escaped(title);
                entries.push(Entry::new(title, Some(target.to_owned()), Vec::new()));
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

    /// Returns the entry of a page that has no position yet, with the entries of its own `toctree`s.
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
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let rest = line.trim().trim_start_matches(['`', ':']);
        let marks = line.trim().strip_suffix(rest).unwrap_or_default();
        // In `{eval-rst}`, the directive ends with its indentation.
        let is_restructured = line.trim() == ".. toctree::";
        let columns = indent(line);
        if !is_restructured && (marks.len() < 3 || rest.trim() != "{toctree}") {
            continue;
        }
        let mut toctree = Toctree { caption: None, is_glob: false, lines: Vec::new() };
        let is_inside = |line: &&str| match is_restructured {
            true => line.trim().is_empty() || indent(line) > columns,
            false => line.trim() != marks,
        };
        while let Some(line) = lines.next_if(is_inside).map(str::trim) {
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
