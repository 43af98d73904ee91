//! Imports from and exports to Git repositories.

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::Validate;

use crate::clock::Timestamp;
use crate::ids::GitInstallationId;
use crate::{object_only, patch, texts};

/// Declares the request bodies of both directions. The fields are repeated, because errors in flattened structs lack
/// field names.
macro_rules! requests {
    ($($(#[doc = $doc:literal])* $name:ident { $($own:tt)* })*) => {$(
        $(#[doc = $doc])*
        #[apply(Option => #[schema(nullable = false)])]
        #[derive(Clone, Deserialize, Validate, ToSchema)]
        #[serde(rename_all = "camelCase")]
        pub struct $name {
            /// URL of the repository with https. It may contain a user name and a password or token, which are kept in
            /// memory only.
            #[validate(custom(function = "texts::RepositoryUrl::check"))]
            pub url: texts::RepositoryUrl,
            /// Full name of a branch or tag, such as `refs/heads/main`. Default: the branch of the repository's HEAD.
            #[serde(rename = "ref")]
            #[validate(custom(function = "texts::GitRef::check"))]
            #[serde(default, deserialize_with = "patch::present")]
            pub reference: Option<texts::GitRef>,
            /// Ignored. Accepted for existing clients.
            #[serde(rename = "repoCacheID")]
            #[schema(deprecated)]
            #[validate(custom(function = "texts::GitText::check"))]
            #[serde(default, deserialize_with = "patch::present")]
            pub repo_cache_id: Option<texts::GitText>,
            /// Web URL of the files of the repository.
            #[serde(rename = "repoTreeURL")]
            #[validate(custom(function = "texts::Url::check"))]
            #[serde(default, deserialize_with = "patch::present")]
            pub repo_tree_url: Option<texts::Url>,
            /// Web URL of the commits of the repository.
            #[serde(rename = "repoCommitURL")]
            #[validate(custom(function = "texts::Url::check"))]
            #[serde(default, deserialize_with = "patch::present")]
            pub repo_commit_url: Option<texts::Url>,
            /// Folder of the content in the repository. Default: the whole repository.
            #[validate(custom(function = "texts::GitText::check"))]
            #[serde(default, deserialize_with = "patch::present")]
            pub repo_project_directory: Option<texts::GitText>,
            /// Time of the event that causes the run. An export uses it as the time of its commit.
            #[serde(default, deserialize_with = "patch::present")]
            pub timestamp: Option<Timestamp>,
            /// `true` to discard changes of the other side since the last run. Default: `false`.
            #[serde(default, deserialize_with = "patch::present")]
            pub force: Option<bool>,
            /// `true` for an import that makes a revision and leaves the main content as it is; not for an export.
            /// Default: `false`.
            #[serde(default, deserialize_with = "patch::present")]
            pub standalone: Option<bool>,
            /// Provider of the repository.
            #[validate(nested)]
            #[serde(default, deserialize_with = "object_only::present")]
            pub git_info: Option<GitInfo>,
            $($own)*
        }
    )*};
}

requests! {
    /// Request body to import a space's content from a Git repository.
    GitImportRequest {}
    /// Request body to export a space's content to a Git repository.
    GitExportRequest {
        /// Message of the commit.
        #[validate(custom(function = "texts::CommitMessage::check"))]
        pub commit_message: texts::CommitMessage,
    }
}

/// Provider of a repository.
#[apply(Option => #[schema(nullable = false)])]
#[derive(Clone, Debug, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitInfo {
    /// The provider.
    #[serde(default, deserialize_with = "patch::present")]
    pub provider: Option<GitProvider>,
    /// Web URL of the files of the repository.
    #[validate(custom(function = "texts::Url::check"))]
    #[serde(default, deserialize_with = "patch::present")]
    pub url: Option<texts::Url>,
}

/// State of the synchronization of a space or site with a Git repository.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitSyncState {
    /// Name of the repository, with its owner.
    pub repo_name: Option<String>,
    /// State of the access to the repository.
    pub installation_status: GitInstallationStatus,
    /// Provider of the repository.
    pub installation_provider: GitProvider,
    /// Id of the connection. Id of the space if it was only imported or exported by request.
    pub installation_id: GitInstallationId,
    /// Id of the connection of a site that manages this one. Absent for others.
    pub parent_installation_id: Option<GitInstallationId>,
    /// Same as `installationProvider`, which clients should use.
    #[schema(deprecated)]
    pub integration: GitProvider,
    /// Web URL of the files of the repository.
    pub url: Option<String>,
    /// Last import or export; of a space or site, the last synchronization that ended.
    pub operation: Option<GitOperation>,
    /// Time limit of an import or export in milliseconds. Absent in spaces and sites.
    pub operation_timeout: Option<u64>,
    /// Time of the last change of this state.
    pub updated_at: Option<Timestamp>,
}

/// Import or export of a space.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitOperation {
    /// State of the operation.
    pub state: GitOperationState,
    /// Direction of the operation.
    pub direction: GitDirection,
    /// Start time.
    pub started_at: Timestamp,
    /// End time. Absent while it runs.
    pub ended_at: Option<Timestamp>,
    /// Reason of a failure.
    pub error: Option<String>,
    /// Page where a person can repair the connection. Absent without a failure.
    pub error_action: Option<GitErrorAction>,
}

/// Page to open after a failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitErrorAction {
    /// Label of a link or button.
    pub label: String,
    /// URL of the page.
    pub url: String,
}

/// Declares enums that are stored in their wire form.
macro_rules! words {
    ($($(#[doc = $doc:literal])* $name:ident { $($(#[doc = $variant_doc:literal])* $variant:ident = $word:tt,)* })*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        pub enum $name {
            $($(#[doc = $variant_doc])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            /// Returns the wire form.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }
    )*};
}

pub(crate) use words;

words! {
    /// Direction of a synchronization.
    GitDirection {
        /// From the repository to the space.
        Import = "import",
        /// From the space to the repository.
        Export = "export",
    }
    /// State of an import or export.
    GitOperationState {
        /// Running.
        Running = "running",
        /// Failed.
        Failure = "failure",
        /// Succeeded.
        Success = "success",
        /// Not ended within its time limit.
        Timeout = "timeout",
    }
    /// State of the access to a repository.
    GitInstallationStatus {
        /// The server did not accept the credentials.
        Unauthenticated = "unauthenticated",
        /// The repository was accessed.
        Active = "active",
        /// The repository was not accessed yet.
        Pending = "pending",
    }
    /// Provider of a Git repository.
    GitProvider {
        /// GitHub.
        Github = "github",
        /// GitLab.
        Gitlab = "gitlab",
        /// Gitea or Forgejo.
        Gitea = "gitea",
        /// GitHub, through a legacy application.
        GithubLegacy = "github-legacy",
        /// Any other Git server.
        Git = "git",
    }
}

impl GitProvider {
    /// Returns the web URL of a folder on a branch; `None` for providers whose URL form is not known.
    ///
    /// `url` is the URL of the repository, `reference` the full name of the branch; `folder` has no slash at its ends.
    #[must_use]
    pub fn tree_url(self, url: &str, reference: Option<&str>, folder: &str) -> Option<String> {
        let branch = reference.map(|name| name.strip_prefix("refs/heads/").unwrap_or(name));
        let path = |branch: &str| match folder {
            "" => encoded(branch),
            folder => format!("{}/{}", encoded(branch), encoded(folder)),
        };
        let web = web_url(url);
        Some(match (self, branch) {
            (Self::Git, _) => return None,
            (Self::Github | Self::GithubLegacy, None) => format!("{web}/tree/{}", path("HEAD")),
            (Self::Github | Self::GithubLegacy, Some(branch)) => format!("{web}/tree/{}", path(branch)),
            (Self::Gitlab, None) => format!("{web}/-/tree/{}", path("HEAD")),
            (Self::Gitlab, Some(branch)) => format!("{web}/-/tree/{}", path(branch)),
            // Gitea has no URL for a folder of the default branch.
            (Self::Gitea, None) => web.to_owned(),
            (Self::Gitea, Some(branch)) => format!("{web}/src/branch/{}", path(branch)),
        })
    }

    /// Returns the web URL of a commit; `None` for providers whose URL form is not known.
    #[must_use]
    pub fn commit_url(self, url: &str, commit: &str) -> Option<String> {
        let web = web_url(url);
        match self {
            Self::Git => None,
            Self::Github | Self::GithubLegacy | Self::Gitea => Some(format!("{web}/commit/{commit}")),
            Self::Gitlab => Some(format!("{web}/-/commit/{commit}")),
        }
    }
}

/// Returns the web URL of a repository.
fn web_url(url: &str) -> &str {
    let url = url.trim_end_matches('/');
    url.strip_suffix(".git").unwrap_or(url)
}

/// Percent-encodes the segments of a path.
fn encoded(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                encoded.push(char::from(byte));
            }
            byte => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_for_people_have_the_form_of_the_provider() {
        let url = "https://git.example.org/acme/docs.git";
        let main = Some("refs/heads/feature/a b");
        let tree = |provider: GitProvider, branch, folder| provider.tree_url(url, branch, folder).unwrap();
        let web = "https://git.example.org/acme/docs";
        assert_eq!(tree(GitProvider::Github, main, "docs"), format!("{web}/tree/feature/a%20b/docs"));
        assert_eq!(tree(GitProvider::Gitlab, None, ""), format!("{web}/-/tree/HEAD"));
        assert_eq!(tree(GitProvider::Gitea, main, ""), format!("{web}/src/branch/feature/a%20b"));
        assert_eq!(tree(GitProvider::Gitea, None, "docs"), web);
        assert_eq!(GitProvider::Git.tree_url(url, main, ""), None);
        let commit = |provider: GitProvider| provider.commit_url(url, "0a1b");
        assert_eq!(commit(GitProvider::Gitlab), Some(format!("{web}/-/commit/0a1b")));
        assert_eq!(commit(GitProvider::Github), Some(format!("{web}/commit/0a1b")));
        assert_eq!(commit(GitProvider::Git), None);
    }
}
