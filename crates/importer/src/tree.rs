//! Files of an import, from any source.

use std::collections::BTreeMap;

use bytes::Bytes;
use quire_domain::bounds::MARKDOWN_MAX;
use quire_domain::imports::ImportReportEntry;
use unicode_normalization::UnicodeNormalization as _;
use url::Url;

use crate::encoding;
use crate::path;
use crate::report;
use crate::spool::Content;
use crate::summary::Part;

/// Files with metadata of other programs, which are skipped without a report.
const IGNORED_NAMES: [&str; 7] = ["__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini", ".git", ".hg", ".svn"];

/// Default limit of parsed text in bytes. Documents take several times the size of their text in the database, so this
/// is tighter than the limits on archives; the documentation of large products is below a third of it.
pub const MAX_TEXT: usize = 32 * 1024 * 1024;

/// A folder of files with normalized paths: relative, `/`-separated, no `.` or `..`.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceTree {
    /// Files by path.
    pub files: BTreeMap<String, Content>,
    /// Files skipped or changed so far.
    pub report: Vec<ImportReportEntry>,
    /// Base addresses of relative links in pages of a website, by path.
    pub(crate) bases: BTreeMap<String, Url>,
    /// Files by the address that they were fetched from, without fragment.
    pub(crate) addresses: BTreeMap<String, String>,
    /// The navigation of a website.
    pub(crate) contents: Option<Vec<Part>>,
    /// Limit of parsed text in bytes. Other files are never read as a whole.
    pub(crate) max_text: usize,
}

impl Default for SourceTree {
    fn default() -> Self {
        Self {
            files: BTreeMap::new(),
            report: Vec::new(),
            bases: BTreeMap::new(),
            addresses: BTreeMap::new(),
            contents: None,
            max_text: MAX_TEXT,
        }
    }
}

impl SourceTree {
    /// Returns a tree of files from paths and bytes.
    ///
    /// Paths outside the tree and duplicate names are reported and skipped. A single folder that contains all files is
    /// removed.
    pub fn from_files(files: impl IntoIterator<Item = (String, Bytes)>) -> Self {
        let mut tree = Self::default();
        for (name, bytes) in files {
            if let Some(path) = tree.admit(&name) {
                tree.files.insert(path, bytes.into());
            }
        }
        tree.strip_top_folder();
        tree
    }

    /// Returns the tree of a single file with a normalized path.
    pub(crate) fn of_file(path: String, content: Content) -> Self {
        Self { files: BTreeMap::from([(path, content)]), ..Self::default() }
    }

    /// Returns the bytes of the file at `path`; `None` if it does not exist. Disk errors are logged and count as
    /// missing.
    pub(crate) fn bytes(&self, path: &str) -> Option<Bytes> {
        let read = self.files.get(path)?.read();
        read.inspect_err(|error| log::error!("the spool of an import can't be read: {error}")).ok()
    }

    /// Returns the text of the file at `path`; `None` if it does not exist or is larger than the limit for pages.
    pub(crate) fn text(&self, path: &str) -> Option<String> {
        let bytes = self.fits_a_page(path).then(|| self.bytes(path)).flatten()?;
        Some(encoding::decode(&bytes).text)
    }

    /// Returns whether the file at `path` exists and is within the limit for pages.
    pub(crate) fn fits_a_page(&self, path: &str) -> bool {
        let length = self.files.get(path).and_then(|content| u64::try_from(content.len()).ok());
        length.is_some_and(|length| length <= MARKDOWN_MAX)
    }

    /// Returns the path for a file called `name`; `None`, with a report entry where useful, if it is skipped.
    pub fn admit(&mut self, name: &str) -> Option<String> {
        let path = match path::sanitize(name) {
            Ok(path) => path,
            Err(reason) => {
                self.report.push(report::skipped(name, reason.to_string()));
                return None;
            }
        };
        if path.split('/').any(|segment| IGNORED_NAMES.contains(&segment)) {
            return None;
        }
        if self.files.contains_key(&path) {
            self.report.push(report::skipped(name, "another file has the same path; the first was used"));
            return None;
        }
        if path != name && !path.nfd().eq(name.nfd()) {
            self.report.push(report::changed(name, format!("its path was read as `{path}`")));
        }
        Some(path)
    }

    /// Removes a single folder that contains all files, as in archives of repositories and exports.
    pub(crate) fn strip_top_folder(&mut self) {
        let Some(top) = self.common_top_folder() else { return };
        let prefix = format!("{top}/");
        self.files = std::mem::take(&mut self.files)
            .into_iter()
            .filter_map(|(path, bytes)| Some((path.strip_prefix(&prefix)?.to_owned(), bytes)))
            .collect();
        for entry in &mut self.report {
            if let Some(rest) = entry.path.strip_prefix(&prefix) {
                entry.path = rest.to_owned();
            }
        }
    }

    fn common_top_folder(&self) -> Option<String> {
        let mut tops = self.files.keys().map(|path| path.split_once('/').map(|(top, _)| top));
        let first = tops.next()??;
        // Folders that begin with a dot have a meaning: `.gitbook/` alone is not a wrapper.
        (!first.starts_with('.') && tops.all(|top| top == Some(first))).then(|| first.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use quire_domain::imports::ImportStatus;

    use super::*;

    fn tree(names: &[&str]) -> SourceTree {
        SourceTree::from_files(names.iter().map(|name| ((*name).to_owned(), Bytes::new())))
    }

    fn paths(tree: &SourceTree) -> Vec<&str> {
        tree.files.keys().map(String::as_str).collect()
    }

    #[test]
    fn a_single_top_folder_is_taken_off() {
        assert_eq!(paths(&tree(&["docs/a.md", "docs/b/c.md"])), ["a.md", "b/c.md"]);
        assert_eq!(paths(&tree(&["docs/a.md", "README.md"])), ["README.md", "docs/a.md"]);
        assert_eq!(paths(&tree(&["docs/a.md", "more/b.md"])), ["docs/a.md", "more/b.md"]);
        assert_eq!(paths(&tree(&[".gitbook/includes/a.md"])), [".gitbook/includes/a.md"]);
        assert_eq!(paths(&tree(&["a.md"])), ["a.md"]);
    }

    #[test]
    fn metadata_of_other_programs_is_dropped_silently() {
        let tree = tree(&["d/a.md", "__MACOSX/d/._a.md", "d/.DS_Store", "d/.git/HEAD", ".git/config"]);
        assert_eq!(paths(&tree), ["a.md"]);
        assert_eq!(tree.report, []);
    }

    #[test]
    fn paths_that_lead_outside_are_reported() {
        let tree = tree(&["a.md", "../b.md", "/c.md", "d/../../e.md", "x/./f.md", "C:\\g.md", "h\\i.md"]);
        assert_eq!(paths(&tree), ["a.md", "h/i.md", "x/f.md"]);
        let reported: Vec<_> = tree.report.iter().map(|entry| (entry.path.as_str(), entry.status)).collect();
        assert_eq!(
            reported,
            [
                ("../b.md", ImportStatus::Skipped),
                ("/c.md", ImportStatus::Skipped),
                ("d/../../e.md", ImportStatus::Skipped),
                ("x/./f.md", ImportStatus::Changed),
                ("C:\\g.md", ImportStatus::Skipped),
                ("h\\i.md", ImportStatus::Changed),
            ]
        );
    }

    #[test]
    fn the_first_of_two_equal_paths_is_taken() {
        let files = [("a.md", "one"), ("./a.md", "two")];
        let tree = SourceTree::from_files(files.map(|(name, text)| (name.to_owned(), Bytes::from(text))));
        assert_eq!(tree.bytes("a.md").unwrap(), "one");
        assert_eq!(tree.report.len(), 1);
    }
}
