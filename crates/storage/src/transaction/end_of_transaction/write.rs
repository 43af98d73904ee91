//! Statements that write the collected rows.

use diesel::prelude::*;
use diesel::sql_types::{Integer, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::{ChangeRequestId, SpaceId};

use super::{Closing, CommentStep};
use crate::transaction::Tx;
use crate::{Error, Result};

sql_files! {
    CountCommentsOfSpace(SqlUuid, Integer, Integer) = "count_comments_of_space.sql";
    CountCommentsOfChangeRequest(SqlUuid, SqlUuid, Integer, Integer)
        = "count_comments_of_change_request.sql";
}

impl Tx<'_> {
    /// Adds to the comment counters of a space or change request when the transaction ends.
    pub(crate) fn count_comments(
        &mut self,
        space: SpaceId,
        change_request: Option<ChangeRequestId>,
        step: CommentStep,
    ) {
        self.closing.counted = self.closing.counted.saturating_add(1);
        let counted = self.closing.comments.entry((space, change_request)).or_default();
        counted.open = counted.open.saturating_add(step.open);
        counted.resolved = counted.resolved.saturating_add(step.resolved);
    }

    /// Records a change of a comment that does not affect the number of comments. It is counted when the transaction
    /// ends.
    pub(crate) fn note_comment_change(&mut self, space: SpaceId, change_request: Option<ChangeRequestId>) {
        self.count_comments(space, change_request, CommentStep::default());
    }

    /// Writes the collected rows. The caller must commit directly afterwards.
    pub(crate) fn close(&mut self) -> Result<()> {
        let edits = std::mem::take(&mut self.closing.edits);
        self.write_edits(&edits)?;
        let Closing { posted, notices, entries, events, purges, structures, connected, comments, .. } =
            std::mem::take(&mut self.closing);
        self.insert_comments(&posted)?;
        notices.iter().try_for_each(|notice| self.write_comment_notice(notice))?;
        self.write_entries(&entries, events)?;
        self.write_purges(&purges)?;
        self.sync_spaces_soon(&connected)?;
        self.sync_sites_soon(&structures)?;
        for ((space, change_request), step) in comments {
            self.write_count(space, change_request, step)?;
        }
        Ok(())
    }

    fn write_count(
        &mut self,
        space: SpaceId,
        change_request: Option<ChangeRequestId>,
        CommentStep { open, resolved }: CommentStep,
    ) -> Result<()> {
        let counted = match change_request {
            None => CountCommentsOfSpace::bind((space, open, resolved)).execute(self.connection)?,
            Some(id) => {
                CountCommentsOfChangeRequest::bind((space, id, open, resolved)).execute(self.connection)?
            }
        };
        if counted == 0 { Err(Error::NotFound) } else { Ok(()) }
    }
}
