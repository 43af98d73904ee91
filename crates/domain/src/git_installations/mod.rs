//! Connections of spaces and sites to Git repositories.

mod requests;

#[cfg(feature = "postgres")]
use diesel::pg::Pg;
#[cfg(feature = "postgres")]
use diesel::prelude::{Queryable, Selectable};
use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::Validate;

pub use self::requests::{
    GitConfigurationUpdate, GitHookQuery, GitInstallationCreate, GitInstallationUpdate,
};

use crate::clock::Timestamp;
use crate::git::{GitDirection, GitInstallationStatus, GitOperation, GitOperationState, GitProvider, words};
use crate::ids::{ChangeRequestId, GitInstallationId, GitOperationId, RevisionId, SiteId, SpaceId, UserId};
use crate::object::{
    GitInstallationTag, GitOperationTag, GitPreviewTag, GitRepositoryConnectionTag, GitRepositoryRefTag,
    GitSyncRootTag,
};
use crate::patch;
#[cfg(feature = "postgres")]
use crate::schema::git_previews;

words! {
    /// Kind of the target of a connection.
    GitTargetType {
        /// A space.
        Space = "space",
        /// A site, with its spaces.
        Site = "site",
    }
    /// Side of a synchronization.
    GitPriority {
        /// The repository; of a site, its site file.
        Git = "git",
        /// The content of the space, or the structure of the site.
        Gitbook = "gitbook",
    }
    /// Program that reads instructions from a file of a repository.
    GitAgent {
        /// Programs that read `AGENTS.md`.
        Agents = "agents",
        /// Claude Code, which reads `CLAUDE.md`.
        Claude = "claude",
    }
    /// Kind of a branch or tag.
    GitReferenceType {
        /// A branch.
        Branch = "branch",
    }
    /// Side whose version of a page stays when changes of both sides conflict. The other one is set aside.
    GitAuthority {
        /// The repository.
        Provider = "provider",
        /// The content of the space.
        Gitbook = "gitbook",
    }
    /// State of a folder that is synchronized.
    GitSyncRootStatus {
        /// Synchronized.
        Active = "active",
        /// Waiting for a change of the connection.
        Disabled = "disabled",
    }
    /// State of the preview of a pull request.
    GitPreviewState {
        /// The commit is imported.
        Pending = "pending",
        /// The content of the commit can be read.
        Success = "success",
        /// The commit cannot be imported.
        Failure = "failure",
    }
    /// Cause of a synchronization.
    GitTrigger {
        /// The connection was set up or changed.
        Setup = "setup",
        /// A user requested it.
        Request = "request",
        /// The repository is polled from time to time.
        Poll = "poll",
        /// The server of the repository reported a change.
        Hook = "hook",
    }
}

impl GitPriority {
    /// Returns the direction of a synchronization that takes the content of this side.
    #[must_use]
    pub fn direction(self) -> GitDirection {
        match self {
            Self::Git => GitDirection::Import,
            Self::Gitbook => GitDirection::Export,
        }
    }
}

/// Target of a connection to a repository.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitTarget {
    /// Kind of the target.
    #[serde(rename = "type")]
    pub kind: GitTargetType,
    /// Id of the space. Required for a space, absent for a site.
    #[serde(default, deserialize_with = "patch::present")]
    pub space_id: Option<SpaceId>,
    /// Id of the site. Required for a site. In responses, also the site whose connection manages the connection of the
    /// space.
    #[serde(default, deserialize_with = "patch::present")]
    pub site_id: Option<SiteId>,
}

/// Connection of a space or site to a Git repository. The password or token is never returned.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitInstallation {
    /// Always `git-sync-installation`.
    pub object: GitInstallationTag,
    /// Id of the connection.
    pub id: GitInstallationId,
    /// Id of the connection of a site that manages this one. Absent for others.
    pub parent_installation_id: Option<GitInstallationId>,
    /// Target of the connection.
    pub target: GitTarget,
    /// State of the access to the repository.
    pub status: GitInstallationStatus,
    /// Provider of the repository.
    pub provider: GitProvider,
    /// The repository.
    pub provider_configuration: GitConfiguration,
    /// Folder of the content in the repository, or of the site file. Absent for the whole repository.
    pub project_directory: Option<String>,
    /// Template of the messages of commits. Absent for the default.
    pub commit_message_template: Option<String>,
    /// `true` if messages of commits end with a `Signed-off-by` line that names the author.
    pub sign_off: bool,
    /// Side whose version of a page stays when changes of both sides conflict; of a site, in its spaces.
    pub default_merge_authority_policy: GitAuthority,
    /// `true` if pull requests from other repositories have previews, too.
    pub preview_external_branches: bool,
    /// Programs for which exports write instruction files.
    pub agent_instructions: Vec<GitAgent>,
    /// The repository as the last synchronization found it. Absent until it is set up.
    pub repository_connection: Option<GitRepositoryConnection>,
    /// The branch. Absent until it is set up, and for the branch of HEAD.
    pub repository_ref: Option<GitRepositoryRef>,
    /// The synchronized folder. Absent until the side that has priority is chosen.
    pub sync_root: Option<GitSyncRoot>,
    /// Side whose content the first synchronization takes. Absent until it is chosen.
    pub priority: Option<GitPriority>,
    /// Last import or export. Absent before the first one.
    pub operation: Option<GitOperation>,
    /// `true` if the webhook of the repository has a secret.
    pub has_hook_secret: bool,
    /// Time of the next synchronization. Absent if it waits for a change of the connection.
    pub next_run_at: Option<Timestamp>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Id of the user who connected it. Absent if the user was removed.
    pub created_by: Option<UserId>,
    /// Time of the last change of the connection.
    pub updated_at: Timestamp,
    /// URLs of the connection.
    pub urls: GitInstallationUrls,
}

/// Repository of a connection, as its host describes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitRepositoryConnection {
    /// Always `git-repository-connection`.
    pub object: GitRepositoryConnectionTag,
    /// Id of the connection, which has one repository.
    pub id: GitInstallationId,
    /// Provider of the repository.
    pub provider: GitProvider,
    /// Id of the repository at its host; its name if it was named by its URL.
    pub repository_id: String,
    /// Name of the repository with its owner.
    pub repository_name: String,
    /// URL of the repository, without credentials.
    pub repository_url: String,
    /// State of the access to the repository.
    pub auth_state: GitInstallationStatus,
    /// Interfaces of the host that Quire uses.
    pub capabilities: GitCapabilities,
    /// Creation time of the connection.
    pub created_at: Timestamp,
    /// Time of the last change of the connection.
    pub updated_at: Timestamp,
}

/// Interfaces of the host of a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitCapabilities {
    /// `true` if Quire can read and open pull requests.
    pub pull_requests: bool,
    /// `true` if Quire can set statuses of commits.
    pub commit_statuses: bool,
}

/// Branch of a connection.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitRepositoryRef {
    /// Always `git-repository-ref`.
    pub object: GitRepositoryRefTag,
    /// Id of the connection, which has one branch.
    pub id: GitInstallationId,
    /// Full name of the branch.
    pub name: String,
    /// Kind of the ref.
    #[serde(rename = "type")]
    pub kind: GitReferenceType,
    /// Head of the branch after the last synchronization. Absent before the first one, and in lists.
    pub latest_observed_commit_id: Option<String>,
    /// Commit up to which changes of the branch are in the content. Absent before the first synchronization, and in
    /// lists.
    pub latest_imported_commit_id: Option<String>,
    /// Time of the last change of the connection.
    pub updated_at: Timestamp,
}

/// Folder of a repository that is synchronized with a target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitSyncRoot {
    /// Always `git-sync-root`.
    pub object: GitSyncRootTag,
    /// Id of the connection, which has one folder.
    pub id: GitInstallationId,
    /// Id of the connection.
    pub installation_id: GitInstallationId,
    /// Target of the connection.
    pub target: GitTarget,
    /// Side whose version of a page stays when changes of both sides conflict. The other one is in a change request.
    pub default_merge_authority_policy: GitAuthority,
    /// State of the folder.
    pub status: GitSyncRootStatus,
    /// Creation time of the connection.
    pub created_at: Timestamp,
    /// Time of the last change of the connection.
    pub updated_at: Timestamp,
}

/// Connection of a site, followed by those of the spaces that it shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteGitInstallations {
    /// The connections.
    pub items: Vec<GitInstallation>,
}

/// Repository of a connection.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitConfiguration {
    /// URL of the repository, without credentials. Absent until it is set up.
    pub url: Option<String>,
    /// Id of the repository of GitHub. Absent if it was named by its URL.
    pub repository_id: Option<i64>,
    /// Id of the project of GitLab. Absent if it was named by its URL.
    pub project_id: Option<i64>,
    /// URL of the GitLab instance of the project. Absent for gitlab.com.
    #[serde(rename = "customInstanceURL")]
    pub custom_instance_url: Option<String>,
    /// User name for the server. Absent if the token needs none.
    pub username: Option<String>,
    /// Full name of the branch. Absent for the branch of the repository's HEAD.
    pub branch: Option<String>,
    /// Installation of the operator's GitHub App that gives access in place of a token. Absent without one.
    pub app_installation_id: Option<i64>,
    /// `true` if a password or token is stored.
    pub has_access_token: bool,
}

/// URLs of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitInstallationUrls {
    /// URL of the connection in this API.
    pub location: String,
    /// URL that the server of the repository reports changes to, signed with the secret of the webhook.
    pub hook: String,
}

/// Webhook of a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitHook {
    /// URL that the server of the repository reports changes to.
    pub url: String,
    /// Secret that signs deliveries. It is not returned again.
    pub secret: String,
}

/// Pages on both sides of a connection.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitComparison {
    /// Pages of the space that have a file.
    pub pages: u64,
    /// Markdown files in the folder of the repository. Absent if it cannot be read.
    pub files: Option<u64>,
    /// Pages and files with the same path. Absent if the repository cannot be read.
    pub both: Option<u64>,
    /// Commit that was compared. Absent for an empty repository.
    pub commit: Option<String>,
    /// Reason why the repository cannot be read, as a sentence.
    pub error: Option<String>,
}

/// Previews of the open pull requests of a connected repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitPreviews {
    /// The previews, at most 20.
    pub items: Vec<GitPreview>,
}

/// Stored fields of a preview, which responses contain unchanged.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "postgres", derive(Queryable, Selectable))]
#[cfg_attr(feature = "postgres", diesel(table_name = git_previews, check_for_backend(Pg)))]
#[serde(rename_all = "camelCase")]
pub struct GitPreviewFacts {
    /// Number of the pull request at its host.
    pub number: i64,
    /// Title of the pull request.
    pub title: String,
    /// Web URL of the pull request. Absent if its host named none.
    pub url: Option<String>,
    /// Last commit of the pull request.
    #[cfg_attr(feature = "postgres", diesel(column_name = commit_id))]
    pub commit: String,
    /// State of the preview.
    pub state: GitPreviewState,
    /// Reason of a failure, as a sentence.
    pub error: Option<String>,
    /// Id of the revision. While the commit is pending, the revision of the previous commit. Absent without a preview.
    #[cfg_attr(feature = "postgres", diesel(column_name = revision_id))]
    pub revision: Option<RevisionId>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change of the preview.
    pub updated_at: Timestamp,
}

/// Preview of a pull request, or merge request: its content as a revision outside of any history.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GitPreview {
    /// Always `git-sync-preview`.
    pub object: GitPreviewTag,
    /// Stored fields.
    #[serde(flatten)]
    pub facts: GitPreviewFacts,
    /// URLs of the revision. Absent without a preview.
    pub urls: Option<GitPreviewUrls>,
}

/// URLs of the preview of a pull request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitPreviewUrls {
    /// URL of the revision in this API.
    pub location: String,
    /// URL of the revision in the app.
    pub app: String,
}

/// Synchronization with a repository that changed something or failed.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitOperationEntry {
    /// Always `git-sync-operation`.
    pub object: GitOperationTag,
    /// Id of the operation.
    pub id: GitOperationId,
    /// Direction of the operation.
    pub direction: GitDirection,
    /// Cause of the operation.
    pub trigger: GitTrigger,
    /// State of the operation.
    pub state: GitOperationState,
    /// Summary for people, as a sentence.
    pub summary: String,
    /// Commit that equalled the content before the operation. Absent for the first operation.
    pub from_commit: Option<String>,
    /// Commit that was imported or pushed.
    pub to_commit: Option<String>,
    /// Revision with the content of the commit.
    pub revision: Option<RevisionId>,
    /// Change request with the changes of one side to pages that the other side had changed, too. Absent without any.
    pub change_request: Option<ChangeRequestId>,
    /// URL of the pull request with the commit, if the server accepts no pushes to the branch, or of the page where a
    /// person can open one. Absent if the commit is on the branch.
    pub pull_request: Option<String>,
    /// Successive runs with the same failure; otherwise 1.
    pub attempts: u32,
    /// Start time of the last run.
    pub started_at: Timestamp,
    /// End time of the last run.
    pub ended_at: Timestamp,
}
