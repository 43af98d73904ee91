//! Requests about connections.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};
use validator::{Validate, ValidationError};

use super::{GitAgent, GitAuthority, GitPriority, GitTarget};
use crate::error::KEY;
use crate::git::GitProvider;
use crate::patch::{self, Patch};
use crate::{object_only, text_checks, texts};

/// Most folders of spaces in the connection of a site.
const SITE_DIRECTORIES_MAX: usize = 100;

/// Query parameters of a delivery.
#[derive(Clone, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct GitHookQuery {
    /// Secret of the webhook, from servers that sign nothing.
    #[param(nullable = false)]
    pub token: Option<String>,
}

/// Request body to connect a space or site to a Git repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitInstallationCreate {
    /// Provider of the repository; `git` for any server with HTTPS.
    pub provider: GitProvider,
    /// Target of the connection.
    #[validate(nested)]
    #[serde(deserialize_with = "object_only::object")]
    pub target: GitTarget,
}

/// Request body to set up or change a connection. Absent keys leave their values unchanged.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct GitInstallationUpdate {
    /// The repository.
    #[validate(nested)]
    #[serde(deserialize_with = "object_only::present")]
    #[schema(value_type = GitConfigurationUpdate, required = false)]
    pub provider_configuration: Option<GitConfigurationUpdate>,
    /// Folder of the content in the repository; `null` for the whole repository.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::GitText::check"))]
    #[schema(value_type = Option<texts::GitText>)]
    pub project_directory: Patch<texts::GitText>,
    /// Template of the messages of commits, with `{change_request_number}`, `{change_request_subject}` and `{url}`;
    /// `null` for the default.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::CommitTemplate::check"))]
    #[schema(value_type = Option<texts::CommitTemplate>)]
    pub commit_message_template: Patch<texts::CommitTemplate>,
    /// `true` to end messages of commits with a `Signed-off-by` line that names the author. Default: `false`.
    #[serde(deserialize_with = "patch::present")]
    #[schema(value_type = bool, required = false)]
    pub sign_off: Option<bool>,
    /// Side whose version of a page stays when changes of both sides conflict; of a site, in its spaces. The other one
    /// is in a change request. Default: `provider`.
    #[serde(deserialize_with = "patch::present")]
    #[schema(value_type = GitAuthority, required = false)]
    pub default_merge_authority_policy: Option<GitAuthority>,
    /// `true` to preview pull requests from other repositories, too. Default: `false`.
    #[serde(deserialize_with = "patch::present")]
    #[schema(value_type = bool, required = false)]
    pub preview_external_branches: Option<bool>,
    /// Programs for which exports write instruction files: `AGENTS.md`, `CLAUDE.md`. Replaces the previous ones.
    #[serde(deserialize_with = "patch::present")]
    #[validate(length(max = 2))]
    #[schema(value_type = Vec<GitAgent>, max_items = 2, required = false)]
    pub agent_instructions: Option<Vec<GitAgent>>,
    /// Side whose content the first synchronization takes. Required to start synchronizing, and again with another
    /// repository, branch or folder.
    #[serde(deserialize_with = "patch::present")]
    #[schema(value_type = GitPriority, required = false)]
    pub priority: Option<GitPriority>,
    /// Folders of the spaces of a site below `projectDirectory`, by the ids of the spaces or of their connections, at
    /// most 100. They replace the present ones. Only for a site with the priority `gitbook`; with `git`, the site file
    /// names the folders.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "check_directories"))]
    #[schema(value_type = BTreeMap<String, texts::GitText>, required = false)]
    pub child_installation_project_directories: Option<BTreeMap<String, texts::GitText>>,
}

/// Checks the folders of the spaces of a site.
fn check_directories(directories: &BTreeMap<String, texts::GitText>) -> Result<(), ValidationError> {
    if directories.len() > SITE_DIRECTORIES_MAX {
        return Err(text_checks::error("count", format!("must have at most {SITE_DIRECTORIES_MAX} entries")));
    }
    for (id, folder) in directories {
        texts::GitText::check(folder).map_err(|mut error| {
            error.add_param(KEY.into(), id);
            error
        })?;
    }
    Ok(())
}

/// Change of the repository of a connection.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct GitConfigurationUpdate {
    /// URL of the repository with https and without credentials. Changing it requires `accessToken` if one is stored.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = texts::Url, required = false)]
    pub url: Option<texts::Url>,
    /// Id of a repository of GitHub, in place of `url`.
    #[serde(deserialize_with = "patch::present")]
    #[validate(range(min = 1))]
    #[schema(value_type = i64, required = false)]
    pub repository_id: Option<i64>,
    /// Id of a project of GitLab, in place of `url`.
    #[serde(deserialize_with = "patch::present")]
    #[validate(range(min = 1))]
    #[schema(value_type = i64, required = false)]
    pub project_id: Option<i64>,
    /// URL of the GitLab instance of `projectId`; `null` for gitlab.com. Default: that of the connected repository.
    #[serde(rename = "customInstanceURL", skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = Option<texts::Url>)]
    pub custom_instance_url: Patch<texts::Url>,
    /// User name for the server; `null` if the token needs none.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::GitUsername::check"))]
    #[schema(value_type = Option<texts::GitUsername>)]
    pub username: Patch<texts::GitUsername>,
    /// Password or access token for the server, which is stored encrypted; `null` for a public repository.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::GitSecret::check"))]
    #[schema(value_type = Option<texts::GitSecret>)]
    pub access_token: Patch<texts::GitSecret>,
    /// Installation of the operator's GitHub App that gives access in place of `accessToken`; `null` for none.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<i64>)]
    pub app_installation_id: Patch<i64>,
    /// Full name of the branch, such as `refs/heads/main`; `null` for the branch of the repository's HEAD.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::GitRef::check"))]
    #[schema(value_type = Option<texts::GitRef>)]
    pub branch: Patch<texts::GitRef>,
}
