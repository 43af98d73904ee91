//! Changes to the connections of sites.

use std::collections::BTreeMap;

use diesel::prelude::*;
use quire_domain::error::Reason;
use quire_domain::git::{GitInstallationStatus, GitProvider};
use quire_domain::git_installations::{GitPriority, GitTrigger};
use quire_domain::ids::{GitInstallationId, OrganizationId, SiteId, SpaceId};
use serde_json::json;
use uuid::Uuid;

use super::run::shown;
use super::{Directories, InSite, SITE_GIT_JOB, SiteKey, connection_columns, overlap};
use crate::content::git_installations::{
    CheckedRepository, GitHookRecord, GitInstallationRecord, GitSetup, HookTarget, SEAL, ShownGitSync,
    hook_owner, invalid, new_hook_secret, words,
};
use crate::lookup::Authorized;
use crate::schema::{api_tokens, git_installations, site_git_installations, site_spaces, sites};
use crate::sites::SiteRecord;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// Field with the folders of spaces.
const DIRECTORIES: &str = "childInstallationProjectDirectories";

impl Tx<'_> {
    /// Connects a site to a repository. [`Tx::update_site_git_installation`] sets it up.
    ///
    /// # Errors
    /// [`Reason::GitConnected`] if the site is already connected.
    pub fn create_site_git_installation(
        &mut self,
        site: &Authorized<SiteRecord>,
        provider: GitProvider,
    ) -> Result<Authorized<InSite<GitInstallationRecord>>> {
        let key = (site.organization, site.id);
        self.lock_site_of_git(key)?;
        let id = GitInstallationId::from_uuid(self.storage.ids().uuid());
        let now = self.now;
        let created = diesel::insert_into(site_git_installations::table)
            .values((
                site_git_installations::organization_id.eq(site.organization),
                site_git_installations::site_id.eq(site.id),
                site_git_installations::id.eq(id),
                site_git_installations::provider.eq(provider.as_str()),
                site_git_installations::created_by.eq(site.actor().user),
                site_git_installations::trigger.eq(GitTrigger::Setup.as_str()),
                site_git_installations::changed_at.eq(now),
                site_git_installations::created_at.eq(now),
                site_git_installations::updated_at.eq(now),
            ))
            .on_conflict_do_nothing()
            .execute(self.connection)?;
        if created == 0 {
            let message = "The site is connected to a Git repository.";
            return Err(Error::refused(Reason::GitConnected, message));
        }
        self.record_created("git-sync-installation", id);
        let item = self.read_site_git(key)?.ok_or(Error::NotFound)?;
        self.show_new_site_git(key, &item)?;
        Ok(site.clone().map(|site| InSite { site, item }))
    }

    /// Changes the connection of a site and schedules a synchronization. From then on, the connection acts with a token
    /// of the actor. `directories` are the folders of spaces, by the ids of spaces or of their connections.
    ///
    /// # Errors
    /// See [`Tx::update_git_installation`]; 400 for folders of other spaces, and for folders that the site file
    /// determines.
    pub fn update_site_git_installation(
        &mut self,
        installation: &Authorized<InSite<GitInstallationRecord>>,
        setup: GitSetup,
        directories: Option<BTreeMap<Uuid, String>>,
    ) -> Result<Authorized<InSite<GitInstallationRecord>>> {
        let key = (installation.site.organization, installation.site.id);
        let id = installation.item.id;
        self.lock_site_of_git(key)?;
        let before = self.read_site_git(key)?.filter(|before| before.id == id).ok_or(Error::NotFound)?;
        let checked = self.check_git_setup(&before, &setup)?;
        let (is_other_content, is_other_branch) = (checked.is_other_content, checked.is_other_branch);
        let CheckedRepository { url, repository_id, username, secret, app_installation, reference, .. } =
            checked;
        let GitSetup {
            project_directory,
            commit_message_template,
            sign_off,
            authority,
            preview_external,
            agent_instructions,
            priority,
            ..
        } = setup;
        let priority_after = priority.or(before.priority);
        let directories = directories.map(|new| self.new_directories(key, id, new, priority_after));
        let directories = directories.transpose()?;
        if is_other_branch {
            self.leave_site_git_branch(key)?;
        }
        let changes = (
            repository_id.map(|id| site_git_installations::repository_id.eq(id)),
            url.map(|url| site_git_installations::url.eq(url)),
            username.assign(site_git_installations::username),
            secret.map(|secret| site_git_installations::secret.eq(secret)),
            app_installation.assign(site_git_installations::app_installation_id),
            reference.assign(site_git_installations::reference),
            project_directory.map(|folder| site_git_installations::project_directory.eq(folder)),
            commit_message_template.assign(site_git_installations::commit_message_template),
            sign_off.map(|sign_off| site_git_installations::sign_off.eq(sign_off)),
            authority.map(|authority| site_git_installations::authority.eq(authority)),
            preview_external.map(|external| site_git_installations::preview_external.eq(external)),
            agent_instructions.map(|agents| site_git_installations::agent_instructions.eq(words(&agents))),
            priority.map(|priority| site_git_installations::priority.eq(priority)),
            directories.map(|directories| site_git_installations::directories.eq(directories)),
            site_git_installations::failures.eq(0),
            // Makes the next run apply the site file again.
            site_git_installations::commit_id.eq(None::<String>),
            site_git_installations::file_id.eq(None::<String>),
            site_git_installations::updated_at.eq(self.now),
        );
        diesel::update(site_git_installations::table.find(key)).set(changes).execute(self.connection)?;
        if is_other_content {
            // With another file, there is no common structure yet.
            diesel::update(site_git_installations::table.find(key))
                .set(site_git_installations::structure.eq(None::<serde_json::Value>))
                .execute(self.connection)?;
        }
        self.act_for_site_git(installation)?;
        // Recorded after the token, which is part of this change.
        self.record_created("git-sync-installation", id);
        if priority_after.is_some() {
            self.schedule_site_git(key, GitTrigger::Setup)?;
        }
        let item = self.read_site_git(key)?.ok_or(Error::NotFound)?;
        self.show_new_site_git(key, &item)?;
        Ok(installation.clone().map(|found| InSite { item, ..found }))
    }

    /// Returns the stored form of the folders of spaces.
    ///
    /// # Errors
    /// 400 for folders of other spaces, and if the site file decides on them.
    fn new_directories(
        &mut self,
        key: SiteKey,
        id: GitInstallationId,
        directories: BTreeMap<Uuid, String>,
        priority: Option<GitPriority>,
    ) -> Result<serde_json::Value> {
        if priority == Some(GitPriority::Git) {
            let message =
                "must be absent if the priority is `git`, because the site file defines the folders";
            return Err(invalid(DIRECTORIES, message));
        }
        let directories = self.spaces_of_directories(key, id, directories)?;
        let json = serde_json::to_value(directories);
        json.map_err(|error| Error::Internal("folders can't be written", error.into()))
    }

    /// Has the connection of a site synchronize now, and those of its spaces after it.
    ///
    /// # Errors
    /// [`Reason::GitNotSetUp`] if the repository or the priority side is missing.
    pub fn request_site_git_sync(
        &mut self,
        installation: &Authorized<InSite<GitInstallationRecord>>,
    ) -> Result<()> {
        let InSite { site, item } = &**installation;
        if item.url.is_none() || item.priority.is_none() {
            return Err(Error::refused(Reason::GitNotSetUp, Reason::GitNotSetUp.message()));
        }
        self.schedule_site_git((site.organization, site.id), GitTrigger::Request)
    }

    /// Disconnects a site. A job disconnects its spaces. Content, structure and repository are not changed.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the site is not connected.
    pub fn delete_site_git_installation(
        &mut self,
        installation: &Authorized<InSite<GitInstallationRecord>>,
    ) -> Result<()> {
        let key = (installation.site.organization, installation.site.id);
        self.lock_site_of_git(key)?;
        if !self.end_site_git_installation(key)? {
            return Err(Error::NotFound);
        }
        diesel::update(sites::table.find(key))
            .set(sites::git_sync.eq(None::<serde_json::Value>))
            .execute(self.connection)?;
        Ok(())
    }

    /// Deletes the connection of a site with its token, and enqueues a job that disconnects its spaces. Returns whether
    /// there was a connection.
    pub(crate) fn end_site_git_installation(&mut self, key: SiteKey) -> Result<bool> {
        let ended: Option<(Uuid, Option<Uuid>)> = diesel::delete(site_git_installations::table.find(key))
            .returning((site_git_installations::id, site_git_installations::token_id))
            .get_result(self.connection)
            .optional()?;
        let Some((id, token)) = ended else { return Ok(false) };
        self.delete_git_token(token)?;
        let (job, run_at) = (format!("{SITE_GIT_JOB}:{id}"), self.now());
        let payload = json!({ "ended": GitInstallationId::from_uuid(id) });
        self.enqueue(SITE_GIT_JOB, payload, Some(&job), run_at)?;
        Ok(true)
    }

    /// Replaces the secret of a site's webhook and returns the new one. Only its encrypted form is stored.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the site is not connected.
    pub fn rotate_site_git_hook_secret(
        &mut self,
        installation: &Authorized<InSite<GitInstallationRecord>>,
    ) -> Result<String> {
        let InSite { site, item } = &**installation;
        let secret = new_hook_secret();
        let sealed = self.seal(SEAL)?.seal(&hook_owner(item.id), secret.as_bytes())?;
        let row = site_git_installations::table
            .find((site.organization, site.id))
            .filter(site_git_installations::id.eq(item.id));
        let changed = diesel::update(row)
            .set((
                site_git_installations::hook_secret.eq(sealed),
                site_git_installations::updated_at.eq(self.now),
            ))
            .execute(self.connection)?;
        if changed == 0 { Err(Error::NotFound) } else { Ok(secret) }
    }

    /// Schedules a synchronization of a connection.
    pub(crate) fn schedule_site_git(&mut self, key: SiteKey, trigger: GitTrigger) -> Result<()> {
        diesel::update(site_git_installations::table.find(key))
            .set((
                site_git_installations::next_run_at.eq(self.now),
                site_git_installations::trigger.eq(trigger.as_str()),
            ))
            .execute(self.connection)?;
        self.enqueue_site_git(key)
    }

    pub(super) fn enqueue_site_git(&mut self, (organization, site): SiteKey) -> Result<()> {
        let (key, run_at) = (format!("{SITE_GIT_JOB}:{site}"), self.now());
        let payload = json!({ "organization": organization, "site": site });
        self.enqueue(SITE_GIT_JOB, payload, Some(&key), run_at)?;
        Ok(())
    }

    /// Locks the row of a site, before the row of its connection.
    pub(super) fn lock_site_of_git(&mut self, key: SiteKey) -> Result<()> {
        let row: Option<Uuid> = sites::table
            .find(key)
            .select(sites::id)
            .for_no_key_update()
            .get_result(self.connection)
            .optional()?;
        row.map(drop).ok_or(Error::NotFound)
    }

    /// Writes the state of a changed connection, with its last synchronization, to the row of its site.
    fn show_new_site_git(&mut self, key: SiteKey, item: &GitInstallationRecord) -> Result<()> {
        let before = self.read_shown_site_git(key)?.filter(|before| before.installation == item.id);
        let (status, operation) =
            before.map_or((GitInstallationStatus::Pending, None), |before| (before.status, before.operation));
        let shown = shown(item, status, operation, self.now);
        self.show_site_git(key, &shown)
    }

    pub(super) fn show_site_git(&mut self, key: SiteKey, shown: &ShownGitSync) -> Result<()> {
        let json = serde_json::to_value(shown);
        let json = json.map_err(|error| Error::Internal("a connection can't be written", error.into()))?;
        diesel::update(sites::table.find(key))
            .set(sites::git_sync.eq(Some(json)))
            .execute(self.connection)?;
        Ok(())
    }

    /// Returns the spaces of folders.
    ///
    /// # Errors
    /// 400 for an id that belongs to no space of the site, and for overlapping folders.
    fn spaces_of_directories(
        &mut self,
        key: SiteKey,
        id: GitInstallationId,
        directories: BTreeMap<Uuid, String>,
    ) -> Result<Directories> {
        let children: Vec<(Uuid, Uuid)> = git_installations::table
            .filter(git_installations::parent_id.eq(id))
            .select((git_installations::id, git_installations::space_id))
            .load(self.connection)?;
        let on_site: Vec<Uuid> = site_spaces::table
            .filter(site_spaces::organization_id.eq(key.0))
            .filter(site_spaces::site_id.eq(key.1))
            .select(site_spaces::space_id)
            .load(self.connection)?;
        let mut found = Directories::new();
        for (named, folder) in directories {
            let child = children.iter().find(|(child, _)| *child == named).map(|(_, space)| *space);
            let space = child.or_else(|| on_site.contains(&named).then_some(named));
            let field = format!("{DIRECTORIES}.{named}");
            let space = space.ok_or_else(|| invalid(&field, "is not a space of the site"))?;
            if found.values().any(|other| overlap(other, &folder)) {
                return Err(invalid(&field, "must not contain the folder of another space or be inside it"));
            }
            found.insert(SpaceId::from_uuid(space), folder);
        }
        Ok(found)
    }

    /// Issues a token of the actor for the connection of a site, unless it has one.
    fn act_for_site_git(&mut self, installation: &Authorized<InSite<GitInstallationRecord>>) -> Result<()> {
        let (site, actor) = (&installation.site, installation.actor());
        let row = site_git_installations::table.find((site.organization, site.id));
        let former: Option<(Uuid, Uuid)> = row
            .inner_join(api_tokens::table)
            .select((api_tokens::id, api_tokens::user_id))
            .get_result(self.connection)
            .optional()?;
        let names = ("site", site.title.as_str(), site.organization);
        let Some(token) = self.issue_git_token(actor, former, names)? else { return Ok(()) };
        diesel::update(row).set(site_git_installations::token_id.eq(token)).execute(self.connection)?;
        // The connections of the spaces get the new token with the next run.
        self.delete_git_token(former.map(|(former, _)| former))
    }
}

impl Reader<'_> {
    pub(super) fn read_site_git(&mut self, key: SiteKey) -> Result<Option<GitInstallationRecord>> {
        let item = site_git_installations::table.find(key).select(connection_columns!());
        Ok(item.get_result(self.connection).optional()?)
    }

    pub(super) fn read_shown_site_git(&mut self, key: SiteKey) -> Result<Option<ShownGitSync>> {
        let shown: Option<Option<serde_json::Value>> =
            sites::table.find(key).select(sites::git_sync).get_result(self.connection).optional()?;
        let shown = shown.flatten().map(serde_json::from_value).transpose();
        shown.map_err(|error| {
            Error::corrupt("the state of a connection is damaged", anyhow::Error::from(error))
        })
    }

    /// Returns the webhook of a site's connection, as [`Reader::git_hook`] does.
    pub(crate) fn site_git_hook(&mut self, id: GitInstallationId) -> Result<Option<GitHookRecord>> {
        type Row = ((Uuid, Uuid), Vec<u8>, Option<String>, Option<String>);
        let row: Option<Row> = site_git_installations::table
            .filter(site_git_installations::id.eq(id))
            .filter(site_git_installations::priority.is_not_null())
            .filter(site_git_installations::hook_secret.is_not_null())
            .select((
                (site_git_installations::organization_id, site_git_installations::site_id),
                site_git_installations::hook_secret.assume_not_null(),
                site_git_installations::url,
                site_git_installations::reference,
            ))
            .get_result(self.connection)
            .optional()?;
        let Some(((organization, site), sealed, url, reference)) = row else { return Ok(None) };
        let target = HookTarget::Site(OrganizationId::from_uuid(organization), SiteId::from_uuid(site));
        Ok(Some(GitHookRecord { target, secret: self.open_hook_secret(id, &sealed)?, url, reference }))
    }
}
