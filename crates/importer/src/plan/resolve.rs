//! Resolution of links in documents to references into the plan.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use quire_domain::ids::{FileId, PageId, ReusableContentId};
use quire_markup::exported::broken_address;
use quire_markup::{ContentRef, HrefKind, RefResolver, runs_no_script};

use super::inventory::Inventory;
use super::locate::{self, Located, Locator};
use super::types::Ids;

/// Maximum number of link targets kept per page.
const MAX_TARGETS: usize = 20_000;

/// Maximum number of elements reported per page.
const MAX_LEFT: usize = 20;

/// Ids of all link targets, by path.
pub(super) struct Targets<'a> {
    pub(super) locator: Locator<'a>,
    pub(super) pages: BTreeMap<String, PageId>,
    pub(super) reusable_contents: BTreeMap<String, ReusableContentId>,
    files: BTreeMap<String, FileId>,
    /// Files that are imported because a document links to them, collected while documents are parsed.
    linked: RefCell<BTreeSet<String>>,
    /// Links with disallowed addresses, with their files, collected while documents are parsed. Their text is kept.
    refused: RefCell<BTreeSet<(String, String)>>,
    /// Dropped HTML elements of the current file.
    left: RefCell<BTreeSet<String>>,
    /// HTML elements of the current file whose tags are shown.
    shown: RefCell<BTreeSet<String>>,
    /// Number of headings in the current file, and the ids of other elements with the number of headings before them.
    positions: RefCell<(usize, Vec<(String, usize)>)>,
}

impl<'a> Targets<'a> {
    /// Returns all files and reusable contents of the import; pages are added as the outline is placed.
    pub(super) fn new(locator: Locator<'a>, ids: &mut dyn Ids) -> Self {
        let Inventory { assets, others, includes, .. } = locator.inventory;
        let files = assets.iter().chain(others.keys()).map(|path| (path.clone(), ids.file())).collect();
        let reusable_contents = includes.iter().map(|path| (path.clone(), ids.reusable_content())).collect();
        Self {
            locator,
            pages: BTreeMap::new(),
            reusable_contents,
            files,
            linked: RefCell::default(),
            refused: RefCell::default(),
            left: RefCell::default(),
            shown: RefCell::default(),
            positions: RefCell::default(),
        }
    }

    /// Returns the reference for `href` in the file `source`.
    pub(super) fn resolve(&self, source: &str, href: &str) -> Option<ContentRef> {
        if href.starts_with('#') {
            return Some(ContentRef::Anchor { anchor: locate::fragment(href)?, page: None, space: None });
        }
        if broken_address(href).is_some() {
            return None;
        }
        // In a repository, a query selects a state of the page itself, such as a tab.
        if href.starts_with('?') && href.contains('#') && self.locator.dialect.site().is_markdown_only {
            return Some(ContentRef::Anchor { anchor: locate::fragment(href)?, page: None, space: None });
        }
        let Some(Located { path, fragment }) = self.locator.locate(source, href) else {
            if !runs_no_script(href) {
                self.refuse(source, href);
                return None;
            }
            // A linked page that is not in the import still exists on the website.
            let mut url = self.locator.address(source, href)?;
            if let Some((_, fragment)) = href.split_once('#') {
                url.push('#');
                url.push_str(fragment);
            }
            return Some(ContentRef::Url { url });
        };
        if let Some(id) = self.pages.get(&path) {
            let page = id.to_string();
            return Some(match fragment {
                Some(anchor) => ContentRef::Anchor { anchor, page: Some(page), space: None },
                None => ContentRef::Page { page, space: None },
            });
        }
        if let Some(id) = self.reusable_contents.get(&path) {
            return Some(ContentRef::ReusableContent { reusable_content: id.to_string(), space: None });
        }
        match self.files.get(&path) {
            Some(file) => {
                self.linked.borrow_mut().insert(path);
                Some(ContentRef::File { file: file.to_string(), space: None })
            }
            None => self.first_below(&path),
        }
    }

    /// Returns the first page below a folder that has no page of its own, in the repository of a generator. The
    /// generator may create a page for the folder.
    fn first_below(&self, folder: &str) -> Option<ContentRef> {
        let Locator { dialect, inventory, .. } = self.locator;
        let inside = format!("{folder}/");
        let first = inventory.pages.range(inside.clone()..).next();
        let first = first.filter(|page| dialect.site().is_markdown_only && page.starts_with(&inside))?;
        Some(ContentRef::Page { page: self.pages.get(first)?.to_string(), space: None })
    }

    /// Records a link with a disallowed address.
    fn refuse(&self, source: &str, href: &str) {
        if !runs_no_script(href) {
            self.refused.borrow_mut().insert((source.to_owned(), href.to_owned()));
        }
    }

    /// Removes and returns the ids of elements other than headings, with the number of headings before them.
    pub(super) fn take_positions(&self) -> Vec<(String, usize)> {
        std::mem::take(&mut *self.positions.borrow_mut()).1
    }

    /// Removes and returns the elements of the current file without an equivalent: the dropped ones, and those whose
    /// tags are shown.
    pub(super) fn take_elements(&self) -> [BTreeSet<String>; 2] {
        [&self.left, &self.shown].map(|found| std::mem::take(&mut *found.borrow_mut()))
    }

    /// Returns the links with disallowed addresses, by file.
    pub(super) fn refused(&self) -> BTreeMap<String, Vec<String>> {
        let mut refused: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (source, href) in self.refused.borrow().iter() {
            refused.entry(source.clone()).or_default().push(href.clone());
        }
        refused
    }

    /// Returns the files to import: assets and linked files.
    pub(super) fn into_kept_files(self) -> BTreeMap<String, FileId> {
        let Self { locator, mut files, linked, .. } = self;
        let linked = linked.into_inner();
        files.retain(|path, _| locator.inventory.assets.contains(path) || linked.contains(path));
        files
    }
}

/// Resolver of the links of one file.
pub(super) struct FileRefs<'a> {
    pub(super) targets: &'a Targets<'a>,
    pub(super) source: &'a str,
    /// Folder of relative addresses, if it differs from that of the file.
    base: Option<String>,
}

impl<'a> FileRefs<'a> {
    pub(super) fn of(targets: &'a Targets<'a>, source: &'a str) -> Self {
        Self { targets, source, base: None }
    }

    /// Sets the base that an HTML page declares for relative addresses. A base with a scheme is ignored, since the
    /// address of an uploaded page on its website is unknown.
    pub(super) fn with_base(self, base: Option<&str>) -> Self {
        let base = base.filter(|base| !base.contains(':') && !base.starts_with("//"));
        let folder = base.and_then(|base| base.rsplit_once('/')).map(|(folder, _)| format!("{folder}/"));
        Self { base: folder, ..self }
    }
}

impl RefResolver for FileRefs<'_> {
    fn resolve(&self, href: &str, _: HrefKind) -> Option<ContentRef> {
        let is_relative = !href.starts_with(['#', '/', '?']) && !href.contains(':') && !href.is_empty();
        match self.base.as_ref().filter(|_| is_relative) {
            Some(base) => self.targets.resolve(self.source, &format!("{base}{href}")),
            None => self.targets.resolve(self.source, href),
        }
    }

    fn refused(&self, href: &str) {
        self.targets.refuse(self.source, href);
    }

    fn heading(&self) {
        self.targets.positions.borrow_mut().0 += 1;
    }

    fn target(&self, id: &str) {
        let (headings, ids) = &mut *self.targets.positions.borrow_mut();
        if ids.len() < MAX_TARGETS && !id.is_empty() {
            ids.push((id.to_owned(), *headings));
        }
    }

    fn left(&self, element: &str) {
        add(&self.targets.left, element);
    }

    fn shown(&self, element: &str) {
        add(&self.targets.shown, element);
    }
}

/// Adds an element to the reported ones of a page, up to the limit.
fn add(elements: &RefCell<BTreeSet<String>>, name: &str) {
    let mut elements = elements.borrow_mut();
    if elements.len() < MAX_LEFT {
        elements.insert(format!("<{name}>"));
    }
}

/// Resolver that resolves nothing, for texts whose links are irrelevant.
pub(super) struct NoRefs;

impl RefResolver for NoRefs {
    fn resolve(&self, _: &str, _: HrefKind) -> Option<ContentRef> {
        None
    }
}
