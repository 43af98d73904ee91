//! Commits of site files in pull requests, because the server accepts no push to the branch.

use diesel::prelude::*;
use quire_domain::git::{GitDirection, GitInstallationStatus, GitOperationState};
use time::OffsetDateTime;
use uuid::Uuid;

use super::run::shown;
use super::{DueSiteGit, SiteKey};
use crate::content::git_installations::{
    DueRow, GitLogEntry, GitOwner, GitProposal, added_note, due_columns,
};
use crate::lookup::Authorized;
use crate::schema::{api_tokens, site_git_installations, site_git_operations};
use crate::sites::SiteRecord;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// Last commit of a site that is pending in a pull request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteGitProposal {
    /// Commit.
    pub commit: String,
    /// Time of the commit in seconds since the Unix epoch.
    pub seconds: i64,
}

impl Reader<'_> {
    /// Returns the last commit of a site in the log that is pending in a pull request.
    pub fn site_git_proposal(&mut self, site: &Authorized<SiteRecord>) -> Result<Option<SiteGitProposal>> {
        let last: Option<(Option<String>, OffsetDateTime)> = site_git_operations::table
            .filter(site_git_operations::organization_id.eq(site.organization))
            .filter(site_git_operations::site_id.eq(site.id))
            .filter(site_git_operations::pull_request.is_not_null())
            .order(site_git_operations::id.desc())
            .select((site_git_operations::to_commit, site_git_operations::started_at))
            .first(self.connection)
            .optional()?;
        Ok(last.and_then(|(commit, started_at)| {
            Some(SiteGitProposal { commit: commit?, seconds: started_at.unix_timestamp() })
        }))
    }
}

impl Tx<'_> {
    /// Notes that the connection of a site gets another repository or branch, before it does: no commit waits in its
    /// pull request any more, and a job closes it.
    pub(super) fn leave_site_git_branch(&mut self, key: SiteKey) -> Result<()> {
        let row = site_git_installations::table.find(key);
        let former: Option<DueRow> = row
            .left_join(api_tokens::table)
            .filter(site_git_installations::pull_request.is_not_null())
            .select(due_columns!(site_git_installations))
            .get_result(self.connection)
            .optional()?;
        let Some(former) = former else { return Ok(()) };
        let none: Option<String> = None;
        diesel::update(row).set(site_git_installations::pull_request.eq(none)).execute(self.connection)?;
        self.close_former_proposal((key.0, GitOwner::Site(key.1)), former)
    }

    /// Logs a commit of the site file that is pending in a pull request. The base state is not changed.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the site is not connected.
    pub fn propose_site_file(
        &mut self,
        site: &Authorized<SiteRecord>,
        due: &DueSiteGit,
        proposal: &GitProposal,
    ) -> Result<()> {
        let key = (site.organization, site.id);
        let item = self.keep_site_git(due)?.ok_or(Error::NotFound)?;
        // PostgreSQL stores no NUL.
        let url = proposal.url.replace('\0', "");
        let entry = GitLogEntry {
            to_commit: Some(&proposal.commit),
            pull_request: Some(&url),
            ..due.log_entry(GitDirection::Export)
        };
        self.log_site_git(key, &entry)?;
        diesel::update(site_git_installations::table.find(key))
            .set((
                site_git_installations::changed_at.eq(self.now),
                site_git_installations::pull_request.eq(&url),
            ))
            .execute(self.connection)?;
        let operation = self.ended_site_git(due, GitOperationState::Success, None)?;
        let shown = shown(&item, GitInstallationStatus::Active, Some(operation), self.now);
        self.show_site_git(key, &shown)
    }

    /// Records that no commit of a site waits in a pull request any more. A note for users is added to the newest entry
    /// of the log.
    pub fn end_site_proposal(
        &mut self,
        site: &Authorized<SiteRecord>,
        due: &DueSiteGit,
        note: Option<&str>,
    ) -> Result<()> {
        let key = (site.organization, site.id);
        let row =
            site_git_installations::table.find(key).filter(site_git_installations::id.eq(due.connection.id));
        let none: Option<String> = None;
        let found = diesel::update(row)
            .set(site_git_installations::pull_request.eq(none))
            .execute(self.connection)?;
        note.filter(|_| found > 0).map_or(Ok(()), |note| self.add_site_git_note(key, note))
    }

    /// Adds a note for users to the newest entry of the log of a site.
    pub(crate) fn add_site_git_note(&mut self, (organization, site): SiteKey, note: &str) -> Result<()> {
        let last: Option<(Uuid, Option<String>)> = site_git_operations::table
            .filter(site_git_operations::organization_id.eq(organization))
            .filter(site_git_operations::site_id.eq(site))
            .order(site_git_operations::id.desc())
            .select((site_git_operations::id, site_git_operations::notes))
            .first(self.connection)
            .optional()?;
        let Some((id, notes)) = last else { return Ok(()) };
        diesel::update(site_git_operations::table.find((organization, site, id)))
            .set(site_git_operations::notes.eq(added_note(notes, note)))
            .execute(self.connection)?;
        Ok(())
    }
}
