//! Cache of values derived from complete trees, such as the trees themselves.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quire_domain::ids::SpaceId;
use quire_revision::TreeHash;

use super::weighed::{Admission, WeighedCache};

/// Number of values of a space that are kept regardless of their weight: a merge needs three.
const KEPT: usize = 3;

/// Maximum number of values per space: for its head, and for the change requests that are being edited.
const MOST_VALUES: usize = 64;

/// Values derived from complete trees, by space and root.
///
/// A value is derived from another value of its space, and shares most of its data with it. So the cache keeps or drops
/// whole spaces, and counts the data that the values of a space share only once. While a space is cached, the value of
/// any of its trees costs only the difference from a cached one: with the head of a space cached, the head of a change
/// request is cheap, and vice versa.
pub(crate) struct NearestCache<V> {
    spaces: WeighedCache<SpaceId, Arc<Family<V>>>,
    weights: Weights<V>,
}

/// Functions that return the weight of values in bytes.
pub(crate) struct Weights<V> {
    /// Weight of a value that shares nothing.
    pub(super) alone: fn(&V) -> usize,
    /// Weight of the parts of a value that another value does not share.
    pub(super) beyond: fn(&V, &V) -> usize,
}

/// Values of one space.
struct Family<V> {
    members: Mutex<Members<V>>,
}

struct Members<V> {
    /// Values in the order of their last use.
    values: Vec<Member<V>>,
    /// Weight of the most recently added value.
    shared: usize,
}

struct Member<V> {
    root: TreeHash,
    value: V,
    /// Weight of the parts that the previous value does not have.
    own: usize,
}

impl<V: Clone + Send + Sync + 'static> NearestCache<V> {
    pub(super) fn new(bound: (u64, Admission), weights: Weights<V>) -> Self {
        Self { spaces: WeighedCache::new(bound, |family| family.lock().weight()), weights }
    }

    /// Returns the total weight of all values.
    pub(super) fn weight(&self) -> u64 {
        self.spaces.weight()
    }

    /// Returns the value of a tree.
    pub(crate) fn get(&self, space: SpaceId, root: TreeHash) -> Option<V> {
        self.spaces.get(&space)?.lock().get(root)
    }

    /// Returns the most recently used value of a space.
    pub(crate) fn nearest(&self, space: SpaceId) -> Option<V> {
        self.spaces.get(&space)?.lock().values.last().map(|member| member.value.clone())
    }

    /// Caches the value of a tree.
    pub(crate) fn keep(&self, space: SpaceId, root: TreeHash, value: V) {
        let family = self.spaces.get(&space).unwrap_or_default();
        let dropped = family.lock().add(root, value, &self.weights);
        drop(dropped);
        // Inserted again because its weight has changed.
        self.spaces.insert(space, family);
    }
}

impl<V> Default for Family<V> {
    fn default() -> Self {
        Self { members: Mutex::new(Members { values: Vec::new(), shared: 0 }) }
    }
}

impl<V> Family<V> {
    fn lock(&self) -> MutexGuard<'_, Members<V>> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<V: Clone> Members<V> {
    fn get(&mut self, root: TreeHash) -> Option<V> {
        let found = self.values.iter().position(|member| member.root == root)?;
        let used = self.values.remove(found);
        let value = used.value.clone();
        self.values.push(used);
        Some(value)
    }

    /// Adds a value, replacing the tree's current one, and returns the displaced values.
    fn add(&mut self, root: TreeHash, value: V, weights: &Weights<V>) -> Vec<Member<V>> {
        let known = self.values.iter().position(|member| member.root == root);
        let mut displaced: Vec<_> = known.map(|known| self.values.remove(known)).into_iter().collect();
        self.shared = (weights.alone)(&value);
        let own = self.values.last().map_or(0, |near| (weights.beyond)(&value, &near.value));
        self.values.push(Member { root, value, own });
        let surplus = self.values.len().saturating_sub(self.fitting());
        displaced.extend(self.values.drain(..surplus));
        displaced
    }

    /// Returns the number of values to keep: their own parts together weigh at most as much as one value.
    fn fitting(&self) -> usize {
        let mut left = self.shared;
        let fitting = self.values.iter().rev().take(MOST_VALUES).take_while(|member| {
            let fits = member.own <= left;
            left = left.saturating_sub(member.own);
            fits
        });
        fitting.count().max(KEPT)
    }
}

impl<V> Members<V> {
    fn weight(&self) -> usize {
        self.values.iter().map(|member| member.own).sum::<usize>().saturating_add(self.shared)
    }
}

#[cfg(test)]
mod tests {
    use quire_revision::{PageId, PageKind, PageNode, Tree};
    use uuid::Uuid;

    use super::*;

    fn tree(pages: u128) -> Tree {
        let mut tree = Tree::empty();
        for number in 1..=pages {
            let (id, position) =
                (PageId::from_uuid(Uuid::from_u128(number)), tree.position_at(None, None, None));
            let (title, slug) = (format!("Page {number}"), format!("page-{number}"));
            let page = PageNode::new(id, None, position, PageKind::Document, title, slug);
            tree.insert_page(page).unwrap();
        }
        tree
    }

    /// Returns the tree after an edit of one page, as in a change request.
    fn edited(tree: &Tree, edit: u128) -> Tree {
        let mut edited = tree.clone();
        let id = PageId::from_uuid(Uuid::from_u128(1 + edit % 7));
        let mut page = edited.page(id).unwrap().clone();
        page.title = format!("Edit {edit}");
        edited.update_page(page).unwrap();
        edited
    }

    fn space(number: u128) -> SpaceId {
        SpaceId::from_uuid(Uuid::from_u128(number))
    }

    /// Returns a cache in which each of the trees counts as heavy.
    fn cache() -> NearestCache<Tree> {
        let weights = Weights { alone: Tree::approximate_bytes, beyond: Tree::approximate_bytes_beyond };
        NearestCache::new((64 << 10, Admission::Recent), weights)
    }

    #[test]
    fn edits_of_change_requests_in_large_spaces_find_the_trees_of_their_spaces() {
        let (cache, main) = (cache(), tree(500));
        let spaces = [1, 2, 3].map(space);
        for space in spaces {
            cache.keep(space, main.root(), main.clone());
        }
        for edit in 0..30 {
            for space in spaces {
                assert!(cache.get(space, main.root()).is_some(), "the head, before edit {edit}");
                let change_request = edited(&main, edit);
                cache.keep(space, change_request.root(), change_request.clone());
                assert!(cache.get(space, change_request.root()).is_some());
            }
        }
        let bound = u64::try_from(3 * 2 * main.approximate_bytes()).unwrap();
        assert!(cache.weight() <= bound + 4_096, "{} bytes, {bound} at most", cache.weight());
    }

    #[test]
    fn the_spaces_that_were_used_last_are_kept() {
        let (cache, main) = (cache(), tree(500));
        for number in 1..=4 {
            cache.keep(space(number), main.root(), main.clone());
        }
        let kept = [1, 2, 3, 4].map(|number| cache.nearest(space(number)).is_some());
        assert_eq!(kept, [false, true, true, true]);
    }

    #[test]
    fn trees_that_share_nothing_weigh_all_and_three_are_kept() {
        let (cache, main) = (cache(), tree(500));
        let roots = [500, 501, 502, 503, 504].map(|pages| {
            let tree = tree(pages);
            cache.keep(space(1), tree.root(), tree.clone());
            tree.root()
        });
        let kept = roots.map(|root| cache.get(space(1), root).is_some());
        assert_eq!(kept, [false, false, true, true, true]);
        let weight = usize::try_from(cache.weight()).unwrap();
        assert!(weight > 3 * main.approximate_bytes(), "{weight}");
    }

    #[test]
    fn a_space_that_grows_heavy_and_light_again_is_kept_once() {
        let (cache, light) = (cache(), tree(10));
        cache.keep(space(1), light.root(), light.clone());
        let heavy = tree(500);
        cache.keep(space(1), heavy.root(), heavy.clone());
        let weight = cache.weight();
        for pages in 11..=13 {
            let light = tree(pages);
            cache.keep(space(1), light.root(), light);
        }
        assert!(cache.weight() * 10 < weight, "{} of {weight}", cache.weight());
    }
}
