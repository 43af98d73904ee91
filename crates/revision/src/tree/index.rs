//! Indexes of the pages of a tree.
//!
//! An index holds the records themselves, not copies of their keys. An entry takes one pointer, and an edit copies
//! nodes of pointers.

use std::cmp::Ordering;
use std::marker::PhantomData;
use std::sync::Arc;

use equivalent::{Comparable, Equivalent};
use imbl::OrdSet;

use crate::entry::PageNode;
use crate::id::PageId;
use crate::position::Position;

/// Sort order of an index.
pub(super) trait Order {
    /// Key of a page, or a bound of keys. Keys are unique within a tree.
    type Key<'p>;

    fn key(page: &PageNode) -> Self::Key<'_>;

    /// Compares a key with the key of a page.
    fn compare(key: &Self::Key<'_>, page: &PageNode) -> Ordering;
}

/// Order by parent and position.
pub(super) struct ByPosition;

/// A position among siblings, with lower and upper bounds for searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank<'p> {
    Start,
    At(&'p Position),
    End,
}

impl Order for ByPosition {
    type Key<'p> = (Option<PageId>, Rank<'p>);

    fn key(page: &PageNode) -> Self::Key<'_> {
        (page.parent, Rank::At(&page.position))
    }

    fn compare(key: &Self::Key<'_>, page: &PageNode) -> Ordering {
        key.cmp(&Self::key(page))
    }
}

/// Order by parent and slug.
pub(super) struct BySlug;

impl Order for BySlug {
    type Key<'p> = (Option<PageId>, &'p str);

    fn key(page: &PageNode) -> Self::Key<'_> {
        (page.parent, &page.slug)
    }

    fn compare(key: &Self::Key<'_>, page: &PageNode) -> Ordering {
        key.cmp(&Self::key(page))
    }
}

/// Sorted set of pages. Clones share all parts that no edit has changed.
pub(super) struct Index<O: Order>(OrdSet<Ordered<O>>);

impl<O: Order> Index<O> {
    /// Adds a page. The index must not contain its key.
    pub(super) fn insert(&mut self, page: &Arc<PageNode>) {
        self.0.insert(Ordered(Arc::clone(page), PhantomData));
    }

    pub(super) fn remove(&mut self, page: &PageNode) {
        self.0.remove(&Sought::<O>(O::key(page)));
    }

    pub(super) fn get(&self, key: O::Key<'_>) -> Option<&PageNode> {
        self.0.get(&Sought::<O>(key)).map(|found| found.0.as_ref())
    }

    /// Returns the pages from one key (inclusive) to another (exclusive), in order.
    pub(super) fn range<'t, 'k>(
        &'t self,
        from: O::Key<'k>,
        to: O::Key<'k>,
    ) -> impl DoubleEndedIterator<Item = &'t PageNode> + use<'t, O> {
        let range = Sought::<O>(from)..Sought(to);
        self.0.range(range).map(|found| found.0.as_ref())
    }
}

impl<O: Order> Clone for Index<O> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<O: Order> Default for Index<O> {
    fn default() -> Self {
        Self(OrdSet::default())
    }
}

/// Page that compares by its key.
struct Ordered<O>(Arc<PageNode>, PhantomData<O>);

impl<O> Clone for Ordered<O> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0), PhantomData)
    }
}

impl<O: Order> Ord for Ordered<O> {
    fn cmp(&self, other: &Self) -> Ordering {
        O::compare(&O::key(&self.0), &other.0)
    }
}

impl<O: Order> PartialOrd for Ordered<O> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<O: Order> PartialEq for Ordered<O> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<O: Order> Eq for Ordered<O> {}

/// Key to look up.
struct Sought<'k, O: Order>(O::Key<'k>);

impl<O: Order> Comparable<Ordered<O>> for Sought<'_, O> {
    fn compare(&self, page: &Ordered<O>) -> Ordering {
        O::compare(&self.0, &page.0)
    }
}

impl<O: Order> Equivalent<Ordered<O>> for Sought<'_, O> {
    fn equivalent(&self, page: &Ordered<O>) -> bool {
        self.compare(page).is_eq()
    }
}
