//! The statements that write what was noted.

use diesel::prelude::*;
use diesel::sql_types::{Integer, Uuid as SqlUuid};
use quire_domain::ids::{ChangeRequestId, SpaceId};

use super::Closing;
use crate::statement::{Sql, statements, val};
use crate::transaction::Tx;
use crate::{Error, Result};

statements! {
    CountInSpace = "UPDATE spaces SET comments_open = comments_open + $2 WHERE id = $1 AND deleted_at IS NULL";
    CountInChangeRequest = "UPDATE change_requests SET comments_open = comments_open + $3 WHERE space_id = $1 AND id = $2";
}

impl Tx<'_> {
    /// Adds to the open comments that a space or change request shows, when the transaction ends.
    pub(crate) fn count_open(&mut self, space: SpaceId, change_request: Option<ChangeRequestId>, step: i32) {
        self.closing.counted = self.closing.counted.saturating_add(1);
        let counted = self.closing.comments.entry((space, change_request)).or_default();
        *counted = counted.saturating_add(step);
    }

    /// Writes the noted rows. The caller commits right after it.
    pub(crate) fn close(&mut self) -> Result<()> {
        let Closing { edits, posted, entries, events, comments, .. } = std::mem::take(&mut self.closing);
        self.write_edits(&edits)?;
        self.insert_comments(&posted)?;
        self.write_entries(&entries, events)?;
        for ((space, change_request), step) in comments {
            self.write_count(space, change_request, step)?;
        }
        Ok(())
    }

    fn write_count(
        &mut self,
        space: SpaceId,
        change_request: Option<ChangeRequestId>,
        step: i32,
    ) -> Result<()> {
        let (space, step) = (val::<SqlUuid, _>(*space.as_uuid()), val::<Integer, _>(step));
        let counted = match change_request {
            None => CountInSpace::bind((space, step)).execute(self.connection)?,
            Some(id) => CountInChangeRequest::bind((space, val::<SqlUuid, _>(*id.as_uuid()), step))
                .execute(self.connection)?,
        };
        if counted == 0 { Err(Error::NotFound) } else { Ok(()) }
    }
}
