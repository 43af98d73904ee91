//! Location of the content of an import: its root folder, its table of contents and its top page.

use crate::path;
use crate::summary::{self, Entry};
use crate::tree::SourceTree;

/// Location of the content, as paths of the tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Root folder for absolute links and the table of contents; empty for the root of the import.
    pub(crate) root: String,
    /// The table of contents, if any.
    pub(crate) summary: Option<String>,
    /// File that the settings name as the top page, if it is not called README or index.
    pub(crate) readme: Option<String>,
}

impl Layout {
    /// Finds the content without settings: at the root, otherwise in the folder of the only `SUMMARY.md`.
    pub(crate) fn find(tree: &SourceTree) -> Self {
        Self::at(tree, "", None)
    }

    /// Finds the content in the folder `root` with the table of contents `summary`, both from settings. A root without
    /// files means the top folder. If that has no table of contents, the only one inside a folder is used.
    pub(crate) fn at(tree: &SourceTree, root: &str, summary: Option<&str>) -> Self {
        let mut layout = Self { root: folder(tree, root), ..Self::default() };
        let summary = path::join(&layout.root, summary.unwrap_or("SUMMARY.md"));
        layout.summary = summary.and_then(|path| same_but_case(tree, &path));
        // A file larger than the limit for pages is not used as a table of contents, but reported like such a page.
        layout.summary = layout.summary.filter(|summary| tree.fits_a_page(summary));
        if layout.summary.is_none() && layout.root.is_empty() {
            layout.take_nested_summary(tree);
        }
        if layout.summary.is_none() {
            layout.summary = path::join(&layout.root, "TOC.md").filter(|toc| lists_pages(tree, toc));
        }
        layout
    }

    /// Uses a table of contents inside a folder if it is the only one at its depth and no other folder at the root
    /// contains Markdown: `src/SUMMARY.md` of a book without its settings, but not one translation among several.
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

/// Returns whether a file lists pages of the tree. The name alone does not make it a table of contents.
pub(crate) fn lists_pages(tree: &SourceTree, file: &str) -> bool {
    let text = tree.text(file).filter(|_| tree.fits_a_page(file)).unwrap_or_default();
    let mut entries: Vec<Entry> = summary::parse(&text).into_iter().flat_map(|part| part.entries).collect();
    let mut pages = 0;
    while let Some(entry) = entries.pop() {
        let target = entry.target.as_deref().unwrap_or_default().trim_start_matches('/');
        let page = path::join(path::folder(file), target.split('#').next().unwrap_or_default());
        pages +=
            usize::from(page.is_some_and(|page| path::is_markdown(&page) && tree.files.contains_key(&page)));
        entries.extend(entry.children);
    }
    pages >= 2
}

/// Returns the folder of the tree that a setting names; the top if that has no files.
fn folder(tree: &SourceTree, setting: &str) -> String {
    let Some(folder) = path::join("", setting) else { return String::new() };
    let inside = format!("{folder}/");
    if tree.files.keys().any(|path| path.starts_with(&inside)) { folder } else { String::new() }
}

/// Returns the file at `wanted`, or the first one whose path differs only in case.
fn same_but_case(tree: &SourceTree, wanted: &str) -> Option<String> {
    if tree.files.contains_key(wanted) {
        return Some(wanted.to_owned());
    }
    tree.files.keys().find(|path| path.eq_ignore_ascii_case(wanted)).cloned()
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
    fn a_file_with_the_name_of_a_table_of_contents_is_one_if_it_lists_pages() {
        let pages = [("a.md", ""), ("b/c.md", "")];
        let list = ("TOC.md", "- [A](/a.md)\n- Part\n  - [C](b/c.md#x)\n");
        assert_eq!(layout(&[list, pages[0], pages[1]]), at("", "TOC.md"));
        assert_eq!(layout(&[("TOC.md", "# On tables\n\nText.\n"), pages[0]]), (String::new(), None, None));
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
