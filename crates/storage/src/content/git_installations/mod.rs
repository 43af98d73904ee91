//! Connections of spaces to Git repositories, and the log of their synchronizations.

mod changes;
mod due;
mod former;
mod hooks;
mod log;
mod lookup;
mod notes;
mod on_space;
mod previews;
mod proposals;
mod run;
mod setup;
mod shown;
mod soon;
mod unexported;

use std::collections::HashMap;

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use quire_database::Seal;
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::error::Reason;
use quire_domain::git::{GitDirection, GitOperationState, GitProvider};
use quire_domain::git_installations::{GitAgent, GitAuthority, GitPriority, GitTrigger};
use quire_domain::ids::{
    ChangeRequestId, GitInstallationId, GitOperationId, OrganizationId, RevisionId, SpaceId, UserId,
};
use uuid::Uuid;

use crate::content::change_requests::InSpace;
use crate::content::spaces::SpaceRecord;
use crate::content::spaces::spaces_with_access;
use crate::content::store::ContentAt;
use crate::diesel_types::Elements;
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::Authorized;
use crate::schema::{git_installations, git_operations, site_spaces};
use crate::sites::SiteRecord;
use crate::transaction::Reader;
use crate::views::space_access;
use crate::{Error, Result, parse_enum};

pub use self::shown::ShownGitSync;
pub(crate) use due::{DUE_MAX, DueRow, after_run, due_columns};
pub use due::{DueConnection, GitRunEnd, RunningGitInstallation};
pub use former::{FormerGitProposal, FormerGitRemote, GIT_FORMER_JOB, GitOwner};
pub use hooks::GitHookRecord;
pub(crate) use hooks::{HookTarget, hook_owner, new_hook_secret};
pub(crate) use log::GitLogEntry;
pub(crate) use on_space::News;
pub use previews::NewGitPreview;
pub use proposals::GitProposal;
pub(crate) use proposals::added_note;
pub use run::{DueGitInstallation, GIT_SYNC_JOB};
pub(crate) use setup::{CheckedRepository, invalid, words};
pub use setup::{GitRepository, GitSetup};
pub(crate) use soon::PAUSE;
pub use unexported::{UnexportedRevision, UnexportedRevisions};

/// Maximum number of connections of one site. A site has fewer spaces.
const MOST_OF_SITE: i64 = 1_000;

/// Purpose of the deployment key that seals passwords and tokens.
pub(crate) const SEAL: &str = "git";

/// Connection of a space to a repository, without its password or token.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = git_installations, check_for_backend(Pg))]
pub struct GitInstallationRecord {
    /// Id.
    pub id: GitInstallationId,
    /// Hosting provider of the repository.
    pub provider: GitProvider,
    /// URL of the repository, without credentials; `None` until it is set up.
    pub url: Option<String>,
    /// Id of the repository at its host; `None` if it was given by URL.
    pub repository_id: Option<i64>,
    /// User name for the server.
    pub username: Option<String>,
    /// `true` if a password or token is stored.
    #[diesel(
        select_expression = git_installations::secret.is_not_null(),
        select_expression_type = dsl::IsNotNull<git_installations::secret>
    )]
    pub has_secret: bool,
    /// Installation of the GitHub App that gives access to the repository in place of a password or token.
    pub app_installation_id: Option<i64>,
    /// Full name of the branch; `None` for the branch of HEAD.
    pub reference: Option<String>,
    /// Folder of the content with a trailing slash; empty for the whole repository.
    pub project_directory: String,
    /// Template of commit messages.
    pub commit_message_template: Option<String>,
    /// `true` if messages of commits end with a `Signed-off-by` line.
    pub sign_off: bool,
    /// Side whose version of a page stays when changes of both sides conflict.
    pub authority: GitAuthority,
    /// Side whose content the first synchronization takes.
    pub priority: Option<GitPriority>,
    /// `true` if the webhook has a secret.
    #[diesel(
        select_expression = git_installations::hook_secret.is_not_null(),
        select_expression_type = dsl::IsNotNull<git_installations::hook_secret>
    )]
    pub has_hook_secret: bool,
    /// `true` to also preview pull requests from other repositories.
    pub preview_external: bool,
    /// Agents for which exports write instruction files.
    #[diesel(deserialize_as = Elements<Vec<Option<GitAgent>>>)]
    pub agent_instructions: Vec<GitAgent>,
    /// User who connected the space.
    pub created_by: Option<UserId>,
    /// Time of the next synchronization.
    pub next_run_at: Option<Timestamp>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
    /// Connection of the site that manages this connection.
    #[diesel(column_name = parent_id)]
    pub parent: Option<GitInstallationId>,
}

/// Installation of the deployment's GitHub App for an organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GitAppInstallation {
    /// Organization.
    pub organization: OrganizationId,
    /// Id of the installation at GitHub.
    pub id: i64,
}

/// Repository of a connection, with its credentials.
#[derive(Clone)]
pub struct GitRemote {
    /// URL of the repository, without credentials.
    pub url: String,
    /// User name, which may be empty, and password or token.
    pub account: Option<(String, String)>,
    /// Installation of the GitHub App that gives access in place of an account.
    pub app: Option<GitAppInstallation>,
    /// Full name of the branch; `None` for the branch of HEAD.
    pub reference: Option<String>,
    /// Folder of the content with a trailing slash; empty for the whole repository.
    pub project_directory: String,
}

impl std::fmt::Debug for GitRemote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "GitRemote({})", self.url)
    }
}

/// Log entry of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = git_operations, check_for_backend(Pg))]
pub struct GitOperationRecord {
    /// Id.
    pub id: GitOperationId,
    /// Direction.
    pub direction: GitDirection,
    /// Cause.
    pub trigger: GitTrigger,
    /// State.
    pub state: GitOperationState,
    /// Commit that matched the content before.
    pub from_commit: Option<String>,
    /// Commit that was imported or pushed.
    pub to_commit: Option<String>,
    /// Revision that matches the commit.
    #[diesel(column_name = revision_id)]
    pub revision: Option<RevisionId>,
    /// Change request with the changes of one side to pages that the other side had changed, too.
    #[diesel(column_name = change_request_id)]
    pub change_request: Option<ChangeRequestId>,
    /// Reason of a failure.
    pub error: Option<String>,
    /// Number of successive runs with the same failure.
    #[diesel(deserialize_as = i32)]
    pub attempts: u32,
    /// Start time of the last run.
    pub started_at: Timestamp,
    /// End time of the last run.
    pub ended_at: Timestamp,
    /// URL of the pull request with the pending commit, or of the page to open it.
    pub pull_request: Option<String>,
    /// Message for users about files whose bytes are missing.
    pub notes: Option<String>,
}

impl GitOperationRecord {
    /// Returns a summary for users.
    #[must_use]
    pub fn summary(&self) -> String {
        if let Some(error) = &self.error {
            return match (self.attempts, self.direction) {
                (1, GitDirection::Import) => format!("The import failed: {error}"),
                (1, GitDirection::Export) => format!("The export failed: {error}"),
                (attempts, GitDirection::Import) => format!("The import failed {attempts} times: {error}"),
                (attempts, GitDirection::Export) => format!("The export failed {attempts} times: {error}"),
            };
        }
        let commit: String = self.to_commit.iter().flat_map(|commit| commit.chars().take(7)).collect();
        let summary = match (self.direction, self.change_request) {
            _ if self.pull_request.is_some() => {
                "Edits are in a pull request, because the server does not accept commits to the branch."
                    .to_owned()
            }
            (GitDirection::Import, None) => format!("Commit {commit} was imported."),
            (GitDirection::Import, Some(_)) => format!(
                "Commit {commit} was imported. Pages that were edited on both sides are in a change request."
            ),
            (GitDirection::Export, _) => format!("Edits were pushed as commit {commit}."),
        };
        match &self.notes {
            Some(notes) => format!("{summary} {notes}"),
            None => summary,
        }
    }
}

/// Commit of a revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitCommit {
    /// `Import` if the revision was imported from the commit, `Export` if the commit was pushed.
    pub direction: GitDirection,
    /// Object id.
    pub id: String,
}

impl Reader<'_> {
    /// Returns the connection of a space; `None` if it has none.
    pub fn git_installation_of(
        &mut self,
        space: &Authorized<SpaceRecord>,
    ) -> Result<Option<GitInstallationRecord>> {
        self.read_git_installation(space.id)
    }

    pub(crate) fn read_git_installation(&mut self, space: SpaceId) -> Result<Option<GitInstallationRecord>> {
        let installation = git_installations::table.find(space).select(GitInstallationRecord::as_select());
        Ok(installation.get_result(self.connection).optional()?)
    }

    /// Returns the connections of a site's spaces, ordered by id, except those that the caller may not see. Takes one
    /// statement.
    pub fn git_installations_of_site(
        &mut self,
        site: &Authorized<SiteRecord>,
    ) -> Result<Vec<InSpace<GitInstallationRecord>>> {
        let on_site = site_spaces::table
            .filter(site_spaces::organization_id.eq(site.organization))
            .filter(site_spaces::site_id.eq(site.id))
            .filter(site_spaces::space_id.eq(space_access::id));
        let rows: Vec<(SpaceRecord, GitInstallationRecord)> = spaces_with_access()
            .inner_join(git_installations::table.on(git_installations::space_id.eq(space_access::id)))
            .filter(self.token_is_valid::<space_access::table>())
            .filter(space_access::organization_id.eq(site.organization))
            .filter(space_access::deleted_at.is_null())
            .filter(space_access::role.ge(Role::Edit.rank()))
            .filter(dsl::exists(on_site))
            .order(git_installations::id)
            .limit(MOST_OF_SITE)
            .select((SpaceRecord::as_select(), GitInstallationRecord::as_select()))
            .load(self.connection)?;
        Ok(rows.into_iter().map(|(space, item)| InSpace { space, item }).collect())
    }

    /// Returns the repository of a connection, with its credentials.
    ///
    /// # Errors
    /// [`Reason::GitNotSetUp`] if the connection has no repository yet.
    pub fn git_remote(
        &mut self,
        installation: &Authorized<InSpace<GitInstallationRecord>>,
    ) -> Result<GitRemote> {
        let InSpace { space, item } = &**installation;
        let Some(url) = item.url.clone() else {
            return Err(Error::refused(Reason::GitNotSetUp, Reason::GitNotSetUp.message()));
        };
        let sealed: Option<Vec<u8>> = git_installations::table
            .find(space.id)
            .select(git_installations::secret)
            .get_result(self.connection)?;
        Ok(GitRemote {
            url,
            account: self.git_account(item.id, item.username.clone(), sealed)?,
            app: item
                .app_installation_id
                .map(|id| GitAppInstallation { organization: space.organization, id }),
            reference: item.reference.clone(),
            project_directory: item.project_directory.clone(),
        })
    }

    /// Decrypts a password or token.
    pub(crate) fn git_account(
        &mut self,
        id: GitInstallationId,
        username: Option<String>,
        sealed: Option<Vec<u8>>,
    ) -> Result<Option<(String, String)>> {
        let Some(sealed) = sealed else { return Ok(None) };
        let damaged = |error: anyhow::Error| Error::corrupt("a token for Git is damaged", error);
        let key = self.known_deployment_key(SEAL)?;
        let key = key.ok_or_else(|| damaged(anyhow::anyhow!("there is no key to decrypt it: {id}")))?;
        let secret = Seal::new(key).open(&id.to_string(), &sealed)?;
        let secret = String::from_utf8(secret).map_err(|error| damaged(error.into()))?;
        Ok(Some((username.unwrap_or_default(), secret)))
    }

    /// Returns the commits of revisions, from the log of the connection. Takes one statement, or none if the space is
    /// not connected.
    pub fn git_commits(
        &mut self,
        content: &Authorized<ContentAt>,
        revisions: &[RevisionId],
    ) -> Result<HashMap<RevisionId, GitCommit>> {
        if content.space.git_sync.is_none() || revisions.is_empty() {
            return Ok(HashMap::new());
        }
        let rows: Vec<(Option<Uuid>, Option<String>, String)> = git_operations::table
            .filter(git_operations::space_id.eq(content.space.id))
            .filter(git_operations::revision_id.eq_any(revisions))
            .filter(git_operations::to_commit.is_not_null())
            .select((git_operations::revision_id, git_operations::to_commit, git_operations::direction))
            .load(self.connection)?;
        let mut commits = HashMap::new();
        for (revision, id, direction) in rows {
            let (Some(revision), Some(id)) = (revision, id) else { continue };
            let commit = GitCommit { direction: parse_enum(&direction)?, id };
            commits.insert(RevisionId::from_uuid(revision), commit);
        }
        Ok(commits)
    }

    /// Returns a log entry of a connection.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn git_operation_of(
        &mut self,
        installation: &Authorized<InSpace<GitInstallationRecord>>,
        id: GitOperationId,
    ) -> Result<GitOperationRecord> {
        let row = git_operations::table
            .find((installation.space.id, id))
            .select(GitOperationRecord::as_select())
            .get_result(self.connection)
            .optional()?;
        row.ok_or(Error::NotFound)
    }

    /// Returns the log of a connection, newest first. Takes two statements.
    pub fn git_operations(
        &mut self,
        installation: &Authorized<InSpace<GitInstallationRecord>>,
        after: Option<GitOperationId>,
        limit: u16,
    ) -> Result<Slice<GitOperationRecord>> {
        let space = installation.space.id;
        let of_space = || git_operations::table.filter(git_operations::space_id.eq(space));
        let rows = of_space()
            .filter(git_operations::id.lt(page_end(after)))
            .order(git_operations::id.desc())
            .limit(fetch_limit(limit))
            .select(GitOperationRecord::as_select())
            .load(self.connection)?;
        let total = of_space().count().get_result(self.connection)?;
        Ok(Slice::cut(rows, limit, total))
    }
}
