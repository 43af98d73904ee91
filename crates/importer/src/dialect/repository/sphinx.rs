//! Sphinx with MyST, and Jupyter Book, which is based on it: `toctree` directives or `_toc.yml` define the order of
//! pages (<https://myst-parser.readthedocs.io/en/latest/syntax/organising_content.html>).

use std::collections::{BTreeMap, BTreeSet};

use quire_markup::dialects::{self, MystOptions, Translated};
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
    /// Pages by the targets in them, each with the heading of its target.
    labels: BTreeMap<String, Label>,
    /// First headings of pages.
    titles: BTreeMap<String, String>,
    /// Texts of `myst_substitutions` in the settings.
    substitutions: BTreeMap<String, String>,
    options: MystOptions,
    site: Site,
}

/// Depth of fences within others.
const MAX_FENCES: usize = 32;

/// A target of links.
#[derive(Debug)]
struct Label {
    file: String,
    title: String,
}

impl Sphinx {
    pub(super) fn of(tree: &SourceTree, settings: Option<&str>) -> Self {
        let root = settings.map_or("", path::folder).to_owned();
        let (mut labels, mut titles) = (BTreeMap::new(), BTreeMap::new());
        for file in
            tree.files.keys().filter(|file| path::is_markdown(file) && path::below(&root, file).is_some())
        {
            let text = tree.text(file).unwrap_or_default();
            let heading = |line: &str| {
                let words = line.trim_start_matches('#');
                (words.len() < line.len() && words.starts_with(' ')).then(|| words.trim().to_owned())
            };
            titles.extend(text.lines().find_map(heading).map(|title| (file.clone(), title)));
            let mut lines = text.lines();
            while let Some(line) = lines.next() {
                let Some(label) = line.strip_prefix('(').and_then(|line| line.strip_suffix(")=")) else {
                    continue;
                };
                let next = lines.clone().find(|line| !line.trim().is_empty() && !line.ends_with(")="));
                let title = next.and_then(heading).unwrap_or_default();
                let label_of = Label { file: file.clone(), title };
                labels.entry(label.to_lowercase()).or_insert(label_of);
            }
        }
        let settings_text = settings.and_then(|settings| tree.text(settings)).unwrap_or_default();
        let substitutions = substitutions(&settings_text);
        let listed = toc::of(tree, &root);
        let parts = match &listed {
            Some(listed) => listed.parts.clone(),
            None => Reader { tree, root: &root, seen: BTreeSet::new() }.contents().unwrap_or_default(),
        };
        let mut site = Site::of_pages(settings, &root, parts);
        site.uses(listed.map(|listed| listed.file));
        let options = MystOptions { has_substitutions: settings_text.contains("substitution") };
        Self { root, labels, titles, substitutions, options, site }
    }
}

impl Dialect for Sphinx {
    fn product(&self) -> &'static str {
        "MyST"
    }

    fn site(&self) -> &Site {
        &self.site
    }

    fn site_mut(&mut self) -> Option<&mut Site> {
        Some(&mut self.site)
    }

    fn include_marks(&self) -> &'static [&'static str] {
        &["include}"]
    }

    fn snippet(&self, page: &Page<'_>, lines: &[&str]) -> Option<(Snippet, usize)> {
        snippet(&self.root, page.folder, lines)
    }

    fn translated(&self, path: &str, text: &str) -> Option<Translated> {
        Some(dialects::myst(&self.with_titles(path, text), self.options))
    }

    /// Resolves `project:#label` to the page with the label.
    fn page_at(&self, url: &Url) -> Option<String> {
        let label = url.fragment().filter(|_| url.scheme() == "project")?;
        self.labels.get(&decoded(label).to_lowercase()).map(|label| label.file.clone())
    }
}

impl Sphinx {
    /// Returns a text whose references without words have the titles of their targets, and whose links to targets are
    /// addresses. Listings stay as they are.
    fn with_titles(&self, path: &str, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        // Open fences, and whether they hold code. Directives contain text, and further fences.
        let mut fences: Vec<(&str, bool)> = Vec::new();
        for line in text.lines() {
            let trimmed = line.trim_start();
            let info = trimmed.trim_start_matches(['`', '~']);
            let length = trimmed.len() - info.len();
            let marks = trimmed.get(..length).filter(|_| length >= 3);
            match (fences.last(), marks) {
                (Some((open, _)), Some(marks)) if marks.starts_with(open) && info.trim().is_empty() => {
                    fences.pop();
                }
                (None | Some((_, false)), Some(marks)) if fences.len() < MAX_FENCES => {
                    fences.push((marks, !info.starts_with('{') || info.starts_with("{code")));
                }
                _ => {}
            }
            if fences.last().is_some_and(|(_, is_code)| *is_code) {
                out.push_str(line);
            } else {
                let line = self.substituted(line);
                out.push_str(&self.links(path, &self.roles(path, &line)));
            }
            out.push('\n');
        }
        out
    }

    fn substituted(&self, line: &str) -> String {
        let mut line = line.to_owned();
        if line.contains("{{") {
            for (name, value) in &self.substitutions {
                for written in [format!("{{{{{name}}}}}"), format!("{{{{ {name} }}}}")] {
                    line = line.replace(&written, value);
                }
            }
        }
        line
    }

    /// Returns the heading of a target, else its name.
    fn title(&self, label: &str) -> Option<&str> {
        self.labels
            .get(&label.to_lowercase())
            .map(|known| known.title.as_str())
            .filter(|title| !title.is_empty())
    }

    /// Gives words to roles that have none: `` {ref}`label` `` and `` {doc}`page` ``.
    fn roles(&self, path: &str, line: &str) -> String {
        let mut out = String::with_capacity(line.len());
        let mut rest = line;
        while let Some((before, behind)) = rest.split_once("}`") {
            let name = before.rsplit('{').next().unwrap_or_default();
            let Some((inside, after)) = behind.split_once('`') else { break };
            let title = match name {
                _ if inside.contains('<') => None,
                "ref" | "numref" | "any" => self.title(inside),
                "doc" => self.page_title(path, inside),
                _ => None,
            };
            out.push_str(before);
            match title {
                Some(title) => {
                    out.push_str(&format!("}}`{} <{inside}>`", title.replace(['`', '<', '>'], "")))
                }
                None => out.push_str(&format!("}}`{inside}`")),
            }
            rest = after;
        }
        out.push_str(rest);
        out
    }

    fn page_title(&self, path: &str, name: &str) -> Option<&str> {
        let found = match name.strip_prefix('/') {
            Some(name) => path::join(&self.root, name),
            None => path::join(path::folder(path), name),
        }?;
        self.titles.get(&format!("{found}.md")).or_else(|| self.titles.get(&found)).map(String::as_str)
    }

    /// Returns links to targets as addresses: `[words](label)`, `[](label)`, `[](#label)`, `<project:#label>`.
    fn links(&self, path: &str, line: &str) -> String {
        let mut out = String::with_capacity(line.len());
        let mut rest = line;
        while let Some((before, behind)) = rest.split_once("](") {
            let Some((address, after)) = behind.split_once(')') else { break };
            let label = address.strip_prefix('#').unwrap_or(address);
            let known = self.labels.get(&label.to_lowercase()).filter(|_| !label.is_empty());
            // A heading of the page itself may have the same name.
            let known = known
                .filter(|known| !address.starts_with('#') || known.file != path || before.ends_with('['));
            out.push_str(before);
            let is_bare = before.ends_with('[') && !before.ends_with("![");
            let title = match known {
                Some(_) => self.title(label).unwrap_or(label),
                None => self.page_title(path, address).unwrap_or(address.trim_start_matches('#')),
            };
            if is_bare {
                out.push_str(&summary::escaped(title));
            }
            match known {
                Some(_) => out.push_str(&format!("](project:#{label})")),
                None => out.push_str(&format!("]({address})")),
            }
            rest = after;
        }
        out.push_str(rest);
        let mut text = String::with_capacity(out.len());
        let mut rest = out.as_str();
        while let Some((before, behind)) = rest.split_once("<project:#") {
            let Some((label, after)) = behind.split_once('>') else { break };
            // Other links have such an address between angle brackets, too.
            if before.ends_with('(') {
                text.push_str(&format!("{before}<project:#{label}>"));
            } else {
                let title = self.title(label).unwrap_or(label);
                text.push_str(&format!("{before}[{}](project:#{label})", summary::escaped(title)));
            }
            rest = after;
        }
        text.push_str(rest);
        text
    }
}

/// Returns the texts of `myst_substitutions = { "name": "text" }` in the settings.
fn substitutions(settings: &str) -> BTreeMap<String, String> {
    let behind = settings.split_once("myst_substitutions").and_then(|(_, behind)| behind.split_once('{'));
    let inside = behind.and_then(|(_, behind)| behind.split_once('}')).map_or("", |(inside, _)| inside);
    let quoted = |text: &str| {
        let text = text.trim().trim_end_matches(',').trim();
        let quote = text.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        text.strip_prefix(quote)?.strip_suffix(quote).map(str::to_owned)
    };
    inside
        .lines()
        .filter_map(|line| line.split_once(':'))
        .filter_map(|(name, value)| Some((quoted(name)?, quoted(value)?)))
        .collect()
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
        Snippet {
            candidates: candidate.into_iter().collect(),
            part,
            around,
            indent: indent(lines.first()?),
            ..Snippet::default()
        },
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
