//! New entries of the logs of connections of spaces and sites.

use diesel::prelude::*;
use quire_domain::git::{GitDirection, GitOperationState};
use quire_domain::git_installations::GitTrigger;
use quire_domain::ids::{ChangeRequestId, OrganizationId, RevisionId, SiteId, SpaceId};
use time::OffsetDateTime;

use crate::Result;
use crate::schema::{git_operations, site_git_operations};
use crate::transaction::Tx;

/// Log entry of a run that ends now.
pub(crate) struct GitLogEntry<'e> {
    pub(crate) direction: GitDirection,
    pub(crate) trigger: GitTrigger,
    pub(crate) from_commit: Option<&'e str>,
    pub(crate) to_commit: Option<&'e str>,
    /// Reason of a failure; `None` for a success.
    pub(crate) error: Option<&'e str>,
    pub(crate) notes: Option<&'e str>,
    pub(crate) pull_request: Option<&'e str>,
    pub(crate) started_at: OffsetDateTime,
}

/// Values of a new entry in a table of entries.
macro_rules! values {
    ($table:ident, $tx:expr, $entry:expr) => {{
        let state = match $entry.error {
            Some(_) => GitOperationState::Failure,
            None => GitOperationState::Success,
        };
        (
            $table::id.eq($tx.storage.ids().uuid()),
            $table::direction.eq($entry.direction.as_str()),
            $table::trigger.eq($entry.trigger.as_str()),
            $table::state.eq(state.as_str()),
            $table::from_commit.eq($entry.from_commit),
            $table::to_commit.eq($entry.to_commit),
            $table::error.eq($entry.error),
            $table::notes.eq($entry.notes),
            $table::pull_request.eq($entry.pull_request),
            $table::started_at.eq($entry.started_at),
            $table::ended_at.eq(OffsetDateTime::from($tx.now)),
        )
    }};
}

impl GitLogEntry<'_> {
    /// Returns the entry of a success without commits.
    pub(crate) fn new(direction: GitDirection, trigger: GitTrigger, started_at: OffsetDateTime) -> Self {
        Self {
            direction,
            trigger,
            from_commit: None,
            to_commit: None,
            error: None,
            notes: None,
            pull_request: None,
            started_at,
        }
    }
}

impl Tx<'_> {
    /// Adds an entry to the log of a space, with the revision that matches the commit and the change request with edits
    /// that did not fit.
    pub(super) fn log_space_git(
        &mut self,
        space: SpaceId,
        entry: &GitLogEntry<'_>,
        (revision, change_request): (Option<RevisionId>, Option<ChangeRequestId>),
    ) -> Result<()> {
        let of_space = (
            git_operations::space_id.eq(space),
            git_operations::revision_id.eq(revision),
            git_operations::change_request_id.eq(change_request),
        );
        diesel::insert_into(git_operations::table)
            .values((of_space, values!(git_operations, self, entry)))
            .execute(self.connection)?;
        Ok(())
    }

    /// Adds an entry to the log of a site.
    pub(crate) fn log_site_git(
        &mut self,
        (organization, site): (OrganizationId, SiteId),
        entry: &GitLogEntry<'_>,
    ) -> Result<()> {
        let of_site =
            (site_git_operations::organization_id.eq(organization), site_git_operations::site_id.eq(site));
        diesel::insert_into(site_git_operations::table)
            .values((of_site, values!(site_git_operations, self, entry)))
            .execute(self.connection)?;
        Ok(())
    }
}
