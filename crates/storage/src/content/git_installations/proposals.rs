//! Commits in pull requests, because the server accepts no push to the branch.

use diesel::dsl;
use diesel::prelude::*;
use quire_domain::git::GitDirection;
use quire_domain::ids::{GitInstallationId, SpaceId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::log::GitLogEntry;
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
    /// Returns whether a commit is in the log as pending in the open pull request.
    pub fn is_git_proposal(&mut self, space: &Authorized<SpaceRecord>, commit: &str) -> Result<bool> {
        let entry = git_operations::table
            .inner_join(git_installations::table)
            .filter(git_installations::pull_request.is_not_null())
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
        // PostgreSQL stores no NUL.
        let url = proposal.url.replace('\0', "");
        let row = git_installations::table.find(sync.space).filter(git_installations::id.eq(running.id));
        let found = diesel::update(row)
            .set((git_installations::changed_at.eq(now), git_installations::pull_request.eq(&url)))
            .execute(self.connection)?;
        if found == 0 {
            return Ok(false);
        }
        let entry = GitLogEntry {
            from_commit: sync.base.as_ref().map(|base| base.commit.as_str()),
            to_commit: Some(&proposal.commit),
            pull_request: Some(&url),
            ..GitLogEntry::new(GitDirection::Export, running.trigger, started_at)
        };
        self.log_space_git(sync.space, &entry, (None, None))?;
        Ok(true)
    }

    /// Records that no commit of a space waits in a pull request any more. A note for users is added to the newest
    /// entry of the log.
    pub fn end_git_proposal(
        &mut self,
        space: &Authorized<SpaceRecord>,
        installation: GitInstallationId,
        note: Option<&str>,
    ) -> Result<()> {
        let row = git_installations::table.find(space.id).filter(git_installations::id.eq(installation));
        let none: Option<String> = None;
        let found =
            diesel::update(row).set(git_installations::pull_request.eq(none)).execute(self.connection)?;
        note.filter(|_| found > 0).map_or(Ok(()), |note| self.add_git_note(space.id, note))
    }

    /// Adds a note for users to the newest entry of the log of a space.
    pub(super) fn add_git_note(&mut self, space: SpaceId, note: &str) -> Result<()> {
        let last: Option<(Uuid, Option<String>)> = git_operations::table
            .filter(git_operations::space_id.eq(space))
            .order(git_operations::id.desc())
            .select((git_operations::id, git_operations::notes))
            .first(self.connection)
            .optional()?;
        let Some((id, notes)) = last else { return Ok(()) };
        diesel::update(git_operations::table.find((space, id)))
            .set(git_operations::notes.eq(added_note(notes, note)))
            .execute(self.connection)?;
        Ok(())
    }
}

/// Returns the notes of a log entry with a further one.
pub(crate) fn added_note(notes: Option<String>, note: &str) -> String {
    let note = note.replace('\0', "");
    notes.map_or_else(|| note.clone(), |notes| format!("{notes} {note}"))
}
