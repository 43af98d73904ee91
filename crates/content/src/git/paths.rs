//! Paths of content in a repository.

use std::collections::HashSet;

use quire_domain::ids::PageId;
use quire_revision::{GitBlob, PageNode, PageType, Tree};

use crate::exports::layout::Layout;

/// The file of a page with pages below it.
const INDEX: &str = "README.md";

/// Gives content the paths that it has in a repository, relative to the content's folder, and new content new ones.
/// `prefix` is that folder with a slash at its end, or empty. What is outside of it has no path.
pub(super) fn layout(tree: &Tree, prefix: &str) -> Layout {
    let new = Layout::of(tree);
    let mut paths = Paths { tree, prefix, layout: Layout::default(), taken: HashSet::new() };
    // Paths of the repository first: new ones differ from them.
    let is_known = |git: Option<&GitBlob>| git.is_some();
    for page in tree.pages_in_order().filter(|page| is_known(page.git.as_deref())) {
        if let Some(path) = paths.known(page.git.as_deref()) {
            paths.layout.set_page(page.id, path);
        }
    }
    for file in tree.files().filter(|file| is_known(file.git.as_ref())) {
        if let Some(path) = paths.known(file.git.as_ref()) {
            paths.layout.set_file(file.id, path);
        }
    }
    for content in tree.reusable_contents().filter(|content| is_known(content.git.as_ref())) {
        if let Some(path) = paths.known(content.git.as_ref()) {
            paths.layout.set_reusable_content(content.id, path);
        }
    }
    for page in tree.pages_in_order() {
        if page.page_type() == PageType::Document && page.git.is_none() {
            let path = paths.of_new_page(page, &new);
            paths.layout.set_page(page.id, path);
        }
    }
    for file in tree.files().filter(|file| file.git.is_none()) {
        if let Some(path) = new.file(file.id) {
            let path = paths.free(path);
            paths.layout.set_file(file.id, path);
        }
    }
    for content in tree.reusable_contents().filter(|content| content.git.is_none()) {
        if let Some(path) = new.reusable_content(content.id) {
            let path = paths.free(path);
            paths.layout.set_reusable_content(content.id, path);
        }
    }
    paths.layout.with_names()
}

struct Paths<'t> {
    tree: &'t Tree,
    prefix: &'t str,
    layout: Layout,
    /// Paths in small letters.
    taken: HashSet<String>,
}

impl Paths<'_> {
    /// Returns the path of a file of the repository; `None` if it is outside of the content's folder, or is that of a
    /// page before.
    fn known(&mut self, git: Option<&GitBlob>) -> Option<String> {
        let path = git?.path.strip_prefix(self.prefix)?;
        self.taken.insert(path.to_lowercase()).then(|| path.to_owned())
    }

    /// Returns a path for a new page: below that of its parent.
    fn of_new_page(&mut self, page: &PageNode, new: &Layout) -> String {
        let name = match self.tree.children(Some(page.id)).next() {
            Some(_) => format!("{}/{INDEX}", page.slug),
            None => format!("{}.md", page.slug),
        };
        let path = match page.parent.and_then(|parent| self.folder_of(parent)) {
            Some(folder) => format!("{folder}{name}"),
            None => new.page(page.id).map_or(name, str::to_owned),
        };
        self.free(&path)
    }

    /// Returns the folder of the pages below a page, with a slash at its end.
    fn folder_of(&self, page: PageId) -> Option<String> {
        let path = self.layout.page(page)?;
        let folder = path.strip_suffix(INDEX).map(str::to_owned);
        folder.or_else(|| Some(format!("{}/", path.rsplit_once('.')?.0)))
    }

    /// Returns a path that no other content has: the wanted one, or one with a number.
    fn free(&mut self, wanted: &str) -> String {
        let (folder, name) = wanted.rsplit_once('/').map_or(("", wanted), |(folder, name)| (folder, name));
        let (stem, extension) = match name.rsplit_once('.') {
            Some((stem, extension)) if !stem.is_empty() => (stem, format!(".{extension}")),
            _ => (name, String::new()),
        };
        let folder = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let numbered = (2_u32..).map(|number| format!("{folder}{stem}-{number}{extension}"));
        let mut paths = std::iter::once(wanted.to_owned()).chain(numbered);
        paths.find(|path| self.taken.insert(path.to_lowercase())).unwrap_or_default()
    }
}
