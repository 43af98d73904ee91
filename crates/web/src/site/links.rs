//! Targets of references as links on a site.

use std::collections::HashMap;
use std::ops::Deref;

use quire_domain::ids::PageId;
use quire_markup::ContentRef;
use quire_render::{Target, link_address};
use quire_revision::{FileNode, PageNode, PageType, Tree};
use quire_server::UrlSigner;
use quire_server::files::FileAddress;
use quire_server::urls::base_path;
use quire_storage::sites::published::PublishedSpace;

use super::files::{PAGES, is_taken};
use super::visit::Visit;

/// Resolver of the references of one page.
pub(crate) struct Links<'a> {
    pub(crate) visit: &'a Visit,
    pub(crate) signer: &'a UrlSigner,
    /// The space of the page.
    pub(crate) space: &'a PublishedSpace,
    /// Trees of spaces by site space id.
    pub(crate) trees: &'a HashMap<String, SpaceTree>,
}

impl<'a> Links<'a> {
    /// Returns the site space of a reference: the current one, or another that the visitor can see.
    fn space_of(&self, space: Option<&String>) -> Option<&'a PublishedSpace> {
        match space {
            None => Some(self.space),
            Some(id) if *id == self.space.space.to_string() => Some(self.space),
            Some(id) => self.visit.site.spaces.iter().find(|space| space.space.to_string() == *id),
        }
    }

    fn tree_of(&self, space: &PublishedSpace) -> Option<&'a SpaceTree> {
        self.trees.get(&space.id.to_string())
    }

    fn page(&self, page: &str, space: Option<&String>) -> Option<Target> {
        let space = self.space_of(space)?;
        let tree = self.tree_of(space)?;
        let page = tree.page(page.parse().ok()?)?;
        Some(Target {
            address: self.visit.link(&site_path_of(self.visit, space, tree, page)?),
            title: page.title.clone(),
            description: page.description.clone(),
            emoji: page.emoji.clone(),
            icon: page.icon.clone(),
            ..Target::default()
        })
    }

    fn file(&self, file: &str, space: Option<&String>) -> Option<Target> {
        let space = self.space_of(space)?;
        let file = self.tree_of(space)?.file(file.parse().ok()?)?;
        Some(Target {
            address: self.file_address(space, file),
            title: file.name.clone(),
            bytes: Some(file.size),
            size: file.dimensions.map(|size| (size.width, size.height)),
            ..Target::default()
        })
    }

    fn file_address(&self, space: &PublishedSpace, file: &FileNode) -> String {
        let address = FileAddress {
            space: space.space,
            blob: file.blob,
            name: file.name.clone(),
            content_type: file.content_type.clone(),
        };
        self.visit.service(&format!("files/{}/{}", space.space, address.path(self.signer)))
    }

    /// Returns the target of a reference. `None` if it is not on the site or hidden from the visitor.
    pub(crate) fn target(&self, reference: &ContentRef) -> Option<Target> {
        match reference {
            ContentRef::Url { url } => {
                link_address(url).map(|address| Target { address, ..Target::default() })
            }
            ContentRef::Page { page, space } => self.page(page, space.as_ref()),
            ContentRef::Anchor { anchor, page: Some(page), space } => {
                let target = self.page(page, space.as_ref())?;
                Some(Target { address: format!("{}#{anchor}", target.address), ..target })
            }
            ContentRef::Anchor { anchor, page: None, .. } => {
                Some(Target { address: format!("#{anchor}"), ..Target::default() })
            }
            ContentRef::File { file, space } => self.file(file, space.as_ref()),
            ContentRef::Space { space } => {
                let space = self.space_of(Some(space))?;
                let address = self.visit.link(&self.visit.site_path(space, ""));
                Some(Target { address, title: space.title.clone(), ..Target::default() })
            }
            ContentRef::User { .. }
            | ContentRef::Collection { .. }
            | ContentRef::ReusableContent { .. }
            | ContentRef::OpenApi { .. }
            | ContentRef::Snippet { .. }
            | ContentRef::Tag { .. } => None,
        }
    }

    /// Returns the address of a reference, for pictures and links of the frame.
    pub(crate) fn address(&self, reference: &ContentRef) -> Option<String> {
        self.target(reference).map(|target| target.address)
    }
}

/// Returns the space that a reference names, if any.
pub(crate) fn space_named(reference: &ContentRef) -> Option<&String> {
    match reference {
        ContentRef::Page { space, .. }
        | ContentRef::Anchor { space, .. }
        | ContentRef::File { space, .. } => space.as_ref(),
        _ => None,
    }
}

/// Tree of a space, with its first page.
#[derive(Clone)]
pub(crate) struct SpaceTree {
    tree: Tree,
    /// First visible document. It is cached because the path of every page depends on it and the search may pass many
    /// hidden pages.
    home: Option<PageId>,
}

impl SpaceTree {
    pub(crate) fn new(tree: Tree) -> Self {
        let home = home(&tree).map(|page| page.id);
        Self { tree, home }
    }

    /// Returns the first page of the space.
    pub(crate) fn home(&self) -> Option<&PageNode> {
        self.page(self.home?)
    }

    /// Returns whether a page is the first page of the space.
    pub(crate) fn is_home(&self, page: PageId) -> bool {
        self.home == Some(page)
    }
}

fn home(tree: &Tree) -> Option<&PageNode> {
    let mut documents = tree.pages_in_order().filter(|page| page.page_type() == PageType::Document);
    let first = documents.next()?;
    if first.hidden { documents.find(|page| !page.hidden).or(Some(first)) } else { Some(first) }
}

impl Deref for SpaceTree {
    type Target = Tree;

    fn deref(&self) -> &Tree {
        &self.tree
    }
}

/// Returns the path of a page on the site. A group has the path of its first page. A link or placeholder has none.
pub(crate) fn site_path_of(
    visit: &Visit,
    space: &PublishedSpace,
    tree: &SpaceTree,
    page: &PageNode,
) -> Option<String> {
    let page = match page.page_type() {
        PageType::Document => page,
        PageType::Group => tree
            .descendants(page.id)
            .find(|below| below.page_type() == PageType::Document && !below.hidden)?,
        PageType::Link | PageType::Computed => return None,
    };
    let path = if tree.is_home(page.id) { String::new() } else { tree.path_of(page.id)? };
    let site_path = visit.site_path(space, &path);
    Some(if is_taken(&site_path) { format!("/{PAGES}{}/{}", space.id, page.id) } else { site_path })
}

/// Returns the space and page of a path such as `~quire/pages/{siteSpaceId}/{pageId}`, which pages have whose own path
/// is taken by a file.
pub(crate) fn page_by_ids<'v>(visit: &'v Visit, path: &[String]) -> Option<(&'v PublishedSpace, PageId)> {
    let path = path.join("/");
    let (space, page) = path.strip_prefix(PAGES)?.split_once('/')?;
    let space = visit.site.spaces.iter().find(|place| place.id.to_string() == space)?;
    Some((space, page.parse().ok()?))
}

/// Converts an address on a site to a URL.
pub(crate) fn absolute(site: &str, address: &str) -> String {
    if !address.starts_with('/') || address.starts_with("//") {
        return address.to_owned();
    }
    let origin = site.strip_suffix(base_path(site).as_str()).unwrap_or(site);
    format!("{}{address}", origin.trim_end_matches('/'))
}
