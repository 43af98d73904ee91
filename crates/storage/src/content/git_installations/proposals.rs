//! Commits in pull requests, because the server accepts no push to the branch.

use diesel::dsl;
use diesel::prelude::*;
use quire_domain::git::GitDirection;
use time::OffsetDateTime;

use crate::Result;
use crate::content::git_syncs::StartedGitSync;
use crate::content::spaces::SpaceRecord;
use crate::lookup::Authorized;
use crate::schema::{git_installations, git_operations};
use crate::transaction::{Reader, Tx};

/// Commit in an open pull request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitProposal {
    /// Commit.
    pub commit: String,
    /// URL of the pull request, or of the page to open it.
    pub url: String,
}

impl Reader<'_> {
    /// Returns whether a commit is in the log as pending in a pull request.
    pub fn is_git_proposal(&mut self, space: &Authorized<SpaceRecord>, commit: &str) -> Result<bool> {
        let entry = git_operations::table
            .filter(git_operations::space_id.eq(space.id))
            .filter(git_operations::to_commit.eq(commit))
            .filter(git_operations::pull_request.is_not_null());
        Ok(diesel::select(dsl::exists(entry)).get_result(self.connection)?)
    }
}

impl Tx<'_> {
    /// Ends an export whose commit is pending in a pull request, and logs it. The base state is not changed. Returns
    /// `false` as [`Tx::succeed_git_sync`] does.
    pub fn propose_git_sync(&mut self, sync: &StartedGitSync, proposal: &GitProposal) -> Result<bool> {
        let started_at = self.git_sync_started_at(sync.space)?;
        if !self.succeed_git_sync(sync, None, None)? {
            return Ok(false);
        }
        let Some(running) = sync.installation else { return Ok(true) };
        let now = OffsetDateTime::from(self.now);
        let row = git_installations::table.find(sync.space).filter(git_installations::id.eq(running.id));
        let found =
            diesel::update(row).set(git_installations::changed_at.eq(now)).execute(self.connection)?;
        if found == 0 {
            return Ok(false);
        }
        diesel::insert_into(git_operations::table)
            .values((
                git_operations::space_id.eq(sync.space),
                git_operations::id.eq(self.storage.ids().uuid()),
                git_operations::direction.eq(GitDirection::Export.as_str()),
                git_operations::trigger.eq(running.trigger.as_str()),
                git_operations::state.eq("success"),
                git_operations::from_commit.eq(sync.base.as_ref().map(|base| base.commit.as_str())),
                git_operations::to_commit.eq(proposal.commit.as_str()),
                git_operations::pull_request.eq(proposal.url.replace('\0', "")),
                git_operations::started_at.eq(started_at),
                git_operations::ended_at.eq(now),
            ))
            .execute(self.connection)?;
        Ok(true)
    }
}
