//! Commits of site files in pull requests, because the server accepts no push to the branch.

use diesel::prelude::*;
use quire_domain::git::{GitDirection, GitInstallationStatus, GitOperationState};
use time::OffsetDateTime;

use super::DueSiteGit;
use super::run::{NewEntry, shown};
use crate::content::git_installations::GitProposal;
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
            .set(site_git_installations::changed_at.eq(self.now))
            .execute(self.connection)?;
        let operation = self.ended_site_git(due, GitOperationState::Success, None)?;
        let shown = shown(&item, GitInstallationStatus::Active, Some(operation), self.now);
        self.show_site_git(key, &shown)
    }
}
