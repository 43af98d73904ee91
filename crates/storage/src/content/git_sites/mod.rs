//! Connections of sites to Git repositories, and the log of their synchronizations.
//!
//! A site's connection determines which of its spaces are connected, and to which folder. Each of these spaces has its
//! own connection, whose parent is the site's connection, and which otherwise works like any other.

mod arrange;
mod changes;
mod children;
mod directories;
mod layout;
mod lookup;
mod proposals;
mod run;
mod soon;
mod structure;

use std::collections::BTreeMap;

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::git::{GitDirection, GitOperationState, GitProvider};
use quire_domain::git_installations::{GitAgent, GitPriority, GitTrigger};
use quire_domain::ids::{GitInstallationId, GitOperationId, OrganizationId, SiteId, UserId};
use quire_domain::policy::{Action, Membership};

use crate::content::git_installations::GitInstallationRecord;
use crate::diesel_types::Elements;
use crate::lookup::{Guarded, OfOrganization};
use crate::schema::{site_git_installations, site_git_operations};
use crate::sites::SiteRecord;

pub use layout::{LayoutGroup, LayoutSection, LayoutSpace, SiteLayout};
pub use lookup::FoundGitInstallation;
pub use proposals::SiteGitProposal;
pub use run::{DueSiteGit, SITE_GIT_JOB, SiteGitChange, SiteGitJob, SiteGitReading};
pub use structure::{SavedSiteFile, SitePart, SitePartKind, SiteStructure};

/// Ids of an organization and of one of its sites.
type SiteKey = (OrganizationId, SiteId);

/// Record that belongs to a site.
#[derive(Clone, Debug)]
pub struct InSite<T> {
    /// Site.
    pub site: SiteRecord,
    /// Record.
    pub item: T,
}

impl<T> OfOrganization for InSite<T> {
    fn organization(&self) -> OrganizationId {
        self.site.organization
    }
}

impl<T> Guarded for InSite<T> {
    const VIEW: Action = Action::ViewOrganization;

    fn allows(&self, role: Option<Role>, action: Action) -> bool {
        Membership::active(role).allows(action)
    }
}

/// Stored connection of a site.
#[derive(Queryable, Selectable)]
#[diesel(table_name = site_git_installations, check_for_backend(Pg))]
struct Row {
    id: GitInstallationId,
    provider: GitProvider,
    url: Option<String>,
    repository_id: Option<i64>,
    username: Option<String>,
    #[diesel(
        select_expression = site_git_installations::secret.is_not_null(),
        select_expression_type = dsl::IsNotNull<site_git_installations::secret>
    )]
    has_secret: bool,
    app_installation_id: Option<i64>,
    reference: Option<String>,
    project_directory: String,
    commit_message_template: Option<String>,
    priority: Option<GitPriority>,
    #[diesel(
        select_expression = site_git_installations::hook_secret.is_not_null(),
        select_expression_type = dsl::IsNotNull<site_git_installations::hook_secret>
    )]
    has_hook_secret: bool,
    preview_external: bool,
    #[diesel(deserialize_as = Elements<Vec<Option<GitAgent>>>)]
    agent_instructions: Vec<GitAgent>,
    created_by: Option<UserId>,
    next_run_at: Option<Timestamp>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl From<Row> for GitInstallationRecord {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            provider: row.provider,
            url: row.url,
            repository_id: row.repository_id,
            username: row.username,
            has_secret: row.has_secret,
            app_installation_id: row.app_installation_id,
            reference: row.reference,
            project_directory: row.project_directory,
            commit_message_template: row.commit_message_template,
            priority: row.priority,
            has_hook_secret: row.has_hook_secret,
            preview_external: row.preview_external,
            agent_instructions: row.agent_instructions,
            created_by: row.created_by,
            next_run_at: row.next_run_at,
            created_at: row.created_at,
            updated_at: row.updated_at,
            parent: None,
        }
    }
}

/// Log entry of a site's connection.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = site_git_operations, check_for_backend(Pg))]
pub struct SiteGitOperationRecord {
    /// Id.
    pub id: GitOperationId,
    /// `Import` if the site file determines the structure, `Export` if the site does.
    pub direction: GitDirection,
    /// Cause.
    pub trigger: GitTrigger,
    /// State.
    pub state: GitOperationState,
    /// Commit that was read before this one.
    pub from_commit: Option<String>,
    /// Commit that was read.
    pub to_commit: Option<String>,
    /// Reason of a failure.
    pub error: Option<String>,
    /// Messages for users about spaces and parts of the file.
    pub notes: Option<String>,
    /// Number of successive runs with the same failure.
    #[diesel(deserialize_as = i32)]
    pub attempts: u32,
    /// Start time of the last run.
    pub started_at: Timestamp,
    /// End time of the last run.
    pub ended_at: Timestamp,
    /// URL of the pull request with the pending commit, or of the page to open it.
    pub pull_request: Option<String>,
}

impl SiteGitOperationRecord {
    /// Returns a summary for users.
    #[must_use]
    pub fn summary(&self) -> String {
        if let Some(error) = &self.error {
            return match self.attempts {
                1 => format!("The site was not synchronized: {error}"),
                attempts => format!("The site was not synchronized, {attempts} times: {error}"),
            };
        }
        let commit: String = self.to_commit.iter().flat_map(|commit| commit.chars().take(7)).collect();
        let summary = match self.direction {
            _ if self.pull_request.is_some() => {
                "Site changes are in a pull request, because the server does not accept commits to the branch."
                    .to_owned()
            }
            GitDirection::Import => format!("The site file of commit {commit} was applied."),
            GitDirection::Export if self.to_commit.is_some() => {
                format!("The site file was changed by commit {commit}.")
            }
            GitDirection::Export => "The spaces of the site were connected to their folders.".to_owned(),
        };
        match &self.notes {
            Some(notes) => format!("{summary} {notes}"),
            None => summary,
        }
    }
}

/// Folders of spaces below the folder of a site, each with a trailing slash, by space.
pub type Directories = BTreeMap<quire_domain::ids::SpaceId, String>;

/// Returns whether two folders are equal or one contains the other.
#[must_use]
pub fn overlap(one: &str, other: &str) -> bool {
    one.starts_with(other) || other.starts_with(one)
}
