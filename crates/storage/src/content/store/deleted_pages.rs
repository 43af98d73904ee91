//! Pages deleted from the main content. They can be restored from their last revision.

use diesel::prelude::*;
use diesel::upsert::excluded;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{PageId, RevisionId, SpaceId};
use quire_revision::{PageNode, PageType, Tree};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use super::LockedHead;
use crate::content::store::ContentPoint;
use crate::list::Slice;
use crate::lookup::{Authorized, UserRecord};
use crate::schema::{deleted_pages, users};
use crate::transaction::{Reader, Tx};
use crate::{Result, to_timestamp};

/// Maximum number of deleted pages in a list, and of those that a commit records.
const MOST: u16 = 1_000;

/// Page deleted from the main content of a space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletedPage {
    /// Id.
    pub id: PageId,
    /// Last revision that has the page.
    pub revision: RevisionId,
    /// Title in that revision.
    pub title: String,
    /// Time of the deletion.
    pub deleted_at: Timestamp,
    /// User who deleted the page; `None` for a removed user.
    pub deleted_by: Option<UserRecord>,
}

/// Cursor of a list of deleted pages. The list is in descending order of the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DeletedPageKey {
    deleted_at: Timestamp,
    id: PageId,
}

impl DeletedPage {
    /// Returns the cursor of the page in a list.
    #[must_use]
    pub fn key(&self) -> DeletedPageKey {
        DeletedPageKey { deleted_at: self.deleted_at, id: self.id }
    }
}

impl Tx<'_> {
    /// Records the pages deleted by the revision that follows `head`. Takes at most one statement.
    pub(super) fn note_deleted_pages(&mut self, head: &LockedHead, deleted: &[&PageNode]) -> Result<()> {
        let now = self.now;
        let is_page = |page: &&&PageNode| page.page_type() == PageType::Document;
        let rows: Vec<_> = deleted
            .iter()
            .filter(is_page)
            .take(usize::from(MOST))
            .map(|page| {
                (
                    deleted_pages::space_id.eq(head.space),
                    deleted_pages::page_id.eq(page.id),
                    deleted_pages::revision_id.eq(head.revision.id),
                    deleted_pages::title.eq(page.title.as_str()),
                    deleted_pages::deleted_at.eq(now),
                    deleted_pages::deleted_by.eq(head.actor.user),
                )
            })
            .collect();
        if rows.is_empty() {
            return Ok(());
        }
        diesel::insert_into(deleted_pages::table)
            .values(rows)
            .on_conflict((deleted_pages::space_id, deleted_pages::page_id))
            .do_update()
            .set((
                deleted_pages::revision_id.eq(excluded(deleted_pages::revision_id)),
                deleted_pages::title.eq(excluded(deleted_pages::title)),
                deleted_pages::deleted_at.eq(excluded(deleted_pages::deleted_at)),
                deleted_pages::deleted_by.eq(excluded(deleted_pages::deleted_by)),
            ))
            .execute(self.connection)?;
        Ok(())
    }
}

impl Reader<'_> {
    /// Returns the deleted pages of a space, most recently deleted first, except those that exist again in `tree`, the
    /// tree of its main content. Takes one statement.
    pub fn deleted_pages<T: ContentPoint>(
        &mut self,
        content: &Authorized<T>,
        tree: &Tree,
        after: Option<DeletedPageKey>,
        limit: u16,
    ) -> Result<Slice<DeletedPage>> {
        let space: SpaceId = content.space();
        let rows: Vec<(Uuid, Uuid, String, OffsetDateTime, Option<UserRecord>)> = deleted_pages::table
            .left_join(users::table)
            .filter(deleted_pages::space_id.eq(space))
            .order((deleted_pages::deleted_at.desc(), deleted_pages::page_id.desc()))
            .limit(i64::from(MOST))
            .select((
                deleted_pages::page_id,
                deleted_pages::revision_id,
                deleted_pages::title,
                deleted_pages::deleted_at,
                Option::<UserRecord>::as_select(),
            ))
            .load(self.connection)?;
        let mut pages = Vec::new();
        for (id, revision, title, deleted_at, deleted_by) in rows {
            let id = PageId::from_uuid(id);
            if tree.page(id).is_none() {
                let deleted_at = to_timestamp(deleted_at)?;
                pages.push(DeletedPage { id, revision: revision.into(), title, deleted_at, deleted_by });
            }
        }
        let total = i64::try_from(pages.len()).unwrap_or(i64::MAX);
        pages.retain(|page| after.is_none_or(|after| page.key() < after));
        Ok(Slice::cut(pages, limit, total))
    }
}
