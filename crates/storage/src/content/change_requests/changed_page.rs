//! Change requests that change a page.

use diesel::prelude::*;
use quire_domain::change_requests::Status;
use quire_domain::ids::{PageId, SpaceId};
use quire_revision::{Tree, TreeHash};

use crate::Result;
use crate::content::change_requests::ChangeRequestRecord;
use crate::content::store::ContentAt;
use crate::lookup::Authorized;
use crate::schema::{change_requests, users};
use crate::transaction::Reader;

/// Maximum number of change requests that are compared with their merge base.
pub(super) const MOST_COMPARED: i64 = 200;

impl Reader<'_> {
    /// Returns the open change requests of the content's space that change a page, and the actor's drafts that do,
    /// newest first. Only the newest 200 are searched. Takes two statements, and one more for each level of the path to
    /// the page's record.
    pub fn active_changes_of_page(
        &mut self,
        content: &Authorized<ContentAt>,
        page: PageId,
    ) -> Result<Vec<ChangeRequestRecord>> {
        let space = content.space.id;
        let own = change_requests::status
            .eq(Status::Draft.as_str())
            .and(change_requests::created_by.eq(content.actor().user));
        let compared = change_requests::table
            .left_join(users::table)
            .filter(change_requests::space_id.eq(space))
            .filter(change_requests::status.eq(Status::Open.as_str()).or(own))
            .order(change_requests::number.desc())
            .limit(MOST_COMPARED)
            .select(ChangeRequestRecord::as_select())
            .load(self.connection)?;
        self.changing(space, page, compared)
    }

    /// Keeps the change requests that change a page.
    pub(super) fn changing(
        &mut self,
        space: SpaceId,
        page: PageId,
        compared: Vec<ChangeRequestRecord>,
    ) -> Result<Vec<ChangeRequestRecord>> {
        if compared.is_empty() {
            return Ok(compared);
        }
        let ends = compared.iter().flat_map(|record| [record.merge_base(), record.head]);
        let ends: Vec<_> = ends.collect();
        let roots = self.roots_by_id(space, &ends)?;
        let empty = Tree::empty().root();
        let wanted: Vec<TreeHash> = ends.iter().map(|id| roots.get(id).copied().unwrap_or(empty)).collect();
        let found = self.page_in_trees(space, page, &wanted)?;
        let changes = found.as_chunks::<2>().0.iter().map(|[before, after]| before != after);
        Ok(compared
            .into_iter()
            .zip(changes)
            .filter(|(_, changes)| *changes)
            .map(|(record, _)| record)
            .collect())
    }
}
