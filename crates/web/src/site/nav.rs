//! Navigation: tree of pages, breadcrumbs, previous and next page.

use std::cell::Cell;
use std::collections::HashSet;

use quire_domain::ids::PageId;
use quire_markup::ContentRef;
use quire_revision::{PageKind, PageNode, PageType};
use quire_storage::sites::published::PublishedSpace;

use super::links::{Links, SpaceTree, site_path_of};
use super::visit::Visit;
use crate::reader::{Link, Node, NodeKind};

/// Maximum number of pages of a space for a complete tree. The tree of a larger space contains only the path to the
/// current page, so that the cost of a page does not grow with the space.
const WHOLE_TREE: usize = 400;
/// Maximum number of siblings in the tree.
const LEVEL: usize = 500;
/// Maximum number of pages in groups for a larger space. Later groups become links to their first page.
const GROUPED: usize = 1_500;

/// Navigation of one page.
pub(crate) struct Navigation<'a> {
    pub(crate) visit: &'a Visit,
    pub(crate) space: &'a PublishedSpace,
    pub(crate) tree: &'a SpaceTree,
    pub(crate) links: &'a Links<'a>,
    /// Current page.
    pub(crate) page: Option<PageId>,
}

impl Navigation<'_> {
    /// Returns the tree of visible pages.
    pub(crate) fn nodes(&self) -> Vec<Node> {
        let open: HashSet<PageId> =
            self.page.iter().flat_map(|page| self.tree.ancestors(*page).map(|page| page.id)).collect();
        let is_whole = self.tree.page_count() <= WHOLE_TREE;
        Writer { navigation: self, open, is_whole, grouped: Cell::new(0) }.level(None, "")
    }

    fn link_to(&self, page: &PageNode) -> Option<Link> {
        let site_path = site_path_of(self.visit, self.space, self.tree, page)?;
        Some(Link { title: title_of(page), href: self.visit.link(&site_path) })
    }

    /// Returns the ancestors of the page, outermost first.
    pub(crate) fn crumbs(&self) -> Vec<Link> {
        let Some(page) = self.page else { return Vec::new() };
        let mut crumbs: Vec<Link> =
            self.tree.ancestors(page).filter_map(|ancestor| self.link_to(ancestor)).collect();
        crumbs.reverse();
        crumbs
    }

    /// Returns the previous and the next page in tree order.
    pub(crate) fn neighbors(&self) -> (Option<Link>, Option<Link>) {
        let Some(page) = self.page.and_then(|id| self.tree.page(id)) else { return (None, None) };
        let is_read = |page: &&PageNode| page.page_type() == PageType::Document && !page.hidden;
        let previous = self.tree.pages_before(page).find(is_read);
        let next = self.tree.pages_after(page).find(is_read);
        (previous.and_then(|page| self.link_to(page)), next.and_then(|page| self.link_to(page)))
    }
}

/// Returns the title of a page in navigation.
fn title_of(page: &PageNode) -> String {
    page.link_title.as_ref().unwrap_or(&page.title).clone()
}

/// Writer of a tree. It passes the path down from level to level, so that no path is computed twice.
struct Writer<'a> {
    navigation: &'a Navigation<'a>,
    open: HashSet<PageId>,
    is_whole: bool,
    /// Number of pages in groups so far.
    grouped: Cell<usize>,
}

impl Writer<'_> {
    fn level(&self, parent: Option<PageId>, path: &str) -> Vec<Node> {
        let tree = self.navigation.tree;
        let shown = tree.children(parent).filter(|page| !page.hidden).take(LEVEL);
        let nodes: Vec<Node> = shown.filter_map(|page| self.node(page, path)).collect();
        self.grouped.set(self.grouped.get().saturating_add(nodes.len()));
        nodes
    }

    fn node(&self, page: &PageNode, above: &str) -> Option<Node> {
        let Navigation { visit, space, links, page: shown, .. } = self.navigation;
        let path = if above.is_empty() { page.slug.clone() } else { format!("{above}/{}", page.slug) };
        let is_open = self.open.contains(&page.id);
        let is_current = *shown == Some(page.id);
        let has_pages = || self.navigation.tree.children(Some(page.id)).any(|page| !page.hidden);
        // Pages in a group are reachable only through its expanded list.
        let is_group = matches!(page.kind, PageKind::Group) && self.grouped.get() < GROUPED;
        let is_expanded = self.is_whole || is_open || is_current || is_group;
        let (kind, href) = match &page.kind {
            PageKind::Document if self.navigation.tree.is_home(page.id) => {
                (NodeKind::Page, visit.link(&visit.site_path(space, "")))
            }
            PageKind::Document => (NodeKind::Page, visit.link(&visit.site_path(space, &path))),
            PageKind::Group if is_expanded => (NodeKind::Group, String::new()),
            PageKind::Group => {
                let site_path = site_path_of(visit, space, self.navigation.tree, page)?;
                (NodeKind::Page, visit.link(&site_path))
            }
            PageKind::Link { target } => (NodeKind::Link, links.address(&ContentRef::from_value(target)?)?),
            PageKind::Computed { .. } => return None,
        };
        Some(Node {
            kind,
            link: Link { title: title_of(page), href },
            emoji: page.emoji.clone(),
            icon: page.icon.clone(),
            is_current,
            is_open,
            has_more: !is_expanded && has_pages(),
            children: if is_expanded { self.level(Some(page.id), &path) } else { Vec::new() },
        })
    }
}
