//! Changing many records at once, with the tree's rules checked on the outcome only.

use std::sync::Arc;

use super::index::Rank;
use super::{Tree, TreeError};
use crate::entry::{Entry, EntryChange, EntryId, PageNode, PageType};
use crate::trie::Key;

impl Tree {
    /// Returns the tree after a set of changes, such as those of [`raw_diff`](crate::raw_diff). Their order does not
    /// matter: two slugs can be swapped.
    ///
    /// Only the id of each *before* is used. Cost is proportional to the number of changes.
    ///
    /// # Errors
    /// [`TreeError`] if the outcome would break a rule of trees.
    pub fn apply(&self, changes: &[EntryChange]) -> Result<Self, TreeError> {
        let mut tree = self.clone();
        tree.apply_to_indexes(changes)?;
        let trie = Arc::make_mut(&mut tree.trie);
        for (before, after) in changes {
            if let Some(before) = before {
                trie.remove(0, Key::of(before.id()));
            }
            if let Some(after) = after {
                trie.insert(0, Key::of(after.id()), after.clone());
            }
        }
        Ok(tree)
    }

    /// Updates the indexes, but not the trie, for a set of changes. They are unusable after an error.
    pub(super) fn apply_to_indexes(&mut self, changes: &[EntryChange]) -> Result<(), TreeError> {
        let removed = changes.iter().filter_map(|(before, _)| before.as_ref());
        for id in removed.map(Entry::id) {
            if let Some(present) = self.entry(id) {
                self.unindex(&present);
            }
        }
        for entry in changes.iter().filter_map(|(_, after)| after.as_ref()) {
            if self.entry(entry.id()).is_some() {
                return Err(TreeError::DuplicateId(entry.id()));
            }
            if let Entry::Page(page) = entry {
                self.check_free(page)?;
            }
            self.index(entry);
        }
        changes.iter().try_for_each(|change| self.check_connected(change))
    }

    /// Checks that a changed page is connected to the top level, and that no page has a deleted parent.
    fn check_connected(&self, (before, after): &EntryChange) -> Result<(), TreeError> {
        if let Some(Entry::Page(page)) = after {
            self.check_nesting(page)?;
            let steps = self.ancestors(page.id).count();
            if steps == self.page_count() {
                return Err(TreeError::Cycle(page.id));
            }
        }
        let page = before.as_ref().or(after.as_ref()).and_then(Entry::as_page);
        let Some(page) = page else { return Ok(()) };
        let may_have_children = self.page(page.id).map(|page| page.page_type().has_children());
        if may_have_children != Some(true) && self.children(Some(page.id)).next().is_some() {
            return Err(match may_have_children {
                None => TreeError::UnknownParent(page.id),
                Some(_) => TreeError::ParentWithoutChildren(page.id),
            });
        }
        Ok(())
    }

    /// Checks that no other page has the slug or position of a page.
    pub(super) fn check_free(&self, page: &PageNode) -> Result<(), TreeError> {
        let others = |other: &&PageNode| other.id != page.id;
        let has_slug = !page.slug.is_empty();
        let same_slug = has_slug.then(|| self.child_by_slug(page.parent, &page.slug)).flatten();
        if let Some(by) = same_slug.filter(others) {
            return Err(TreeError::SlugTaken { slug: page.slug.clone(), by: by.id });
        }
        let key = (page.parent, Rank::At(&page.position));
        if let Some(by) = self.children.get(key).filter(others) {
            return Err(TreeError::PositionTaken { by: by.id });
        }
        Ok(())
    }

    /// Checks that a page's kind, slug and parent are compatible.
    pub(super) fn check_nesting(&self, page: &PageNode) -> Result<(), TreeError> {
        if page.slug.is_empty() == page.page_type().has_children() || page.slug.contains('/') {
            return Err(TreeError::InvalidSlug { page: page.id, slug: page.slug.clone() });
        }
        let Some(parent) = page.parent else { return Ok(()) };
        let parent = self.page(parent).ok_or(TreeError::UnknownParent(parent))?;
        if !parent.page_type().has_children() {
            return Err(TreeError::ParentWithoutChildren(parent.id));
        }
        if page.page_type() == PageType::Group {
            return Err(TreeError::NestedGroup(page.id));
        }
        Ok(())
    }

    /// Checks that an id is not used in the tree.
    pub(super) fn check_new(&self, id: EntryId) -> Result<(), TreeError> {
        if self.entry(id).is_some() { Err(TreeError::DuplicateId(id)) } else { Ok(()) }
    }
}
