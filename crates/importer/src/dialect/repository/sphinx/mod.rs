//! Sphinx with MyST, and Jupyter Book, which is based on it: `toctree` directives, `_toc.yml` or `myst.yml`
//! define the order of pages (<https://myst-parser.readthedocs.io/en/latest/syntax/organising_content.html>).

mod references;
mod toctree;

use std::collections::BTreeMap;

use quire_markup::dialects::{self, MystOptions, Translated};
use url::Url;

use super::toc;
use crate::dialect::snippets::{Page, Part, Snippet, indent};
use crate::dialect::{Dialect, Site, decoded};
use crate::path;
use crate::tree::SourceTree;
use crate::yaml;

/// Reason why a Markdown file of the repository is not a page.
const OUTSIDE: &str = "it is outside the folder with the settings";

/// A repository with `conf.py`, `_toc.yml` or `myst.yml`.
#[derive(Debug)]
pub(super) struct Sphinx {
    root: String,
    /// Pages by the targets that they define, each with the heading of its target.
    labels: BTreeMap<String, Label>,
    /// First headings of pages.
    titles: BTreeMap<String, String>,
    /// Texts of `myst_substitutions` in the settings.
    substitutions: BTreeMap<String, String>,
    options: MystOptions,
    site: Site,
}

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
            // Lines are read from the last to the first, so that each target gets the heading after it.
            let mut next = None;
            let mut found = Vec::new();
            for line in text.lines().rev().filter(|line| !line.trim().is_empty()) {
                match target(line) {
                    Some(label) => {
                        let title = next.and_then(heading).unwrap_or_default();
                        found.push((label.to_lowercase(), Label { file: file.clone(), title }));
                    }
                    None => next = Some(line),
                }
            }
            for (name, label) in found.into_iter().rev() {
                labels.entry(name).or_insert(label);
            }
        }
        let settings_text = all_settings(tree, settings, &root);
        let mut substitutions = substitutions(&settings_text);
        substitutions.extend(substitutions_of_book(tree, &root));
        let listed = toc::of(tree, &root);
        let parts = match &listed {
            Some(listed) => listed.parts.clone(),
            None => toctree::contents(tree, &root).unwrap_or_default(),
        };
        let mut site = Site::of_pages(settings, &root, parts);
        site.uses(listed.map(|listed| listed.file));
        for file in
            tree.files.keys().filter(|file| path::is_markdown(file) && path::below(&root, file).is_none())
        {
            site.refuse(file, OUTSIDE);
        }
        // Jupyter Book and MyST enable formulas by default.
        let is_myst = settings.is_some_and(toc::is_myst);
        let is_book = is_myst || settings.is_some_and(|settings| path::stem(settings) == "_toc");
        let names = |word: &str| {
            settings_text.lines().any(|line| !line.trim_start().starts_with('#') && line.contains(word))
        };
        let options = MystOptions {
            has_substitutions: settings_text.contains("substitution"),
            has_math: is_book || names("dollarmath"),
            has_attributes: is_myst || names("attrs_inline") || names("attrs_block"),
        };
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

/// Returns the text of the settings, and of the further settings in their folder. The order of the pages may be in a
/// file of its own.
fn all_settings(tree: &SourceTree, settings: Option<&str>, root: &str) -> String {
    let further = ["conf.py", "_config.yml"].into_iter().filter_map(|name| path::join(root, name));
    let further = further.filter(|file| settings.is_some_and(|settings| settings != file));
    let files = settings.map(str::to_owned).into_iter().chain(further);
    let texts: Vec<String> = files.filter_map(|file| tree.text(&file)).collect();
    texts.join("\n")
}

/// Returns the substitutions in the settings of a Jupyter Book.
fn substitutions_of_book(tree: &SourceTree, root: &str) -> BTreeMap<String, String> {
    let text = path::join(root, "_config.yml").and_then(|file| tree.text(&file)).unwrap_or_default();
    let parse = yaml::section(&text, "parse");
    let named = parse.as_ref().map(|parse| parse.entries_of("myst_substitutions")).unwrap_or_default();
    named.iter().filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect()
}

/// Returns the name of the target on a line: `(name)=`, the name or label of a directive, or the id of a block.
fn target(line: &str) -> Option<&str> {
    let written = line.strip_prefix('(').and_then(|line| line.strip_suffix(")="));
    let of_directive = || {
        let line = line.trim_start();
        line.strip_prefix(":name:").or_else(|| line.strip_prefix(":label:")).map(str::trim)
    };
    let of_block = || line.strip_prefix("{#")?.strip_suffix('}')?.split_whitespace().next();
    written.or_else(of_directive).or_else(of_block).filter(|name| !name.is_empty())
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

/// Returns the snippet of ```` ```{include} part.md ```` or ```` ```{literalinclude} a.py ````, with its options.
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
            has_own_links: option("relative-docs").is_some() || option("relative-images").is_some(),
        },
        length,
    ))
}
