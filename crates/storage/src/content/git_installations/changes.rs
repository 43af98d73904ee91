//! Changes of connections.

use diesel::prelude::*;
use quire_domain::error::{Reason, Refusal};
use quire_domain::git::GitProvider;
use quire_domain::git_installations::{GitAgent, GitPriority, GitTrigger};
use quire_domain::ids::{GitInstallationId, SpaceId, TokenId, UserId};
use quire_domain::patch::Patch;
use quire_domain::policy::Limits;
use serde_json::json;
use uuid::Uuid;

use super::{GIT_SYNC_JOB, GitInstallationRecord, News, SEAL};
use crate::content::change_requests::InSpace;
use crate::content::spaces::SpaceRecord;
use crate::lookup::Authorized;
use crate::people::tokens::Unissued;
use crate::schema::{api_tokens, git_installations, git_syncs};
use crate::transaction::Tx;
use crate::{Error, Result};

/// Change of a connection.
#[derive(Clone, Debug, Default)]
pub struct GitSetup {
    /// Change of the repository.
    pub repository: Option<GitRepository>,
    /// Folder of the content with a slash at its end; empty for the whole repository.
    pub project_directory: Option<String>,
    /// Template of messages of commits.
    pub commit_message_template: Patch<String>,
    /// `true` to preview pull requests from other repositories, too.
    pub preview_external: Option<bool>,
    /// Programs whose files with instructions exports write.
    pub agent_instructions: Option<Vec<GitAgent>>,
    /// Side that the first synchronization takes the content of.
    pub priority: Option<GitPriority>,
}

/// Change of the repository of a connection.
#[derive(Clone, Default)]
pub struct GitRepository {
    /// URL without credentials.
    pub url: Option<String>,
    /// Id of the repository of that URL at its host, if it was named by it.
    pub repository_id: Option<i64>,
    /// User name for the server.
    pub username: Patch<String>,
    /// Password or token for the server.
    pub secret: Patch<String>,
    /// Installation of the GitHub App that gives access in place of a secret.
    pub app_installation: Patch<i64>,
    /// Full name of the branch.
    pub reference: Patch<String>,
}

impl std::fmt::Debug for GitRepository {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GitRepository").field("url", &self.url).finish_non_exhaustive()
    }
}

impl Tx<'_> {
    /// Connects a space to a repository, which is set up by [`Tx::update_git_installation`].
    ///
    /// # Errors
    /// [`Reason::GitConnected`] if the space is connected.
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

    /// Changes a connection, and has it synchronize. It acts with a token of the actor from then on.
    ///
    /// # Errors
    /// 400 for another server without the credentials for it, and for another repository, branch or folder without the
    /// side that has priority; [`Reason::GitManagedBySite`] if a site's connection manages it.
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
        let GitSetup {
            repository,
            project_directory,
            commit_message_template,
            preview_external,
            agent_instructions,
            priority,
        } = setup;
        let GitRepository { url, repository_id, username, secret, app_installation, reference } =
            repository.unwrap_or_default();
        // The one that was sent takes the place of the other.
        let secret = if app_installation.set().is_some() { Patch::Clear } else { secret };
        let app_installation = if secret.set().is_some() { Patch::Clear } else { app_installation };
        let is_another = url.is_some() && url != before.url;
        if is_another && before.has_secret && secret.is_keep() {
            return Err(missing("providerConfiguration.accessToken", "is required with another repository"));
        }
        let after = reference.clone().apply(before.reference.clone());
        let is_moved = project_directory.as_ref().is_some_and(|folder| *folder != before.project_directory);
        let is_other_content = is_another || is_moved || after != before.reference;
        if is_other_content {
            self.remove_git_previews(space, None)?;
        }
        if is_other_content && before.priority.is_some() && priority.is_none() {
            let message = "is required with another repository, branch or folder";
            return Err(missing("priority", message));
        }
        if url.is_none() && before.url.is_none() {
            return Err(missing("providerConfiguration.url", "is required"));
        }
        let secret = match secret {
            Patch::Keep => None,
            Patch::Clear => Some(None),
            Patch::Set(secret) => Some(Some(self.seal(SEAL)?.seal(&id.to_string(), secret.as_bytes())?)),
        };
        let repository = url.is_some().then_some(repository_id);
        let changes = (
            repository.map(|id| git_installations::repository_id.eq(id)),
            url.map(|url| git_installations::url.eq(url)),
            username.assign(git_installations::username),
            secret.map(|secret| git_installations::secret.eq(secret)),
            app_installation.assign(git_installations::app_installation_id),
            reference.assign(git_installations::reference),
            project_directory.map(|folder| git_installations::project_directory.eq(folder)),
            commit_message_template.assign(git_installations::commit_message_template),
            preview_external.map(|external| git_installations::preview_external.eq(external)),
            agent_instructions.map(|agents| git_installations::agent_instructions.eq(words(&agents))),
            priority.map(|priority| git_installations::priority.eq(priority)),
            git_installations::failures.eq(0),
            git_installations::updated_at.eq(self.now),
        );
        diesel::update(git_installations::table.find(space)).set(changes).execute(self.connection)?;
        self.act_for_git(installation)?;
        // After the token, which belongs to this change.
        self.record_created("git-sync-installation", id);
        if priority.or(before.priority).is_some() {
            self.schedule_git_sync(space, GitTrigger::Setup)?;
        }
        self.show_git_sync(space, News::Something)?;
        let item = self.read_git_installation(space)?.ok_or(Error::NotFound)?;
        Ok(installation.clone().map(|found| InSpace { item, ..found }))
    }

    /// Has a connection synchronize now.
    ///
    /// # Errors
    /// [`Reason::GitNotSetUp`] if the repository or the side that has priority is missing.
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

    /// Disconnects a space. Its content and the repository stay as they are.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it was disconnected; [`Reason::GitManagedBySite`] if a site's connection manages it.
    pub fn delete_git_installation(
        &mut self,
        installation: &Authorized<InSpace<GitInstallationRecord>>,
    ) -> Result<()> {
        require_own(&installation.item)?;
        if self.remove_git_installation(installation.space.id)? { Ok(()) } else { Err(Error::NotFound) }
    }

    /// Disconnects a space, with its token unless that is of a site's connection. Returns false if it is not connected.
    pub(crate) fn remove_git_installation(&mut self, space: SpaceId) -> Result<bool> {
        self.lock_space_of_git(space)?;
        self.remove_git_previews(space, None)?;
        let removed: Option<(Option<Uuid>, Option<Uuid>)> =
            diesel::delete(git_installations::table.find(space))
                .returning((git_installations::token_id, git_installations::parent_id))
                .get_result(self.connection)
                .optional()?;
        let Some((token, parent)) = removed else { return Ok(false) };
        // A running synchronization finds out with its next statement.
        diesel::delete(git_syncs::table.find(space)).execute(self.connection)?;
        if let Some(token) = token.filter(|_| parent.is_none()) {
            diesel::delete(api_tokens::table.find(token)).execute(self.connection)?;
        }
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

    /// Gives a connection a token of the actor, unless it has one.
    fn act_for_git(&mut self, installation: &Authorized<InSpace<GitInstallationRecord>>) -> Result<()> {
        let (space, actor) = (&installation.space, installation.actor());
        let former: Option<(Uuid, Uuid)> = git_installations::table
            .find(space.id)
            .inner_join(api_tokens::table)
            .select((api_tokens::id, api_tokens::user_id))
            .get_result(self.connection)
            .optional()?;
        if former.is_some_and(|(_, user)| UserId::from_uuid(user) == actor.user) {
            return Ok(());
        }
        let title: String = space.title.chars().take(40).collect();
        let limits =
            Limits { read_only: false, organizations: Some(vec![space.organization]), expires_at: None };
        // Only the hash of the token is stored, and the token itself is dropped here: nothing else can act with it.
        let (token, _) =
            match self.issue_own_token(actor, &format!("Git synchronization of {title}"), &limits)? {
                Ok(issued) => issued,
                Err(Unissued::Stronger | Unissued::UnknownOrganizations(_)) => {
                    let message =
                        "A synchronization needs a token without expiry; connect the space in the browser.";
                    return Err(Error::refused(Reason::Forbidden, message));
                }
            };
        self.replace_git_token(space.id, token.id, former.map(|(former, _)| former))
    }

    fn replace_git_token(&mut self, space: SpaceId, token: TokenId, former: Option<Uuid>) -> Result<()> {
        diesel::update(git_installations::table.find(space))
            .set(git_installations::token_id.eq(token))
            .execute(self.connection)?;
        if let Some(former) = former {
            diesel::delete(api_tokens::table.find(former)).execute(self.connection)?;
        }
        Ok(())
    }
}

/// Refuses a connection that a site's connection manages.
pub(super) fn require_own(installation: &GitInstallationRecord) -> Result<()> {
    match installation.parent {
        None => Ok(()),
        Some(_) => Err(Error::refused(Reason::GitManagedBySite, Reason::GitManagedBySite.message())),
    }
}

/// Returns the stored form of programs, each once.
fn words(agents: &[GitAgent]) -> Vec<&'static str> {
    let all = [GitAgent::Agents, GitAgent::Claude];
    all.into_iter().filter(|agent| agents.contains(agent)).map(GitAgent::as_str).collect()
}

fn missing(field: &'static str, message: &'static str) -> Error {
    Refusal::new(Reason::InvalidBody).at(field, message).into()
}
