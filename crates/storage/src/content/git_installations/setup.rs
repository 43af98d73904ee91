//! Common parts of changes to the connections of spaces and sites.

use diesel::prelude::*;
use quire_domain::error::{Reason, Refusal};
use quire_domain::git_installations::{GitAgent, GitAuthority, GitPriority};
use quire_domain::ids::{OrganizationId, TokenId, UserId};
use quire_domain::patch::Patch;
use quire_domain::policy::Limits;
use uuid::Uuid;

use super::{GitInstallationRecord, SEAL};
use crate::lookup::Actor;
use crate::people::tokens::Unissued;
use crate::schema::api_tokens;
use crate::transaction::Tx;
use crate::{Error, Result};

/// Change to a connection.
#[derive(Clone, Debug, Default)]
pub struct GitSetup {
    /// Change to the repository.
    pub repository: Option<GitRepository>,
    /// Folder of the content with a trailing slash; empty for the whole repository.
    pub project_directory: Option<String>,
    /// Template of commit messages.
    pub commit_message_template: Patch<String>,
    /// `true` to end messages of commits with a `Signed-off-by` line.
    pub sign_off: Option<bool>,
    /// Side whose version of a page stays when changes of both sides conflict.
    pub authority: Option<GitAuthority>,
    /// `true` to also preview pull requests from other repositories.
    pub preview_external: Option<bool>,
    /// Agents for which exports write instruction files.
    pub agent_instructions: Option<Vec<GitAgent>>,
    /// Side whose content the first synchronization takes.
    pub priority: Option<GitPriority>,
}

/// Change to the repository of a connection.
#[derive(Clone, Default)]
pub struct GitRepository {
    /// URL without credentials.
    pub url: Option<String>,
    /// Id of the repository at its host, if it was given by id.
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

/// Checked change to a repository.
pub(crate) struct CheckedRepository {
    pub(crate) url: Option<String>,
    /// Id of the repository at its host, if the URL is set.
    pub(crate) repository_id: Option<Option<i64>>,
    pub(crate) username: Patch<String>,
    /// Encrypted password or token.
    pub(crate) secret: Option<Option<Vec<u8>>>,
    pub(crate) app_installation: Patch<i64>,
    pub(crate) reference: Patch<String>,
    /// `true` for another repository, branch or folder.
    pub(crate) is_other_content: bool,
    /// `true` for another repository or branch.
    pub(crate) is_other_branch: bool,
}

impl Tx<'_> {
    /// Checks a change to a connection, and encrypts the password or token.
    ///
    /// # Errors
    /// 400 for another server without credentials for it, for another repository, branch or folder without a priority
    /// side, and without a URL.
    pub(crate) fn check_git_setup(
        &mut self,
        before: &GitInstallationRecord,
        setup: &GitSetup,
    ) -> Result<CheckedRepository> {
        let GitRepository { url, repository_id, username, secret, app_installation, reference } =
            setup.repository.clone().unwrap_or_default();
        // The secret and the app installation replace each other.
        let secret = if app_installation.set().is_some() { Patch::Clear } else { secret };
        let app_installation = if secret.set().is_some() { Patch::Clear } else { app_installation };
        let is_another = url.is_some() && url != before.url;
        if is_another && before.has_secret && secret.is_keep() {
            return Err(invalid(
                "providerConfiguration.accessToken",
                "is required when the repository changes",
            ));
        }
        let after = reference.clone().apply(before.reference.clone());
        let folder = setup.project_directory.as_ref();
        let is_moved = folder.is_some_and(|folder| *folder != before.project_directory);
        let is_other_branch = is_another || after != before.reference;
        let is_other_content = is_other_branch || is_moved;
        if is_other_content && before.priority.is_some() && setup.priority.is_none() {
            return Err(invalid("priority", "is required when the repository, branch or folder changes"));
        }
        if url.is_none() && before.url.is_none() {
            return Err(invalid("providerConfiguration.url", "is required"));
        }
        let owner = before.id.to_string();
        let secret = match secret {
            Patch::Keep => None,
            Patch::Clear => Some(None),
            Patch::Set(secret) => Some(Some(self.seal(SEAL)?.seal(&owner, secret.as_bytes())?)),
        };
        let repository_id = url.is_some().then_some(repository_id);
        Ok(CheckedRepository {
            url,
            repository_id,
            username,
            secret,
            app_installation,
            reference,
            is_other_content,
            is_other_branch,
        })
    }

    /// Returns a new token of the actor for a connection; `None` if `former`, its current token with its user, already
    /// belongs to the actor.
    ///
    /// # Errors
    /// [`Reason::Forbidden`] if the actor's own token expires or is restricted.
    pub(crate) fn issue_git_token(
        &mut self,
        actor: Actor,
        former: Option<(Uuid, Uuid)>,
        (kind, title, organization): (&str, &str, OrganizationId),
    ) -> Result<Option<TokenId>> {
        if former.is_some_and(|(_, user)| UserId::from_uuid(user) == actor.user) {
            return Ok(None);
        }
        let title: String = title.chars().take(40).collect();
        let limits = Limits { read_only: false, organizations: Some(vec![organization]), expires_at: None };
        // Only the hash of the token is stored, and the token itself is dropped here, so no one else can use it.
        match self.issue_own_token(actor, &format!("Git synchronization of {title}"), &limits)? {
            Ok((token, _)) => Ok(Some(token.id)),
            Err(Unissued::Stronger | Unissued::UnknownOrganizations(_)) => {
                let message = format!(
                    "Synchronization requires a token that does not expire. Connect the {kind} in the browser."
                );
                Err(Error::refused(Reason::Forbidden, &message))
            }
        }
    }

    /// Deletes the former token of a connection.
    pub(crate) fn delete_git_token(&mut self, token: Option<Uuid>) -> Result<()> {
        if let Some(token) = token {
            diesel::delete(api_tokens::table.find(token)).execute(self.connection)?;
        }
        Ok(())
    }
}

/// Returns the refusal of a field of a connection.
pub(crate) fn invalid(field: &str, message: &str) -> Error {
    Refusal::new(Reason::InvalidBody).at(field, message).into()
}

/// Returns the stored form of agents, without duplicates.
pub(crate) fn words(agents: &[GitAgent]) -> Vec<&'static str> {
    let all = [GitAgent::Agents, GitAgent::Claude];
    all.into_iter().filter(|agent| agents.contains(agent)).map(GitAgent::as_str).collect()
}
