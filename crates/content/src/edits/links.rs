//! Resolution of addresses in Markdown.

use std::cell::RefCell;

use percent_encoding::percent_decode_str;
use quire_domain::ids::{FileId, PageId, ReusableContentId};
use quire_markup::{ContentRef, HrefKind, RefPrinter, RefResolver, StableRefs, slugify};
use quire_revision::Tree;

use super::names::Names;
use super::resolved::Lookups;

/// Resolver of addresses in a tree: `/pages/<id>`, `/pages/<path>`, `/files/<id>`, `/reusable-contents/<id>`, each also
/// with a name from the write instead of an id; a bare name; and paths of pages with or without `.md`, absolute or
/// relative to the page.
pub(super) struct Links<'a> {
    tree: &'a Tree,
    names: &'a Names,
    /// Base folders of relative paths, in order of preference.
    folders: Vec<Vec<String>>,
    lookups: RefCell<&'a mut Lookups>,
}

impl<'a> Links<'a> {
    /// Returns the resolver for links on a page. Pages have no folders: the source file of `guide/setup` may be
    /// `guide/setup.md`, whose links are relative to `guide`, or `guide/setup/README.md`, whose links are relative to
    /// `guide/setup`.
    pub(super) fn of_page(tree: &'a Tree, names: &'a Names, page: PageId, lookups: &'a mut Lookups) -> Self {
        let path = lookups.path_of(tree, page).unwrap_or_default();
        let own: Vec<String> = path.split('/').filter(|slug| !slug.is_empty()).map(str::to_owned).collect();
        let above = own.split_last().map(|(_, above)| above.to_vec()).unwrap_or_default();
        Self { tree, names, folders: vec![above, own], lookups: RefCell::new(lookups) }
    }

    /// Returns the resolver for links outside of pages.
    pub(super) fn of_space(tree: &'a Tree, names: &'a Names, lookups: &'a mut Lookups) -> Self {
        Self { tree, names, folders: vec![Vec::new()], lookups: RefCell::new(lookups) }
    }

    fn target(&self, href: &str, kind: HrefKind) -> Option<ContentRef> {
        let (path, anchor) = match href.split_once('#') {
            Some((path, anchor)) => (path, Some(anchor)),
            None => (href, None),
        };
        let found = if let Some(named) = self.names.get(path) {
            named.reference()
        } else if let Some(page) = path.strip_prefix("/pages/") {
            self.page_reference(page)?
        } else if let Some(file) = path.strip_prefix("/files/") {
            file_reference(self.names, file)?
        } else if let Some(content) = path.strip_prefix("/reusable-contents/") {
            content_reference(self.names, content)?
        } else if let Some(page) = self.page_at(path) {
            ContentRef::Page { page: page.to_string(), space: None }
        } else {
            return StableRefs.resolve(href, kind);
        };
        match (found, anchor.filter(|anchor| !anchor.is_empty())) {
            (ContentRef::Page { page, space }, Some(anchor)) => {
                Some(ContentRef::Anchor { anchor: anchor.to_owned(), page: Some(page), space })
            }
            (found, _) => Some(found),
        }
    }

    /// Returns a page by the name, id or path after `/pages/`. An unknown id is kept: the link is broken, but its
    /// target remains known.
    fn page_reference(&self, page: &str) -> Option<ContentRef> {
        let named = self.names.settle(&ContentRef::Page { page: page.to_owned(), space: None });
        named.or_else(|| {
            let id = page.parse::<PageId>().ok().or_else(|| self.page_at(&format!("/{page}")))?;
            Some(ContentRef::Page { page: id.to_string(), space: None })
        })
    }

    /// Returns the page at a path, absolute or relative.
    fn page_at(&self, path: &str) -> Option<PageId> {
        if path.is_empty() || path.starts_with("//") || path.contains([':', '?', '\\']) {
            return None;
        }
        let path = percent_decode_str(path).decode_utf8().ok()?;
        let root = [Vec::new()];
        let folders = if path.starts_with('/') { &root[..] } else { &self.folders[..] };
        folders.iter().filter_map(|folder| joined(folder, &path)).find_map(|slugs| self.page_of(&slugs))
    }

    /// Returns the page with these slugs, or the page whose source file would have this path.
    fn page_of(&self, slugs: &[String]) -> Option<PageId> {
        let by_slugs = |slugs: &[String]| self.lookups.borrow_mut().page_by_path(self.tree, slugs.join("/"));
        by_slugs(slugs).or_else(|| {
            let source = of_source(slugs)?;
            by_slugs(&source).or_else(|| {
                let slugified: Vec<String> = source.iter().map(|name| slugify(name)).collect();
                by_slugs(&slugified)
            })
        })
    }
}

impl RefResolver for Links<'_> {
    fn resolve(&self, href: &str, kind: HrefKind) -> Option<ContentRef> {
        let found = self.target(href, kind)?;
        // The resolver knows which kinds of references are allowed here. For example, an image must not refer to a
        // page.
        StableRefs.resolve(&StableRefs.href(&found), kind)
    }
}

/// Resolver of addresses that do not depend on the tree, which excludes pages. Page links remain addresses until all
/// pages have their positions.
pub(super) struct NamedLinks<'a>(pub(super) &'a Names);

impl RefResolver for NamedLinks<'_> {
    fn resolve(&self, href: &str, kind: HrefKind) -> Option<ContentRef> {
        let Self(names) = self;
        if matches!(kind, HrefKind::Link | HrefKind::ContentRef) {
            return None;
        }
        let path = href.split_once('#').map_or(href, |(path, _)| path);
        let found = if let Some(named) = names.get(path) {
            named.reference()
        } else if let Some(file) = path.strip_prefix("/files/") {
            file_reference(names, file)?
        } else if let Some(content) = path.strip_prefix("/reusable-contents/") {
            content_reference(names, content)?
        } else {
            return StableRefs.resolve(href, kind);
        };
        StableRefs.resolve(&StableRefs.href(&found), kind)
    }
}

/// Resolves the name or id after `/files/`.
fn file_reference(names: &Names, file: &str) -> Option<ContentRef> {
    names.settle(&ContentRef::File { file: file.to_owned(), space: None }).or_else(|| {
        let file = file.parse::<FileId>().ok()?.to_string();
        Some(ContentRef::File { file, space: None })
    })
}

/// Resolves the name or id after `/reusable-contents/`.
fn content_reference(names: &Names, content: &str) -> Option<ContentRef> {
    let named = ContentRef::ReusableContent { reusable_content: content.to_owned(), space: None };
    names.settle(&named).or_else(|| {
        let reusable_content = content.parse::<ReusableContentId>().ok()?.to_string();
        Some(ContentRef::ReusableContent { reusable_content, space: None })
    })
}

/// Returns a relative path below a folder, without `.` and `..`. `None` if it leads out of the space.
fn joined(folder: &[String], path: &str) -> Option<Vec<String>> {
    let mut slugs = folder.to_vec();
    for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
        match part {
            ".." => drop(slugs.pop()?),
            part => slugs.push(part.to_owned()),
        }
    }
    Some(slugs)
}

/// Returns the path of the page for a source file: without `.md`, and without the file name for a folder's own page.
fn of_source(path: &[String]) -> Option<Vec<String>> {
    let (name, folder) = path.split_last()?;
    let (stem, extension) = name.rsplit_once('.')?;
    if !matches!(extension.to_ascii_lowercase().as_str(), "md" | "mdx" | "markdown") {
        return None;
    }
    let mut slugs = folder.to_vec();
    if !matches!(stem.to_ascii_lowercase().as_str(), "readme" | "index") {
        slugs.push(stem.to_owned());
    }
    Some(slugs)
}
