//! Entries of a repository that are not content.

use std::collections::HashSet;

/// File name of a page with child pages.
pub(super) const INDEX: &str = "README.md";

/// Entries of a repository that are not content, by their paths in the content's folder in lower case. New content gets
/// other paths, so that exports change no other files and nothing behind symbolic links.
#[derive(Default)]
pub(super) struct Others {
    /// Files, symbolic links and submodules.
    files: HashSet<String>,
    /// Folders of these.
    folders: HashSet<String>,
    /// Folders of all files that are not known as content, if new content may replace these.
    unknown: HashSet<String>,
    /// Path of the top page that the settings of the repository name.
    readme: Option<String>,
}

impl Others {
    /// Returns the entries with these paths.
    pub(super) fn of<'p>(paths: impl Iterator<Item = &'p str>) -> Self {
        let files: HashSet<String> = paths.map(str::to_lowercase).collect();
        Self { folders: folders_of(files.iter()), files, ..Self::default() }
    }

    /// Adds the folders of files that are not known as content, but may be replaced by new content.
    pub(super) fn with_unknown<'p>(self, paths: impl Iterator<Item = &'p str>) -> Self {
        let paths: HashSet<String> = paths.map(str::to_lowercase).collect();
        Self { unknown: folders_of(paths.iter()), ..self }
    }

    /// Sets the path of the top page that the settings of the repository name.
    pub(super) fn with_readme(self, readme: Option<&str>) -> Self {
        Self { readme: readme.map(str::to_owned), ..self }
    }

    /// Returns whether a path is that of the top page, which is not renamed.
    pub(super) fn is_top_page(&self, path: &str) -> bool {
        path.eq_ignore_ascii_case(INDEX) || self.readme.as_deref() == Some(path)
    }

    /// Returns whether a folder, with a trailing slash, has something that is not known as content.
    pub(super) fn are_in(&self, folder: &str) -> bool {
        let folder = folder.trim_end_matches('/').to_lowercase();
        self.folders.contains(&folder) || self.unknown.contains(&folder)
    }

    /// Returns whether a path is that of a file, symbolic link or submodule.
    pub(super) fn have(&self, path: &str) -> bool {
        self.files.contains(&path.to_lowercase())
    }

    /// Returns whether a path is that of an entry, or below a file or link.
    pub(super) fn block(&self, path: &str) -> bool {
        let path = path.to_lowercase();
        let mut parents = path.match_indices('/').filter_map(|(end, _)| path.get(..end));
        self.files.contains(&path)
            || self.folders.contains(&path)
            || parents.any(|folder| self.files.contains(folder))
    }
}

/// Returns the folders that paths are in, at all depths.
fn folders_of<'p>(paths: impl Iterator<Item = &'p String>) -> HashSet<String> {
    let ends = |path: &'p String| path.match_indices('/').map(move |(end, _)| (path, end));
    paths.flat_map(ends).filter_map(|(path, end)| path.get(..end).map(str::to_owned)).collect()
}

/// Returns the folder for the children of the page at a path, with a trailing slash.
pub(super) fn folder_below(path: &str) -> Option<String> {
    let folder = path.strip_suffix(INDEX).map(str::to_owned);
    folder.or_else(|| Some(format!("{}/", path.rsplit_once('.')?.0)))
}
