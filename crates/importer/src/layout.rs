//! Where the content of an import stands: its root folder, its table of contents and the page at its top.

use crate::path;
use crate::tree::SourceTree;

/// Where the content stands. Paths are those of the tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The folder that absolute links and the table of contents refer to; empty for the top.
    pub(crate) root: String,
    /// The table of contents, when there is one.
    pub(crate) summary: Option<String>,
    /// A file that the settings name as the page at the top, when it isn't called README or index.
    pub(crate) readme: Option<String>,
}

impl Layout {
    /// Finds the content: by the settings of GitBook (`.gitbook.yaml`: `root`, `structure.readme`,
    /// `structure.summary`) or mdBook (`book.toml`: `src`), else at the top, else where the only `SUMMARY.md`
    /// stands.
    pub(crate) fn find(tree: &SourceTree) -> Self {
        let mut layout = Self::default();
        let mut summary = "SUMMARY.md".to_owned();
        if let Some(settings) = tree.text(".gitbook.yaml").or_else(|| tree.text(".gitbook.yml")) {
            layout.root = folder(tree, yaml_value(&settings, None, "root"));
            if let Some(named) = yaml_value(&settings, Some("structure"), "summary") {
                summary = named;
            }
            layout.readme = yaml_value(&settings, Some("structure"), "readme")
                .and_then(|readme| path::join(&layout.root, &readme))
                .filter(|readme| tree.files.contains_key(readme));
        } else if let Some(settings) = tree.text("book.toml") {
            layout.root = folder(tree, Some(toml_src(&settings).unwrap_or_else(|| "src".to_owned())));
        }
        layout.summary = path::join(&layout.root, &summary).and_then(|path| same_but_case(tree, &path));
        // What is longer than a page is no table of contents: it is left and reported as a page would be.
        layout.summary = layout.summary.filter(|summary| tree.fits_a_page(summary));
        if layout.summary.is_none() && layout.root.is_empty() {
            layout.take_nested_summary(tree);
        }
        layout
    }

    /// A table of contents inside a folder rules when it is the only one at its depth and no other folder at
    /// the top holds Markdown: `src/SUMMARY.md` of a book without its settings, but not one translation among
    /// several.
    fn take_nested_summary(&mut self, tree: &SourceTree) {
        let named = |path: &&String| path::name(path).eq_ignore_ascii_case("SUMMARY.md");
        let depth = |path: &&String| path.matches('/').count();
        let found: Vec<&String> =
            tree.files.keys().filter(named).filter(|path| tree.fits_a_page(path)).collect();
        let Some(shallowest) = found.iter().map(depth).min() else { return };
        let mut candidates = found.into_iter().filter(|path| depth(path) == shallowest);
        let (Some(summary), None) = (candidates.next(), candidates.next()) else { return };
        let root = path::folder(summary);
        let inside = format!("{root}/");
        let elsewhere = |path: &String| {
            path.contains('/')
                && !path.starts_with('.')
                && path::is_markdown(path)
                && !path.starts_with(&inside)
        };
        if !tree.files.keys().any(elsewhere) {
            self.root = root.to_owned();
            self.summary = Some(summary.clone());
        }
    }
}

/// A folder of the tree that a setting names; the top when it names none that holds files.
fn folder(tree: &SourceTree, setting: Option<String>) -> String {
    let Some(folder) = setting.and_then(|setting| path::join("", &setting)) else { return String::new() };
    let inside = format!("{folder}/");
    if tree.files.keys().any(|path| path.starts_with(&inside)) { folder } else { String::new() }
}

/// The file at `wanted`, or the first one whose path differs only in case.
fn same_but_case(tree: &SourceTree, wanted: &str) -> Option<String> {
    if tree.files.contains_key(wanted) {
        return Some(wanted.to_owned());
    }
    tree.files.keys().find(|path| path.eq_ignore_ascii_case(wanted)).cloned()
}

/// The plain scalar at `key`, at the top of a YAML file or one level below `section`. These settings files
/// use no more of YAML than that.
fn yaml_value(yaml: &str, section: Option<&str>, key: &str) -> Option<String> {
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

/// `src` in the section `book` of a `book.toml`.
fn toml_src(toml: &str) -> Option<String> {
    let mut section = "";
    for line in toml.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line;
        } else if section == "[book]"
            && let Some((key, value)) = line.split_once('=')
            && key.trim() == "src"
        {
            return Some(value.trim().trim_matches(['"', '\'']).to_owned());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    fn layout(files: &[(&str, &str)]) -> (String, Option<String>, Option<String>) {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), Bytes::from((*text).to_owned())));
        let layout = Layout::find(&SourceTree::from_files(files));
        (layout.root, layout.summary, layout.readme)
    }

    fn at(root: &str, summary: &str) -> (String, Option<String>, Option<String>) {
        (root.to_owned(), Some(summary.to_owned()), None)
    }

    #[test]
    fn the_top_is_the_rule() {
        assert_eq!(layout(&[("SUMMARY.md", ""), ("a/b.md", "")]), at("", "SUMMARY.md"));
        assert_eq!(layout(&[("summary.md", ""), ("a/b.md", "")]), at("", "summary.md"));
        assert_eq!(layout(&[("a.md", ""), ("a/b.md", "")]), (String::new(), None, None));
    }

    #[test]
    fn gitbook_settings_name_root_and_structure() {
        let yaml = "root: ./docs/ # here\n\nstructure:\n  readme: 'Start.md'\n  summary: toc.md\n\nredirects:\n  summary: x.md\n";
        assert_eq!(
            layout(&[
                (".gitbook.yaml", yaml),
                ("docs/toc.md", ""),
                ("docs/Start.md", ""),
                ("SUMMARY.md", "")
            ]),
            ("docs".to_owned(), Some("docs/toc.md".to_owned()), Some("docs/Start.md".to_owned()))
        );
        assert_eq!(
            layout(&[(".gitbook.yaml", "root: ../../etc\n"), ("SUMMARY.md", "")]),
            at("", "SUMMARY.md")
        );
    }

    #[test]
    fn mdbook_settings_name_the_source_folder() {
        let files = [("book.toml", "[book]\nsrc = \"text\"\n"), ("text/SUMMARY.md", ""), ("x/y.md", "")];
        assert_eq!(layout(&files), at("text", "text/SUMMARY.md"));
        let files = [("book.toml", "[book]\ntitle = \"x\"\n"), ("src/SUMMARY.md", ""), ("x/y.md", "")];
        assert_eq!(layout(&files), at("src", "src/SUMMARY.md"));
    }

    #[test]
    fn a_nested_table_of_contents_rules_only_when_it_is_the_only_content() {
        assert_eq!(
            layout(&[("LICENSE", ""), ("src/SUMMARY.md", ""), ("src/a/SUMMARY.md", "")]),
            at("src", "src/SUMMARY.md")
        );
        assert_eq!(layout(&[("en/SUMMARY.md", ""), ("ja/SUMMARY.md", "")]), (String::new(), None, None));
        assert_eq!(layout(&[("en/SUMMARY.md", ""), ("ja/a.md", "")]), (String::new(), None, None));
    }
}
