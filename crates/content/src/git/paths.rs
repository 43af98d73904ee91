//! Paths of content in a repository.

use std::collections::{HashMap, HashSet};

use quire_domain::ids::PageId;
use quire_importer::apply::is_same_text;
use quire_revision::{GitBlob, PageNode, PageType, Tree};

use super::others::{INDEX, Others, folder_below};
use super::renames::{Rename, renames};
use crate::exports::layout::{Layout, SPECIAL};

/// Maximum length of the folder of a renamed file, in bytes. Paths of more than 1,024 bytes are not read back.
const FOLDER_MAX: usize = 800;

/// Maximum number of folders around a renamed file. Files inside of more than 64 folders are not read back.
const DEPTH_MAX: usize = 48;

/// Paths of content in a repository.
pub(super) struct Placed {
    pub(super) layout: Layout,
    /// Wanted and assigned paths of new content where the repository has something else.
    pub(super) moved: Vec<(String, String)>,
}

/// Returns the layout of content in a repository, relative to the content's folder. Known content keeps its path in the
/// repository, except for pages with another slug or parent than at the last synchronization, and new content gets a
/// new path. `prefix` is the folder with a trailing slash, or empty. `last` is the content at the last synchronization.
/// Content outside the folder has no path. Without `last`, however, the content was never synchronized with this
/// repository and its paths may come from another one, so it gets new paths.
///
/// Several pages may come from one file. They share its path as long as none of them changes. Then all but the first
/// get paths of their own, because one file cannot contain all their texts.
pub(super) fn layout(tree: &Tree, prefix: &str, last: Option<&Tree>, others: &Others) -> Placed {
    let new = Layout::of(tree);
    let (layout, is_first) = (Layout::default(), last.is_none());
    let (known, taken, moved) = (HashMap::new(), HashSet::new(), Vec::new());
    let mut paths = Paths { tree, prefix, layout, known, taken, others, moved };
    let renames = last.map(|last| renames(tree, prefix, last, others)).unwrap_or_default();
    // Paths of the repository come first, since new ones must differ from them.
    let mut shared = Vec::new();
    for page in tree.pages_in_order().filter(|page| !renames.contains_key(&page.id)) {
        let former = last.and_then(|last| last.page(page.id));
        let is_unchanged = former.is_some_and(|former| page.git == former.git && is_same_text(page, former));
        match paths.known(page.git.as_deref(), is_unchanged) {
            Some(Known::Own(path)) => paths.layout.set_page(page.id, path),
            Some(Known::Other(path)) => shared.push((page.id, path, is_unchanged)),
            None => {}
        }
    }
    for file in tree.files() {
        if let Some(Known::Own(path)) = paths.known(file.git.as_ref(), false) {
            paths.layout.set_file(file.id, path);
        }
    }
    for content in tree.reusable_contents() {
        if let Some(Known::Own(path)) = paths.known(content.git.as_ref(), false) {
            paths.layout.set_reusable_content(content.id, path);
        }
    }
    for (page, path, is_unchanged) in shared {
        let may_share = is_unchanged && paths.known.get(&path) == Some(&true);
        let path = if may_share { path } else { paths.free(&path) };
        paths.layout.set_page(page, path);
    }
    let is_new = |git: Option<&GitBlob>, path: Option<&str>| path.is_none() && (is_first || git.is_none());
    for page in tree.pages_in_order().filter(|page| page.page_type() == PageType::Document) {
        let path = match renames.get(&page.id) {
            Some(rename) => paths.of_renamed_page(page, rename),
            None if is_new(page.git.as_deref(), paths.layout.page(page.id)) => paths.of_new_page(page, &new),
            None => continue,
        };
        paths.layout.set_page(page.id, path);
    }
    for file in tree.files() {
        let is_new = is_new(file.git.as_ref(), paths.layout.file(file.id));
        if let Some(path) = new.file(file.id).filter(|_| is_new) {
            let path = paths.free(path);
            paths.layout.set_file(file.id, path);
        }
    }
    for content in tree.reusable_contents() {
        let path = new.reusable_content(content.id);
        let is_new = is_new(content.git.as_ref(), paths.layout.reusable_content(content.id));
        if let Some(path) = path.filter(|_| is_new) {
            let path = paths.free(path);
            paths.layout.set_reusable_content(content.id, path);
        }
    }
    Placed { layout: paths.layout.with_names(), moved: paths.moved }
}

/// Path in the repository.
enum Known {
    /// No earlier content has it.
    Own(String),
    /// Earlier content has it.
    Other(String),
}

struct Paths<'t> {
    tree: &'t Tree,
    prefix: &'t str,
    layout: Layout,
    /// Paths in the repository, and whether all content with this path is as last synchronized.
    known: HashMap<String, bool>,
    /// Paths in lower case.
    taken: HashSet<String>,
    others: &'t Others,
    moved: Vec<(String, String)>,
}

impl Paths<'_> {
    /// Returns the path of a file in the repository. `None` if it is outside the content's folder.
    fn known(&mut self, git: Option<&GitBlob>, is_unchanged: bool) -> Option<Known> {
        let path = git?.path.strip_prefix(self.prefix)?.to_owned();
        self.taken.insert(path.to_lowercase());
        Some(match self.known.get_mut(&path) {
            Some(all_are) => {
                *all_are &= is_unchanged;
                Known::Other(path)
            }
            None => {
                self.known.insert(path.clone(), is_unchanged);
                Known::Own(path)
            }
        })
    }

    /// Returns a path for a new page, below the path of its parent.
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

    /// Returns the path of a page whose file is renamed, below the path of its parent.
    fn of_renamed_page(&mut self, page: &PageNode, rename: &Rename<'_>) -> String {
        let of_group = |parent| self.tree.path_of(parent).map(|path| format!("{path}/"));
        let folder = page.parent.and_then(|parent| self.folder_of(parent).or_else(|| of_group(parent)));
        // Deeper ones may be anywhere, since the table of contents has the parents.
        let is_usable = |folder: &String| {
            let path = format!("{}{folder}", self.prefix);
            path.len() <= FOLDER_MAX && path.matches('/').count() <= DEPTH_MAX
        };
        let folder = folder.filter(is_usable).unwrap_or_default();
        let slug = &page.slug;
        let path = match rename {
            Rename::Follows { rest } => format!("{folder}{rest}"),
            Rename::Own { name } if name.eq_ignore_ascii_case(INDEX) => format!("{folder}{slug}/{name}"),
            Rename::Own { .. } if SPECIAL.contains(&slug.as_str()) => format!("{folder}{slug}/{INDEX}"),
            Rename::Own { name } => {
                let extension = name.rsplit_once('.').map_or("md", |(_, extension)| extension);
                format!("{folder}{slug}.{extension}")
            }
        };
        self.free(&path)
    }

    /// Returns the folder for the children of a page, with a trailing slash.
    fn folder_of(&self, page: PageId) -> Option<String> {
        folder_below(self.layout.page(page)?)
    }

    /// Returns a path that nothing else has: the wanted one, if necessary with a number.
    fn free(&mut self, wanted: &str) -> String {
        let (folder, name) = wanted.rsplit_once('/').map_or(("", wanted), |(folder, name)| (folder, name));
        let (stem, extension) = match name.rsplit_once('.') {
            Some((stem, extension)) if !stem.is_empty() => (stem, format!(".{extension}")),
            _ => (name, String::new()),
        };
        let folder = self.free_folder(folder);
        let numbered = (2_u32..).map(|number| format!("{folder}{stem}-{number}{extension}"));
        let mut paths = std::iter::once(format!("{folder}{name}")).chain(numbered);
        let others = self.others;
        let path = paths.find(|path| !others.block(path) && self.taken.insert(path.to_lowercase()));
        let path = path.unwrap_or_default();
        if others.block(wanted) {
            self.moved.push((wanted.to_owned(), path.clone()));
        }
        path
    }

    /// Returns a folder with a trailing slash, empty for the top. Names of files and links get numbers.
    fn free_folder(&self, wanted: &str) -> String {
        let names = wanted.split('/').filter(|name| !name.is_empty());
        names.fold(String::new(), |folder, name| {
            let numbered = (2_u32..).map(|number| format!("{folder}{name}-{number}"));
            let mut folders = std::iter::once(format!("{folder}{name}")).chain(numbered);
            let is_free = |folder: &String| !self.others.have(folder);
            format!("{}/", folders.find(is_free).unwrap_or_default())
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use quire_revision::PageKind;
    use uuid::Uuid;

    use super::*;

    pub(in crate::git) fn id(number: u128) -> PageId {
        PageId::from_uuid(Uuid::from_u128(number))
    }

    /// Returns a tree of pages: number, parent, slug, path in the repository.
    pub(in crate::git) fn tree(pages: &[(u128, Option<u128>, &str, Option<&str>)]) -> Tree {
        let mut tree = Tree::empty();
        for (number, parent, slug, path) in pages {
            let parent = parent.map(id);
            let position = tree.position_at(parent, None, None);
            let mut page = PageNode::new(id(*number), parent, position, PageKind::Document, *slug, *slug);
            page.git = path.map(|path| Box::new(GitBlob { oid: "0a".to_owned(), path: path.to_owned() }));
            tree.insert_page(page).unwrap();
        }
        tree
    }

    #[test]
    fn known_pages_keep_their_paths_and_new_ones_go_below_their_parents() {
        let tree = tree(&[
            (1, None, "welcome", Some("docs/README.md")),
            (2, None, "guide", Some("docs/how/to.md")),
            (3, Some(2), "tips", None),
            (4, Some(3), "more", None),
            (5, None, "other", Some("elsewhere/other.md")),
            (6, None, "tips", Some("docs/how/to/tips/README.md")),
            (7, None, "new", None),
        ]);
        let paths = |last: Option<&Tree>| {
            let Placed { layout, .. } = layout(&tree, "docs/", last, &Others::default());
            (1..=7).map(|number| layout.page(id(number)).map(str::to_owned)).collect::<Vec<_>>()
        };
        let expected = [
            Some("README.md"),
            Some("how/to.md"),
            Some("how/to/tips/README-2.md"),
            Some("how/to/tips/README-2/more.md"),
            None,
            Some("how/to/tips/README.md"),
            Some("new.md"),
        ];
        assert_eq!(paths(Some(&Tree::empty())), expected.map(|path| path.map(str::to_owned)));
        assert_eq!(paths(None)[4].as_deref(), Some("other.md"));
    }

    #[test]
    fn pages_of_one_file_get_paths_of_their_own_when_one_changes() {
        let tree = tree(&[
            (1, None, "a", Some("a.md")),
            (2, None, "b", Some("a.md")),
            (3, None, "c", Some("a.md")),
            (4, None, "d", Some("a-2.md")),
            (5, None, "e", Some("A.md")),
        ]);
        let paths = |tree: &Tree, last: Option<&Tree>| {
            let Placed { layout, .. } = layout(tree, "", last, &Others::default());
            (1..=5).map(|number| layout.page(id(number)).unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(paths(&tree, Some(&tree)), ["a.md", "a.md", "a.md", "a-2.md", "A.md"]);
        let own = ["a.md", "a-3.md", "a-4.md", "a-2.md", "A.md"];
        for changed in [1, 2, 3] {
            let mut head = tree.clone();
            let page = head.page(id(changed)).unwrap().clone();
            head.update_page(PageNode { title: "New".to_owned(), ..page }).unwrap();
            assert_eq!(paths(&head, Some(&tree)), own);
        }
        assert_eq!(paths(&tree, None), own);
    }

    #[test]
    fn new_pages_take_no_path_of_another_entry() {
        let tree = tree(&[
            (1, None, "welcome", Some("README.md")),
            (2, None, "guide", None),
            (3, None, "team", None),
            (4, Some(3), "ada", None),
            (5, None, "code.md", None),
        ]);
        let others = Others::of(["Guide.md", "team", "code.md.md/a.rs", "team-2/a.txt"].into_iter());
        let Placed { layout, moved } = layout(&tree, "", Some(&Tree::empty()), &others);
        let paths: Vec<_> = (1..=5).map(|number| layout.page(id(number)).unwrap()).collect();
        let expected = ["README.md", "guide-2.md", "team-2/README.md", "team-2/ada.md", "code.md-2.md"];
        assert_eq!(paths, expected);
        let wanted: Vec<&str> = moved.iter().map(|(wanted, _)| wanted.as_str()).collect();
        assert_eq!(wanted, ["guide.md", "team/README.md", "code.md.md"]);
    }
}
