//! GitBook: a repository whose settings name the folder of the content and its table of contents
//! (<https://gitbook.com/docs/getting-started/git-sync/content-configuration>).

use std::collections::BTreeSet;

use quire_markup::dialects::{self, Translated};

use super::Dialect;
use super::site::Site;
use super::spaces;
use crate::layout::Layout;
use crate::path;
use crate::tree::SourceTree;

/// A repository with `.gitbook.yaml`.
#[derive(Debug)]
pub(super) struct GitBook {
    site: Site,
    /// Pages that are left out of navigation.
    hidden: BTreeSet<String>,
}

impl GitBook {
    pub(super) fn of(tree: &SourceTree, settings: &str) -> Self {
        let text = tree.text(settings).unwrap_or_default();
        let root = value(&text, None, "root").unwrap_or_default();
        let summary = value(&text, Some("structure"), "summary");
        let mut layout = Layout::at(tree, &root, summary.as_deref());
        layout.readme = value(&text, Some("structure"), "readme")
            .and_then(|readme| path::join(&layout.root, &readme))
            .filter(|readme| tree.files.contains_key(readme));
        let mut site = Site::of_book(tree, settings, layout);
        for (from, to) in redirects(&text) {
            let root = site.layout.as_ref().map(|layout| layout.root.clone()).unwrap_or_default();
            let file = path::join(&root, to.split('#').next().unwrap_or_default());
            if let Some(file) = file.filter(|file| tree.files.contains_key(file)) {
                site.routes.add(&from, &file);
            }
        }
        let is_whole =
            site.layout.as_ref().is_some_and(|layout| layout.root.is_empty() && layout.summary.is_none());
        let hidden = if is_whole { spaces::open(tree, &mut site) } else { BTreeSet::new() };
        Self { site, hidden }
    }
}

impl Dialect for GitBook {
    fn product(&self) -> &'static str {
        "GitBook"
    }

    fn site(&self) -> &Site {
        &self.site
    }

    fn reads_pages_alone(&self) -> bool {
        true
    }

    fn hides_file(&self, path: &str) -> bool {
        self.hidden.contains(path)
    }

    fn translated(&self, _path: &str, text: &str) -> Option<Translated> {
        Some(dialects::book(text))
    }
}

/// Returns the redirects in the settings: former addresses, with the files of their targets.
fn redirects(yaml: &str) -> impl Iterator<Item = (String, String)> {
    let lines = yaml.lines().skip_while(|line| line.trim_end() != "redirects:").skip(1);
    let inside = lines.take_while(|line| line.trim().is_empty() || line.starts_with([' ', '\t']));
    let plain = |text: &str| text.trim().trim_matches(['"', '\'']).to_owned();
    inside.filter_map(|line| line.split_once(':')).map(move |(from, to)| (plain(from), plain(to)))
}

/// Returns the plain scalar at `key`, at the top of a YAML file or one level below `section`. These settings use no
/// other YAML.
fn value(yaml: &str, section: Option<&str>, key: &str) -> Option<String> {
    let mut current: Option<&str> = None;
    for line in yaml.lines() {
        let Some((name, value)) = line.split_once(':') else { continue };
        let nested = name.starts_with([' ', '\t']);
        if !nested {
            current = Some(name.trim());
        }
        let here = if nested { current == section && section.is_some() } else { section.is_none() };
        if here && name.trim() == key {
            let value = value.split(" #").next().unwrap_or_default().trim().trim_matches(['"', '\'']);
            return (!value.is_empty()).then(|| value.to_owned());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    #[test]
    fn former_addresses_are_read() {
        let found: Vec<_> =
            redirects("root: ./\n\nredirects:\n  old/page: new.md\n  'b': \"c.md\"\n\nx: y\n").collect();
        let pairs = [("old/page", "new.md"), ("b", "c.md")];
        assert_eq!(found, pairs.map(|(from, to)| (from.to_owned(), to.to_owned())));
    }

    #[test]
    fn settings_name_root_and_structure() {
        let yaml = "root: ./docs/ # here\n\nstructure:\n  readme: 'Start.md'\n  summary: toc.md\n\nredirects:\n  summary: x.md\n";
        let layout = |settings: &'static str| {
            let files =
                [(".gitbook.yaml", settings), ("docs/toc.md", ""), ("docs/Start.md", ""), ("SUMMARY.md", "")];
            let files = files.map(|(path, text)| (path.to_owned(), Bytes::from(text)));
            let book = GitBook::of(&SourceTree::from_files(files), ".gitbook.yaml");
            book.site.layout.unwrap()
        };
        let named = layout(yaml);
        assert_eq!((named.root.as_str(), named.summary.as_deref()), ("docs", Some("docs/toc.md")));
        assert_eq!(named.readme.as_deref(), Some("docs/Start.md"));
        let outside = layout("root: ../../etc\n");
        assert_eq!((outside.root.as_str(), outside.summary.as_deref()), ("", Some("SUMMARY.md")));
    }
}
