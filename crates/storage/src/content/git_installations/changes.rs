//! Changes to Git connections.

use diesel::prelude::*;
use quire_domain::error::Reason;
use quire_domain::git::GitProvider;
use quire_domain::git_installations::GitTrigger;
use quire_domain::ids::{GitInstallationId, SpaceId};
use serde_json::json;
use uuid::Uuid;

use super::setup::{CheckedRepository, GitSetup, words};
use super::{GIT_SYNC_JOB, GitInstallationRecord, News};
use crate::content::change_requests::InSpace;
use crate::content::spaces::SpaceRecord;
use crate::lookup::Authorized;
use crate::schema::{api_tokens, git_installations, git_syncs};
use crate::transaction::Tx;
use crate::{Error, Result};

impl Tx<'_> {
    /// Connects a space to a repository. [`Tx::update_git_installation`] sets it up.
    ///
    /// # Errors
    /// [`Reason::GitConnected`] if the space is already connected.
    pub fn create_git_installation(
        &mut self,
        space: &Authorized<SpaceRecord>,
        provider: GitProvider,
    ) -> Result<Authorized<InSpace<GitInstallationRecord>>> {
        self.lock_space_of_git(space.id)?;
        let id = GitInstallationId::from_uuid(self.storage.ids().uuid());
        let now = self.now;
        let created = diesel::insert_into(git_installations::table)
            .values((
                git_installations::space_id.eq(space.id),
                git_installations::id.eq(id),
                git_installations::provider.eq(provider.as_str()),
                git_installations::created_by.eq(space.actor().user),
                git_installations::trigger.eq(GitTrigger::Setup.as_str()),
                git_installations::changed_at.eq(now),
                git_installations::created_at.eq(now),
                git_installations::updated_at.eq(now),
            ))
            .on_conflict_do_nothing()
            .execute(self.connection)?;
        if created == 0 {
            return Err(Error::refused(Reason::GitConnected, Reason::GitConnected.message()));
        }
        self.record_created("git-sync-installation", id);
        self.show_git_sync(space.id, News::Something)?;
        let item = self.read_git_installation(space.id)?.ok_or(Error::NotFound)?;
        Ok(space.clone().map(|space| InSpace { space, item }))
    }

    /// Changes a connection and schedules a synchronization. From then on, the connection acts with a token of the
    /// actor.
    ///
    /// 400 for another server without credentials for it, and for another repository, branch or folder without a
    /// priority side; [`Reason::GitManagedBySite`] if a site's connection manages the connection.
    pub fn update_git_installation(
        &mut self,
        installation: &Authorized<InSpace<GitInstallationRecord>>,
        setup: GitSetup,
    ) -> Result<Authorized<InSpace<GitInstallationRecord>>> {
        let InSpace { space, item } = &**installation;
        let (space, id) = (space.id, item.id);
        require_own(item)?;
        self.lock_space_of_git(space)?;
        git_installations::table
            .find(space)
            .for_update()
            .select(git_installations::id)
            .get_result::<Uuid>(self.connection)
            .optional()?
            .ok_or(Error::NotFound)?;
        let before = self.read_git_installation(space)?.ok_or(Error::NotFound)?;
        let checked = self.check_git_setup(&before, &setup)?;
        if checked.is_other_content {
            self.remove_git_previews(space, None)?;
        }
        if checked.is_other_branch {
            self.leave_git_branch(&installation.space)?;
        }
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
        let changes = (
            repository_id.map(|id| git_installations::repository_id.eq(id)),
            url.map(|url| git_installations::url.eq(url)),
            username.assign(git_installations::username),
            secret.map(|secret| git_installations::secret.eq(secret)),
            app_installation.assign(git_installations::app_installation_id),
            reference.assign(git_installations::reference),
            project_directory.map(|folder| git_installations::project_directory.eq(folder)),
            commit_message_template.assign(git_installations::commit_message_template),
            sign_off.map(|sign_off| git_installations::sign_off.eq(sign_off)),
            authority.map(|authority| git_installations::authority.eq(authority)),
            preview_external.map(|external| git_installations::preview_external.eq(external)),
            agent_instructions.map(|agents| git_installations::agent_instructions.eq(words(&agents))),
            priority.map(|priority| git_installations::priority.eq(priority)),
            git_installations::failures.eq(0),
            git_installations::updated_at.eq(self.now),
        );
        diesel::update(git_installations::table.find(space)).set(changes).execute(self.connection)?;
        self.act_for_git(installation)?;
        // Recorded after the token, which is part of this change.
        self.record_created("git-sync-installation", id);
        if priority.or(before.priority).is_some() {
            self.schedule_git_sync(space, GitTrigger::Setup)?;
        }
        self.show_git_sync(space, News::Something)?;
        let item = self.read_git_installation(space)?.ok_or(Error::NotFound)?;
        Ok(installation.clone().map(|found| InSpace { item, ..found }))
    }

    /// Schedules a synchronization of a connection.
    ///
    /// # Errors
    /// [`Reason::GitNotSetUp`] if the repository or the priority side is missing.
    pub fn request_git_sync(
        &mut self,
        installation: &Authorized<InSpace<GitInstallationRecord>>,
    ) -> Result<()> {
        let InSpace { space, item } = &**installation;
        if item.url.is_none() || item.priority.is_none() {
            return Err(Error::refused(Reason::GitNotSetUp, Reason::GitNotSetUp.message()));
        }
        self.schedule_git_sync(space.id, GitTrigger::Request)
    }

    /// Disconnects a space. Its content and the repository are not changed.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it is not connected; [`Reason::GitManagedBySite`] if a site's connection manages the
    /// connection.
    pub fn delete_git_installation(
        &mut self,
        installation: &Authorized<InSpace<GitInstallationRecord>>,
    ) -> Result<()> {
        require_own(&installation.item)?;
        if self.remove_git_installation(installation.space.id)? { Ok(()) } else { Err(Error::NotFound) }
    }

    /// Disconnects a space, and deletes the connection's token unless it belongs to a site's connection. Returns
    /// whether the space was connected.
    pub(crate) fn remove_git_installation(&mut self, space: SpaceId) -> Result<bool> {
        self.lock_space_of_git(space)?;
        self.remove_git_previews(space, None)?;
        let removed: Option<(Option<Uuid>, Option<Uuid>)> =
            diesel::delete(git_installations::table.find(space))
                .returning((git_installations::token_id, git_installations::parent_id))
                .get_result(self.connection)
                .optional()?;
        let Some((token, parent)) = removed else { return Ok(false) };
        // A running synchronization notices this with its next statement.
        diesel::delete(git_syncs::table.find(space)).execute(self.connection)?;
        self.delete_git_token(token.filter(|_| parent.is_none()))?;
        self.hide_git_sync(space)?;
        Ok(true)
    }

    pub(crate) fn schedule_git_sync(&mut self, space: SpaceId, trigger: GitTrigger) -> Result<()> {
        diesel::update(git_installations::table.find(space))
            .set((
                git_installations::next_run_at.eq(self.now),
                git_installations::trigger.eq(trigger.as_str()),
            ))
            .execute(self.connection)?;
        self.enqueue_git_sync(space)
    }

    pub(super) fn enqueue_git_sync(&mut self, space: SpaceId) -> Result<()> {
        let (key, run_at) = (format!("{GIT_SYNC_JOB}:{space}"), self.now());
        let payload = json!({ "space": space });
        self.enqueue(GIT_SYNC_JOB, payload, Some(&key), run_at)?;
        Ok(())
    }

    /// Issues a token of the actor for a connection, unless it has one.
    fn act_for_git(&mut self, installation: &Authorized<InSpace<GitInstallationRecord>>) -> Result<()> {
        let (space, actor) = (&installation.space, installation.actor());
        let row = git_installations::table.find(space.id);
        let former: Option<(Uuid, Uuid)> = row
            .inner_join(api_tokens::table)
            .select((api_tokens::id, api_tokens::user_id))
            .get_result(self.connection)
            .optional()?;
        let names = ("space", space.title.as_str(), space.organization);
        let Some(token) = self.issue_git_token(actor, former, names)? else { return Ok(()) };
        diesel::update(row).set(git_installations::token_id.eq(token)).execute(self.connection)?;
        self.delete_git_token(former.map(|(former, _)| former))
    }
}

/// Refuses a connection that a site's connection manages.
pub(super) fn require_own(installation: &GitInstallationRecord) -> Result<()> {
    match installation.parent {
        None => Ok(()),
        Some(_) => Err(Error::refused(Reason::GitManagedBySite, Reason::GitManagedBySite.message())),
    }
}
