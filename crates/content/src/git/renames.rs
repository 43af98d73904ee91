//! Files that follow the slugs and parents of their pages.

use std::collections::{HashMap, HashSet};

use quire_domain::ids::PageId;
use quire_revision::{PageNode, PageType, Tree};

use super::others::{Others, folder_below};

/// Reason for another path of a page.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Rename<'t> {
    /// The page has another slug or parent. `name` is the name of its file.
    Own { name: &'t str },
    /// The folder of its parent has another path. `rest` is the path inside this folder.
    Follows { rest: &'t str },
}

/// Returns the pages whose files get other paths: those whose slug or parent differs from the last synchronized
/// content, and the pages in the folders of these. `prefix` is the folder of the content with a trailing slash, or
/// empty.
///
/// A folder keeps its path if it also has something else than the page and those below it. The top page keeps its path,
/// and so do pages that share a file.
pub(super) fn renames<'t>(
    tree: &'t Tree,
    prefix: &str,
    last: &Tree,
    others: &Others,
) -> HashMap<PageId, Rename<'t>> {
    let places = Places::of(tree, prefix);
    let mut renames = HashMap::new();
    // Folders of renamed pages, once it is known whether they have nothing else.
    let mut folders: HashMap<PageId, Option<String>> = HashMap::new();
    for page in tree.pages_in_order().filter(|page| page.page_type() == PageType::Document) {
        let Some(path) = places.pages.get(&page.id).copied() else { continue };
        let Some(former) = last.page(page.id).filter(|_| !others.is_top_page(path)) else { continue };
        if places.shared.contains(path) {
            continue;
        }
        if (&page.slug, page.parent) != (&former.slug, former.parent) {
            let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
            renames.insert(page.id, Rename::Own { name });
            continue;
        }
        let Some(parent) = page.parent.filter(|parent| renames.contains_key(parent)) else { continue };
        let folder = folders.entry(parent).or_insert_with(|| {
            let folder = places.pages.get(&parent).copied().and_then(folder_below)?;
            places.is_own(parent, &folder, [tree, last], others).then_some(folder)
        });
        if let Some(rest) = folder.as_deref().and_then(|folder| path.strip_prefix(folder)) {
            renames.insert(page.id, Rename::Follows { rest });
        }
    }
    renames
}

/// Paths of content in the repository, without the prefix.
struct Places<'t> {
    pages: HashMap<PageId, &'t str>,
    /// Paths of several pages.
    shared: HashSet<&'t str>,
    /// Paths of files and reusable contents.
    rest: Vec<&'t str>,
}

impl<'t> Places<'t> {
    fn of(tree: &'t Tree, prefix: &str) -> Self {
        let inside = |path: &'t str| path.strip_prefix(prefix);
        let place = |page: &'t PageNode| Some((page.id, inside(&page.git.as_deref()?.path)?));
        let pages: HashMap<PageId, &str> = tree.pages().filter_map(place).collect();
        let mut seen = HashSet::new();
        let shared = pages.values().copied().filter(|path| !seen.insert(*path)).collect();
        let files = tree.files().filter_map(|file| inside(&file.git.as_ref()?.path));
        let contents = tree.reusable_contents().filter_map(|content| inside(&content.git.as_ref()?.path));
        Self { pages, shared, rest: files.chain(contents).collect() }
    }

    /// Returns whether a folder has only the files of a page and of pages that are, or were, below it.
    fn is_own(&self, page: PageId, folder: &str, trees: [&Tree; 2], others: &Others) -> bool {
        let is_below = |id: PageId| {
            id == page || trees.iter().any(|tree| tree.ancestors(id).any(|ancestor| ancestor.id == page))
        };
        let is_page = |(id, path): (&PageId, &&str)| !path.starts_with(folder) || is_below(*id);
        !others.are_in(folder)
            && !self.rest.iter().any(|path| path.starts_with(folder))
            && self.pages.iter().all(is_page)
    }
}

#[cfg(test)]
mod tests {
    use quire_revision::PageKind;

    use super::super::paths::tests::{id, tree};
    use super::super::paths::{Placed, layout};
    use super::*;

    /// Returns a tree with another slug and parent of a page.
    fn placed(tree: &Tree, number: u128, parent: Option<u128>, slug: &str) -> Tree {
        let mut tree = tree.clone();
        let (page, parent) = (tree.page(id(number)).unwrap().clone(), parent.map(id));
        let position = tree.position_at(parent, None, None);
        tree.update_page(PageNode { slug: slug.to_owned(), parent, position, ..page }).unwrap();
        tree
    }

    fn paths(tree: &Tree, last: &Tree, others: &Others) -> Vec<String> {
        let Placed { layout, .. } = layout(tree, "docs/", Some(last), others);
        (1..).map_while(|number| layout.page(id(number)).map(str::to_owned)).collect()
    }

    fn book() -> Tree {
        tree(&[
            (1, None, "welcome", Some("docs/README.md")),
            (2, None, "guide", Some("docs/guide.md")),
            (3, Some(2), "setup", Some("docs/guide/setup/README.md")),
            (4, Some(3), "linux", Some("docs/guide/setup/linux.markdown")),
            (5, Some(2), "chosen", Some("docs/elsewhere/Chosen_Name.md")),
            (6, None, "api", Some("docs/api.md")),
        ])
    }

    #[test]
    fn a_file_follows_its_slug_and_its_folder_follows_it() {
        let last = book();
        let none = Others::default();
        let before = [
            "README.md",
            "guide.md",
            "guide/setup/README.md",
            "guide/setup/linux.markdown",
            "elsewhere/Chosen_Name.md",
            "api.md",
        ];
        assert_eq!(paths(&last, &last, &none), before);
        let renamed = placed(&last, 2, None, "manual");
        let expected = [
            "README.md",
            "manual.md",
            "manual/setup/README.md",
            "manual/setup/linux.markdown",
            "elsewhere/Chosen_Name.md",
            "api.md",
        ];
        assert_eq!(paths(&renamed, &last, &none), expected);
        // The name of a README is no slug.
        let renamed = placed(&last, 3, Some(2), "install");
        let expected = ["guide/install/README.md", "guide/install/linux.markdown"];
        assert_eq!(paths(&renamed, &last, &none)[2..4], expected);
        // Another parent, with the same slug.
        let moved = placed(&last, 3, Some(6), "setup");
        assert_eq!(paths(&moved, &last, &none)[2..4], ["api/setup/README.md", "api/setup/linux.markdown"]);
        let moved = placed(&last, 4, None, "linux");
        assert_eq!(paths(&moved, &last, &none)[3], "linux.markdown");
        // Both at once, and a name with a meaning.
        let moved = placed(&placed(&last, 5, Some(6), "readme"), 6, None, "http");
        assert_eq!(paths(&moved, &last, &none)[4..], ["http/readme/README.md", "http.md"]);
        // The top page has the slug of its title.
        assert_eq!(paths(&placed(&last, 1, None, "home"), &last, &none), before);
        let named = Others::default().with_readme(Some("api.md"));
        assert_eq!(paths(&placed(&last, 6, None, "http"), &last, &named), before);
        // Nothing was synchronized with this repository yet.
        let Placed { layout, .. } = layout(&renamed, "docs/", None, &none);
        assert_eq!(layout.page(id(2)), Some("guide.md"));
    }

    #[test]
    fn a_folder_with_something_else_keeps_its_path() {
        let last = book();
        let renamed = placed(&last, 2, None, "manual");
        let kept = ["manual.md", "guide/setup/README.md", "guide/setup/linux.markdown"];
        let foreign = Others::of(["guide/setup/notes.txt"].into_iter());
        assert_eq!(paths(&renamed, &last, &foreign)[1..4], kept);
        // A page from elsewhere in the table of contents.
        let chosen = tree(&[(7, None, "other", Some("docs/guide/other.md"))]);
        let mut with_other = renamed.clone();
        with_other
            .insert_page(PageNode {
                position: with_other.position_at(None, None, None),
                ..chosen.page(id(7)).unwrap().clone()
            })
            .unwrap();
        let mut last_with_other = last.clone();
        last_with_other.insert_page(with_other.page(id(7)).unwrap().clone()).unwrap();
        assert_eq!(paths(&with_other, &last_with_other, &Others::default())[1..4], kept);
        // One that was below the page and leaves it.
        let left = placed(&renamed, 4, None, "linux");
        let expected = ["manual.md", "manual/setup/README.md", "linux.markdown"];
        assert_eq!(paths(&left, &last, &Others::default())[1..4], expected);
    }

    #[test]
    fn files_change_places_and_clashes_get_numbers() {
        let last = book();
        let swapped = placed(&placed(&placed(&last, 2, None, "x"), 6, None, "guide"), 2, None, "api");
        let expected = [
            "api.md",
            "api/setup/README.md",
            "api/setup/linux.markdown",
            "elsewhere/Chosen_Name.md",
            "guide.md",
        ];
        assert_eq!(paths(&swapped, &last, &Others::default())[1..], expected);
        let others = Others::of(["manual.md", "http.md/a.txt"].into_iter());
        let renamed = placed(&placed(&last, 2, None, "manual"), 6, None, "http");
        let found = paths(&renamed, &last, &others);
        assert_eq!(
            [&found[1], &found[2], &found[5]],
            ["manual-2.md", "manual-2/setup/README.md", "http-2.md"]
        );
        // A folder that would be too deep or too long.
        let mut deep = last.clone();
        for number in 100..110_u128 {
            let parent = Some(if number == 100 { id(6) } else { id(number - 1) });
            let position = deep.position_at(parent, None, None);
            let slug = format!("{number}{}", "x".repeat(90));
            deep.insert_page(PageNode::new(id(number), parent, position, PageKind::Document, "P", slug))
                .unwrap();
        }
        let moved = placed(&deep, 5, Some(109), "chosen");
        assert_eq!(paths(&moved, &last, &Others::default())[4], "chosen.md");
    }

    #[test]
    fn pages_of_one_file_keep_it() {
        let last = tree(&[(1, None, "a", Some("docs/a.md")), (2, None, "b", Some("docs/a.md"))]);
        assert_eq!(paths(&placed(&last, 1, None, "c"), &last, &Others::default()), ["a.md", "a.md"]);
    }
}
