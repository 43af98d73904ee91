//! Former places of moved and renamed pages, so that their former paths still lead to them.

use std::collections::HashMap;
use std::sync::Arc;

use diesel::prelude::*;
use diesel::upsert::excluded;
use quire_domain::ids::{PageId, SpaceId};
use quire_revision::{PageNode, Tree, changed_pages};
use uuid::Uuid;

use super::LockedHead;
use crate::Result;
use crate::content::store::ContentPoint;
use crate::lookup::Authorized;
use crate::schema::former_places;
use crate::transaction::{Reader, Tx};

/// Maximum number of places that a commit records. An import that replaces more pages is not a series of moves.
const MOST_PLACES: usize = 5_000;
/// Maximum number of path segments that are looked up, more than the depth of any tree of pages.
const MOST_SEGMENTS: usize = 64;

fn place(page: &PageNode) -> (Uuid, &str) {
    (page.parent.map_or(Uuid::nil(), Uuid::from), page.slug.as_str())
}

impl Tx<'_> {
    /// Records the pages that a new revision of the main content deletes, and the places that pages leave. Takes at
    /// most two statements.
    pub(super) fn note_changed_pages(&mut self, head: &LockedHead, after: &Tree) -> Result<()> {
        let (mut changed, mut deleted) = (Vec::new(), Vec::new());
        for change in changed_pages(&head.tree, after) {
            match change {
                (Some(old), Some(new)) => changed.push((old, new)),
                (Some(old), None) => deleted.push(old),
                (None, _) => {}
            }
        }
        self.note_deleted_pages(head, &deleted.iter().map(AsRef::as_ref).collect::<Vec<_>>())?;
        self.note_places(head.space, &changed)
    }

    fn note_places(&mut self, space: SpaceId, changed: &[(Arc<PageNode>, Arc<PageNode>)]) -> Result<()> {
        let mut left: HashMap<(Uuid, String), PageId> = HashMap::new();
        for (old, new) in changed {
            let (parent, slug) = place(old);
            if (parent, slug) != place(new) && !slug.is_empty() && left.len() < MOST_PLACES {
                left.insert((parent, slug.to_owned()), old.id);
            }
        }
        if left.is_empty() {
            return Ok(());
        }
        let mut rows: Vec<_> = left.into_iter().collect();
        // Rows are locked in a fixed order, which prevents deadlocks.
        rows.sort();
        let rows: Vec<_> = rows
            .into_iter()
            .map(|((parent, slug), page)| {
                (
                    former_places::space_id.eq(space),
                    former_places::parent_id.eq(parent),
                    former_places::slug.eq(slug),
                    former_places::page_id.eq(page),
                )
            })
            .collect();
        diesel::insert_into(former_places::table)
            .values(rows)
            .on_conflict((former_places::space_id, former_places::parent_id, former_places::slug))
            .do_update()
            .set(former_places::page_id.eq(excluded(former_places::page_id)))
            .execute(self.connection)?;
        Ok(())
    }
}

impl Reader<'_> {
    /// Returns the page that had a path before it or one of its ancestors was moved or renamed. `tree` is the tree of
    /// the content. Takes one statement.
    pub fn page_formerly_at<T: ContentPoint>(
        &mut self,
        content: &Authorized<T>,
        tree: &Tree,
        path: &[String],
    ) -> Result<Option<PageId>> {
        if path.is_empty() || path.len() > MOST_SEGMENTS {
            return Ok(None);
        }
        let rows: Vec<(Uuid, String, Uuid)> = former_places::table
            .filter(former_places::space_id.eq(content.space()))
            .filter(former_places::slug.eq_any(path))
            .select((former_places::parent_id, former_places::slug, former_places::page_id))
            .load(self.connection)?;
        if rows.is_empty() {
            return Ok(None);
        }
        let former: HashMap<(Uuid, &str), PageId> = rows
            .iter()
            .map(|(parent, slug, page)| ((*parent, slug.as_str()), PageId::from_uuid(*page)))
            .collect();
        let mut at: Option<PageId> = None;
        for slug in path {
            let parent = at.map_or(Uuid::nil(), Uuid::from);
            let now = tree.child_by_slug(at, slug).map(|page| page.id);
            let then =
                || former.get(&(parent, slug.as_str())).filter(|page| tree.page(**page).is_some()).copied();
            at = match now.or_else(then) {
                Some(page) => Some(page),
                None => return Ok(None),
            };
        }
        Ok(at)
    }
}
