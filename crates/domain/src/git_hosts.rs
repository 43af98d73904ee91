//! Repositories of a Git host, as the credentials of a connection see them.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use crate::texts;

/// Repositories or projects that the stored token gives access to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitRepositories {
    /// The repositories, at most 1,000.
    pub items: Vec<GitRepositoryEntry>,
}

/// Repository of a Git host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitRepositoryEntry {
    /// Id of the repository at its host.
    pub id: u64,
    /// Name of the owner; on GitLab the path of the group.
    pub account_name: String,
    /// Name of the repository in URLs.
    pub repository_name: String,
    /// Name of the repository with its owner.
    pub full_name: String,
    /// Name of the default branch; `null` for a repository without commits.
    pub default_branch: Option<String>,
}

/// Branches of a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitBranches {
    /// The branches, at most 1,000.
    pub items: Vec<GitBranch>,
}

/// Branch of a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitBranch {
    /// Name of the branch, such as `main`.
    pub name: String,
    /// Full name of the branch, such as `refs/heads/main`.
    #[serde(rename = "ref")]
    pub reference: String,
}

/// File of a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitFile {
    /// Name of the file.
    pub name: String,
    /// Path of the file in the repository.
    pub path: String,
    /// Object id of the blob.
    pub sha: String,
    /// Size of the file in bytes.
    pub size: u64,
}

/// Query parameters that name a file of a repository.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct GitFileQuery {
    /// Path of the file.
    #[validate(custom(function = "texts::GitText::check"))]
    #[param(value_type = texts::GitText, inline, required = true)]
    pub path: texts::GitText,
    /// Branch, tag or commit to look in.
    #[serde(rename = "ref")]
    #[validate(custom(function = "texts::GitText::check"))]
    #[param(value_type = texts::GitText, inline, required = true)]
    pub reference: texts::GitText,
}
