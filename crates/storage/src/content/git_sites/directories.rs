//! Connections of a site's spaces to the folders that the site determines.

use quire_domain::git_installations::GitTrigger;
use quire_domain::policy::Action;

use super::children::Wanted;
use super::{DueSiteGit, SiteGitChange, SiteGitReading};
use crate::lookup::Authorized;
use crate::sites::SiteRecord;
use crate::transaction::Tx;
use crate::{Error, Result};

impl Tx<'_> {
    /// Connects the spaces of a site to the folders that the site determines.
    ///
    /// # Errors
    /// 403 and 404 for a space whose Git connection the actor may not change.
    pub fn connect_site_directories(
        &mut self,
        site: &Authorized<SiteRecord>,
        due: &DueSiteGit,
    ) -> Result<SiteGitChange> {
        self.lock_site_of_git((site.organization, site.id))?;
        let mut change =
            SiteGitChange { looks: due.connection.trigger != GitTrigger::Poll, ..SiteGitChange::default() };
        let mut wanted = Vec::new();
        for (space, folder) in &due.directories {
            let space = match self.space(*space) {
                Err(Error::NotFound) => continue,
                found => found?.authorize(Action::TriggerGitSync)?,
            };
            if space.organization != site.organization {
                continue;
            }
            let folder = format!("{}{folder}", due.connection.remote.project_directory);
            wanted.push(Wanted { space, key: None, folder });
        }
        self.connect_children(due, &wanted, &mut change)?;
        self.succeed_site_git(due, &SiteGitReading::default(), &change)?;
        Ok(change)
    }

    /// Schedules synchronizations of the connected spaces of a site, after a commit that did not change the site file.
    pub fn sync_spaces_of_site(
        &mut self,
        site: &Authorized<SiteRecord>,
        due: &DueSiteGit,
        read: &SiteGitReading,
    ) -> Result<()> {
        self.lock_site_of_git((site.organization, site.id))?;
        for child in self.children_of_site_git(site.organization, due.connection.id)? {
            if child.is_present {
                self.schedule_git_sync(child.space, due.connection.trigger)?;
            }
        }
        self.succeed_site_git(due, read, &SiteGitChange::default())
    }
}
