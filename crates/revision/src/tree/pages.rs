//! Read access to pages: by id, by position and by path.

use std::sync::Arc;

use super::Tree;
use super::index::Rank;
use crate::entry::{PageNode, PageType};
use crate::id::PageId;
use crate::position::Position;

impl Tree {
    /// Returns the page with this id.
    #[must_use]
    pub fn page(&self, id: PageId) -> Option<&PageNode> {
        self.pages.get(&id).map(Arc::as_ref)
    }

    /// Returns all pages, in the order of their ids.
    pub fn pages(&self) -> impl Iterator<Item = &PageNode> {
        self.pages.values().map(Arc::as_ref)
    }

    /// Returns the placeholders of computed pages without visiting the other pages.
    pub fn computed_pages(&self) -> impl Iterator<Item = &PageNode> {
        self.computed.iter().filter_map(|id| self.page(*id))
    }

    /// Returns the children of a page, or the top-level pages, in order; empty for an unknown page.
    pub fn children(&self, parent: Option<PageId>) -> impl DoubleEndedIterator<Item = &PageNode> {
        self.children.range((parent, Rank::Start), (parent, Rank::End))
    }

    /// Returns the children of a page from a position (inclusive), in order.
    pub(crate) fn children_from<'t>(
        &'t self,
        parent: Option<PageId>,
        position: &Position,
    ) -> impl Iterator<Item = &'t PageNode> + use<'t> {
        self.children.range((parent, Rank::At(position)), (parent, Rank::End))
    }

    /// Returns the last child page before a position.
    pub(crate) fn child_before(&self, parent: Option<PageId>, position: &Position) -> Option<&PageNode> {
        self.children.range((parent, Rank::Start), (parent, Rank::At(position))).next_back()
    }

    /// Returns the child of a page, or the top-level page, with this slug.
    #[must_use]
    pub fn child_by_slug(&self, parent: Option<PageId>, slug: &str) -> Option<&PageNode> {
        self.slugs.get((parent, slug))
    }

    /// Returns the page at this path: slugs from the top level down, joined by `/`. The empty path is another path of
    /// the first document of the top level.
    #[must_use]
    pub fn page_by_path(&self, path: &str) -> Option<&PageNode> {
        if path.is_empty() {
            return self.children(None).find(|page| page.page_type() == PageType::Document);
        }
        let mut slugs = path.split('/');
        let top = self.child_by_slug(None, slugs.next()?)?;
        slugs.try_fold(top, |parent, slug| self.child_by_slug(Some(parent.id), slug))
    }

    /// Returns the path of a page: its ancestors' slugs and its own, joined by `/`. Links and computed pages have none.
    #[must_use]
    pub fn path_of(&self, id: PageId) -> Option<String> {
        let page = self.page(id).filter(|page| !page.slug.is_empty())?;
        let mut slugs: Vec<&str> = self.ancestors(id).map(|ancestor| ancestor.slug.as_str()).collect();
        slugs.reverse();
        slugs.push(&page.slug);
        Some(slugs.join("/"))
    }

    /// Returns the ancestors of a page, its parent first.
    pub fn ancestors(&self, id: PageId) -> impl Iterator<Item = &PageNode> {
        let parent_of = |page: &PageNode| page.parent.and_then(|parent| self.page(parent));
        std::iter::successors(self.page(id).and_then(parent_of), move |page| parent_of(page))
            // A tree under construction may have a cycle. The bound ends the iteration, so that checks can find it.
            .take(self.pages.len())
    }

    /// Returns all pages in the order of the table of contents: parents before children.
    pub fn pages_in_order(&self) -> impl Iterator<Item = &PageNode> {
        self.below(None)
    }

    /// Returns all descendants of a page, in the order of the table of contents.
    pub fn descendants(&self, id: PageId) -> impl Iterator<Item = &PageNode> {
        self.below(Some(id))
    }

    /// Returns the pages after a page in the order of the table of contents, starting with its descendants.
    pub fn pages_after<'t>(&'t self, page: &'t PageNode) -> impl Iterator<Item = &'t PageNode> {
        std::iter::successors(Some(page), |page| self.next_in_order(page)).skip(1)
    }

    /// Returns the pages before a page in the reverse order of the table of contents.
    pub fn pages_before<'t>(&'t self, page: &'t PageNode) -> impl Iterator<Item = &'t PageNode> {
        std::iter::successors(Some(page), |page| self.previous_in_order(page)).skip(1)
    }

    fn next_in_order(&self, page: &PageNode) -> Option<&PageNode> {
        let following = |page: &PageNode| self.children_from(page.parent, &page.position).nth(1);
        let first = self.children(Some(page.id)).next();
        let sibling = || following(page).or_else(|| self.ancestors(page.id).find_map(following));
        first.or_else(sibling)
    }

    fn previous_in_order(&self, page: &PageNode) -> Option<&PageNode> {
        let last_child = |page: &&PageNode| self.children(Some(page.id)).next_back();
        let sibling = self.child_before(page.parent, &page.position);
        let last = sibling.and_then(|sibling| std::iter::successors(Some(sibling), last_child).last());
        last.or_else(|| self.page(page.parent?))
    }

    /// Walks depth first. Each step, including the first, has logarithmic cost.
    fn below(&self, parent: Option<PageId>) -> impl Iterator<Item = &PageNode> {
        let mut levels = vec![self.children(parent)];
        std::iter::from_fn(move || {
            loop {
                match levels.last_mut()?.next() {
                    Some(page) => {
                        levels.push(self.children(Some(page.id)));
                        return Some(page);
                    }
                    None => drop(levels.pop()),
                }
            }
        })
    }
}
