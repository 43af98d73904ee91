//! Editing a tree record by record.

use std::sync::Arc;

use super::{MAX_PAGE_DEPTH, MAX_SLUG_CHARS, Tree, TreeError};
use crate::diff::raw_diff;
use crate::entry::{Entry, EntryId, FileNode, PageNode, ReusableContentNode};
use crate::id::{FileId, PageId, ReusableContentId};
use crate::position::Position;

/// Each edit checks the rules of trees first and changes nothing if it fails.
impl Tree {
    /// Adds a page.
    ///
    /// # Errors
    /// [`TreeError`] if its id, slug or position is taken, its parent is unknown or cannot have child pages, or its
    /// kind is not allowed with its slug or parent.
    pub fn insert_page(&mut self, page: PageNode) -> Result<(), TreeError> {
        self.check_new(EntryId::Page(page.id))?;
        self.check_nesting(&page)?;
        self.check_depth(&page, 1)?;
        self.check_free(&page)?;
        self.put(Entry::Page(Arc::new(page)));
        Ok(())
    }

    /// Replaces the page with the same id. A new parent or position moves the page with all its descendants.
    ///
    /// # Errors
    /// As for [`Tree::insert_page`]; also if the page does not exist, if its kind would change, or if it would be its
    /// own ancestor.
    pub fn update_page(&mut self, page: PageNode) -> Result<(), TreeError> {
        let present = self.page(page.id).ok_or(TreeError::UnknownPage(page.id))?;
        if present.page_type() != page.page_type() {
            return Err(TreeError::KindChanged(page.id));
        }
        self.check_nesting(&page)?;
        if let Some(parent) = page.parent {
            let below_itself = parent == page.id || self.ancestors(parent).any(|above| above.id == page.id);
            if below_itself {
                return Err(TreeError::Cycle(page.id));
            }
        }
        if present.parent != page.parent {
            self.check_depth(&page, self.height(page.id))?;
        }
        self.check_free(&page)?;
        self.take(EntryId::Page(page.id));
        self.put(Entry::Page(Arc::new(page)));
        Ok(())
    }

    /// Returns whether a page of this height fits below its parent.
    fn check_depth(&self, page: &PageNode, height: usize) -> Result<(), TreeError> {
        let above = page.parent.map_or(0, |parent| self.ancestors(parent).count().saturating_add(1));
        if above.saturating_add(height) > MAX_PAGE_DEPTH { Err(TreeError::TooDeep(page.id)) } else { Ok(()) }
    }

    /// Returns the height of a page's subtree in levels: 1 without child pages.
    fn height(&self, id: PageId) -> usize {
        let mut height = 1;
        let mut level: Vec<PageId> = vec![id];
        loop {
            level = level.iter().flat_map(|id| self.children(Some(*id)).map(|child| child.id)).collect();
            if level.is_empty() {
                return height;
            }
            height = height.saturating_add(1);
        }
    }

    /// Returns a page whose subtree is nested too deeply, among the pages that moved since `before`. A merge of two
    /// well-formed trees can produce one.
    #[must_use]
    pub fn too_deep_since(&self, before: &Self) -> Option<PageId> {
        raw_diff(before, self).into_iter().find_map(|(old, new)| {
            let page = new.as_ref().and_then(Entry::as_page)?;
            let moved = old.as_ref().and_then(Entry::as_page).is_none_or(|old| old.parent != page.parent);
            (moved && self.check_depth(page, self.height(page.id)).is_err()).then_some(page.id)
        })
    }

    /// Removes a page and its descendants, and returns their ids, the page's own first.
    ///
    /// # Errors
    /// [`TreeError::UnknownPage`] if the page does not exist.
    pub fn remove_page(&mut self, id: PageId) -> Result<Vec<PageId>, TreeError> {
        self.page(id).ok_or(TreeError::UnknownPage(id))?;
        let removed: Vec<PageId> =
            std::iter::once(id).chain(self.descendants(id).map(|page| page.id)).collect();
        for id in &removed {
            self.take(EntryId::Page(*id));
        }
        Ok(removed)
    }

    /// Adds a file.
    ///
    /// # Errors
    /// [`TreeError::DuplicateId`] if its id is taken.
    pub fn insert_file(&mut self, file: FileNode) -> Result<(), TreeError> {
        self.check_new(EntryId::File(file.id))?;
        self.put(Entry::File(Arc::new(file)));
        Ok(())
    }

    /// Replaces the file with the same id.
    ///
    /// # Errors
    /// [`TreeError::UnknownFile`] if the file does not exist.
    pub fn update_file(&mut self, file: FileNode) -> Result<(), TreeError> {
        self.remove_file(file.id)?;
        self.put(Entry::File(Arc::new(file)));
        Ok(())
    }

    /// Removes a file.
    ///
    /// # Errors
    /// [`TreeError::UnknownFile`] if the file does not exist.
    pub fn remove_file(&mut self, id: FileId) -> Result<(), TreeError> {
        self.take(EntryId::File(id)).map(drop).ok_or(TreeError::UnknownFile(id))
    }

    /// Adds a reusable content.
    ///
    /// # Errors
    /// [`TreeError::DuplicateId`] if its id is taken.
    pub fn insert_reusable_content(&mut self, content: ReusableContentNode) -> Result<(), TreeError> {
        self.check_new(EntryId::ReusableContent(content.id))?;
        self.put(Entry::ReusableContent(Arc::new(content)));
        Ok(())
    }

    /// Replaces the reusable content with the same id.
    ///
    /// # Errors
    /// [`TreeError::UnknownReusableContent`] if the reusable content does not exist.
    pub fn update_reusable_content(&mut self, content: ReusableContentNode) -> Result<(), TreeError> {
        self.remove_reusable_content(content.id)?;
        self.put(Entry::ReusableContent(Arc::new(content)));
        Ok(())
    }

    /// Removes a reusable content.
    ///
    /// # Errors
    /// [`TreeError::UnknownReusableContent`] if the reusable content does not exist.
    pub fn remove_reusable_content(&mut self, id: ReusableContentId) -> Result<(), TreeError> {
        self.take(EntryId::ReusableContent(id)).map(drop).ok_or(TreeError::UnknownReusableContent(id))
    }

    /// Returns the position for a page at the index `at` among the children of a page, or at the top level. Without an
    /// index, or with one beyond the end, the position is last. `moving`, the page to be moved there, is not counted.
    #[must_use]
    pub fn position_at(&self, parent: Option<PageId>, at: Option<usize>, moving: Option<PageId>) -> Position {
        let siblings = || self.children(parent).filter(|page| Some(page.id) != moving);
        let last = || Position::between(siblings().next_back().map(|page| &page.position), None);
        let position = match at {
            None => last(),
            Some(0) => Position::between(None, siblings().next().map(|page| &page.position)),
            Some(at) => {
                let mut around = siblings().skip(at - 1).map(|page| &page.position);
                match (around.next(), around.next()) {
                    (Some(before), Some(after)) => Position::between(Some(before), Some(after)),
                    _ => last(),
                }
            }
        };
        // Siblings have different positions in ascending order, between which there is always another.
        position.unwrap_or_else(Position::first)
    }

    /// Returns the wanted position if no child of this parent has it, otherwise one right after it.
    pub(crate) fn free_position(&self, parent: Option<PageId>, wanted: Position) -> Position {
        let mut present = self.children_from(parent, &wanted).map(|page| &page.position);
        match present.next().filter(|position| **position == wanted) {
            Some(taken) => Position::between(Some(taken), present.next()).unwrap_or(wanted),
            None => wanted,
        }
    }

    /// Returns the wanted slug if no child of this parent has it, otherwise the first free one of `slug-1`, `slug-2`,
    /// …. A slug that would be too long is truncated before the number.
    #[must_use]
    pub fn free_slug(&self, parent: Option<PageId>, wanted: &str) -> String {
        self.free_slug_of(None, parent, wanted)
    }

    /// Like [`Tree::free_slug`], but the slug of `page` counts as free, if it is one of these children.
    #[must_use]
    pub fn free_slug_of(&self, page: Option<PageId>, parent: Option<PageId>, wanted: &str) -> String {
        let is_free = |slug: &str| self.child_by_slug(parent, slug).is_none_or(|held| Some(held.id) == page);
        if is_free(wanted) {
            return wanted.to_owned();
        }
        let numbered = (1_u64..).map(|number| {
            let suffix = format!("-{number}");
            let kept = MAX_SLUG_CHARS.saturating_sub(suffix.len());
            let head: String = wanted.chars().take(kept).collect();
            format!("{}{suffix}", head.trim_end_matches('-'))
        });
        numbered.into_iter().find(|slug| is_free(slug)).unwrap_or_default()
    }
}
