//! Commits of site files in pull requests, because the server accepts no push to the branch.

use diesel::prelude::*;
use quire_domain::git::{GitDirection, GitInstallationStatus, GitOperationState};
use time::OffsetDateTime;
use uuid::Uuid;

use super::DueSiteGit;
use super::run::{NewEntry, shown};
use crate::content::git_installations::{GitProposal, added_note};
use crate::lookup::Authorized;
use crate::schema::{site_git_installations, site_git_operations};
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
        let entry = NewEntry {
            to_commit: Some(&proposal.commit),
            pull_request: Some(&url),
            ..NewEntry::of(GitDirection::Export)
        };
        self.log_site_git(due, &entry)?;
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
        let Some(note) = note.filter(|_| found > 0) else { return Ok(()) };
        let last: Option<(Uuid, Option<String>)> = site_git_operations::table
            .filter(site_git_operations::organization_id.eq(site.organization))
            .filter(site_git_operations::site_id.eq(site.id))
            .order(site_git_operations::id.desc())
            .select((site_git_operations::id, site_git_operations::notes))
            .first(self.connection)
            .optional()?;
        let Some((id, notes)) = last else { return Ok(()) };
        diesel::update(site_git_operations::table.find((site.organization, site.id, id)))
            .set(site_git_operations::notes.eq(added_note(notes, note)))
            .execute(self.connection)?;
        Ok(())
    }
}
