//! State of a connection in the row of its space or site, so that reading these still takes one statement.

use quire_domain::clock::Timestamp;
use quire_domain::git::{GitInstallationStatus, GitOperation, GitOperationState, GitProvider};
use quire_domain::ids::GitInstallationId;
use serde::{Deserialize, Serialize};

/// Connection of a space or site in the form that the space or site shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShownGitSync {
    /// Id of the connection.
    pub installation: GitInstallationId,
    /// Connection of the site that manages this connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<GitInstallationId>,
    /// Provider of the repository.
    pub provider: GitProvider,
    /// URL of the repository, without credentials; `None` until it is set up.
    pub url: Option<String>,
    /// Full name of the branch; `None` for the branch of HEAD.
    pub reference: Option<String>,
    /// Folder of the content with a trailing slash; empty for the whole repository.
    pub project_directory: String,
    /// State of the access to the repository.
    pub status: GitInstallationStatus,
    /// Last synchronization that ended.
    pub operation: Option<GitOperation>,
    /// Time of this state.
    pub updated_at: Timestamp,
}

impl ShownGitSync {
    /// Returns whether the last synchronization failed.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        let state = self.operation.as_ref().map(|operation| operation.state);
        matches!(state, Some(GitOperationState::Failure | GitOperationState::Timeout))
    }
}
