//! Lookups of the connections of sites.

use diesel::prelude::*;
use quire_domain::error::Reason;
use quire_domain::ids::{GitInstallationId, GitOperationId, SiteId};

use super::{InSite, connection_columns, operation_columns};
use crate::content::change_requests::InSpace;
use crate::content::git_installations::{
    GitAppInstallation, GitInstallationRecord, GitOperationRecord, GitRemote,
};
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::{ActorRow, Authorized, Found, role_from_rank};
use crate::schema::{site_git_installations, site_git_operations};
use crate::sites::SiteRecord;
use crate::transaction::Reader;
use crate::views::{Access, site_access};
use crate::{Error, Result};

/// Connection of a space or of a site.
pub enum FoundGitInstallation {
    /// Connection of a space.
    Space(Found<InSpace<GitInstallationRecord>>),
    /// Connection of a site.
    Site(Found<InSite<GitInstallationRecord>>),
}

impl Reader<'_> {
    /// Returns a connection with its space or site. Takes at most two statements.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] if it does not exist.
    pub fn any_git_installation(&mut self, id: GitInstallationId) -> Result<FoundGitInstallation> {
        match self.git_installation(id) {
            Err(Error::NotFound) => Ok(FoundGitInstallation::Site(self.site_git_installation(id)?)),
            found => Ok(FoundGitInstallation::Space(found?)),
        }
    }

    /// Returns the connection of a site, with the site. Takes one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] if it does not exist.
    pub fn site_git_installation(
        &mut self,
        id: GitInstallationId,
    ) -> Result<Found<InSite<GitInstallationRecord>>> {
        let of_site = site_git_installations::organization_id
            .eq(site_access::organization_id)
            .and(site_git_installations::site_id.eq(site_access::id));
        let row: Option<(ActorRow, Option<i16>, bool, SiteRecord, GitInstallationRecord)> =
            site_access::table
                .inner_join(site_git_installations::table.on(of_site))
                .filter(self.token_is_valid::<site_access::table>())
                .filter(site_git_installations::id.eq(id))
                .select((
                    site_access::table::actor(),
                    site_access::member_role,
                    site_access::organization_is_blocked,
                    SiteRecord::as_select(),
                    connection_columns!(),
                ))
                .get_result(self.connection)
                .optional()?;
        let Some((actor, role, blocked, site, item)) = row else { return self.not_found() };
        self.record_tenant(site.organization, None);
        let value = InSite { site, item };
        Ok(Found { actor: self.record_actor(actor)?, role: role_from_rank(role)?, blocked, value })
    }

    /// Returns a site by its id alone. Takes one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] if it does not exist or the actor is not a member.
    pub fn site_to_connect(&mut self, id: SiteId) -> Result<Found<SiteRecord>> {
        let row: Option<(ActorRow, Option<i16>, bool, SiteRecord)> = site_access::table
            .filter(self.token_is_valid::<site_access::table>())
            .filter(site_access::id.eq(id))
            .select((
                site_access::table::actor(),
                site_access::member_role,
                site_access::organization_is_blocked,
                SiteRecord::as_select(),
            ))
            .get_result(self.connection)
            .optional()?;
        let Some((actor, role, blocked, value)) = row else { return self.not_found() };
        self.record_tenant(value.organization, None);
        Ok(Found { actor: self.record_actor(actor)?, role: role_from_rank(role)?, blocked, value })
    }

    /// Returns the connection of a site; `None` if it has none.
    pub fn git_installation_of_site(
        &mut self,
        site: &Authorized<SiteRecord>,
    ) -> Result<Option<Authorized<InSite<GitInstallationRecord>>>> {
        let item: Option<GitInstallationRecord> = site_git_installations::table
            .find((site.organization, site.id))
            .select(connection_columns!())
            .get_result(self.connection)
            .optional()?;
        Ok(item.map(|item| site.clone().map(|site| InSite { site, item })))
    }

    /// Returns the repository of a site's connection, with its credentials.
    ///
    /// # Errors
    /// [`Reason::GitNotSetUp`] if the connection has no repository yet.
    pub fn site_git_remote(
        &mut self,
        installation: &Authorized<InSite<GitInstallationRecord>>,
    ) -> Result<GitRemote> {
        let InSite { site, item } = &**installation;
        let Some(url) = item.url.clone() else {
            return Err(Error::refused(Reason::GitNotSetUp, Reason::GitNotSetUp.message()));
        };
        let app = item.app_installation_id;
        let sealed: Option<Vec<u8>> = site_git_installations::table
            .find((site.organization, site.id))
            .select(site_git_installations::secret)
            .get_result(self.connection)?;
        Ok(GitRemote {
            url,
            account: self.git_account(item.id, item.username.clone(), sealed)?,
            app: app.map(|id| GitAppInstallation { organization: site.organization, id }),
            reference: item.reference.clone(),
            project_directory: item.project_directory.clone(),
        })
    }

    /// Returns a log entry of a site's connection.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn site_git_operation_of(
        &mut self,
        installation: &Authorized<InSite<GitInstallationRecord>>,
        id: GitOperationId,
    ) -> Result<GitOperationRecord> {
        let key = (installation.site.organization, installation.site.id);
        let row = site_git_operations::table
            .filter(site_git_operations::organization_id.eq(key.0))
            .filter(site_git_operations::site_id.eq(key.1))
            .filter(site_git_operations::id.eq(id))
            .select(operation_columns!())
            .get_result(self.connection)
            .optional()?;
        row.ok_or(Error::NotFound)
    }

    /// Returns the log of a site's connection, newest first. Takes two statements.
    pub fn site_git_operations(
        &mut self,
        installation: &Authorized<InSite<GitInstallationRecord>>,
        after: Option<GitOperationId>,
        limit: u16,
    ) -> Result<Slice<GitOperationRecord>> {
        let (organization, site) = (installation.site.organization, installation.site.id);
        let of_site = || {
            site_git_operations::table
                .filter(site_git_operations::organization_id.eq(organization))
                .filter(site_git_operations::site_id.eq(site))
        };
        let rows = of_site()
            .filter(site_git_operations::id.lt(page_end(after)))
            .order(site_git_operations::id.desc())
            .limit(fetch_limit(limit))
            .select(operation_columns!())
            .load(self.connection)?;
        let total = of_site().count().get_result(self.connection)?;
        Ok(Slice::cut(rows, limit, total))
    }
}
